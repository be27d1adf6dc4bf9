// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "files.hpp"

namespace archgrid::tests {
namespace {

using coverage::Audit;
using coverage::Request;
using coverage::State;
using coverage::Verdict;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

coverage::Promise promise(std::vector<std::string> devices,
                          coverage::Verdicts accept = coverage::default_verdicts()) {
  coverage::Promise result;
  result.place = "promises[0]";
  for (const auto& text : devices) result.devices.push_back(device(text));
  result.accept = std::move(accept);
  return result;
}

Request request(std::vector<std::string> devices) {
  Request result;
  result.promises = {promise(std::move(devices))};
  return result;
}

Audit audit_one(File file, const Request& wanted) {
  std::vector<File> files;
  files.push_back(std::move(file));
  return coverage::audit(std::move(files), wanted);
}

TEST(Audit, HoldsWhereEveryDeviceIsServed) {
  const auto result = audit_one(file_of({sass("80"), sass("90")}), request({"8.0", "8.6", "9.0"}));
  EXPECT_TRUE(result.findings.empty());
  EXPECT_TRUE(result.errors.empty());
  ASSERT_EQ(result.files.at(0).rows.size(), 1U);
  for (const auto& field : result.files[0].rows[0].fields) EXPECT_EQ(field.state, State::kept);
}

TEST(Audit, JudgesEachPromiseByItsOwnDriver) {
  const auto findings_with = [](const std::vector<std::string>& drivers) {
    Request wanted;
    for (const auto& driver : drivers) {
      wanted.promises.push_back(promise({"9.0"}, {Verdict::jit}));
      if (!driver.empty()) wanted.promises.back().driver = coverage::parse_driver(driver);
    }
    std::vector<std::string> codes;
    for (const auto& finding : audit_one(file_of({ptx("80", "8.4")}), wanted).findings) {
      codes.push_back(finding.code);
    }
    return codes;
  };
  EXPECT_THAT(findings_with({"550", ""}), ElementsAre());
  EXPECT_THAT(findings_with({"", "545"}), ElementsAre("ptx-too-new"));
  EXPECT_THAT(findings_with({"545", ""}), ElementsAre("ptx-too-new"));
  EXPECT_THAT(findings_with({"550", "545", "550"}), ElementsAre("ptx-too-new"));
}

// Kernels of one module share what is said of them, and only as far as it is the same.
TEST(Audit, SaysOfEachKernelWhatHoldsForIt) {
  auto file = file_of({sass("80", {kernel("k"), kernel("l"), kernel("m", Body::empty)}),
                       sass("75", {kernel("k"), kernel("m")})});
  add_module(file, {sass("80", {kernel("n")})});
  const auto result = audit_one(file, request({"7.5", "8.0"}));
  std::vector<std::string> said;
  for (const auto& finding : result.findings) {
    said.push_back(finding.kernel.str() + " " + finding.device + " " + finding.message.str());
  }
  const std::string promised = "; promised is native or compatible";
  EXPECT_THAT(
      said,
      ElementsAre(
          "l 7.5 7.5 takes the sm_75 image of its module, which lacks it" + promised,
          "m 8.0 its sm_80 body is empty, while another of its bodies stores to memory" + promised,
          "n 7.5 no image of its module serves 7.5" + promised));
}

TEST(Audit, NamesKernelDeviceCellUnitAndFix) {
  auto file = file_of({sass("80")});
  file.modules[0].unit = "gemm_tile_64.cu";
  auto wanted = request({"8.0", "9.0"});
  wanted.cell = "cu130-fat";
  const auto result = audit_one(file, wanted);
  ASSERT_EQ(result.findings.size(), 1U);
  const auto& finding = result.findings[0];
  EXPECT_EQ(finding.code, "missing");
  EXPECT_EQ(finding.kernel, "k");
  EXPECT_EQ(finding.device, "9.0");
  EXPECT_EQ(finding.cell, "cu130-fat");
  EXPECT_EQ(finding.path, "libx.so");
  EXPECT_EQ(finding.fix,
            "compile gemm_tile_64.cu of libx.so for 90 too: add 90 to the CUDA_ARCHITECTURES of "
            "the target that compiles it");
}

TEST(Audit, WhereTheArchIsThereAndTheKernelIsNotItSaysSo) {
  auto file = file_of({sass("80"), sass("90", {kernel("other")})});
  file.modules[0].unit = "gemv.cu";
  const auto result = audit_one(file, request({"9.0"}));
  const auto finding = std::find_if(result.findings.begin(), result.findings.end(),
                                    [](const auto& one) { return one.kernel == "k"; });
  ASSERT_NE(finding, result.findings.end());
  EXPECT_EQ(
      finding->fix,
      "gemv.cu of libx.so is compiled for 90, but without this kernel: look for an `#if "
      "__CUDA_ARCH__` around it or around what instantiates it, do not promise 9.0, or ignore "
      "it with a reason");
}

TEST(Audit, TellsTheFirstErrorsAndCountsTheRest) {
  File file;
  file.path = "libx.so";
  for (std::uint64_t index = 0; index < 700; ++index) file.errors.push_back({index, "cut"});
  const auto errors = coverage::errors_of({file, file});
  ASSERT_EQ(errors.size(), 1001U);
  EXPECT_EQ(errors[0], "libx.so: cut");
  EXPECT_EQ(errors[999], "libx.so: at offset 0x12b: cut");
  EXPECT_EQ(errors[1000], "and 400 more errors");
  EXPECT_EQ(coverage::errors_of(file).size(), 700U);
  EXPECT_LT(coverage::error_text("x", {0, std::string(100000, 'm')}).size(), 1010U);
}

TEST(Audit, TellsErrorsInWordsThatHarmNoTerminal) {
  auto file = file_of({unreadable(sass("80"))});
  file.path = "lib\x1b[31mx.so";
  file.errors.push_back({4, "section \"a\n::error::b\a\xc2\x9b\""});
  file.images[0].error = "kernel \xe2\x80\xae\x1b]0;k\a";
  EXPECT_THAT(coverage::errors_of(file),
              ::testing::ElementsAre("lib?[31mx.so: at offset 0x4: section \"a?::error::b??\"",
                                     "lib?[31mx.so: sass image 80 of module 0: kernel ??]0;k?"));
}

TEST(Audit, SaysWhenTheToolkitCannotCompileForTheDevice) {
  auto wanted = request({"10.0"});
  wanted.toolkit = coverage::Version{11, 8};
  const auto result = audit_one(file_of({sass("90")}), wanted);
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_THAT(result.findings[0].fix, HasSubstr("CUDA 11.8 cannot compile for 100, CUDA 12.8 to "));
  wanted.toolkit = coverage::Version{13, 0};
  EXPECT_THAT(audit_one(file_of({sass("90")}), wanted).findings.at(0).fix, HasSubstr("add 100 to"));
}

TEST(Audit, SaysWhenTheToolkitThatAFileRecordsCannotCompileForTheDevice) {
  const auto fix_of = [](const std::string& toolkit, const std::string& device) {
    auto image = sass("80");
    image.toolkit = toolkit;
    return audit_one(file_of({image}), request({device})).findings.at(0).fix.str();
  };
  EXPECT_EQ(fix_of("13.0", "7.0"),
            "it was built with CUDA 13.0, which cannot compile for 70; CUDA 11.0 to 12.9 can: "
            "build with one of those, or do not promise 7.0");
  EXPECT_THAT(fix_of("11.8", "12.0"), HasSubstr("CUDA 12.8 to "));
  EXPECT_THAT(fix_of("12.8", "12.0"), HasSubstr("add 120 to the CUDA_ARCHITECTURES"));
  for (const auto* unknown : {"", "10.2", "99.0", "new"}) {
    EXPECT_THAT(fix_of(unknown, "7.0"), HasSubstr("add 70 to the CUDA_ARCHITECTURES")) << unknown;
  }
  auto image = sass("80");
  image.toolkit = "13.0";
  auto wanted = request({"7.0"});
  wanted.toolkit = coverage::Version{12, 4};
  EXPECT_THAT(audit_one(file_of({image}), wanted).findings.at(0).fix, HasSubstr("add 70 to"))
      << "who names the toolkit knows";
}

/// What is to be done for a device that a file of `image` does not serve.
std::string fix_for(Image image, const std::string& toolkit, const std::string& device,
                    coverage::Verdicts accept = coverage::default_verdicts()) {
  image.toolkit = toolkit;
  Request wanted;
  wanted.promises = {promise({device}, std::move(accept))};
  return audit_one(file_of({std::move(image)}), wanted).findings.at(0).fix.str();
}

TEST(Audit, NamesAnotherArchOfTheToolkitThatServesTheDevice) {
  EXPECT_EQ(fix_for(sass("90"), "12.4", "8.8"),
            "compile the source of this kernel in libx.so for 80 too, which serves 8.8 (CUDA 12.4 "
            "cannot compile for 88): add 80 to the CUDA_ARCHITECTURES of the target that compiles "
            "it");
  EXPECT_THAT(fix_for(sass("90"), "12.8", "10.3"), HasSubstr("add 100 to"));
  EXPECT_THAT(fix_for(sass("90"), "12.8", "12.1"), HasSubstr("add 120 to"));
  EXPECT_THAT(fix_for(sass("75"), "11.2", "8.9"), HasSubstr("add 80 to"));
  EXPECT_THAT(fix_for(sass("100a"), "12.8", "10.3"), HasSubstr("add 100 to")) << "wrong-suffix";
  EXPECT_THAT(fix_for(ptx("90"), "12.4", "10.0", {Verdict::compatible}),
              HasSubstr("it was built with CUDA 12.4, which cannot compile for 100"));
}

TEST(Audit, AnotherArchServesOnlyByAVerdictThatThePromiseAccepts) {
  EXPECT_THAT(fix_for(sass("90"), "12.4", "8.8", {Verdict::native}),
              HasSubstr("which cannot compile for 88; CUDA 13.0 to 13.5 can"));
  EXPECT_THAT(fix_for(sass("90"), "12.4", "10.0"), HasSubstr("which cannot compile for 100"));
  EXPECT_THAT(fix_for(sass("90"), "12.4", "10.0", {Verdict::native, Verdict::jit}),
              HasSubstr("for 90-virtual too, which serves 10.0 (CUDA 12.4 cannot compile for 100): "
                        "add 90-virtual to"));
  EXPECT_THAT(fix_for(sass("75"), "11.2", "8.7"), HasSubstr("which cannot compile for 87"));
  EXPECT_THAT(fix_for(sass("75"), "11.2", "8.7", {Verdict::unknown}), HasSubstr("add 80 to"));
}

TEST(Audit, PtxThatThePromisedDriverCannotReadServesNoDevice) {
  auto image = sass("90");
  image.toolkit = "12.4";
  Request wanted;
  wanted.promises = {promise({"8.8"}, {Verdict::native, Verdict::jit})};
  wanted.promises[0].driver = coverage::parse_driver("545");
  EXPECT_THAT(audit_one(file_of({image}), wanted).findings.at(0).fix,
              HasSubstr("which cannot compile for 88"));
  wanted.promises[0].driver = coverage::parse_driver("550");
  EXPECT_THAT(audit_one(file_of({image}), wanted).findings.at(0).fix,
              HasSubstr("add 87-virtual to"));
}

TEST(Audit, TheSaidToolkitDecidesWhichArchServes) {
  auto wanted = request({"8.8"});
  wanted.toolkit = coverage::Version{12, 4};
  EXPECT_THAT(audit_one(file_of({sass("90")}), wanted).findings.at(0).fix, HasSubstr("add 80 to"));
  wanted.toolkit = coverage::Version{13, 0};
  EXPECT_THAT(audit_one(file_of({sass("90")}), wanted).findings.at(0).fix, HasSubstr("add 88 to"));
}

TEST(Audit, AddsNoArchBeforeWhichTheDeviceTakesOneWithoutTheKernel) {
  const auto fix_of = [](std::vector<Image> images, const std::string& where,
                         coverage::Verdicts accept = coverage::default_verdicts()) {
    for (auto& image : images) image.toolkit = "12.4";
    Request wanted;
    wanted.promises = {promise({where}, std::move(accept))};
    const auto result = audit_one(file_of(std::move(images)), wanted);
    const auto finding = std::find_if(result.findings.begin(), result.findings.end(),
                                      [](const auto& one) { return one.kernel == "k"; });
    return finding == result.findings.end() ? std::string() : finding->fix.str();
  };
  const auto other = std::vector<fatbin::Kernel>{kernel("other")};
  EXPECT_THAT(fix_of({sass("90"), sass("80", other)}, "8.8"),
              HasSubstr("is compiled for 80, but without this kernel"));
  EXPECT_THAT(fix_of({sass("80"), sass("86", other)}, "8.8"),
              HasSubstr("is compiled for 86, but without this kernel"))
      << "80, the lowest that serves, is there and not taken";
  const coverage::Verdicts jit = {Verdict::native, Verdict::jit};
  EXPECT_THAT(fix_of({sass("90"), ptx("90", "8.4", other)}, "10.0", jit),
              HasSubstr("is compiled for 90, but without this kernel"));
  EXPECT_THAT(fix_of({sass("90"), ptx("80", "8.4", other)}, "10.0", jit),
              HasSubstr("add 90-virtual to"));
}

TEST(Audit, JudgingNothingOfWhatIsPromisedIsAFinding) {
  auto wanted = request({"8.0"});
  wanted.promises[0].kernels = "ghost*";
  const auto result = audit_one(file_of({sass("80")}), wanted);
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].code, "nothing-judged");
  EXPECT_THAT(result.findings[0].message, HasSubstr("none matches \"ghost*\""));
  wanted.promises[0].kernels = "k*";
  EXPECT_TRUE(audit_one(file_of({sass("80")}), wanted).findings.empty());
}

