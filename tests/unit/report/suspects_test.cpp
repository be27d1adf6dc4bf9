// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests suspects of audits without a promise, in every format.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <archgrid/coverage/ignore_codes.hpp>
#include <archgrid/report/codes.hpp>
#include <nlohmann/json.hpp>

#include "suspicious.hpp"

namespace archgrid::tests {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Legend, OfErrorsHoldsForEveryRule) {
  coverage::Request wanted;
  wanted.accept_without_promise = coverage::default_verdicts();
  wanted.devices = {device("12.0")};
  AuditReport asked;
  asked.without_promise = true;
  asked.audits.push_back(coverage::audit({file_of_many(3, {sass("80")})}, wanted));
  ASSERT_EQ(asked.audits[0].findings.at(0).cause->rule, coverage::Rule::asked);
  report::TextStyle all;
  all.all = true;
  for (const auto& audited : {asked, package_report(broken_file())}) {
    EXPECT_THAT(text_of(audited, all), HasSubstr("  an error, explained below\n"));
    EXPECT_THAT(markdown_of(audited), HasSubstr("\n:x: an error, explained above"));
  }
  const auto suspects = package_report(suspicious_file());
  EXPECT_THAT(text_of(suspects, all),
              HasSubstr("\nmissing  also a suspect, which may be intended\n"));
  EXPECT_THAT(markdown_of(suspects), HasSubstr("\n*in italics*: a suspect, which may be intended"));
  EXPECT_THAT(text_of(asked, all), Not(HasSubstr("suspect")));
  const auto promised = report_of(file_of_many(3, {sass("80")}), {"12.0"});
  EXPECT_THAT(text_of(promised), HasSubstr("\nCAPITALS  that breaks the promise\n"));
}

TEST(Legend, FitsTheScreen) {
  std::vector<File> files = {file_of_many(3, {sass("80"), sass("90")}),
                             file_of_many(3, {sass("80")})};
  files[1].path = "libother.so";
  add_module(files[1], {sass("90", {kernel("one")})});
  coverage::Request wanted;
  wanted.accept_without_promise = coverage::default_verdicts();
  AuditReport audited;
  audited.without_promise = true;
  audited.audits.push_back(coverage::audit(std::move(files), wanted));
  report::TextStyle all;
  all.all = true;
  const auto text = text_of(audited, all);
  EXPECT_THAT(text,
              HasSubstr("\ncompat            machine code for a lower minor version, or for the "
                        "family,\n                  runs\nmissing, MISSING  fails"));
  for (const auto& line : lines_of(text)) EXPECT_LE(line.size(), 80U) << line;
}

TEST(Suspects, OneCauseInSeveralFilesIsTextOnce) {
  coverage::Request wanted;
  wanted.accept_without_promise = coverage::default_verdicts();
  std::vector<File> files = {broken_file(), broken_file()};
  files[1].path = "libcopy.so";
  AuditReport audited;
  audited.without_promise = true;
  audited.audits.push_back(coverage::audit(std::move(files), wanted));
  const auto text = text_of(audited);
  EXPECT_THAT(text, HasSubstr("\nunit-lacks-arch: 2 files, the first libmany.so: forgotten\n"));
  EXPECT_THAT(text, Not(HasSubstr("unit-lacks-arch: libcopy.so")));
  EXPECT_THAT(text, HasSubstr("2 errors"));
}

TEST(Suspects, OfOneKernelInSeveralFilesAreListedOnce) {
  const auto audited = report_of_two(suspicious_file(), {});
  EXPECT_THAT(verdict_of(audited), HasSubstr("2 suspects"));
  report::TextStyle style;
  style.suspects = true;
  const auto listed = text_of(audited, style);
  EXPECT_THAT(
      listed,
      HasSubstr("\nsuspect unit-lacks-arch: 2 files, the first libmany.so: meant has no code on"));
  EXPECT_THAT(listed, Not(HasSubstr("unit-lacks-arch: libcopy.so")));
  style.all = true;
  EXPECT_THAT(text_of(audited, style),
              HasSubstr("\nsuspect unit-lacks-arch: libcopy.so: meant has no code on"));
}

