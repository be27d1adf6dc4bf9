// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <archgrid/coverage.hpp>
#include <fstream>

#include "files.hpp"

namespace archgrid::tests {
namespace {

using coverage::Baseline;
using coverage::Finding;
using ::testing::HasSubstr;

/// Of this run and test alone.
std::filesystem::path write_text(const std::string& text) {
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  auto path = std::filesystem::path(::testing::TempDir()) /
              ("archgrid-baseline-" + std::to_string(::getpid()) + test->name() + ".json");
  std::ofstream(path) << text;
  return path;
}

Baseline baseline_of(const std::string& findings, const std::string& suspects = "") {
  const auto path = write_text(R"({"schema": "archgrid.audit/1", "findings": [)" + findings +
                               R"(], "suspects": [)" + suspects + "]}");
  auto baseline = coverage::read_baseline(path);
  std::filesystem::remove(path);
  return baseline;
}

constexpr const char* kCause =
    R"({"code": "unit-lacks-arch", "rule": "unit", "path": "x-1.0.whl!lib/libx-1a2b3c4d.so.4.8",
        "devices": ["7.5", "8.0"], "kernels": 3, "kernel": "k", "message": "..."})";

Finding cause(const std::string& path, std::vector<coverage::Device> devices, std::size_t kernels) {
  Finding finding;
  finding.code = "unit-lacks-arch";
  finding.path = path;
  finding.kernel = "another";
  finding.kernels = kernels;
  finding.cause.emplace();
  finding.cause->devices = std::move(devices);
  return finding;
}

TEST(Baseline, KnowsACauseInTheNextReleaseOfItsFile) {
  const auto baseline = baseline_of(kCause);
  const auto knows = [&](const std::string& path, std::vector<coverage::Device> devices,
                         std::size_t kernels) {
    return is_known(baseline, cause(path, std::move(devices), kernels));
  };
  const std::string next = "y-1.1.whl!lib/libx-99887766.so.4.9";
  EXPECT_TRUE(knows(next, {device("7.5"), device("8.0")}, 3));
  EXPECT_TRUE(knows(next, {device("7.5")}, 2)) << "some of it is mended";
  EXPECT_FALSE(knows(next, {device("7.5"), device("9.0")}, 3)) << "a GPU more";
  EXPECT_FALSE(knows(next, {device("7.5")}, 4)) << "a kernel more";
  EXPECT_FALSE(knows("y-1.1.whl!lib/liby.so", {device("7.5")}, 3)) << "another file";
  EXPECT_FALSE(knows("y-1.1.whl!old/libx.so", {device("7.5")}, 3)) << "another folder";
}

TEST(Baseline, KnowsSuspectsToo) {
  EXPECT_TRUE(
      is_known(baseline_of("", kCause), cause("x.whl!lib/libx-99887766.so", {device("7.5")}, 1)));
}

TEST(Baseline, KnowsAKernelOfAPromiseOnAGpu) {
  const auto baseline = baseline_of(
      R"({"code": "missing", "path": "build/libx.so", "kernel": "k", "device": "9.0", "cell": "c",
          "message": "..."})");
  Finding finding;
  finding.code = "missing";
  finding.path = "/tmp/libx.so";
  finding.cell = "c";
  finding.kernel = "k";
  finding.device = "9.0";
  EXPECT_TRUE(is_known(baseline, finding));
  auto other = finding;
  other.kernel = "l";
  EXPECT_FALSE(is_known(baseline, other));
  other = finding;
  other.device = "8.0";
  EXPECT_FALSE(is_known(baseline, other));
  other = finding;
  other.cell = "d";
  EXPECT_FALSE(is_known(baseline, other));
}

TEST(Baseline, WhatIsAboutNoKernelIsKnownByItsSentence) {
  const auto baseline =
      baseline_of(R"({"code": "unused-ignore", "message": "\"a\" matches none"})");
  Finding finding;
  finding.code = "unused-ignore";
  finding.message = "\"a\" matches none";
  EXPECT_TRUE(is_known(baseline, finding));
  finding.message = "\"b\" matches none";
  EXPECT_FALSE(is_known(baseline, finding));
}

/// What is said of a file that is no baseline.
std::string refusal(const std::string& text) {
  const auto path = write_text(text);
  try {
    coverage::read_baseline(path);
  } catch (const coverage::BaselineError& error) {
    std::filesystem::remove(path);
    EXPECT_THAT(error.what(), HasSubstr(path.string()));
    return error.what();
  }
  return "accepted";
}

TEST(Baseline, IsAnAuditAndNothingElse) {
  EXPECT_THAT(refusal("{"), HasSubstr("not JSON"));
  EXPECT_THAT(refusal("[]"), HasSubstr("a baseline is what `archgrid audit --json=FILE` wrote"));
  EXPECT_THAT(refusal(R"({"schema": "archgrid.list/1"})"),
              HasSubstr("is not \"archgrid.audit/1\""));
  EXPECT_THAT(refusal(R"({"schema": "archgrid.audit/1", "findings": []})"), HasSubstr("suspects"));
  EXPECT_THAT(refusal(R"({"schema": "archgrid.audit/1", "findings": [{"code": "missing",
                          "device": "none"}], "suspects": []})"),
              HasSubstr("\"none\" is no GPU"));
}

}  // namespace
}  // namespace archgrid::tests
