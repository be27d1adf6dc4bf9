// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests every format of an audit: contents, hostile names, and files with 20,000 kernels.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

#include "escape.hpp"
#include "paths.hpp"
#include "reports.hpp"

namespace archgrid::tests {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

/// Returns a report on two kernels: one lacks 9.0 and 10.0, the other lacks 10.0.
AuditReport broken_report(const std::string& cell = "") {
  return report_of(
      file_of({sass("80", {kernel("both"), kernel("old")}), sass("90", {kernel("both")})}),
      {"8.0", "9.0", "10.0"}, cell);
}

const std::size_t kMany = many(20000);

/// Cached, as judging it takes a second.
const AuditReport& of_many_kernels() {
  static const auto made = big_report(static_cast<int>(kMany));
  return made;
}

AuditReport holding_report() {
  return report_of(file_of({sass("80")}), {"8.0", "8.6"});
}

// --- the view ---

TEST(View, TellsAReasonAndAWayToFareOnce) {
  const auto audited = big_report(1000);
  const report::View view(audited);
  EXPECT_THAT(view.files, SizeIs(1));
  EXPECT_THAT(view.files[0].kernels, SizeIs(1000));
  EXPECT_LT(view.patterns.size(), 20U);
  EXPECT_LT(view.reasons.size(), 60U);
  const std::set<std::string_view> different(view.reasons.begin(), view.reasons.end());
  EXPECT_EQ(different.size(), view.reasons.size());
}

TEST(View, KeepsWhatTheAuditSaysOfEveryField) {
  const auto audited = broken_report();
  const report::View view(audited);
  const auto& rows = audited.audits[0].files[0].rows;
  ASSERT_THAT(view.files[0].kernels, SizeIs(rows.size()));
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const auto& pattern = view.pattern_of(view.files[0].kernels[row]);
    ASSERT_THAT(pattern, SizeIs(rows[row].fields.size()));
    for (std::size_t index = 0; index < pattern.size(); ++index) {
      EXPECT_EQ(pattern[index].verdict, rows[row].fields[index].verdict);
      EXPECT_EQ(pattern[index].state, rows[row].fields[index].state);
      EXPECT_EQ(view.reasons[pattern[index].reason],
                report::reason_text(rows[row].fields[index].reason,
                                    audited.audits[0].devices[index].text()));
    }
  }
}

TEST(View, FindingsAboutTheSameKernelsAreOneGroup) {
  const auto audited =
      report_of(file_of({sass("80", {kernel("a"), kernel("b")})}), {"8.0", "9.0", "10.0", "12.0"});
  const report::View view(audited);
  ASSERT_THAT(view.findings, SizeIs(1));
  EXPECT_EQ(view.findings[0].findings, 3U);
  EXPECT_EQ(view.findings[0].kernels, 2U);
  EXPECT_EQ(report::devices_of(view.findings[0]), "9.0, 10.0 and 12.0");
  EXPECT_EQ(view.totals.findings, 3U);
}

TEST(View, FindingsAboutOtherKernelsAreAnotherGroup) {
  const auto audited = broken_report();
  const report::View view(audited);
  ASSERT_THAT(view.findings, SizeIs(2));
  EXPECT_EQ(report::subject_of(view.findings[0], 100), "both and 1 more on 10.0");
  EXPECT_EQ(report::subject_of(view.findings[1], 100), "old on 9.0");
}

TEST(View, TwoReasonsOnOneDeviceAreTwoGroups) {
  coverage::Request request;
  for (const auto accept : {coverage::Verdict::native, coverage::Verdict::compatible}) {
    coverage::Promise promise;
    promise.devices = {device("9.0")};
    promise.accept = {accept};
    request.promises.push_back(promise);
  }
  AuditReport audited;
  std::vector<File> files;
  files.push_back(file_of({sass("80")}));
  audited.audits.push_back(coverage::audit(std::move(files), request));
  const report::View view(audited);
  ASSERT_THAT(view.findings, SizeIs(2));
  EXPECT_EQ(report::devices_of(view.findings[0]), "9.0");
  EXPECT_NE(report::message_of(view.findings[0]), report::message_of(view.findings[1]));
}

TEST(View, AFindingMayStandForSeveralKernels) {
  auto audited = broken_report();
  audited.audits[0].findings.resize(1);
  audited.audits[0].findings[0].kernels = 700;
  EXPECT_THAT(text_of(audited), HasSubstr(" and 699 more on "));
  EXPECT_EQ(json::parse(json_of(audited))["findings"][0]["kernels"], 700);
}

