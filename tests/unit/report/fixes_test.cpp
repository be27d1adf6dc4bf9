// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the fixes that audits without a promise print, for users and for authors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "suspicious.hpp"

namespace archgrid::tests {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// Returns the text about a file that lacks a kernel, at this path.
std::string text_of_broken(const std::string& path) {
  auto file = broken_file();
  file.path = path;
  return text_of(package_report(file));
}

TEST(Fixes, HaveOneLineForUsersOfPackages) {
  const std::string line =
      "\n\nif others built it: use a release for GPU 9.0, or tell them this:\nunit-lacks-arch: ";
  for (const char* path : {"dist/x-1.0.whl!x/libx.so", "x-1.0.conda!pkg.tar.zst!lib/libx.so",
                           "/usr/lib/python3/site-packages/x/libx.so"}) {
    EXPECT_THAT(text_of_broken(path), HasSubstr(line)) << path;
  }
  EXPECT_THAT(text_of_broken("build/libx.so"), Not(HasSubstr("if others built it")));
  auto sound = file_of_many(3, {sass("80"), sass("90")});
  sound.path = "x.whl!libx.so";
  EXPECT_THAT(text_of(package_report(sound)), Not(HasSubstr("if others built it")));
}

TEST(Fixes, HaveOneLineForUsersHoweverManyFindings) {
  auto file = file_of_many(9, {sass("75"), sass("80"), sass("90"), sass("100"), sass("120")});
  add_module(file, {sass("75", {kernel("a")})});
  add_module(file, {sass("80", {kernel("b")})});
  file.path = "x.whl!libx.so";
  file.host_cpu = "x86-64";
  const auto text = text_of(package_report(file));
  const std::string line = "\nif others built it: use a release for these 9 GPUs, or ";
  const auto at = text.find(line);
  ASSERT_NE(at, std::string::npos) << text;
  EXPECT_EQ(text.find(line, at + 1), std::string::npos);
  auto few = file_of_many(9, {sass("80"), sass("90"), sass("100"), sass("120")});
  add_module(few,
             {sass("80", {kernel("c")}), sass("90", {kernel("c")}), sass("120", {kernel("c")})});
  few.path = "x.whl!libx.so";
  few.host_cpu = "x86-64";
  EXPECT_THAT(text_of(package_report(few)),
              HasSubstr("\nif others built it: use a release for these 3 GPUs, or tell them "
                        "this:\n"))
      << "their numbers do not fit";
}

/// Returns the lines of a wheel's text below the table, for a question about GPUs by their names.
std::string below_table(std::map<coverage::ComputeCapability, std::string> asked,
                        const char* driver = nullptr, const char* path = "x.whl!libx.so",
                        const char* host_cpu = "") {
  coverage::Request wanted;
  wanted.accept_without_promise = coverage::default_verdicts();
  for (const auto& [gpu, name] : asked) wanted.devices.push_back(gpu);
  if (driver != nullptr) wanted.driver = coverage::parse_driver(driver);
  auto file = file_of_many(3, {sass("80")});
  file.path = path;
  file.host_cpu = host_cpu;
  AuditReport audited;
  audited.without_promise = true;
  audited.asked = std::move(asked);
  audited.audits.push_back(coverage::audit({file}, wanted));
  const auto text = text_of(audited);
  const auto table = text.find("\n\n");
  return text.substr(text.find("\n\n", table + 2) + 2);
}

TEST(Fixes, ForUsersWhoAskAboutAGpuAnswerFirst) {
  EXPECT_THAT(below_table({{device("6.1"), "GTX 1080"}}),
              StartsWith("no kernel of this wheel runs on GTX 1080 (6.1): use another release or "
                         "report:\n"));
  EXPECT_THAT(below_table({{device("7.0"), "V100"}, {device("7.5"), "T4"}}),
              StartsWith("no kernel of this wheel runs on V100 and T4: use another release or "
                         "report:\n"))
      << "without the numbers, to fit the width";
  EXPECT_THAT(below_table({{device("6.1"), "GTX 1080"},
                           {device("7.5"), "T4"},
                           {device("8.0"), "A100"},
                           {device("12.0"), "RTX 5090"}}),
              StartsWith("no kernel of this wheel runs on these 3 GPUs: use another release or "
                         "report:\n"));
}

TEST(Fixes, ForUsersNameTheCommandThatFindsARelease) {
  const auto below = [](const char* path, const char* gpu = "6.1") {
    return below_table({{device(gpu), "a GPU"}}, nullptr, path);
  };
  EXPECT_THAT(
      below("dist/torch_gpu-2.0-py3-none-any.whl!torch/libx.so"),
      HasSubstr(
          "\nto find a release on PyPI: archgrid audit pypi:torch-gpu --gpu 6.1 --history\n"));
  EXPECT_THAT(
      below("a_package_with_a_long_name-2.0-py3-none-any.whl!libx.so"),
      HasSubstr("\nto find a release on PyPI:\narchgrid audit pypi:a-package-with-a-long-name "
                "--gpu 6.1 --history\n"))
      << "it does not fit the line";
  EXPECT_THAT(below("torch-2.0+cu118-cp311-cp311-linux_x86_64.whl!libx.so"),
              Not(HasSubstr("--history")))
      << "PyPI has no local versions";
  EXPECT_THAT(below("x;rm y-2.0-py3-none-any.whl!libx.so"), Not(HasSubstr("--history")))
      << "people paste the command";
  EXPECT_THAT(below("x-1.0.conda!lib/libx.so"), Not(HasSubstr("--history")));
  EXPECT_THAT(below("torch-2.0-py3-none-any.whl!libx.so", "8.0"), Not(HasSubstr("--history")))
      << "this one runs there";
  EXPECT_THAT(below_table({{device("8.7"), "Jetson Orin"}}, nullptr,
                          "torch-2.0-py3-none-any.whl!libx.so", "x86-64"),
              AllOf(HasSubstr("other-cpu"), Not(HasSubstr("--history"))))
      << "no release of a package for x86-64 runs on a board";
}

TEST(Fixes, OfADriverComeFirstWhereItDoesNotKnowTheGpu) {
  EXPECT_THAT(below_table({{device("12.0"), "RTX 5090"}}, "535"),
              AllOf(StartsWith("driver-too-old-for-gpu: on 12.0\n"),
                    Not(HasSubstr("use another release"))));
}

TEST(Fixes, OfAPromiseAreForUsersUnlessAFileOfTheProjectMakesIt) {
  const auto promised_by = [](coverage::PromisePlace place) {
    coverage::Request wanted;
    wanted.promises.emplace_back();
    wanted.promises[0].devices = {device("9.0")};
    wanted.place = place;
    auto file = file_of_many(3, {sass("80")});
    file.path = "x.whl!libx.so";
    AuditReport audited;
    audited.audits.push_back(coverage::audit({file}, wanted));
    return text_of(audited);
  };
  EXPECT_THAT(promised_by(coverage::PromisePlace::options), HasSubstr("\nif others built it: "));
  for (const auto place :
       {coverage::PromisePlace::matrix_file, coverage::PromisePlace::pyproject}) {
    EXPECT_THAT(promised_by(place), Not(HasSubstr("if others built it")));
  }
}

TEST(Fixes, ForAnOldDriverAreForUsersAlready) {
  auto file = file_of({sass("80", {kernel("k")}), ptx("80", "8.8", {kernel("k")})});
  file.path = "x.whl!libx.so";
  coverage::Request wanted;
  wanted.accept_without_promise = coverage::default_verdicts();
  wanted.devices = {device("9.0")};
  wanted.driver = coverage::parse_driver("525");
  AuditReport audited;
  audited.without_promise = true;
  audited.audits.push_back(coverage::audit({file}, wanted));
  ASSERT_FALSE(audited.audits[0].findings.empty());
  EXPECT_EQ(audited.audits[0].findings[0].code, "ptx-too-new");
  EXPECT_THAT(text_of(audited), Not(HasSubstr("if others built it")));
}

TEST(Fixes, NameTheLowestArchOfEachToolkit) {
  auto audited = lacking_two();
  auto& cause = *audited.audits[0].findings.at(0).cause;
  cause.devices = {device("7.0"), device("7.5"), device("12.0")};
  cause.toolkit = coverage::parse_version("13.0");
  const auto fix = report::fix_of(audited.audits[0].findings[0]);
  EXPECT_THAT(fix, HasSubstr(" for 75 120 too: "));
  EXPECT_THAT(fix, HasSubstr("; compile them for 70 with CUDA 12.9 or older"));
}

TEST(Fixes, DoNotContradictTheNameOfTheFile) {
  auto file = file_of({sass("80")});
  file.path = "x/libx_sm80.so";
  for (const auto* gpu : {"7.0", "9.0"}) {
    coverage::Request request;
    request.accept_without_promise = coverage::default_verdicts();
    request.devices = {device(gpu)};
    const auto asked = coverage::audit({file}, request);
    const auto arch = std::to_string(device(gpu).number());
    ASSERT_EQ(asked.findings.size(), 1U);
    EXPECT_EQ(report::fix_of(asked.findings[0]),
              "build a file for " + arch +
                  ", too: by its name this one is for 80; or do not expect " + gpu + " of it");
  }
  const auto promised = report_of(file, {"7.0", "9.0", "8.6"});
  report::TextStyle style;
  style.columns = 200;
  EXPECT_THAT(
      text_of(promised, style),
      HasSubstr("  fix: build a file for 70 and 90, too: by its name this one is for 80; or "
                "do not promise 7.0 and 9.0 for it\n"));
  file.images[0].arch.number = 90;
  EXPECT_THAT(text_of(report_of(file, {"8.0"}), style), HasSubstr(" for 80 too: "))
      << "the arch of its name";
  for (const auto* plain :
       {"x/libx_small80.so", "x/lib_1290ab.so", "x/lib_99a.so", "x/lib_80a.so"}) {
    file.path = plain;
    EXPECT_THAT(text_of(report_of(file, {"7.0"}), style), HasSubstr(" for 70 too: ")) << plain;
  }
  file.path = "x/_C_cutlass_90a.abi3.so";
  EXPECT_THAT(text_of(report_of(file, {"7.0"}), style),
              HasSubstr("by its name this one is for 90"));
}

TEST(Fixes, DoNotContradictTheNamesOfSources) {
  const auto fix_for = [](const std::string& unit, const char* gpu) {
    auto file = file_of({sass("80")});
    for (auto& module : file.modules) module.unit = unit;
    coverage::Request request;
    request.accept_without_promise = coverage::default_verdicts();
    request.devices = {device(gpu)};
    const auto asked = coverage::audit({file}, request);
    return asked.findings.size() == 1 ? report::fix_of(asked.findings[0]) : "";
  };
  EXPECT_EQ(fix_for("flash_bwd_bf16_sm80.cu", "7.5"),
            "by its file's name this is for 80: let host code not use it on older GPUs, or ignore "
            "it");
  EXPECT_THAT(fix_for("flash_bwd_sm80.cu", "9.0"), HasSubstr("for 90 too"))
      << "code for older GPUs compiles for newer ones";
  EXPECT_THAT(fix_for("prism80.cu", "7.5"), HasSubstr("for 75 too"));
  EXPECT_THAT(fix_for("gemm.cu", "7.5"), HasSubstr("for 75 too"));
}

TEST(Fixes, AcceptCodeThatIsBetter) {
  const auto fix_with = [](coverage::Verdicts accept) {
    coverage::Request request;
    coverage::Promise promise;
    promise.devices = {device("8.0")};
    promise.accept = std::move(accept);
    request.promises = {promise};
    request.place = coverage::PromisePlace::options;
    return report::fix_of(coverage::audit({file_of({sass("80")})}, request).findings.at(0));
  };
  EXPECT_EQ(fix_with({coverage::Verdict::jit}), "add native to --accept");
  EXPECT_EQ(fix_with({coverage::Verdict::compatible}), "add native to --accept");
}

TEST(Fixes, FollowTheNamesOfMostSources) {
  coverage::Request request;
  request.accept_without_promise = coverage::default_verdicts();
  request.devices = {device("7.5")};
  auto finding = coverage::audit({file_of({sass("80")})}, request).findings.at(0);
  finding.cause->units = {"fwd_sm80.cu", "fwd_sm90.cu", "schedule.cu"};
  EXPECT_EQ(report::fix_of(finding),
            "2 of its 3 .cu files are by their names for 80 and newer: let host code not use them "
            "on older GPUs, or ignore it");
  finding.cause->units = {"fwd_sm80.cu", "schedule.cu"};
  EXPECT_THAT(report::fix_of(finding), HasSubstr("for 75 too"));
}

}  // namespace
}  // namespace archgrid::tests