TEST(Audit, APromisedDeviceForWhichNoKernelIsJudgedIsAFinding) {
  auto wanted = request({"9.0"});
  wanted.promises.push_back(promise({"8.0"}));
  wanted.promises.back().kernels = "*";
  const auto result = audit_one(file_of({sass("80"), ptx("80")}), wanted);
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].code, "nothing-judged");
  EXPECT_EQ(result.findings[0].device, "9.0");
  EXPECT_THAT(result.findings[0].message, HasSubstr("promises with \"kernels\" take them all"));
}

TEST(Audit, AnArchThatMayServeServesWhereUnknownIsAccepted) {
  EXPECT_FALSE(coverage::arch_serves("80-real", device("8.7"), coverage::default_verdicts()));
  EXPECT_TRUE(coverage::arch_serves("80-real", device("8.7"), {Verdict::unknown}));
}

TEST(Audit, PtxOnlyIsAFindingUnlessJitIsAccepted) {
  const auto file = file_of({ptx("90")});
  EXPECT_EQ(audit_one(file, request({"9.0"})).findings.at(0).code, "jit");
  Request wanted;
  wanted.promises = {promise({"9.0"}, {Verdict::jit})};
  EXPECT_TRUE(audit_one(file, wanted).findings.empty());
}

TEST(Audit, TheDriverOfThePromiseIsUsed) {
  const auto file = file_of({ptx("90", "9.0")});
  Request wanted;
  wanted.promises = {promise({"9.0"}, {Verdict::jit})};
  wanted.promises[0].driver = coverage::parse_driver("575");
  EXPECT_EQ(audit_one(file, wanted).findings.at(0).code, "ptx-too-new");
  wanted.driver = coverage::parse_driver("580");
  EXPECT_TRUE(audit_one(file, wanted).findings.empty());
}