/// Returns a report on files with equal kernels, and a last file with another kernel.
AuditReport alike_report(int count) {
  std::vector<File> files;
  for (int index = 0; index < count; ++index) {
    files.push_back(file_of({sass("80", {kernel("a"), kernel("b")})}));
    files.back().path = fmt::format("pkg/lib{}.so", index);
  }
  files.push_back(file_of({sass("80", {kernel("a"), kernel("c")})}));
  files.back().path = "pkg/other.so";
  return report_of(std::move(files), {"8.0", "9.0"});
}

TEST(View, FindingsThatAreAlikeInSeveralFilesAreOneFold) {
  const auto audited = alike_report(12);
  const report::View view(audited);
  EXPECT_THAT(view.findings, SizeIs(13)) << "JUnit and SARIF tell each";
  ASSERT_THAT(view.folded, SizeIs(2)) << "the other file lacks another kernel";
  EXPECT_THAT(view.folded[0].groups, SizeIs(12));
  EXPECT_EQ(view.folded[0].findings, 12U);
  EXPECT_EQ(report::files_of(view, view.folded[0]), "12 files, the first pkg/lib0.so");
  const auto text = text_of(audited);
  EXPECT_THAT(text, HasSubstr("missing: 12 files, the first lib0.so: a and 1 more on 9.0\n"));
  EXPECT_THAT(text, HasSubstr(" (and likewise for the other\n  files)\n"));
  EXPECT_THAT(text, HasSubstr("missing: other.so: a and 1 more on 9.0\n"));
  EXPECT_THAT(text_of(audited, {{}, true}),
              HasSubstr("missing: a and 1 more on 9.0, in 12 files, the first pkg/lib0.so\n"));
  EXPECT_THAT(markdown_of(audited), HasSubstr("in 12 files, the first `pkg/lib0.so`"));
  EXPECT_THAT(html_of(audited), HasSubstr("in 12 files, the first <code>pkg/lib0.so</code>"));
  EXPECT_THAT(annotations_of(audited), HasSubstr("in 12 files"));
  EXPECT_THAT(json::parse(json_of(audited))["findings"], SizeIs(13));
  EXPECT_THAT(sarif_of(audited), HasSubstr("pkg/lib11.so"));
  EXPECT_THAT(junit_of(audited), HasSubstr("failures=\"13\""));
}

TEST(View, CountsKernelsByFileAndByName) {
  const auto audited = alike_report(2);
  EXPECT_THAT(verdict_of(audited),
              HasSubstr(", 6 of 6 kernels in 3 files (3 different names) x 2 devices"));
  EXPECT_THAT(verdict_of(report_of(file_of({sass("80")}), {"8.0"})),
              HasSubstr("promise holds: 1 kernel x 1 device"));
  const auto summary = json::parse(json_of(audited))["summary"];
  EXPECT_EQ(summary, json::parse(R"({"kernels": 6, "distinct_kernels": 3, "files": 3, "devices": 2,
      "findings": 3, "by_code": {"missing": 3}, "suspects": 0, "ignored": 0, "unreadable": 0,
      "errors": 3})"));
  auto by_cell = broken_report("cell");
  EXPECT_EQ(json::parse(json_of(by_cell))["summary"]["cells"], 1);
}