TEST(Suspects, ShowTheCodeThatAnIgnoreNames) {
  coverage::Request wanted;
  wanted.accept_without_promise = coverage::default_verdicts();
  const auto text = [&wanted] {
    AuditReport audited;
    audited.without_promise = true;
    audited.audits.push_back(coverage::audit({suspicious_file()}, wanted));
    return text_of(audited);
  };
  const std::string head = "\nsuspect ";
  const auto shown = text();
  const auto at = shown.find(head);
  ASSERT_NE(at, std::string::npos) << shown;
  const auto begin = at + head.size();
  const auto code = shown.substr(begin, shown.find(':', begin) - begin);
  EXPECT_TRUE(report::find_code(code)) << code;
  coverage::Ignore ignore;
  coverage::read_ignored(code + ":meant", ignore);
  wanted.ignores = {ignore};
  EXPECT_THAT(text(), Not(HasSubstr("suspect")));
}

TEST(Suspects, OfOneKernelOnOtherGpusAreListedApart) {
  coverage::Request wanted;
  wanted.accept_without_promise = coverage::default_verdicts();
  auto other = file_of_many(3, {sass("80"), sass("100")});
  add_module(other, {sass("90a", {kernel("meant")})}).unit = "meant.cu";
  other.path = "libcopy.so";
  AuditReport audited;
  audited.without_promise = true;
  audited.audits.push_back(coverage::audit({suspicious_file(), other}, wanted));
  report::TextStyle style;
  style.suspects = true;
  const auto listed = text_of(audited, style);
  EXPECT_THAT(listed, HasSubstr("suspect unit-lacks-arch: libmany.so: meant has no code on "));
  EXPECT_THAT(listed, HasSubstr("suspect unit-lacks-arch: libcopy.so: meant has no code on "));
}

/// Returns the text about a kernel without `arch`, in a file made by `toolkit`.
std::string text_of_gap(const std::string& arch, const std::string& toolkit) {
  auto file = file_of_many(3, {sass("80"), sass(arch)});
  add_module(file, {sass("80", {kernel("forgotten")})}).unit = "forgotten.cu";
  for (auto& image : file.images) image.toolkit = toolkit;
  return text_of(package_report(std::move(file)));
}

TEST(Suspects, FixesNameTheToolkitThatHasTheArch) {
  EXPECT_THAT(text_of_gap("100", "11.8"),
              HasSubstr("fix: compile it for 100 with CUDA 12.8 or newer: CUDA 11.8, which"));
  EXPECT_THAT(text_of_gap("70", "13.0"),
              HasSubstr("; compile it for 70\n  with CUDA 12.9 or older: CUDA 13.0, which"));
  EXPECT_THAT(text_of_gap("90", "13.0"), HasSubstr("fix: compile forgotten.cu for 90 too"));
  EXPECT_THAT(text_of_gap("90", ""), HasSubstr("fix: compile forgotten.cu for 90 too"));
}

/// Returns the text about files only for 8.0, each made by one of the toolkits, for a question
/// about one GPU.
std::string text_on(const std::string& where, const std::vector<std::string>& toolkits) {
  coverage::Request wanted;
  wanted.accept_without_promise = coverage::default_verdicts();
  wanted.devices = {device(where)};
  std::vector<File> files;
  for (const auto& toolkit : toolkits) {
    files.push_back(file_of_many(3, {sass("80")}));
    files.back().path = "lib" + toolkit + ".so";
    for (auto& image : files.back().images) image.toolkit = toolkit;
  }
  AuditReport audited;
  audited.without_promise = true;
  audited.audits.push_back(coverage::audit(std::move(files), wanted));
  return text_of(audited);
}

TEST(Suspects, FilesThatSeveralToolkitsMadeAreOneCauseWhereNoneOfThemHasTheArch) {
  const auto text = text_on("12.0", {"11.8", "12.1", "12.4"});
  EXPECT_THAT(text, HasSubstr("file-lacks-arch: 3 files, the first lib11.8.so: "));
  EXPECT_THAT(text, HasSubstr("fix: compile them for 120 with CUDA 12.8 or newer: CUDA 11.8 to "
                              "12.4, which\n  compiled them, have no 120 (and likewise for the "
                              "other files)\n"));
  const auto mixed = text_on("12.0", {"11.8", "12.4", "13.0"});
  EXPECT_THAT(mixed, HasSubstr("file-lacks-arch: 2 files, the first lib11.8.so: "));
  EXPECT_THAT(mixed, HasSubstr("file-lacks-arch: lib13.0.so: ")) << "it can be compiled for 120";
}