Image made_with(const std::string& toolkit, Image image) {
  image.toolkit = toolkit;
  return image;
}

TEST(OldDrivers, AreOneFindingAFile) {
  const auto file = file_of({made_with("13.0", sass("80", {kernel("a"), kernel("b")})),
                             made_with("13.0", sass("90", {kernel("a"), kernel("b")}))});
  auto wanted = request({"8.0", "8.6", "9.0"});
  wanted.promises[0].driver = coverage::parse_driver("575");
  const auto result = audit_one(file, wanted);
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].code, "driver-too-old");
  EXPECT_EQ(result.findings[0].path, "libx.so");
  EXPECT_EQ(result.findings[0].message,
            "its machine code for 8.0, 8.6, 9.0 was made with CUDA 13.0, which needs driver 580 or "
            "newer; promised is driver 575");
  EXPECT_THAT(result.findings[0].fix,
              HasSubstr("promise driver 580 or newer, or build it with CUDA 12.x"));
  wanted.driver = coverage::parse_driver("580");
  EXPECT_TRUE(audit_one(file, wanted).findings.empty());
  wanted.driver = coverage::parse_driver("12.9");
  EXPECT_EQ(audit_one(file, wanted).findings.at(0).code, "driver-too-old");
}

Audit audit_with(const std::string& driver, std::vector<std::string> devices, File file,
                 coverage::Verdicts accept = coverage::default_verdicts()) {
  Request wanted;
  wanted.promises = {promise(std::move(devices), std::move(accept))};
  wanted.driver = coverage::parse_driver(driver);
  return audit_one(std::move(file), wanted);
}

