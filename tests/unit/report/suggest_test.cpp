// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <archgrid/report/suggest.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "files.hpp"

namespace archgrid::tests {
namespace {

using coverage::Verdict;
using report::SuggestReport;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

coverage::Promise promise_of(const std::vector<std::string>& devices) {
  coverage::Promise result;
  for (const auto& name : devices) result.devices.push_back(device(name));
  return result;
}

SuggestReport plan_report_of(const std::vector<std::string>& devices,
                             coverage::PtxWish ptx = coverage::PtxWish::where_accepted) {
  SuggestReport report;
  report.toolkits.emplace_back();
  auto& planned = report.toolkits[0];
  planned.request.toolkit = {13, 0};
  planned.request.devices = coverage::wanted_devices({promise_of(devices)});
  planned.request.ptx = ptx;
  planned.plan = coverage::plan_archs(planned.request);
  return report;
}

Image sized(Image image, std::uint64_t stored) {
  image.stored = stored;
  image.decompressed_bytes = 2 * stored;
  return image;
}

constexpr std::size_t kWide = 200;  ///< columns that break no line

void measure(SuggestReport& report, const File& file, const std::vector<std::string>& devices) {
  report.measured.emplace();
  auto& measured = *report.measured;
  measured.paths = {file.path};
  measured.uses =
      coverage::arch_use({file}, {promise_of(devices)}, report.toolkits.front().plan.archs);
  coverage::Request request;
  request.promises = {promise_of(devices)};
  measured.findings = coverage::audit({file}, request).findings;
}

TEST(SuggestReport, SaysWhatNobodyNeedsAndWhatItTakes) {
  const std::vector<std::string> devices = {"8.0", "8.6"};
  auto report = plan_report_of(devices);
  const auto file = file_of({sized(sass("75"), 300), sized(sass("80"), 600), sized(sass("86"), 50),
                             sized(ptx("86"), 50)});
  measure(report, file, devices);
  report.measured->file_bytes = 2000;
  const auto text = report::suggest_text(report, {}, kWide);
  EXPECT_THAT(text, HasSubstr("libx.so: 1000 B of device code\n"));
  EXPECT_THAT(text,
              HasSubstr("  image    stored  share  unpacked  images  kernels  listed  taken by\n"
                        "  sass 75   300 B  30.0%     600 B       1        1  -       nobody\n"
                        "  sass 80   600 B  60.0%   1.2 KiB       1        1  yes     8.0\n"
                        "  sass 86    50 B   5.0%     100 B       1        1  -       8.6\n"
                        "  ptx 86     50 B   5.0%     100 B       1        1  -       nobody\n"));
  EXPECT_THAT(text, HasSubstr("nobody needs sass 75, ptx 86: they take 350 B, 35.0% of the device "
                              "code and 17.5% of the file\n"));
  EXPECT_THAT(text, HasSubstr("the list does without sass 86: they take 50 B, 5.0% of the device "
                              "code and 2.5% of the file\n"));
  EXPECT_THAT(text, HasSubstr("; 350 B of what is there serve nobody\n"));
  EXPECT_THAT(report.findings(), IsEmpty());
}

TEST(SuggestReport, WhatIsAllNeededIsSaidToBe) {
  const std::vector<std::string> devices = {"8.0", "9.0"};
  auto report = plan_report_of(devices);
  measure(report, file_of({sized(sass("80"), 1), sized(sass("90"), 1)}), devices);
  EXPECT_THAT(report::needless(report), IsEmpty());
  EXPECT_THAT(report::suggest_text(report, {}, kWide),
              HasSubstr("; all that is there is needed\n"));
}

TEST(SuggestReport, PtxThatIsListedIsNotNeedless) {
  const std::vector<std::string> devices = {"8.0"};
  const auto file = file_of({sized(sass("80"), 10), sized(ptx("80"), 10)});
  auto without = plan_report_of(devices);
  measure(without, file, devices);
  EXPECT_EQ(report::needless(without).size(), 1U);
  auto with = plan_report_of(devices, coverage::PtxWish::fallback);
  measure(with, file, devices);
  EXPECT_THAT(report::needless(with), IsEmpty());
}

TEST(SuggestReport, KernelsThatTheListLeavesWithoutCodeAreCounted) {
  const std::vector<std::string> devices = {"9.0"};
  auto report = plan_report_of(devices);
  measure(report, file_of({sized(sass("90"), 10), sized(sass("90a"), 10)}), devices);
  EXPECT_THAT(report::suggest_text(report, {}, kWide),
              HasSubstr("  (for each kernel in it there is code of the list's archs too)\n"
                        "  --with 90a adds it too: kernels may need its instructions\n"));
  measure(report, file_of({sized(sass("90"), 10)}), devices);
  EXPECT_THAT(report::suggest_text(report, {}, kWide), Not(HasSubstr("--with")));
  const auto bare = sass("90", {kernel("other")});
  measure(report, file_of({sized(bare, 10), sized(sass("90a"), 10)}), devices);
  EXPECT_THAT(report::suggest_text(report, {}, kWide),
              HasSubstr("  but there is no code of the list's archs for 1 kernel of sass 90a\n"
                        "  --with 90a adds it too: "));
}

TEST(SuggestReport, LinkTimeCodeIsNeverCalledNeedless) {
  const std::vector<std::string> devices = {"8.0"};
  auto report = plan_report_of(devices);
  auto file = file_of({sized(sass("80"), 10)});
  add_module(file, {sized(lto("75"), 10)});
  measure(report, file, devices);
  EXPECT_THAT(report::needless(report), IsEmpty());
  EXPECT_THAT(report::suggest_text(report, {}, kWide), HasSubstr("not judged\n"));
}

TEST(SuggestReport, KernelsThatMissADeviceAlikeAreOneFinding) {
  const std::vector<std::string> devices = {"8.0", "9.0"};
  auto report = plan_report_of(devices);
  measure(report, file_of({sized(sass("80", {kernel("a"), kernel("b")}), 10)}), devices);
  ASSERT_EQ(report.findings().size(), 1U);
  EXPECT_EQ(report.findings()[0].kernels, 2U);
  const auto text = report::suggest_text(report, {}, kWide);
  EXPECT_THAT(text, HasSubstr("  9.0           2  missing  a\n"));
  EXPECT_THAT(text, HasSubstr("; what is there does not keep it on 9.0\n"));
  const auto json = nlohmann::json::parse(report::suggest_json(report));
  EXPECT_EQ(json.at("findings").at(0).at("kernels"), 2);
  EXPECT_EQ(json.at("holds"), false);
}

TEST(SuggestReport, ToolkitsThatCanServeAreNamedExactly) {
  auto report = plan_report_of({"9.0"});
  auto& planned = report.toolkits[0];
  planned.request.devices = {{device("8.8"), {Verdict::jit}, coverage::parse_driver("545")}};
  planned.plan = coverage::plan_archs(planned.request);
  EXPECT_THAT(report.findings().at(0).fix, HasSubstr("CUDA 11.0 to 12.3 can: build for 8.8"));
  planned.request.devices[0].accept = {Verdict::native, Verdict::jit};
  planned.request.devices[0].device = device("10.1");
  planned.request.toolkit = {12, 4};
  planned.plan = coverage::plan_archs(planned.request);
  EXPECT_THAT(report.findings().at(0).fix, HasSubstr("CUDA 11.0 to 12.3, 12.8 to 12.9 can: "));
}

TEST(SuggestReport, ADriverThatDoesNotKnowAGpuIsToldOnce) {
  auto promised = promise_of({"7.0", "8.0"});
  promised.driver = coverage::parse_driver("590");
  SuggestReport report;
  report.toolkits.emplace_back();
  auto& planned = report.toolkits[0];
  planned.request.toolkit = {12, 4};
  planned.request.devices = coverage::wanted_devices({promised});
  planned.plan = coverage::plan_archs(planned.request);
  coverage::Request request;
  request.promises = {promised};
  report.measured.emplace();
  report.measured->findings = coverage::audit({file_of({sass("70")})}, request).findings;
  std::vector<std::string> told;
  for (const auto& finding : report.findings()) told.push_back(finding.code + " " + finding.device);
  EXPECT_THAT(told, ElementsAre("unserved 7.0", "missing 8.0"));
  EXPECT_THAT(report.findings().at(0).fix, HasSubstr("promise driver 580 or older for 7.0"));
}

TEST(SuggestReport, FitsTheScreenButForListsToPaste) {
  std::vector<std::string> devices;
  for (const auto& row : coverage::table().architectures) {
    if (row.number >= 75 && !row.integrated && row.number != 88)
      devices.push_back(row.device.text());
  }
  auto report = plan_report_of(devices, coverage::PtxWish::fallback);
  report.notes = {
      "matrices/default.json does not list CUDA 13.0, but 11.8, 12.0, 12.4, 12.6, 12.8 "
      "and 12.9"};
  const auto name = "a_kernel_with_a_long_name<" + std::string(80, 'x') + ">";
  auto file = file_of({sized(sass("75", {kernel(name)}), 1), sized(sass("80"), 10),
                       sized(sass("90a", {kernel(name)}), 10), sized(ptx("75"), 10)});
  measure(report, file, devices);
  const auto is_list = [](const std::string& line) {
    return line.find("-gencode") != std::string::npos ||
           line.find("matrix file") != std::string::npos;
  };
  const auto text = report::suggest_text(report, {}, 80);
  EXPECT_THAT(text, HasSubstr("-gencode"));
  std::istringstream lines(text);
  std::size_t rows = 0;
  for (std::string line; std::getline(lines, line); ++rows) {
    if (!is_list(line)) EXPECT_LE(line.size(), 80U) << line;
  }
  EXPECT_GT(rows, 20U);
  EXPECT_THAT(report::suggest_text(report, {}, kWide), HasSubstr(report.notes[0] + '\n'));
}

TEST(SuggestReport, OneClosingLineAToolkit) {
  auto report = plan_report_of({"8.0"});
  report.toolkits.push_back(plan_report_of({"7.0"}).toolkits[0]);
  EXPECT_THAT(report::suggest_verdicts(report),
              ElementsAre("1 arch of CUDA 13.0 keeps the promise for 1 device: 1 native",
                          "CUDA 13.0 cannot keep the promise for 7.0"));
  const auto text = report::suggest_text(report, {}, kWide);
  EXPECT_THAT(text, HasSubstr("  7.0     NOT SERVED\n"));
  EXPECT_THAT(text, Not(HasSubstr("\x1b[")));
}

}  // namespace
}  // namespace archgrid::tests