TEST(Suspects, OfFewCausesAreShown) {
  const auto audited = package_report(suspicious_file());
  const std::string lines =
      "\nsuspects may be intended, so they pass (--strict fails them):\n"
      "suspect unit-lacks-arch: libmany.so: meant has no code on 8.0, 8.6 and 8.9:\n"
      "compiled for 90a alone\n\n";
  EXPECT_THAT(text_of(audited), HasSubstr(lines));
  EXPECT_THAT(
      text_of(audited),
      HasSubstr("\nno errors: 4 kernels x 4 GPUs; 1 suspect; GPUs newer than 9.0 get nothing\n"));
  report::TextStyle style;
  style.suspects = true;
  EXPECT_THAT(text_of(audited, style), HasSubstr(lines));
}

/// Returns the report on files with 1, 2, ... kernels for 90a alone, and on `more`.
AuditReport report_of_suspects(std::size_t causes, const std::vector<File>& more = {}) {
  auto files = more;
  for (std::size_t index = 1; index <= causes; ++index) {
    files.push_back(file_of_many(9, {sass("80"), sass("90")}));
    files.back().path = "lib" + std::to_string(index) + ".so";
    std::vector<fatbin::Kernel> meant;
    for (std::size_t at = 0; at < index; ++at)
      meant.push_back(kernel("meant" + std::to_string(at)));
    add_module(files.back(), {sass("90a", meant)});
  }
  coverage::Request wanted;
  wanted.accept_without_promise = coverage::default_verdicts();
  AuditReport audited;
  audited.without_promise = true;
  audited.audits.push_back(coverage::audit(files, wanted));
  return audited;
}

TEST(Suspects, OfManyCausesAreCountedAndTheFirstIsShown) {
  EXPECT_THAT(text_of(report_of_suspects(3)),
              AllOf(HasSubstr("\nsuspect unit-lacks-arch: lib1.so: "),
                    HasSubstr("\nsuspect unit-lacks-arch: lib3.so: ")));
  const auto many = report_of_suspects(4);
  EXPECT_THAT(text_of(many),
              AllOf(HasSubstr("\n4 suspects in 4 files may be intended, so they pass (--suspects "
                              "lists them):\nfor example, unit-lacks-arch: lib4.so: meant0 and 3 "
                              "more kernels have "),
                    Not(HasSubstr("\nsuspect ")), Not(HasSubstr("lib1.so: meant"))));
  report::TextStyle style;
  style.suspects = true;
  EXPECT_THAT(text_of(many, style), AllOf(HasSubstr("\nsuspect unit-lacks-arch: lib1.so: "),
                                          Not(HasSubstr("for example"))));
  EXPECT_THAT(
      text_of(report_of_suspects(4, {file_with_ptx()})),
      HasSubstr("\nfor example, jit: libmany.so: a and 1 more kernel are compiled from PTX on "))
      << "nothing explains it, as the suffix does the others";
}

TEST(Suspects, AreNoFailures) {
  const auto audited = package_report(suspicious_file());
  EXPECT_EQ(report::View(audited).outcome, report::Outcome::holds);
  const auto document = json::parse(json_of(audited));
  EXPECT_EQ(document["holds"], true);
  EXPECT_EQ(document["findings"].size(), 0U);
  ASSERT_EQ(document["suspects"].size(), 1U);
  const auto& suspect = document["suspects"][0];
  EXPECT_EQ(suspect["code"], "unit-lacks-arch");
  EXPECT_EQ(suspect["rule"], "suffix");
  EXPECT_THAT(std::string(suspect["why"]), HasSubstr("all images of the unit have a suffix"));
  EXPECT_EQ(suspect["devices"], json::parse(R"(["8.0", "8.6", "8.9"])"));
  EXPECT_EQ(suspect["units"], json::parse(R"(["meant.cu"])"));
  EXPECT_EQ(suspect["archs"], "90a");
  EXPECT_FALSE(suspect.contains("fix"));
  EXPECT_EQ(document["summary"]["suspects"], 1);
  EXPECT_THAT(junit_of(audited), HasSubstr("failures=\"0\""));
  EXPECT_THAT(sarif_of(audited), AllOf(HasSubstr("\"level\": \"warning\""),
                                       Not(HasSubstr("\"level\": \"error\", \"message\""))));
  EXPECT_THAT(markdown_of(audited),
              HasSubstr("### Suspects, which may be intended\n\n- `libmany.so`: meant has"));
  EXPECT_THAT(html_of(audited), HasSubstr("<h2>1 suspect, which may be intended</h2>"));
  EXPECT_THAT(html_of(audited), HasSubstr("<li title=\"all images of the unit have a suffix"));
}