std::vector<std::string> codes_of(const Audit& audit) {
  std::vector<std::string> codes;
  for (const auto& finding : audit.findings) codes.push_back(finding.code + " " + finding.device);
  return codes;
}

TEST(UnknownGpus, BreakThePromiseWhateverCodeThereIs) {
  const auto native = audit_with("590", {"7.0"}, file_of({sass("70")}));
  ASSERT_EQ(native.findings.size(), 1U);
  const auto& finding = native.findings[0];
  EXPECT_EQ(finding.code, "driver-too-new-for-gpu");
  EXPECT_EQ(finding.device, "7.0");
  EXPECT_TRUE(finding.path.empty() && finding.kernel.empty());
  EXPECT_EQ(
      finding.message,
      "promises[0]: no 7.0 runs with driver 590, which is promised: driver 580 is the last branch "
      "that knows it");
  EXPECT_EQ(finding.fix, "promise driver 580 or older for 7.0, or do not promise 7.0");
  EXPECT_THAT(codes_of(audit_with("590", {"5.0", "6.1", "7.0", "7.5"}, file_of({ptx("50")}),
                                  {Verdict::jit})),
              ElementsAre("driver-too-new-for-gpu 5.0", "driver-too-new-for-gpu 6.1",
                          "driver-too-new-for-gpu 7.0"));
  EXPECT_TRUE(audit_with("580", {"7.0"}, file_of({sass("70")})).findings.empty());
  const auto old = audit_with("525", {"8.0", "12.0"}, file_of({sass("80"), sass("120")}));
  EXPECT_THAT(codes_of(old), ElementsAre("driver-too-old-for-gpu 12.0"));
  EXPECT_EQ(old.findings[0].message,
            "promises[0]: no 12.0 runs with driver 525, which is promised: driver 570 is the first "
            "branch that knows it");
  EXPECT_EQ(old.findings[0].fix, "promise driver 570 or newer for 12.0, or do not promise 12.0");
  EXPECT_TRUE(
      audit_with("570", {"8.0", "12.0"}, file_of({sass("80"), sass("120")})).findings.empty());
}

TEST(UnknownGpus, AreOneFindingAnAuditForEachDriver) {
  auto wanted = request({"7.0", "7.5"});
  wanted.cell = "cu124-fat";
  wanted.promises[0].driver = coverage::parse_driver("590");
  wanted.promises.push_back(wanted.promises[0]);
  wanted.promises[1].place = "promises[1]";
  wanted.promises.push_back(wanted.promises[0]);
  wanted.promises[2].place = "promises[2]";
  wanted.promises[2].driver = coverage::parse_driver("13.2");
  const auto file =
      file_of({sass("70", {kernel("a"), kernel("b")}), sass("75", {kernel("a"), kernel("b")})});
  const auto result = coverage::audit({file, file}, wanted);
  ASSERT_EQ(result.findings.size(), 2U);
  EXPECT_THAT(result.findings[0].message, HasSubstr("promises[0]: no 7.0 runs with driver 590, "));
  EXPECT_THAT(result.findings[1].message,
              HasSubstr("promises[2]: no 7.0 runs with a driver for CUDA 13.2, "));
  EXPECT_EQ(result.findings[0].cell, "cu124-fat");
}

TEST(UnknownGpus, ConcernOnlyPromisesOfKernelsThatAreThere) {
  auto wanted = request({"7.0"});
  wanted.promises[0].driver = coverage::parse_driver("580");
  wanted.promises.push_back(promise({"7.0"}));
  wanted.promises[1].kernels = "other";
  wanted.promises[1].driver = coverage::parse_driver("590");
  EXPECT_TRUE(audit_one(file_of({sass("70")}), wanted).findings.empty());
  wanted.promises[1].kernels = "k";
  EXPECT_THAT(codes_of(audit_one(file_of({sass("70")}), wanted)),
              ElementsAre("driver-too-new-for-gpu 7.0"));
  wanted.devices = {device("7.5")};
  EXPECT_TRUE(audit_one(file_of({sass("70")}), wanted).findings.empty()) << "not asked for";
}