TEST(Formats, CountErrorsWheneverTheExitCodeIsNotZero) {
  const auto counts = [](const AuditReport& audited) {
    const auto document = json::parse(json_of(audited));
    const auto& summary = document["summary"];
    EXPECT_EQ(document["holds"], summary["errors"] == 0);
    return std::make_tuple(summary["findings"].get<int>(), summary["unreadable"].get<int>(),
                           summary["errors"].get<int>());
  };
  auto audited = report_of(file_of({sass("80")}), {"8.0"});
  EXPECT_EQ(counts(audited), std::make_tuple(0, 0, 0));
  EXPECT_THAT(junit_of(audited), HasSubstr("failures=\"0\" errors=\"0\""));
  audited.without_promise = true;
  audited.audits[0].answers = {{device("8.0"), coverage::Answer::unknown}};
  EXPECT_EQ(counts(audited), std::make_tuple(0, 0, 1)) << "neither yes nor no is no success";
  EXPECT_THAT(junit_of(audited), HasSubstr("tests=\"2\" failures=\"0\" errors=\"1\""));
  EXPECT_THAT(junit_of(audited), HasSubstr("<error type=\"unanswered\" message=\"cannot be told"));
  EXPECT_THAT(sarif_of(audited), HasSubstr(R"({"level": "error", "message": {"text": "cannot be)"));
  EXPECT_THAT(markdown_of(audited), HasSubstr("cannot be told for 8.0"));
  auto lacking = report_of(file_of({sass("80")}), {"8.0", "9.0"});
  lacking.errors = {"x.so: cannot open"};
  EXPECT_EQ(counts(lacking), std::make_tuple(1, 1, 2));
  EXPECT_THAT(junit_of(lacking), HasSubstr("failures=\"1\" errors=\"1\""));
}

TEST(View, FindingsOfWholeFilesComeFirst) {
  auto audited = broken_report("cell");
  coverage::Finding finding;
  finding.code = "stripped";
  finding.message = "m";
  finding.fix = "f";
  audited.audits[0].findings.push_back(finding);
  EXPECT_EQ(report::View(audited).findings[0].first().code, "stripped");
}

TEST(View, ARemarkIsToldOnce) {
  auto audited = report_of(file_of({sass("80")}), {"8.0"});
  audited.audits[0].notes = {note("obfuscated", "libx.so", {{"images", "1"}, {"of", "2"}}),
                             note("debug-code", "libx.so", {{"images", "1"}, {"of", "2"}})};
  audited.audits.push_back(audited.audits[0]);
  EXPECT_THAT(
      text_of(audited),
      HasSubstr(
          "note: libx.so: 1 of 2 images were made with -G\n"
          "note: libx.so: the content of 1 of 2 images is hidden on purpose\n\npromise holds"));
  EXPECT_THAT(json::parse(json_of(audited))["notes"], SizeIs(2));
}

// --- the terminal ---

TEST(Text, OfManyNotesOfOneKindTheFirstIsShown) {
  auto audited = report_of(file_of({sass("80")}), {"8.0"});
  for (int index = 0; index < 4; ++index) {
    const auto path = fmt::format("build/lib{}.so", index);
    const auto kernels = std::to_string(index + 1);
    audited.audits[0].notes.push_back(
        note("promised-on-fewer-devices", path,
             {{"kernels", kernels}, {"of", "9"}, {"gpus", "9.0"}, {"places", "promises[1]"}}));
  }
  audited.audits[0].notes.push_back(
      note("debug-code", "build/lib0.so", {{"images", "1"}, {"of", "2"}}));
  const auto text = text_of(audited, {{}, false, false, 200});
  EXPECT_THAT(text, HasSubstr("note: lib0.so: 1 of 2 images were made with -G\n"
                              "note: lib0.so: 1 of 9 kernels is promised by "));
  EXPECT_THAT(text,
              HasSubstr("promises[1] alone, and so not on 9.0 (and 3 more notes like it)\n\n"));
  EXPECT_THAT(text_of(audited, {{}, true}),
              HasSubstr("note: build/lib3.so: 4 of 9 kernels are promised by "));
}

/// Returns the text about this many kernels, of which 9.0 lacks the last.
std::string text_without_the_last(int count) {
  std::vector<fatbin::Kernel> kernels;
  for (int index = 0; index < count; ++index)
    kernels.push_back(kernel("k" + std::to_string(index)));
  auto fewer = kernels;
  fewer.pop_back();
  return text_of(report_of(file_of({sass("80", kernels), sass("90", fewer)}), {"8.0", "9.0"}));
}

TEST(Text, BrokenKernelsComeFirstAmongThoseThatFareAlike) {
  EXPECT_THAT(
      text_without_the_last(60),
      HasSubstr("\n  k59             native   MISSING\n  k0 and 58 more  native   native\n"));
  EXPECT_THAT(text_without_the_last(9),
              HasSubstr("\n  k8             native   MISSING\n  k0 and 7 more  native   native\n"));
  EXPECT_THAT(text_without_the_last(8), HasSubstr("\n  k6     native   native\n"))
      << "few enough to be shown";
}

TEST(Text, AllShowsEveryKernelAndEveryFinding) {
  const auto audited = big_report(300);
  const auto text = text_of(audited, {{}, true});
  for (int index = 0; index < 300; ++index) {
    EXPECT_THAT(text, HasSubstr("  kernel" + std::to_string(index) + "_xxx")) << index;
  }
  EXPECT_THAT(text, Not(HasSubstr(" more rows")));
  EXPECT_THAT(text, Not(HasSubstr("more finding")));
}

TEST(Text, DevicesThatDoNotFitStandBelow) {
  const std::vector<std::string> devices = {"7.5", "8.0", "8.6", "8.9", "9.0", "10.0", "12.0"};
  const auto audited = report_of(file_of({sass("80")}), devices);
  const auto text = text_of(audited);
  EXPECT_THAT(text,
              StartsWith("libx.so  7.5      8.0      8.6      8.9      9.0      10.0     12.0\n"));
  report::TextStyle narrow;
  narrow.columns = 40;
  const auto lines = lines_of(text_of(audited, narrow));
  EXPECT_EQ(lines[0], "libx.so  7.5      8.0      8.6");
  EXPECT_EQ(lines[2], "libx.so  8.9      9.0      10.0");
  EXPECT_EQ(lines[4], "libx.so  12.0");
  auto long_title = file_of({sass("80")});
  long_title.path = std::string(90, 'x') + ".so";
  const auto titled = lines_of(text_of(report_of(long_title, devices)));
  EXPECT_THAT(titled[0], StartsWith("xxx"));
  EXPECT_LE(titled[0].size(), 80U);
  EXPECT_LE(titled[1].size(), 80U);
  narrow.all = true;
  EXPECT_THAT(text_of(audited, narrow), HasSubstr("10.0     12.0\n")) << "nothing is folded";
}

TEST(Text, OfTwentyThousandKernelsFitsAScreen) {
  const auto& audited = of_many_kernels();
  const auto lines = lines_of(text_of(audited));
  EXPECT_LT(lines.size(), 60U);
  const auto verdict = lines[lines.size() - 2] + ' ' + lines.back();
  EXPECT_THAT(verdict, StartsWith("promise broken: "));
  EXPECT_THAT(verdict, HasSubstr(fmt::format(", {0} of {0} kernels x 13 devices", kMany)));
  for (const auto& line : lines) EXPECT_LE(line.size(), 80U) << line;
}

TEST(Text, OfManyFilesFitsAScreenAndCountsTheRest) {
  std::vector<File> files;
  for (int index = 0; index < 100; ++index) {
    const auto name = "k" + std::to_string(index);
    files.push_back(file_of({sass(index == 99 ? "75" : "80", {kernel(name)})}));
    files.back().path = "lib" + std::to_string(index) + ".so";
  }
  const auto text = text_of(report_of(files, {"8.0", "8.6"}));
  EXPECT_LT(lines_of(text).size(), 100U);
  EXPECT_THAT(text, HasSubstr("lib99.so"));
  EXPECT_THAT(
      text,
      MatchesRegex("(.|\n)*\nand [0-9]+ more files with [0-9]+ kernels \\(--all shows (.|\n)*"));
}

TEST(Text, WhatIsLeftOutSaysWhetherItIsBroken) {
  std::vector<Image> images;
  const std::vector<std::string> archs = {"50", "60", "70", "80", "90", "100", "120"};
  for (std::size_t image = 0; image < archs.size(); ++image) {
    std::vector<fatbin::Kernel> kernels = {kernel("always")};
    for (unsigned mask = 0; mask < 127; ++mask) {
      if ((mask >> image & 1U) != 0) kernels.push_back(kernel("k" + std::to_string(mask)));
    }
    images.push_back(sass(archs[image], kernels));
  }
  const auto text =
      text_of(report_of(file_of(images), {"5.0", "6.0", "7.0", "8.0", "9.0", "10.0", "12.0"}));
  EXPECT_THAT(text, HasSubstr("  and 120 kernels in 120 more rows, 119 with findings (--all "));
}

TEST(Text, CellsBesideAFatOneThatWasNotBuiltAreCounted) {
  auto audited = report_of(file_of({sass("80")}), {"8.0"}, "cu135-sm80");
  audited.beside_fat.insert("cu135-sm80");
  audited.all_command = "archgrid audit --tree build/matrix --all";
  const std::string command = "every kernel: archgrid audit --tree build/matrix --all\n\n";
  EXPECT_THAT(text_of(audited), StartsWith("1 cell with 1 kernel\n" + command));
  audited.audits.push_back(broken_report("cu135-fat").audits[0]);
  EXPECT_THAT(text_of(audited), HasSubstr("\nand 1 more cell with 1 kernel\n" + command));
}

/// Returns a report on cells that were not built, each with its own finding.
AuditReport unbuilt_report(int count, const std::string& message = "m") {
  AuditReport audited;
  audited.by_cell = true;
  for (int index = 0; index < count; ++index) {
    coverage::Finding finding;
    finding.code = "not-built";
    finding.cell = "c" + std::to_string(index);
    finding.message = message;
    finding.fix = "f";
    audited.findings.push_back(finding);
  }
  return audited;
}

/// Returns a report on cells that were not built for different reasons.
AuditReport differently_unbuilt_report(int count) {
  auto audited = unbuilt_report(count);
  for (int index = 0; index < count; ++index) {
    audited.findings[static_cast<std::size_t>(index)].message = fmt::format("reason {}", index);
  }
  return audited;
}

TEST(Text, FindingsThatAreLeftOutAreCounted) {
  EXPECT_THAT(text_of(differently_unbuilt_report(8)), Not(HasSubstr("more finding")));
  const auto audited = differently_unbuilt_report(11);
  EXPECT_THAT(text_of(audited), HasSubstr("cell c0\n  reason 0\n  fix: f\nnot-built: cell c1\n"));
  EXPECT_THAT(
      text_of(audited),
      HasSubstr("cell c7\n  reason 7\n  fix: the same\nand 3 more findings (--all or --json "
                "lists them)\n"));
  EXPECT_THAT(text_of(audited, {{}, true}), HasSubstr("cell c10\n"));
}

TEST(Text, CellsThatWereNotBuiltForOneReasonAreOneFinding) {
  auto audited = unbuilt_report(4);
  for (auto& finding : audited.findings) {
    finding.message = fmt::format("no: see cells/{}.log", finding.cell);
    finding.fix = "build " + finding.cell;
  }
  audited.findings[2].message = "another reason";
  const auto text = text_of(audited);
  EXPECT_THAT(text, HasSubstr("not-built: cell c0\n  no: see cells/c0.log\n"
                              "  fix: build c0 (and likewise for the other cells)\n"
                              "  the same in 2 more cells: c1, c3\n"
                              "not-built: cell c2\n  another reason\n  fix: build c2\n\n"));
  EXPECT_THAT(text, HasSubstr("promise not proven: 4 findings (4 not-built)"));
  auto different = unbuilt_report(2);
  different.findings[0].cell = "a";
  different.findings[0].message = "undefined: xa, a-b";
  different.findings[1].cell = "b";
  different.findings[1].message = "undefined: xb, a-b";
  EXPECT_THAT(text_of(different), HasSubstr("undefined: xb")) << "a name of a cell within others";
}

TEST(Text, HostileNamesStayOnTheirLine) {
  const auto audited = hostile_report();
  const auto lines = lines_of(text_of(audited));
  const std::string text = text_of(audited, {{}, true});
  EXPECT_EQ(std::count_if(text.begin(), text.end(),
                          [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\n'; }),
            0);
  for (const auto& line : lines) EXPECT_THAT(line, Not(StartsWith("::")));
}

// --- JSON ---

TEST(Json, GivesTheReasonOfWhatIsNotKept) {
  const auto document = json::parse(json_of(broken_report()));
  const auto& kernels = document["files"][0]["kernels"];
  EXPECT_EQ(kernels[0]["verdicts"],
            json({{"8.0", "native"}, {"9.0", "native"}, {"10.0", "missing"}}));
  EXPECT_EQ(kernels[0]["reasons"], json({{"10.0", "none of its code runs on 10.0"}}));
  EXPECT_EQ(kernels[1]["reasons"].size(), 2U);
  EXPECT_FALSE(
      json::parse(json_of(holding_report()))["files"][0]["kernels"][0].contains("reasons"));
}

TEST(Json, HostileNamesComeBackAsTheyWere) {
  const auto document = json::parse(json_of(hostile_report()));
  std::set<std::string> found;
  for (const auto& kernel : document["files"][0]["kernels"]) found.insert(kernel["name"]);
  for (const auto& name : kHostileNames) EXPECT_EQ(found.count(report::utf8(name)), 1U) << name;
  EXPECT_EQ(document["ignored"][0]["reason"], "<i>::because|`");
}

// unit.report.documents reads such a document, in a tenth of the time.
TEST(Json, OfTwentyThousandKernelsHasAllAndIsNotHuge) {
  const auto text = json_of(of_many_kernels());
  EXPECT_EQ(count_of(text, "verdicts\":"), kMany);
  EXPECT_LT(text.size(), 10000 * kMany);
}

// --- JUnit: unit.report.documents parses it ---

TEST(Junit, HasATestForEachFileAndDevice) {
  const auto xml = junit_of(broken_report("cu130-fat"));
  EXPECT_THAT(xml, HasSubstr("<testsuite name=\"cu130-fat: libx.so\" tests=\"3\" failures=\"2\" "));
  EXPECT_THAT(xml, HasSubstr("name=\"device 8.0\" time=\"0\"/>"));
  EXPECT_THAT(xml, HasSubstr("missing: both and 1 more on 10.0\n  none of its code runs on 10.0"));
  EXPECT_THAT(junit_of(holding_report()), Not(HasSubstr("<failure")));
}

TEST(Junit, SkipsADeviceForWhichNothingOfAFileIsPromised) {
  coverage::Request request;
  request.promises.resize(2);
  request.promises[0].devices = {device("8.0")};
  request.promises[1].devices = {device("9.0")};
  request.promises[1].kernels = "other";
  std::vector<File> files = {file_of({sass("80")})};
  files.push_back(file_of({sass("90", {kernel("other")})}));
  AuditReport audited;
  audited.audits.push_back(coverage::audit(std::move(files), request));
  EXPECT_EQ(count_of(junit_of(audited), "<skipped message=\"no kernel of it is promised there\"/>"),
            2U);
}

TEST(Junit, ShowsIgnoredFindingsWithoutCountingThem) {
  auto audited = broken_report("cu130-fat");
  const auto before = junit_of(audited);
  EXPECT_THAT(before, Not(HasSubstr("system-out")));
  auto& audit = audited.audits[0];
  auto about_file = audit.findings.at(0);
  about_file.code = "stripped";
  about_file.device.clear();
  about_file.cause.reset();
  for (auto& finding : audit.findings) audit.ignored.push_back({finding, "no <T4> here"});
  audit.ignored.push_back({about_file, "a plugin"});
  auto xml = junit_of(audited);
  EXPECT_THAT(xml,
              HasSubstr("</failure>\n      <system-out>ignored: no &lt;T4&gt; here\n  missing: "));
  audit.findings.clear();
  xml = junit_of(audited);
  EXPECT_THAT(xml, HasSubstr("<testsuite name=\"cu130-fat: libx.so\" tests=\"3\" failures=\"0\" "
                             "errors=\"0\" skipped=\"0\" "));
  EXPECT_THAT(xml, HasSubstr("name=\"device 8.0\" time=\"0\"/>"));
  EXPECT_THAT(xml, HasSubstr("name=\"device 10.0\" time=\"0\">\n      <system-out>ignored: no "
                             "&lt;T4&gt; here\n  missing: both"));
  EXPECT_THAT(xml, HasSubstr("    </testcase>\n      <system-out>ignored: a plugin\n  stripped: "));
}

TEST(Junit, UnreadableInputsAreErrors) {
  auto audited = holding_report();
  audited.errors = {"x.so: cannot open"};
  const auto xml = junit_of(audited);
  EXPECT_THAT(xml, HasSubstr("tests=\"3\" failures=\"0\" errors=\"1\""));
  EXPECT_THAT(xml, HasSubstr("<error type=\"unreadable\" message=\"x.so: cannot open\"/>"));
}

TEST(Junit, FindingsOfNoFileHaveATestToo) {
  AuditReport audited;
  coverage::Finding finding;
  finding.code = "not-built";
  finding.cell = "cu130-fat";
  finding.message = "m";
  finding.fix = "f";
  audited.findings = {finding};
  EXPECT_THAT(junit_of(audited),
              HasSubstr("<testcase classname=\"cu130-fat\" name=\"not-built\" time=\"0\">\n"
                        "      <failure type=\"not-built\""));
}

TEST(Markdown, ExplainsTheSignsThatOccur) {
  EXPECT_THAT(markdown_of(broken_report()), HasSubstr("\n:x: breaks the promise\n"));
  EXPECT_THAT(markdown_of(holding_report()), Not(HasSubstr("breaks the promise")));
}

// --- GitHub ---

TEST(Annotations, NameFileTitleAndFix) {
  const auto lines = lines_of(annotations_of(broken_report("cu130-fat")));
  ASSERT_THAT(lines, SizeIs(2));
  EXPECT_EQ(
      lines[0],
      "::error file=libx.so,title=missing%3A No code for this GPU%2C cell cu130-fat::both and 1 "
      "more on 10.0: none of its code runs on 10.0; promised is native or "
      "compatible%0Afix: compile the source of these kernels in libx.so for 100 too: add 100 to "
      "the CUDA_ARCHITECTURES of the target that compiles it");
  EXPECT_THAT(annotations_of(holding_report()), IsEmpty());
}

TEST(Annotations, AreTenAtMostAndTheTenthCountsTheRest) {
  EXPECT_THAT(lines_of(annotations_of(unbuilt_report(10))), SizeIs(10));
  EXPECT_THAT(annotations_of(unbuilt_report(10)), Not(HasSubstr("and more")));
  auto audited = unbuilt_report(11);
  EXPECT_THAT(lines_of(annotations_of(audited)), SizeIs(10));
  EXPECT_THAT(
      lines_of(annotations_of(audited)).back(),
      StartsWith("::error title=and more::2 more findings%0Apromise not proven: 11 findings"));
  audited.errors.assign(12, "x: cannot open");
  EXPECT_THAT(lines_of(annotations_of(audited)), SizeIs(10));
  EXPECT_THAT(lines_of(annotations_of(audited)).back(),
              HasSubstr("::3 more errors, 11 more findings%0A"));
  EXPECT_THAT(lines_of(annotations_of(of_many_kernels())), SizeIs(::testing::Le(10U)));
}

TEST(Annotations, HostileNamesCannotMakeMore) {
  const auto lines = lines_of(annotations_of(hostile_report()));
  ASSERT_THAT(lines, SizeIs(2));
  for (const auto& line : lines) {
    EXPECT_THAT(line, StartsWith("::error "));
    // No character after the title ends it early.
    const auto properties = line.substr(8, line.find("::", 8) - 8);
    EXPECT_EQ(std::count(properties.begin(), properties.end(), ','), line == lines[1] ? 1 : 0)
        << line;
  }
  EXPECT_THAT(lines[1], HasSubstr("file=lib<x>|`%0A%3A%3Aerror%3A%3A%2C%25.so,"));
}

TEST(Annotations, TextHoldsNoCommands) {
  EXPECT_EQ(report::without_commands("a\n::error::x\n  ::stop-commands::y\nk ::z\n##[group]q\n::"),
            "a\n: :error::x\n  : :stop-commands::y\nk ::z\n## [group]q\n: :");
  // The runner also ends a line at a carriage return, and skips all white space of Unicode.
  EXPECT_EQ(report::without_commands("a\r::error::x\n\xC2\xA0\t\xE3\x80\x80::y\n\xC2\xA1::z"),
            "a\r: :error::x\n\xC2\xA0\t\xE3\x80\x80: :y\n\xC2\xA1::z");
  const auto text = report::without_commands(text_of(hostile_report(), {{}, true}));
  EXPECT_THAT(text, Not(HasSubstr("##[")));
  for (const auto& line : lines_of(text)) {
    const auto word = line.find_first_not_of(" \t");
    EXPECT_FALSE(word != std::string::npos && line.compare(word, 2, "::") == 0) << line;
  }
}

TEST(Markdown, ShowsVerdictFindingsAndMap) {
  const auto page = markdown_of(broken_report("cu130-fat"));
  EXPECT_THAT(page, StartsWith("## :x: promise broken: 2 findings (2 missing), 2 of 2 kernels x 3 "
                               "devices, 1 cell\n"));
  EXPECT_THAT(page,
              HasSubstr("- **missing**: `both` and 1 more on 10.0, cell cu130-fat, `libx.so`  \n"));
  EXPECT_THAT(page, HasSubstr("| kernels | 8.0 | 9.0 | 10.0 |\n|---|---|---|---|\n"));
  EXPECT_THAT(page, HasSubstr("| `old` | native | :x: **missing** | :x: **missing** |\n"));
  EXPECT_THAT(markdown_of(holding_report()), StartsWith("## :white_check_mark: promise holds"));
}

TEST(Markdown, FitsWhatItIsGivenAndCountsTheRest) {
  const auto& audited = of_many_kernels();
  EXPECT_LT(markdown_of(audited).size(), 20000U);
  EXPECT_THAT(lines_of(markdown_of(audited, 2000)),
              ::testing::Contains(MatchesRegex("and [0-9]+ more kernels")));
  EXPECT_LE(markdown_of(audited, 2000).size(), 2000U);
  const auto unbuilt = unbuilt_report(static_cast<int>(kMany), std::string(200, 'm'));
  for (const std::size_t most : {std::size_t{0}, std::size_t{500}, std::size_t{2000}, 50 * kMany}) {
    const auto page = markdown_of(unbuilt, most);
    EXPECT_LE(page.size(), most);
    if (most < 2000) continue;
    EXPECT_THAT(page, StartsWith(fmt::format("## :x: promise not proven: {} findings", kMany)));
    EXPECT_THAT(lines_of(page).back(), MatchesRegex("- and [0-9]+ more findings"));
  }
  EXPECT_GT(markdown_of(unbuilt).size(), 200 * kMany)
      << "nothing is left out of a page without a limit";
}

TEST(Markdown, HostileNamesStayInTheirCell) {
  const auto page = markdown_of(hostile_report());
  for (const auto& line : lines_of(page)) {
    if (line.rfind("| ", 0) != 0) continue;
    std::size_t bars = 0;
    for (std::size_t at = 0; at < line.size(); ++at) {
      if (line[at] == '|' && (at == 0 || line[at - 1] != '\\')) ++bars;
    }
    EXPECT_EQ(bars, 4U) << line;
  }
  EXPECT_EQ(report::markdown_code("a`b``c|d", true), "```a`b``c\\|d```");
  EXPECT_EQ(report::markdown_code("`x", false), "`` `x ``");
  EXPECT_EQ(report::markdown_text("<b> @me #1 *x* [y](z)\n::"),
            "\\<b\\> @<!-- -->me #<!-- -->1 \\*x\\* \\[y\\](z) ::");
}

// --- SARIF: unit.report.documents validates it ---

TEST(Sarif, HasARuleForEachCodeAndAResultForEachGroup) {
  const auto document = json::parse(sarif_of(broken_report()));
  const auto& run = document["runs"][0];
  ASSERT_THAT(run["tool"]["driver"]["rules"], SizeIs(1));
  EXPECT_EQ(run["tool"]["driver"]["rules"][0]["id"], "missing");
  ASSERT_THAT(run["results"], SizeIs(2));
  EXPECT_EQ(run["results"][1]["locations"][0]["logicalLocations"][0]["decoratedName"], "old");
  EXPECT_EQ(run["results"][1]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            "libx.so");
  EXPECT_NE(run["results"][0]["partialFingerprints"], run["results"][1]["partialFingerprints"]);
  EXPECT_EQ(document, json::parse(sarif_of(broken_report())))
      << "a run like another writes the same";
}

TEST(Sarif, IgnoredFindingsAreSuppressedAndErrorsAreNotifications) {
  const auto run = json::parse(sarif_of(hostile_report()))["runs"][0];
  EXPECT_EQ(run["invocations"][0]["executionSuccessful"], false);
  EXPECT_EQ(run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"],
            "<b>]]>\n::error::x: cannot open");
  EXPECT_EQ(run["results"][1]["suppressions"][0]["justification"], "<i>::because|`");
  EXPECT_EQ(run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            "lib%3Cx%3E%7C%60%0A%3A%3Aerror%3A%3A,%25.so");
}

// --- HTML: unit.report.browser looks at it ---

TEST(Html, VerdictAndFindingsStandInThePageItself) {
  const auto page = html_of(broken_report());
  EXPECT_THAT(page, HasSubstr("<title>libx.so: promise broken: 2 findings"));
  EXPECT_THAT(page,
              HasSubstr("<p class=\"fix\">compile the source of these kernels in libx.so for 100"));
  EXPECT_THAT(page, HasSubstr("<code>old</code> on 9.0"));
  EXPECT_THAT(html_of(holding_report()), HasSubstr("<header class=\"holds\">"));
}

TEST(Html, NeedsNothingElse) {
  const auto page = html_of(broken_report());
  for (const auto* outside : {"src=", "@import", "url(", "http:", "https:"}) {
    EXPECT_THAT(page, Not(HasSubstr(outside))) << outside;
  }
}

TEST(Html, HostileNamesEndNoScript) {
  const auto page = html_of(hostile_report());
  EXPECT_EQ(count_of(page, "</script"), 2U);
  EXPECT_EQ(count_of(page, "<script"), 2U);
  EXPECT_EQ(count_of(page, "<!--"), 0U);
  EXPECT_EQ(count_of(page, "<img"), count_of(page, "{{")) << "in the data alone, where it is text";
}

TEST(Escape, ReplacesWhatIsNoUtf8) {
  EXPECT_EQ(report::utf8("a\xc3\xa4\xff"), "a\xc3\xa4\xef\xbf\xbd");
  EXPECT_EQ(report::utf8("\xc0\xaf"), "\xef\xbf\xbd\xef\xbf\xbd") << "overlong";
  EXPECT_EQ(report::utf8("\xed\xa0\x80"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd") << "a surrogate";
  EXPECT_EQ(report::utf8("\xf0\x9f\x98\x80"), "\xf0\x9f\x98\x80");
  EXPECT_EQ(report::utf8("\xf4\x90\x80\x80").size(), 12U) << "beyond Unicode";
  EXPECT_EQ(report::utf8("\xe2\x80"), "\xef\xbf\xbd\xef\xbf\xbd") << "cut";
}

TEST(Escape, JsonHoldsNothingThatATerminalObeys) {
  const std::string text =
      "\x1b["
      "31m\x7f\xc2\x80\xc2\x9b\xe2\x80\xae\xe2\x81\xa9\xe2\x80\xa8\xe2\x80\xa9\xc3\xa4\xe6\xa0\xb8";
  const auto string = report::json_string(text);
  EXPECT_EQ(string,
            "\"\\u001b[31m\\u007f\\u0080\\u009b\\u202e\\u2069\\u2028\\u2029\xc3\xa4\xe6\xa0\xb8\"");
  EXPECT_EQ(json::parse(string).get<std::string>(), text);
}

TEST(Escape, ShortensInTheMiddle) {
  EXPECT_EQ(report::shortened("abcdefghij", 10), "abcdefghij");
  EXPECT_EQ(report::shortened("abcdefghijk", 10), "abcd...ijk");
  EXPECT_EQ(report::shortened("\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4", 9),
            "\xc3\xa4...\xc3\xa4");
}

}  // namespace
}  // namespace archgrid::tests