TEST(Suspects, AreErrorsIfStrict) {
  const auto audited = package_report(suspicious_file(), true);
  EXPECT_EQ(report::View(audited).outcome, report::Outcome::broken);
  EXPECT_THAT(text_of(audited), HasSubstr("\nunit-lacks-arch: libmany.so: meant\n"));
}

TEST(Junit, TellsOfEachDeviceWhatConcernsIt) {
  const auto xml = junit_of(lacking_two());
  EXPECT_THAT(xml,
              AllOf(HasSubstr("failures=\"2\""),
                    HasSubstr("one and 1 more on 7.0\n  2 of 2 kernels of the file have no code "
                              "for 7.0 (V100, TITAN V)\n"),
                    HasSubstr("one and 1 more on 12.0\n  2 of 2 kernels of the file have no code "
                              "for 12.0 (RTX 50, RTX PRO 6000 Blackwell)\n"),
                    HasSubstr("name=\"device 8.0\" time=\"0\"/>"), Not(HasSubstr("7.0 and 12.0 (")),
                    Not(HasSubstr("on 7.0, 12.0"))));
}

TEST(Junit, AFindingOfAFileFailsItsDevices) {
  auto audited = lacking_two();
  auto& audit = audited.audits[0];
  coverage::Finding finding;
  finding.code = "gpu-lost";
  finding.path = "libx.so";
  finding.devices = {device("8.0")};
  finding.facts = {{"baseline", "old.json"}};
  audit.findings = {finding};
  EXPECT_THAT(junit_of(audited),
              HasSubstr("name=\"device 8.0\" time=\"0\">\n      <failure type=\"gpu-lost\""));
}

TEST(Sarif, AnIgnoredErrorKeepsItsRule) {
  const auto found = json::parse(sarif_of(lacking_two()))["runs"][0]["results"][0];
  const auto audited = lacking_two({{"ignore[0]", "libx.so", {}, "not sold", "file-lacks-arch"}});
  const auto ignored = json::parse(sarif_of(audited))["runs"][0]["results"][0];
  EXPECT_EQ(ignored["ruleId"], "file-lacks-arch");
  EXPECT_EQ(ignored["level"], "error");
  EXPECT_EQ(ignored["suppressions"][0]["kind"], "external");
  EXPECT_EQ(ignored["suppressions"][0]["justification"], "not sold");
  EXPECT_EQ(ignored["message"], found["message"]);
  EXPECT_EQ(ignored["partialFingerprints"], found["partialFingerprints"]);
  EXPECT_FALSE(found.contains("suppressions"));
}

TEST(Notes, ForWhoMakesTheFileAreCountedWhereSomebodyAsksAboutAGpu) {
  const auto asked_about = [](std::vector<fatbin::Kernel> kernels) {
    coverage::Request wanted;
    wanted.accept_without_promise = coverage::default_verdicts();
    wanted.devices = {device("8.0")};
    std::vector<File> files = {file_of({sass("80", std::move(kernels))})};
    AuditReport audited;
    audited.without_promise = true;
    audited.audits.push_back(coverage::audit(std::move(files), wanted));
    return audited;
  };
  auto audited = asked_about({kernel("k"), kernel("prepare", Body::empty)});
  EXPECT_THAT(text_of(audited), HasSubstr("\n1 note (--all or --json lists it)\n"));
  EXPECT_THAT(text_of(audited), Not(HasSubstr("prepare")));
  report::TextStyle all;
  all.all = true;
  EXPECT_THAT(text_of(audited, all), HasSubstr("prepare"));
  audited.audits[0].answers.clear();
  EXPECT_THAT(text_of(audited), HasSubstr("prepare"));
  // A kernel that only prints, on whatever GPU, works for nobody who asks.
  audited = asked_about({kernel("k"), kernel("prepare", Body::empty), kernel("dump", Body::print)});
  EXPECT_THAT(text_of(audited), HasSubstr("note: libx.so: dump only prints"));
  EXPECT_THAT(text_of(audited), HasSubstr("\nand 1 more note (--all or --json lists it)\n"));
}

}  // namespace
}  // namespace archgrid::tests