TEST(UnknownGpus, AreNoneThatMostKernelsAreHeldToUnlessTheyAreNamed) {
  Request wanted;
  wanted.like_other_kernels = coverage::default_verdicts();
  wanted.driver = coverage::parse_driver("590");
  const auto file = file_of({sass("70"), sass("75")});
  const auto result = audit_one(file, wanted);
  EXPECT_TRUE(result.findings.empty());
  EXPECT_THAT(result.devices, ElementsAre(device("7.5")));
  EXPECT_THAT(result.unjudged, ElementsAre(device("7.0")));
  EXPECT_EQ(result.remarks.at(0).code, "gpus-without-driver");
  EXPECT_EQ(result.remarks.at(0).message, "not judged, as they do not run with driver 590: 7.0");
  wanted.devices = {device("7.0"), device("7.5")};
  EXPECT_THAT(codes_of(audit_one(file, wanted)), ElementsAre("driver-too-new-for-gpu 7.0"));
}

TEST(OldDrivers, OfOneMajorReleaseDo) {
  auto wanted = request({"9.0"});
  wanted.promises[0].driver = coverage::parse_driver("525");
  for (const auto* toolkit : {"11.8", "12.0", "12.9", "", "0.1"}) {
    const auto result = audit_one(file_of({made_with(toolkit, sass("90"))}), wanted);
    EXPECT_TRUE(result.findings.empty()) << toolkit;
    EXPECT_TRUE(result.remarks.empty()) << toolkit;
  }
}

TEST(OldDrivers, ConcernOnlyWhatTheirPromisesAreAbout) {
  auto wanted = request({"8.0", "9.0"});
  wanted.promises.push_back(promise({"9.0"}));
  wanted.promises[1].kernels = "other";
  wanted.promises[1].driver = coverage::parse_driver("470");
  EXPECT_TRUE(
      audit_one(file_of({made_with("13.0", sass("80")), made_with("13.0", sass("90"))}), wanted)
          .findings.empty())
      << "no kernel matches";
  auto both = file_of({made_with("11.8", sass("80")), made_with("13.0", sass("90"))});
  wanted = request({"8.0"});
  wanted.promises[0].driver = coverage::parse_driver("470");
  EXPECT_TRUE(audit_one(both, wanted).findings.empty()) << "8.0 takes what CUDA 11.8 made";
}

// No source says whether a driver refuses the code itself; a program's runtime it does refuse.
TEST(OldDrivers, AreARemarkWhereHostCodePicks) {
  auto file = file_of({made_with("13.0", sass("80"))});
  file.modules[0].registered = false;
  auto wanted = request({"8.0"});
  wanted.promises[0].driver = coverage::parse_driver("470");
  const auto result = audit_one(file, wanted);
  EXPECT_TRUE(result.findings.empty());
  ASSERT_FALSE(result.remarks.empty());
  EXPECT_EQ(result.remarks[0].code, "driver-may-be-too-old");
  EXPECT_THAT(result.remarks[0].message,
              HasSubstr("needs driver 580 or newer: whether driver 470 loads it all the same"));
}

TEST(Audit, IgnoresForgiveAndAreCounted) {
  auto wanted = request({"8.0", "9.0"});
  wanted.ignores = {{"ignore[0]", "k", {device("9.0")}, "not shipped for Hopper"}};
  const auto result = audit_one(file_of({sass("80")}), wanted);
  EXPECT_TRUE(result.findings.empty());
  ASSERT_EQ(result.forgiven.size(), 1U);
  EXPECT_EQ(result.forgiven[0].reason, "not shipped for Hopper");
  EXPECT_EQ(result.files[0].rows[0].fields[1].state, State::forgiven);
}

TEST(Audit, IgnoresOfOtherDevicesForgiveNothing) {
  auto wanted = request({"8.0", "9.0"});
  wanted.ignores = {{"ignore[0]", "k", {device("8.0")}, "reason"}};
  EXPECT_EQ(audit_one(file_of({sass("80")}), wanted).findings.size(), 1U);
}

TEST(Audit, UnusedIgnoresAndPatternsAreKnown) {
  auto wanted = request({"9.0"});
  wanted.ignores = {{"ignore[0]", "*debug*", {}, "reason"}};
  wanted.promises.push_back(promise({"9.0"}));
  wanted.promises.back().kernels = "*wgmma*";
  wanted.promises.back().place = "promises[1]";
  std::vector<Audit> audits;
  audits.push_back(audit_one(file_of({sass("90")}), wanted));
  auto unused = coverage::unused_in(audits);
  ASSERT_EQ(unused.size(), 2U);
  EXPECT_EQ(unused[0].code, "unused-ignore");
  EXPECT_THAT(unused[0].message, HasSubstr("ignore[0]: \"*debug*\" matches no promised kernel"));
  EXPECT_EQ(unused[1].code, "unused-promise");
  EXPECT_THAT(unused[0].fix.str(), HasSubstr("take the entry out, or correct its pattern"));
  wanted.ignores[0].kernel = "bug";
  const std::vector<Audit> part = {audit_one(file_of({sass("90", {kernel("debug")})}), wanted)};
  EXPECT_THAT(coverage::unused_in(part).at(0).fix.str(),
              HasSubstr("a pattern is of a whole name: write \"*bug*\""));
  wanted.ignores[0].kernel = "*debug*";

  audits.push_back(audit_one(file_of({sass("90", {kernel("debug"), kernel("wgmma")})}), wanted));
  EXPECT_TRUE(coverage::unused_in(audits).empty());
}

TEST(Audit, OnlyTheDevicesAskedForAreJudged) {
  auto wanted = request({"8.0", "9.0"});
  wanted.devices = {device("8.0")};
  const auto result = audit_one(file_of({sass("80")}), wanted);
  EXPECT_EQ(result.devices.size(), 1U);
  EXPECT_TRUE(result.findings.empty());
}

