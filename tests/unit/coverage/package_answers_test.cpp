// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests audits without a promise: whether packages run on the GPUs that somebody asks about.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "packages.hpp"

namespace archgrid::tests {
namespace {

using coverage::Audit;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string answer(const File& file, const std::string& number) {
  auto wanted = like_others();
  wanted.devices = {device(number)};
  const auto result = audit_one(file, wanted);
  EXPECT_EQ(result.answers.size(), 1U);
  return coverage::name_of(result.answers.at(device(number)));
}

TEST(Package, AnswersByMostKernels) {
  auto file = file_of_many(3, {sass("80"), ptx("80")});
  EXPECT_EQ(answer(file, "8.0"), "runs");
  EXPECT_EQ(answer(file, "8.6"), "runs");
  EXPECT_EQ(answer(file, "9.0"), "runs-after-jit");
  EXPECT_EQ(answer(file, "7.5"), "does-not-run");
  EXPECT_EQ(answer(file_of({lto("80")}), "9.0"), "unknown");
  for (int index = 0; index < 4; ++index) {
    add_module(file,
               {sass("75", {kernel("own" + std::string(1, static_cast<char>('a' + index)))})});
  }
  EXPECT_EQ(answer(file, "7.5"), "runs");
}

Audit asked_about(std::vector<File> files, const std::string& number) {
  auto wanted = like_others();
  wanted.devices = {device(number)};
  return coverage::audit(std::move(files), wanted);
}

std::string answer_of(const Audit& audit, const std::string& number) {
  return coverage::name_of(audit.answers.at(device(number)));
}

/// Returns machine code for 8.0 in which the kernels are empty, and for 9.0 in which they work.
std::vector<Image> working_on_90(const std::vector<std::string>& names) {
  std::vector<Image> images = {sass("80", {}), sass("90", {})};
  for (const auto& name : names) {
    images[0].kernels.push_back(kernel(name, Body::empty));
    images[1].kernels.push_back(kernel(name));
  }
  return images;
}

TEST(Package, DoesNothingWhereNoBodyWorks) {
  const auto lone = asked_about({file_of(working_on_90({"lone"}))}, "8.0");
  EXPECT_EQ(answer_of(lone, "8.0"), "does-nothing");
  ASSERT_THAT(texts_of(lone.findings), ElementsAre("empty by asked: 1 on 8.0"));
  EXPECT_EQ(report::message_of(lone.findings[0]),
            "1 of 1 kernel of the file does nothing on 8.0 (A100, A30): its body is empty");
  EXPECT_THAT(report::fix_of(lone.findings[0]), ::testing::StartsWith("look at the `#if "));
  EXPECT_THAT(lone.suspects, IsEmpty());
  EXPECT_EQ(answer(file_of(working_on_90({"lone"})), "9.0"), "runs");
  EXPECT_EQ(answer(file_of(working_on_90({"lone"})), "7.5"), "does-not-run") << "there is no code";
  const auto stub =
      asked_about({file_of({sass("80", {kernel("k", Body::print_trap)}), sass("90")})}, "8.0");
  EXPECT_EQ(answer_of(stub, "8.0"), "does-nothing");
  EXPECT_THAT(texts_of(stub.findings), ElementsAre("stub by asked: 1 on 8.0"));
  EXPECT_THAT(suspects_in(file_of(working_on_90({"lone"}))),
              ElementsAre("empty by newer-generation: 1 on 8.0 8.6 8.9"))
      << "nobody asks";
}

TEST(Package, CodeThatCannotBeJudgedIsAnErrorWhereSomebodyAsks) {
  const auto result = asked_about({file_of({lto("90"), sass("80")})}, "9.0");
  EXPECT_EQ(answer_of(result, "9.0"), "unknown");
  ASSERT_THAT(texts_of(result.findings), ElementsAre("unknown by asked: 1 on 9.0"));
  EXPECT_EQ(report::message_of(result.findings[0]),
            "1 of 1 kernel of the file has only code that cannot be judged for 9.0 (H100, H200)");
  EXPECT_THAT(result.suspects, IsEmpty());
}

TEST(Package, KernelsThatAreEmptyOnEveryGpuDecideNothing) {
  const std::vector<Image> idle = {sass("80", {kernel("warmup", Body::empty)}),
                                   sass("90", {kernel("warmup", Body::empty)})};
  EXPECT_EQ(answer(file_of(idle), "8.0"), "runs") << "as it was written";
  EXPECT_THAT(asked_about({file_of(idle)}, "8.0").findings, IsEmpty());
  auto file = file_of(working_on_90({"lone"}));
  add_module(file, idle);
  EXPECT_EQ(answer(file, "8.0"), "does-nothing");
  EXPECT_EQ(answer(file, "9.0"), "runs");
}

TEST(Package, RunsWhereSomeBodiesWorkBesideThoseForOtherGpus) {
  auto file = file_of(working_on_90({"a", "b", "c"}));
  add_module(file, {sass("80", {kernel("old")})});
  const auto result = asked_about({file}, "8.0");
  EXPECT_EQ(answer_of(result, "8.0"), "runs");
  EXPECT_THAT(result.findings, IsEmpty());
  EXPECT_THAT(texts_of(result.suspects), ElementsAre("empty by newer-generation: 3 on 8.0"));
}

/// Returns machine code for 8.0 in which all of 12 kernels work, and for 9.0 in which `count` are
/// idle.
File idle_on_90(int count, Body body = Body::empty) {
  std::vector<Image> images = {sass("80", {}), sass("90", {})};
  for (int index = 0; index < 12; ++index) {
    const auto name = std::string("work_") + static_cast<char>('a' + index);
    images[0].kernels.push_back(kernel(name));
    images[1].kernels.push_back(kernel(name, index < count ? body : Body::code));
  }
  return file_of(images);
}

TEST(Package, RunsInPartWhereMostKernelsOfAFileDoNothing) {
  const auto result = asked_about({idle_on_90(11)}, "9.0");
  EXPECT_EQ(answer_of(result, "9.0"), "runs-in-part");
  ASSERT_THAT(texts_of(result.findings), ElementsAre("empty by asked: 11 on 9.0"));
  EXPECT_EQ(report::message_of(result.findings[0]),
            "11 of 12 kernels of the file do nothing on 9.0 (H100, H200): their bodies are empty");
  EXPECT_THAT(result.suspects, IsEmpty());
  const auto trap = asked_about({idle_on_90(7, Body::trap)}, "9.0");
  EXPECT_EQ(answer_of(trap, "9.0"), "runs-in-part");
  EXPECT_THAT(texts_of(trap.findings), ElementsAre("trap by asked: 7 on 9.0"));
  const auto half = asked_about({idle_on_90(6)}, "9.0");
  EXPECT_EQ(answer_of(half, "9.0"), "runs") << "not most";
  EXPECT_THAT(half.findings, IsEmpty());
  EXPECT_THAT(texts_of(half.suspects), ElementsAre("empty by older-gpus: 6 on 9.0"));
  EXPECT_EQ(answer(idle_on_90(11), "8.0"), "runs");
}

TEST(Package, KernelsThatAreForOtherGpusAreNoPartThatDoesNotRun) {
  auto file = idle_on_90(11);
  for (auto& image : file.images) {
    for (auto& kernel : image.kernels) kernel.name += "_sm80_";
  }
  EXPECT_EQ(answer(file, "9.0"), "runs") << "by their names";
  auto wanted = like_others();
  wanted.devices = {device("9.0")};
  auto check = coverage::HostCheck::present;
  wanted.host_check = [&](const auto&...) { return check; };
  const auto checked = audit_one(idle_on_90(11), wanted);
  EXPECT_EQ(answer_of(checked, "9.0"), "runs") << "host code never launches them there";
  EXPECT_THAT(checked.findings, IsEmpty());
  check = coverage::HostCheck::absent;
  EXPECT_EQ(answer_of(audit_one(idle_on_90(11), wanted), "9.0"), "runs-in-part");
}

TEST(Package, AKernelThatHostCodeLoadsItselfIsMissedLikeOthers) {
  auto file = idle_on_90(11);
  for (auto& module : file.modules) module.registered = false;
  const auto result = asked_about({file}, "9.0");
  EXPECT_EQ(answer_of(result, "9.0"), "runs-in-part");
  EXPECT_THAT(texts_of(result.findings), ElementsAre("empty by asked: 11 on 9.0"));
}

TEST(Package, AQuestionMakesNoNewErrorOfWhatTheBaselineSuspected) {
  auto wanted = like_others();
  wanted.devices = {device("9.0")};
  const auto file = idle_on_90(11);
  coverage::Baseline baseline;
  for (const auto& kernel : file.images[0].kernels) {
    baseline.files["\n" + file.path][kernel.name][device("9.0")] = coverage::Verdict::empty;
  }
  wanted.baseline = baseline;
  EXPECT_THAT(audit_one(file, wanted).findings, testing::SizeIs(1));
  wanted.baseline->findings.insert("\n" + file.path + "\nempty\nolder-gpus\n9.0");
  const auto known = audit_one(file, wanted);
  EXPECT_THAT(known.findings, IsEmpty());
  EXPECT_EQ(answer_of(known, "9.0"), "runs-in-part") << "known, and still so";
}

TEST(Package, ADriversErrorHidesNoBodiesThatDoNothing) {
  auto wanted = like_others();
  wanted.devices = {device("9.0")};
  wanted.driver = coverage::parse_driver("510");  // older than the GPU
  wanted.ignores = {{"ignore[0]", "*", {}, "newer on the machine", "driver-too-old-for-gpu"}};
  const auto result = audit_one(idle_on_90(11), wanted);
  EXPECT_EQ(answer_of(result, "9.0"), "does-not-run");
  EXPECT_THAT(texts_of(result.findings), Contains("empty by asked: 11 on 9.0"));
}

TEST(Package, AnIgnoreChangesNoAnswer) {
  auto wanted = like_others();
  wanted.devices = {device("9.0")};
  wanted.ignores = {{"ignore[0]", "*", {}, "meant", "empty"}};
  const auto result = audit_one(idle_on_90(11), wanted);
  EXPECT_EQ(answer_of(result, "9.0"), "runs-in-part");
  EXPECT_THAT(result.findings, IsEmpty());
  ASSERT_EQ(result.ignored.size(), 1U);
  EXPECT_EQ(result.ignored[0].finding.code, "empty");
  EXPECT_EQ(result.ignored[0].finding.kernels, 11U);
}

TEST(Package, RunsInPartWhereTheLargestFileDoesNothing) {
  auto small = file_of({sass("80", {kernel("old")}), sass("90", {kernel("old")})});
  small.path = "libsmall.so";
  const auto result = asked_about({file_of(working_on_90({"a", "b", "c"})), small}, "8.0");
  EXPECT_EQ(answer_of(result, "8.0"), "runs-in-part");
  EXPECT_THAT(texts_of(result.findings), ElementsAre("empty by asked: 3 on 8.0"));
}

TEST(Package, DoesNothingWhereTheDriverCompilesPtxWithoutBodies) {
  const auto file = file_of({ptx("80", "8.4", {kernel("k", Body::empty)}), sass("90a")});
  const auto result = asked_about({file}, "10.0");
  EXPECT_EQ(answer_of(result, "10.0"), "does-nothing");
  ASSERT_THAT(texts_of(result.findings), ElementsAre("empty by no-sibling: 1 on 10.0"))
      << "the guard has no upper bound: 9.0 runs other code";
  EXPECT_EQ(report::message_of(result.findings[0]),
            "on 10.0 (B200, GB200) the driver compiles compute_80 PTX, in which its body is empty, "
            "and no other variant works there");
  EXPECT_THAT(report::fix_of(result.findings[0]),
              ::testing::StartsWith("compile its .cu file for 100 too: "));
  const auto bounded = file_of({sass("80"), ptx("90", "8.4", {kernel("k", Body::empty)})});
  const auto on_newer = asked_about({bounded}, "10.0");
  ASSERT_THAT(texts_of(on_newer.findings), ElementsAre("empty by asked: 1 on 10.0"));
  EXPECT_THAT(report::fix_of(on_newer.findings[0]), ::testing::StartsWith("look at the `#if "))
      << "a guard with an upper bound";
}

TEST(Package, AFileThatDoesNothingOnAGpuIsNoReasonToShipIt) {
  auto other = file_of({sass("75", {kernel("other")}), sass("90", {kernel("other")})});
  other.path = "libother.so";
  const auto images = working_on_90({"a", "b", "c"});
  EXPECT_THAT(audit_package({file_of(images), other}).findings, IsEmpty());
  EXPECT_THAT(
      texts_of(
          audit_package({file_of({images[1], sass("80", images[1].kernels)}), other}).findings),
      ElementsAre("file-lacks-arch by left-behind: 1 on 8.0 8.6 8.9"))
      << "where they work";
}

TEST(Package, RunsInPartWhereASmallerFileServesTheGpu) {
  auto files = package_with({sass("80"), sass("120")});
  const auto result = asked_about(files, "12.0");
  EXPECT_EQ(result.answers.at(device("12.0")), coverage::Answer::runs_in_part);
  EXPECT_THAT(texts_of(result.findings), ElementsAre("file-lacks-arch by asked: 9 on 12.0"));
  EXPECT_THAT(texts_of(result.suspects), IsEmpty());
  const auto unasked = coverage::audit(files, like_others());
  EXPECT_THAT(texts_of(unasked.suspects), Contains("file-lacks-arch by minority: 9 on 12.0 12.1"));
  auto by_driver = like_others();
  by_driver.devices = {device("12.0")};
  by_driver.driver = coverage::parse_driver("580");
  EXPECT_EQ(coverage::audit(files, by_driver).answers.at(device("12.0")),
            coverage::Answer::runs_in_part)
      << "a driver that loads all";
  files.pop_back();
  EXPECT_EQ(asked_about(files, "12.0").answers.at(device("12.0")), coverage::Answer::does_not_run);
}

TEST(Package, KernelsOfAStaticLibraryOfNvidiaDoNotOutvoteItsOwn) {
  auto file = file_of_many(3, {sass("75"), sass("80")});
  std::vector<fatbin::Kernel> gemms;
  for (int index = 0; index < 9; ++index) {
    gemms.push_back(kernel("ampere_sgemm_" + std::to_string(index)));
  }
  add_module(file, {sass("80", std::move(gemms))});
  const auto result = asked_about({file}, "7.5");
  EXPECT_EQ(result.answers.at(device("7.5")), coverage::Answer::runs);
  EXPECT_THAT(result.findings, IsEmpty());
}

TEST(Package, WhatTheDriverCompilesIsNoMissingCode) {
  auto file = file_of_many(3, {sass("80")});
  add_module(file, {sass("80", {kernel("compiled")}), ptx("80", "8.4", {kernel("compiled")})});
  const auto result = asked_about({file}, "9.0");
  EXPECT_THAT(texts_of(result.findings), ElementsAre("file-lacks-arch by asked: 3 on 9.0"));
  EXPECT_THAT(texts_of(result.suspects), ElementsAre("jit by jit: 1 on 9.0"));
}

TEST(Package, ARefusingBodyIsASuspectWhereTheDriverCompilesASibling) {
  const auto of = [](const std::string& type) { return "_Z4tileI" + type + "EvPT_"; };
  auto file = file_of({ptx("80", "8.4", {kernel(of("f"))})});
  add_module(file, {ptx("70", "8.4", {kernel(of("d"))}),
                    ptx("80", "8.4", {kernel(of("d"), Body::empty)})});
  const auto result = asked_about({file}, "9.0");
  EXPECT_THAT(result.findings, IsEmpty());
  EXPECT_THAT(texts_of(result.suspects),
              ElementsAre("empty by sibling: 1 on 9.0", "jit by jit: 1 on 9.0"));
}

TEST(Package, PtxThatTheDriverDoesNotReadIsAnErrorOfItsOwn) {
  auto wanted = like_others();
  wanted.devices = {device("9.0")};
  wanted.driver = coverage::parse_driver("525");
  const auto result = audit_one(file_of_many(3, {sass("80"), ptx("80", "8.7")}), wanted);
  ASSERT_THAT(texts_of(result.findings), ElementsAre("ptx-too-new by driver: 3 on 9.0"));
  EXPECT_EQ(report::message_of(result.findings[0]),
            "3 of 3 kernels of the file have only PTX for 9.0 (H100, H200), and driver 525 reads "
            "PTX up to ISA 8.0, but this has 8.7");
  EXPECT_THAT(report::fix_of(result.findings[0]),
              ::testing::StartsWith("install driver 570 or newer, or compile "));
  wanted.devices = {device("12.0")};
  const auto unknown = audit_one(file_of_many(3, {sass("80"), ptx("80", "8.7")}), wanted);
  const auto found =
      std::find_if(unknown.findings.begin(), unknown.findings.end(),
                   [](const auto& finding) { return finding.code == "ptx-too-new"; });
  ASSERT_NE(found, unknown.findings.end());
  EXPECT_EQ(report::fix_of(*found), "install driver 570 or newer")
      << "the driver does not know the GPU either";
  wanted.devices = {device("9.0")};
  wanted.driver = coverage::parse_driver("570");
  EXPECT_THAT(audit_one(file_of_many(3, {sass("80"), ptx("80", "8.7")}), wanted).findings,
              IsEmpty());
}

TEST(Package, RunsWhereItsFilesShipTheGpuThoughNotEveryKernelIsForIt) {
  auto files = package_with({sass("80")});
  auto& large = files[0];
  for (std::size_t index = 0; index < 4; ++index) {
    add_module(large, {sass("80", {kernel("new" + std::to_string(index))})});
  }
  for (std::size_t index = 0; index < 6; ++index) {
    add_module(files[1], {sass("80", {kernel("other" + std::to_string(index))})});
  }
  auto asked = like_others();
  asked.devices = {device("7.5")};
  const auto result = coverage::audit(std::move(files), asked);
  EXPECT_EQ(result.answers.at(device("7.5")), coverage::Answer::runs) << "9 of 21 kernels";
}

TEST(Package, OfWhatCannotBeReadTheAnswerIsNotKnown) {
  File file;
  file.path = "libx.so";
  file.errors.push_back({0, "cannot open"});
  auto asked = like_others();
  asked.devices = {device("7.5")};
  EXPECT_EQ(audit_one(file, asked).answers.at(device("7.5")), coverage::Answer::unknown);
}

TEST(Package, NothingRunsOnGpusBesideOtherCpus) {
  auto wanted = like_others();
  wanted.devices = {device("8.7"), device("8.0")};
  auto file = file_of_many(3, {sass("80"), sass("87")});
  file.host_cpu = "x86-64";
  const auto result = audit_one(file, wanted);
  EXPECT_EQ(result.answers.at(device("8.7")), coverage::Answer::does_not_run);
  EXPECT_EQ(result.answers.at(device("8.0")), coverage::Answer::runs);
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].code, "other-cpu");
  EXPECT_EQ(result.findings[0].device, "8.7");
  wanted.devices = {device("8.7")};
  file.path = "x86.whl!lib.so";
  auto board = file;
  board.path = "arm.whl!lib.so";
  board.host_cpu = "aarch64";
  const auto both = coverage::audit({board, file}, wanted);
  EXPECT_EQ(both.answers.at(device("8.7")), coverage::Answer::does_not_run);
  EXPECT_EQ(both.package_answers.at("arm.whl").at(device("8.7")), coverage::Answer::runs);
  ASSERT_EQ(both.findings.size(), 1U);
  EXPECT_EQ(both.findings[0].code, "other-cpu");
  EXPECT_EQ(both.findings[0].path, "x86.whl");
  file.host_cpu = "aarch64";
  EXPECT_THAT(audit_one(file, wanted).findings, IsEmpty());
}