TEST(Audit, OnlyTheDevicesThatTheArchServesAreJudged) {
  auto wanted = request({"8.0", "8.6", "9.0"});
  wanted.arch = "80";
  const auto result = audit_one(file_of({sass("80")}), wanted);
  EXPECT_EQ(result.devices.size(), 2U);
  EXPECT_TRUE(result.findings.empty());
}

TEST(Audit, NoDeviceCodeInAnyInputIsAFinding) {
  EXPECT_EQ(audit_one(File{}, request({"9.0"})).findings.at(0).code, "no-device-code");
  std::vector<File> files;
  files.push_back(File{});
  files.push_back(file_of({sass("90")}));
  EXPECT_TRUE(coverage::audit(std::move(files), request({"9.0"})).findings.empty());
}

TEST(Audit, KernelsMissingFromReadableModulesAreNoDeviceCode) {
  EXPECT_EQ(audit_one(file_of({sass("90", {})}), request({"9.0"})).findings.at(0).code,
            "no-device-code");
}

TEST(Audit, StrippedFatBinariesAreAFinding) {
  auto file = file_of({sass("90")});
  file.dangling = {0x40};
  EXPECT_EQ(audit_one(file, request({"9.0"})).findings.at(0).code, "stripped");
}

TEST(Audit, WhatCannotBeReadIsAnErrorAndNeverAPass) {
  auto file = file_of({unreadable(sass("90"))});
  const auto result = audit_one(file, request({"9.0"}));
  EXPECT_THAT(result.errors.at(0), HasSubstr("libx.so: sass image 90 of module 0: the zstd frame"));
  EXPECT_EQ(result.findings.at(0).code, "unknown");
}

TEST(Serve, JudgesEveryKernelForOneDevice) {
  std::vector<File> files;
  files.push_back(file_of({sass("90")}));
  files.push_back(file_of({sass("80")}));
  const auto served = coverage::serve(files, device("9.0"), request({"9.0"}));
  ASSERT_EQ(served.size(), 2U);
  EXPECT_TRUE(served[0].accepted);
  EXPECT_FALSE(served[1].accepted);
  EXPECT_THAT(served[1].fix, HasSubstr("add 90"));
}

TEST(Serve, UsesIgnoresAndDefaults) {
  std::vector<File> files;
  files.push_back(file_of({ptx("80")}));
  auto wanted = request({"9.0"});
  EXPECT_FALSE(coverage::serve(files, device("9.0"), wanted).at(0).accepted);
  EXPECT_FALSE(coverage::serve(files, device("8.0"), wanted).at(0).accepted) << "not promised";
  wanted.unpromised.insert(Verdict::jit);
  EXPECT_TRUE(coverage::serve(files, device("8.0"), wanted).at(0).accepted);
  EXPECT_FALSE(coverage::serve(files, device("9.0"), wanted).at(0).accepted) << "promised";
  EXPECT_FALSE(coverage::serve(files, device("9.0"), wanted).at(0).forgiven);
  wanted.ignores = {{"ignore[0]", "k", {}, "reason"}};
  const auto ignored = coverage::serve(files, device("9.0"), wanted).at(0);
  EXPECT_FALSE(ignored.accepted);
  EXPECT_TRUE(ignored.forgiven);
  EXPECT_EQ(ignored.fix, "");
  wanted.promises[0].accept = {Verdict::jit};
  const auto kept = coverage::serve(files, device("9.0"), wanted).at(0);
  EXPECT_TRUE(kept.accepted);
  EXPECT_FALSE(kept.forgiven) << "there is nothing to forgive";
}

TEST(Serve, WantsWhatEveryPromiseForTheDeviceAccepts) {
  auto image = sass("90");
  image.toolkit = "12.4";
  const std::vector<File> files{file_of({image, sass("80")})};
  auto wanted = request({"8.8"});
  EXPECT_TRUE(coverage::serve(files, device("8.8"), wanted).at(0).accepted);
  wanted.promises.push_back(promise({"8.8"}, {Verdict::native, Verdict::jit}));
  const auto served = coverage::serve(files, device("8.8"), wanted).at(0);
  EXPECT_FALSE(served.accepted);
  EXPECT_THAT(served.fix, HasSubstr("which cannot compile for 88"))
      << "80 is compatible, which the second does not accept, and PTX is nothing for the first";
}

TEST(Serve, KernelsPromisedForOtherDevicesOnlyAreAccepted) {
  std::vector<File> files;
  files.push_back(file_of({sass("90", {kernel("wgmma")}), sass("80")}));
  auto wanted = request({"8.0", "9.0"});
  wanted.promises.push_back(promise({"9.0"}));
  wanted.promises.back().kernels = "wgmma";
  for (const auto& served : coverage::serve(files, device("8.0"), wanted)) {
    EXPECT_TRUE(served.accepted) << served.kernel;
  }
}

/// A file of `count` kernels in modules of their own, each with these images.
File file_of_many(std::size_t count, const std::vector<Image>& images) {
  File file;
  file.path = "libmany.so";
  for (std::size_t index = 0; index < count; ++index) {
    auto own = images;
    for (auto& image : own) {
      for (auto& kernel : image.kernels) kernel.name += std::to_string(index);
    }
    add_module(file, std::move(own));
  }
  return file;
}

TEST(ManyEmptyBodies, AreOneFinding) {
  const auto half_empty = file_of_many(
      100, {sass("75", {kernel("k", fatbin::Body::empty)}), sass("80", {kernel("k")})});
  const auto result = audit_one(half_empty, request({"7.5", "8.0"}));
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].code, "empty");
  EXPECT_EQ(result.findings[0].kernels, 100U);
  EXPECT_EQ(result.findings[0].device, "7.5");
  EXPECT_THAT(result.findings[0].message.str(), HasSubstr("100 kernels do nothing on 7.5"));
  for (const auto& row : result.files.at(0).rows) {
    EXPECT_EQ(row.fields.at(0).judgement.verdict, Verdict::empty);
    EXPECT_EQ(row.fields.at(0).state, State::broken);
  }
}

TEST(ManyEmptyBodies, AreForgivenByAcceptingThem) {
  auto wanted = request({"7.5", "8.0"});
  wanted.promises[0].accept.insert(Verdict::empty);
  const auto half_empty = file_of_many(
      100, {sass("75", {kernel("k", fatbin::Body::empty)}), sass("80", {kernel("k")})});
  EXPECT_TRUE(audit_one(half_empty, wanted).findings.empty());
}

TEST(ManyEmptyBodies, AFewAreToldOneByOne) {
  const auto few =
      file_of_many(3, {sass("75", {kernel("k", fatbin::Body::empty)}), sass("80", {kernel("k")})});
  const auto result = audit_one(few, request({"7.5", "8.0"}));
  ASSERT_EQ(result.findings.size(), 3U);
  EXPECT_EQ(result.findings[2].kernel, "k2");
  EXPECT_EQ(result.findings[2].kernels, 1U);
}

TEST(ManyEmptyBodies, DoNotHideMissingOnes) {
  auto file = file_of_many(
      100, {sass("75", {kernel("k", fatbin::Body::empty)}), sass("80", {kernel("k")})});
  add_module(file, {sass("80", {kernel("forgotten")})});
  const auto result = audit_one(file, request({"7.5", "8.0"}));
  ASSERT_EQ(result.findings.size(), 2U);
  EXPECT_EQ(result.findings[0].code + " " + result.findings[0].kernel.str(), "missing forgotten");
}

Request like_others() {
  Request wanted;
  wanted.like_other_kernels = coverage::default_verdicts();
  return wanted;
}

std::string text_of(const std::vector<coverage::Device>& devices) {
  std::string text;
  for (const auto device : devices) text += (text.empty() ? "" : " ") + device.text();
  return text;
}

TEST(Fix, OfADamagedImageIsAnUndamagedOne) {
  auto broken = sass("90", {});
  broken.error = "the zstd frame is corrupt";
  auto file = file_of({sass("80"), broken});
  const auto result = audit_one(file, request({"9.0"}));
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].code, "unknown");
  EXPECT_EQ(result.findings[0].fix.str(),
            "audit an undamaged copy of libx.so: what it has for 9.0 cannot be read");
  file.images[1].obfuscated = true;
  EXPECT_THAT(audit_one(file, request({"9.0"})).findings.at(0).fix.str(),
              Not(HasSubstr("undamaged")));
}

TEST(Fix, OfALinkIsToLinkForTheArchToo) {
  File file;
  add_module(file, {sass("80")}).linked = true;
  add_module(file, {sass("80"), sass("90")}).relocatable = true;
  const auto result = audit_one(file, request({"9.0"}));
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_THAT(result.findings[0].fix.str(),
              HasSubstr("add 90 to the CUDA_ARCHITECTURES of the targets that compile them, and of "
                        "the one that links them"));
}

TEST(Toolkit, ThatNoCodeWasMadeWithIsSaid) {
  auto file = file_of({sass("80"), sass("90")});
  file.images[0].toolkit = "13.0";
  file.images[1].toolkit = "12.4";
  const auto says = [&](const char* toolkit) {
    auto wanted = request({"8.0"});
    wanted.toolkit = coverage::parse_version(toolkit);
    const auto remarks = audit_one(file, wanted).remarks;
    return std::any_of(remarks.begin(), remarks.end(), [](const auto& remark) {
      return remark.code == "other-toolkit" &&
             remark.message ==
                 "judged for CUDA 13.5, but none of its code was made with that: it "
                 "was made with 12.4, 13.0";
    });
  };
  EXPECT_TRUE(says("13.5"));
  EXPECT_FALSE(says("13.0"));
  EXPECT_FALSE(says("12.4"));
}

TEST(LikeOtherKernels, HoldsAllToWhatMostHave) {
  auto file = file_of_many(3, {sass("75"), sass("80")});
  EXPECT_TRUE(audit_one(file, like_others()).findings.empty());
  add_module(file, {sass("80", {kernel("forgotten")})});
  const auto result = audit_one(file, like_others());
  EXPECT_EQ(text_of(result.devices), "7.5 8.0 8.6 8.8 8.9");
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].kernel, "forgotten");
  EXPECT_EQ(result.findings[0].device, "7.5");
  EXPECT_THAT(result.findings[0].message.str(),
              HasSubstr("what most kernels have there is native or compatible"));
}

TEST(LikeOtherKernels, HalfIsNotMost) {
  auto file = file_of_many(2, {sass("75"), sass("80")});
  add_module(file, {sass("80", {kernel("a")})});
  add_module(file, {sass("80", {kernel("b")})});
  const auto result = audit_one(file, like_others());
  EXPECT_TRUE(result.findings.empty());
  EXPECT_EQ(text_of(result.devices), "8.0 8.6 8.8 8.9");
}