TEST(Package, NothingRunsWithADriverThatRefusesTheFile) {
  auto wanted = like_others();
  wanted.devices = {device("8.0")};
  wanted.driver = coverage::parse_driver("535");
  auto file = file_of_many(3, {sass("80")});
  for (auto& image : file.images) image.toolkit = "13.0";
  EXPECT_EQ(audit_one(file, wanted).answers.at(device("8.0")), coverage::Answer::does_not_run);
  wanted.driver = coverage::parse_driver("580");
  EXPECT_EQ(audit_one(file, wanted).answers.at(device("8.0")), coverage::Answer::runs);
}

TEST(Package, NothingRunsWithADriverThatDoesNotKnowTheGpu) {
  auto wanted = like_others();
  wanted.devices = {device("12.0")};
  wanted.driver = coverage::parse_driver("520");
  const auto result = audit_one(file_of({sass("120")}), wanted);
  EXPECT_EQ(result.answers.at(device("12.0")), coverage::Answer::does_not_run);
}

TEST(Package, OnlyAGpuOnWhichItDoesNotRunIsAnError) {
  const auto file = file_of_many(3, {sass("80"), ptx("80")});
  auto wanted = like_others();
  wanted.devices = {device("7.5"), device("8.0"), device("9.0")};
  const auto result = audit_one(file, wanted);
  EXPECT_EQ(text_of(result.devices), "7.5 8.0 9.0");
  EXPECT_THAT(texts_of(result.findings), ElementsAre("file-lacks-arch by asked: 3 on 7.5"));
  EXPECT_THAT(texts_of(result.suspects), ElementsAre("jit by jit: 3 on 9.0"));
  EXPECT_TRUE(audit_one(file, like_others()).answers.empty()) << "nobody asked";
}

TEST(Package, OfVariantsTheBestCounts) {
  std::vector<File> files = {file_of_many(9, {sass("75")}), file_of_many(9, {sass("90")})};
  files[1].path = "libmany_cuda13.so";
  auto wanted = like_others();
  wanted.devices = {device("7.5"), device("9.0")};
  const auto result = coverage::audit(files, wanted);
  EXPECT_THAT(result.findings, IsEmpty());
  EXPECT_EQ(result.answers.at(device("7.5")), coverage::Answer::runs);
  EXPECT_EQ(result.answers.at(device("9.0")), coverage::Answer::runs);
}

}  // namespace
}  // namespace archgrid::tests