TEST(LikeOtherKernels, WhereFewRunIsSaidToBeNotJudged) {
  auto file = file_of_many(2, {sass("80")});
  EXPECT_THAT(audit_one(file, like_others()).unjudged, testing::IsEmpty());
  add_module(file, {sass("80", {kernel("a")}), sass("90", {kernel("a")})});
  const auto result = audit_one(file, like_others());
  EXPECT_TRUE(result.findings.empty());
  EXPECT_EQ(text_of({result.unjudged.begin(), result.unjudged.end()}), "9.0");
  const auto found =
      std::find_if(result.remarks.begin(), result.remarks.end(),
                   [](const auto& remark) { return remark.code == "served-in-part"; });
  ASSERT_NE(found, result.remarks.end());
  EXPECT_EQ(found->message,
            "not judged, as no more than half of its 3 kernels are native or compatible there: "
            "9.0 (1)");
}

TEST(LikeOtherKernels, EveryFileIsHeldToItsOwn) {
  std::vector<File> files = {file_of_many(3, {sass("75")}), file_of_many(3, {sass("90")})};
  const auto result = coverage::audit(std::move(files), like_others());
  EXPECT_TRUE(result.findings.empty());
  EXPECT_EQ(text_of(result.devices), "7.5 9.0");
  EXPECT_EQ(result.files.at(0).rows.at(0).fields.at(0).state, State::kept);
  EXPECT_EQ(result.files.at(0).rows.at(0).fields.at(1).state, State::not_promised);
  EXPECT_EQ(result.files.at(1).rows.at(0).fields.at(0).state, State::not_promised);
}

TEST(LikeOtherKernels, WithoutADeviceInCommonThereIsNothingToHold) {
  const auto result = audit_one(file_of({ptx("80")}), like_others());
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].code, "nothing-judged");
  auto with_jit = like_others();
  with_jit.like_other_kernels->insert(Verdict::jit);
  EXPECT_TRUE(audit_one(file_of({ptx("80")}), with_jit).findings.empty());
}

TEST(Remarks, TellWhatAnAuditCannotSee) {
  auto file = file_of({sass("80")});
  EXPECT_TRUE(audit_one(file, request({"8.0"})).remarks.empty());
  file.loaders = {"nvrtcCompileProgram"};
  file.images[0].debug = true;
  const auto result = audit_one(file, request({"8.0"}));
  ASSERT_EQ(result.remarks.size(), 2U);
  EXPECT_EQ(result.remarks[0].code, "loads-at-run-time");
  EXPECT_THAT(result.remarks[0].message, HasSubstr("nvrtcCompileProgram"));
  EXPECT_EQ(result.remarks[1].code, "debug-code");
  EXPECT_TRUE(result.findings.empty());
}

TEST(Remarks, NameTheFilesThatLackDeviceCode) {
  const auto audited = [](std::vector<File> files) {
    auto result = coverage::audit(std::move(files), request({"8.0"}));
    coverage::note_without_code({"libx.so", "host.so", "liby.so"}, result);
    return result;
  };
  File host;
  host.path = "host.so";
  File member;
  member.path = "folder/host.so";
  const auto result = audited({file_of({sass("80")}), host, member});
  EXPECT_TRUE(result.findings.empty());
  ASSERT_EQ(result.remarks.size(), 1U) << "whatever lies in a folder may be without";
  EXPECT_EQ(result.remarks[0].code, "without-device-code");
  EXPECT_EQ(result.remarks[0].path, "host.so");
  EXPECT_TRUE(audited({host}).remarks.empty()) << "that is a finding";
  host.dangling = {0x40};
  EXPECT_TRUE(audited({file_of({sass("80")}), host}).remarks.empty()) << "that is a finding too";
}

TEST(Remarks, SayWhereAPatternTakesAPromiseAway) {
  const auto file = file_of({sass("80", {kernel("tile"), kernel("plain")}),
                             sass("90", {kernel("tile"), kernel("plain")})});
  auto wanted = request({"7.5", "8.0", "9.0"});
  wanted.promises.push_back(promise({"8.0"}));
  wanted.promises[1].kernels = "*tile*";
  wanted.promises[1].place = "promises[1]";
  wanted.devices = {device("8.0"), device("9.0")};
  const auto result = audit_one(file, wanted);
  EXPECT_TRUE(result.findings.empty());
  ASSERT_EQ(result.remarks.size(), 1U);
  EXPECT_EQ(result.remarks[0].code, "promised-on-fewer-devices");
  EXPECT_EQ(result.remarks[0].message,
            "1 of 2 kernels are not promised on 9.0, which a promise without \"kernels\" names: "
            "they are promised by promises[1] (\"*tile*\") alone");
  wanted.promises[1].devices.push_back(device("9.0"));
  EXPECT_TRUE(audit_one(file, wanted).remarks.empty());
  wanted.promises.erase(wanted.promises.begin());
  wanted.promises[0].devices.pop_back();
  EXPECT_TRUE(audit_one(file, wanted).remarks.empty()) << "nothing else was promised";
}

TEST(Remarks, SayWhichRuleWasUsed) {
  auto file = file_of({sass("80")});
  file.modules[0].registered = false;
  const auto result = audit_one(file, request({"8.0"}));
  ASSERT_EQ(result.remarks.size(), 1U);
  EXPECT_EQ(result.remarks[0].code, "picked-by-host");
  EXPECT_THAT(result.remarks[0].message, HasSubstr("1 of 1 kernels"));
}

}  // namespace
}  // namespace archgrid::tests
