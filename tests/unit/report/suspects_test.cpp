// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests audits without a promise: errors and suspects in every format.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <archgrid/coverage/ignore_codes.hpp>
#include <archgrid/report/codes.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "reports.hpp"

namespace archgrid::tests {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

AuditReport package_report(File file, bool strict = false) {
  coverage::Request wanted;
  wanted.accept_without_promise = coverage::default_verdicts();
  wanted.strict = strict;
  std::vector<File> files;
  files.push_back(std::move(file));
  AuditReport audited;
  audited.without_promise = true;
  audited.audits.push_back(coverage::audit(std::move(files), wanted));
  return audited;
}

/// Returns a file with three kernels for 8.0 and 9.0, and one only for 90a.
File suspicious_file() {
  auto file = file_of_many(3, {sass("80"), sass("90")});
  add_module(file, {sass("90a", {kernel("meant")})}).unit = "meant.cu";
  return file;
}

/// Returns the suspicious file with one forgotten kernel.
File broken_file() {
  auto file = suspicious_file();
  add_module(file, {sass("80", {kernel("forgotten")})}).unit = "forgotten.cu";
  return file;
}

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
                        const char* driver = nullptr) {
  coverage::Request wanted;
  wanted.accept_without_promise = coverage::default_verdicts();
  for (const auto& [gpu, name] : asked) wanted.devices.push_back(gpu);
  if (driver != nullptr) wanted.driver = coverage::parse_driver(driver);
  auto file = file_of_many(3, {sass("80")});
  file.path = "x.whl!libx.so";
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
              StartsWith("this wheel does not run on GTX 1080 (6.1): use another release, or "
                         "report this:\n"));
  EXPECT_THAT(below_table({{device("7.0"), "V100"}, {device("7.5"), "T4"}}),
              StartsWith("this wheel does not run on V100 and T4: use another release, or "
                         "report this:\n"))
      << "without the numbers, to fit the width";
  EXPECT_THAT(below_table({{device("6.1"), "GTX 1080"},
                           {device("7.5"), "T4"},
                           {device("8.0"), "A100"},
                           {device("12.0"), "RTX 5090"}}),
              StartsWith("this wheel does not run on these 3 GPUs: use another release, or "
                         "report this:\n"));
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

/// Returns the report on two files with the same kernels, made with CUDA 13.0.
AuditReport report_of_two(File file, coverage::Request wanted) {
  wanted.accept_without_promise = coverage::default_verdicts();
  for (auto& image : file.images) image.toolkit = "13.0";
  for (auto& module : file.modules) module.registered = true;
  std::vector<File> files = {file, file};
  files[1].path = "libcopy.so";
  AuditReport audited;
  audited.without_promise = true;
  audited.audits.push_back(coverage::audit(std::move(files), wanted));
  return audited;
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

TEST(Answers, ThatAreNoAreNeverTakenForSuccess) {
  auto audited = package_report(file_of_many(3, {sass("80"), sass("90")}));
  audited.audits[0].answers = {{device("8.0"), coverage::Answer::runs}};
  EXPECT_EQ(report::View(audited).outcome, report::Outcome::holds);
  for (const auto answer : {coverage::Answer::runs_in_part, coverage::Answer::unknown,
                            coverage::Answer::does_nothing, coverage::Answer::does_not_run}) {
    audited.audits[0].answers[device("9.0")] = answer;
    EXPECT_EQ(report::View(audited).outcome, report::Outcome::open);
  }
}

TEST(Answers, AreExplained) {
  auto audited = package_report(file_of_many(3, {sass("80"), sass("90")}));
  std::set<std::string_view> meanings;
  for (const auto answer : {coverage::Answer::runs, coverage::Answer::runs_after_jit,
                            coverage::Answer::runs_in_part, coverage::Answer::unknown,
                            coverage::Answer::does_nothing, coverage::Answer::does_not_run}) {
    audited.audits[0].answers = {{device("9.0"), answer}};
    const auto words = report::find_screen_words(verdict_of(audited));
    ASSERT_EQ(words.size(), 1U) << verdict_of(audited);
    meanings.insert(words[0].meaning);
  }
  EXPECT_EQ(meanings.size(), 6U) << "each by its own words";
  audited.audits[0].answers.clear();
  EXPECT_EQ(report::find_screen_words(verdict_of(audited)).size(), 1U) << verdict_of(audited);
  EXPECT_EQ(report::find_screen_words(verdict_of(package_report(broken_file()))).size(), 1U);
  EXPECT_TRUE(report::find_screen_words("nonsense").empty());
  EXPECT_TRUE(report::find_screen_words("nonsense*").empty());
}

TEST(PackageTable, ExplainsEachCell) {
  for (const char* cell : {"all", "all*", "all!", "60%", "60%+", "60%*", "60%?", "60%!", "<1%",
                           "PTX", "PTX*", "PTX!", "PTX?", "-", "-!"}) {
    EXPECT_FALSE(report::find_screen_words(cell).empty()) << cell;
  }
}

TEST(PackageTable, CountsKernelsForOtherGpusIfTheyAreTheGreaterPart) {
  const auto text = [](int own, int others) {
    auto file = file_of_many(own, {sass("80"), sass("90")});
    std::vector<Image> images = {sass("80", {}), sass("90", {})};
    for (int index = 0; index < others; ++index) {
      const auto name = "gemm_sm90_" + std::to_string(index);
      images[0].kernels.push_back(kernel(name, Body::empty));
      images[1].kernels.push_back(kernel(name));
    }
    add_module(file, std::move(images));
    coverage::Request wanted;
    wanted.devices = {device("8.0")};
    return text_of(report_of_two(file, wanted));
  };
  EXPECT_THAT(text(3, 2), AllOf(HasSubstr("\nlibmany.so all*\n"),
                                Not(HasSubstr("have no code that works on"))));
  EXPECT_THAT(text(2, 8),
              AllOf(HasSubstr("\nlibmany.so 20%*\n"), HasSubstr("; *: the rest of the\nfile may"),
                    HasSubstr("\nruns on 8.0 (A100, A30): 4 of 20 kernels, 2 files x 1 GPU; 16 "
                              "look meant for\nother GPUs")));
}

/// Returns a file with three kernels for 8.0 and 9.0, and `idle` that work on 9.0 alone, and whose
/// bodies for 8.0 are empty.
File file_with_idle(int idle) {
  auto file = file_of_many(3, {sass("80"), sass("90")});
  std::vector<Image> images = {sass("80", {}), sass("90", {})};
  for (int index = 0; index < idle; ++index) {
    const auto name = std::string("fast_") + static_cast<char>('a' + index);
    images[0].kernels.push_back(kernel(name, Body::empty));
    images[1].kernels.push_back(kernel(name));
  }
  add_module(file, std::move(images));
  for (auto& module : file.modules) module.registered = true;
  return file;
}

/// Returns the report on a file for a question about GPUs.
AuditReport question_about(const File& file, const std::vector<std::string>& gpus) {
  coverage::Request wanted;
  wanted.accept_without_promise = coverage::default_verdicts();
  for (const auto& gpu : gpus) wanted.devices.push_back(device(gpu));
  AuditReport audited;
  audited.without_promise = true;
  audited.audits.push_back(coverage::audit({file}, wanted));
  return audited;
}

TEST(PackageTable, CountsIdleBodiesInDoubt) {
  const auto one = question_about(file_with_idle(1), {"8.0"});
  ASSERT_EQ(one.audits[0].suspects.at(0).cause->rule, coverage::Rule::newer_generation);
  EXPECT_EQ(report::View(one).outcome, report::Outcome::holds) << "suspects alone never fail";
  EXPECT_THAT(text_of(one),
              AllOf(HasSubstr("\nlibmany.so 75%?\n"),
                    HasSubstr("; ?: others do no\nwork there, which may be intended\n"),
                    HasSubstr("\nsuspect empty: libmany.so: fast_a does nothing on 8.0"),
                    HasSubstr("\nruns on 8.0 (A100, A30), except perhaps 1 of 4 kernels, which "
                              "does no work\nthere; 1 suspect\n")));
  EXPECT_THAT(verdict_of(question_about(file_with_idle(2), {"8.0", "9.0"})),
              HasSubstr(", except perhaps 2 of 5 kernels, which do no work on 8.0 (A100, A30); 1 "
                        "suspect"));
  EXPECT_THAT(text_of(question_about(file_with_idle(1), {"9.0"})),
              AllOf(HasSubstr("\nlibmany.so  all\n"), Not(HasSubstr("perhaps"))));
  auto named = file_with_idle(0);
  add_module(named,
             {sass("80", {kernel("gemm_sm90", Body::empty)}), sass("90", {kernel("gemm_sm90")})});
  EXPECT_THAT(text_of(question_about(named, {"8.0"})),
              AllOf(HasSubstr("\nlibmany.so all*\n"), Not(HasSubstr("perhaps"))))
      << "its name says that it is for other GPUs";
}

TEST(PackageTable, CountsIdleBodiesInDoubtBesideErrors) {
  auto file = file_with_idle(1);
  add_module(file, {sass("90", {kernel("forgotten")})}).unit = "forgotten.cu";
  file.modules.back().registered = true;
  EXPECT_THAT(text_of(question_about(file, {"8.0"})),
              AllOf(HasSubstr("\nlibmany.so 60%!\n"),
                    HasSubstr("except 1 of 5 kernels, which fails or gives wrong\nresults there: 1 "
                              "error; 1 may do no work there; 1 suspect\n")));
}

/// Returns the report on a file for a question about 8.0, with an audit of `before` as baseline.
AuditReport report_since(const File& before, const File& file) {
  const auto path = std::filesystem::path(::testing::TempDir()) /
                    ("archgrid-since-" + std::to_string(::getpid()) + ".json");
  std::ofstream(path) << json_of(question_about(before, {"8.0"}));
  coverage::Request wanted;
  wanted.accept_without_promise = coverage::default_verdicts();
  wanted.devices = {device("8.0")};
  wanted.baseline = coverage::read_baseline(path);
  std::filesystem::remove(path);
  AuditReport audited;
  audited.without_promise = true;
  audited.audits.push_back(coverage::audit({file}, wanted));
  return audited;
}

/// Returns the lines of the table.
std::string table_of(const AuditReport& audited) {
  const auto text = text_of(audited);
  return text.substr(0, text.find("\n\n"));
}

TEST(Answers, NameGpusOnWhichNothingWorks) {
  const auto file =
      file_of({sass("80", {kernel("k", Body::empty)}), sass("90"), ptx("80", "8.4", {})});
  coverage::Request wanted;
  wanted.devices = {device("8.0")};
  EXPECT_EQ(verdict_of(report_of_two(file, wanted)),
            "does nothing on 8.0 (A100, A30): 2 errors, 2 of 2 kernels, 2 files x 1 GPU");
  EXPECT_THAT(verdict_of(package_report(
                  file_of({ptx("80", "8.4", {kernel("k", Body::empty)}), sass("90a")}))),
              EndsWith("; nothing works on GPUs newer than 9.0"));
}

TEST(Answers, SayOnWhichOfTheGpusErrorsAre) {
  auto file = file_of_many(3, {sass("80"), sass("90")});
  add_module(file, {sass("80", {kernel("forgotten")})}).unit = "forgotten.cu";
  coverage::Request wanted;
  wanted.devices = {device("8.0"), device("9.0")};
  const auto audited = report_of_two(std::move(file), wanted);
  EXPECT_THAT(verdict_of(audited), HasSubstr("runs on 8.0 (A100, A30) and 9.0 (H100, H200), "
                                             "except 2 of 8 kernels, which fail or give wrong "
                                             "results on 9.0 (H100, H200): 2 errors"));
}

/// Returns a file with `kernels` kernels for 8.0, and one for 8.0 and all of `archs`.
File file_with_one_on(const std::string& path, int kernels, const std::vector<std::string>& archs) {
  auto file = file_of_many(kernels, {sass("80")});
  std::vector<Image> images = {sass("80", {kernel("new")})};
  for (const auto& arch : archs) images.push_back(sass(arch, {kernel("new")}));
  add_module(file, std::move(images));
  file.path = path;
  return file;
}

TEST(Unjudged, ClosingLineNamesGpusAndFiles) {
  const auto closing = [](std::vector<File> files) {
    coverage::Request wanted;
    wanted.accept_without_promise = coverage::default_verdicts();
    AuditReport audited;
    audited.without_promise = true;
    audited.audits.push_back(coverage::audit(std::move(files), wanted));
    return verdict_of(audited);
  };
  const std::string why = "; not judged (see the notes): ";
  EXPECT_THAT(closing({file_with_one_on("libx.so", 3, {"90"})}), EndsWith(why + "9.0"));
  auto served = file_of_many(2, {sass("80"), sass("90"), sass("100"), sass("120")});
  EXPECT_THAT(closing({served, file_with_one_on("a/libx.so", 3, {"90"})}),
              EndsWith(why + "libx.so on 9.0"))
      << "the other file is judged there";
  EXPECT_THAT(closing({served, file_with_one_on("a/libx.so", 3, {"90", "100", "120"})}),
              EndsWith(why + "libx.so on 6 GPUs"));
  EXPECT_THAT(closing({served, file_with_one_on("libx.so", 3, {"75", "90"})}),
              EndsWith(why + "7.5, libx.so on 9.0"));
  EXPECT_THAT(closing({served, file_with_one_on("libx.so", 5, {"90"}),
                       file_with_one_on("liby.so", 7, {"90"})}),
              EndsWith(why + "2 files on some GPUs"));
  EXPECT_THAT(closing({served}), Not(HasSubstr("not judged")));
}

TEST(PackageTable, MarksGpusThatTheDriverIsTooOldFor) {
  coverage::Request wanted;
  wanted.devices = {device("8.0"), device("9.0")};
  wanted.driver = coverage::parse_driver("450");
  const auto text = text_of(report_of_two(file_of_many(3, {sass("80"), sass("90")}), wanted));
  EXPECT_THAT(text, HasSubstr("\nlibmany.so all! all!\nlibcopy.so all! all!\n"));
  EXPECT_THAT(text, HasSubstr("; !: error, or the\ndriver does not run it there\n"));
  EXPECT_THAT(text, HasSubstr("fix: install driver 580 or newer, or build it with CUDA 11.x"));
  EXPECT_THAT(text, HasSubstr("driver 520 is the first that does\n"
                              "  fix: install driver 580 or newer for 9.0\n"))
      << "one driver for both errors";
  wanted.driver = coverage::parse_driver("580");
  const auto fitting = text_of(report_of_two(file_of_many(3, {sass("80"), sass("90")}), wanted));
  EXPECT_THAT(fitting, HasSubstr("\nlibmany.so  all  all\n"));
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

/// Returns a file with three kernels for 8.0 and 9.0, and two for 8.0 and PTX.
File file_with_ptx() {
  auto file = file_of_many(3, {sass("80"), sass("90")});
  const std::vector<fatbin::Kernel> slow = {kernel("a"), kernel("b")};
  add_module(file, {sass("80", slow), ptx("80", "8.4", slow)}).unit = "slow.cu";
  return file;
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
      << "nothing excuses it, as the suffix does the others";
}

TEST(Ptx, BesideMachineCodeIsNeverCalledEven) {
  const auto text = text_of(package_report(file_with_ptx()));
  EXPECT_THAT(text, HasSubstr("            8.0  8.6  8.9  9.0\n"
                              "libmany.so  all  all  all 60%+\n"
                              "\n"
                              "%: share of the kernels whose machine code works on the GPU; +: "
                              "others are\ncompiled from PTX when the program first starts\n"));
  EXPECT_THAT(text,
              HasSubstr("\nsuspect jit: libmany.so: a and 1 more kernel are compiled from PTX on "
                        "9.0 (H100,\nH200): slow.cu is compiled for 80\n"));
  EXPECT_THAT(text, HasSubstr("\nno errors: 5 kernels x 4 GPUs; 2 compiled from PTX on 9.0 (H100, "
                              "H200); 1\nsuspect\n"));
  EXPECT_THAT(verdict_of(package_report(file_of_many(3, {sass("80"), sass("90")}))),
              Not(HasSubstr("PTX")));
}

/// Returns the text about a file for a question about one GPU.
std::string answer_about(const File& file, const std::string& where) {
  coverage::Request wanted;
  wanted.accept_without_promise = coverage::default_verdicts();
  wanted.devices = {device(where)};
  AuditReport audited;
  audited.without_promise = true;
  audited.audits.push_back(coverage::audit({file}, wanted));
  return text_of(audited);
}

TEST(Ptx, IsInTheAnswerAboutAGpu) {
  EXPECT_THAT(answer_about(file_with_ptx(), "9.0"),
              AllOf(HasSubstr("\nlibmany.so 60%+\n"),
                    HasSubstr("\nruns on 9.0 (H100, H200): 5 kernels x 1 GPU; 2 compiled from PTX "
                              "on 9.0 (H100,\nH200); 1 suspect\n")));
  const std::vector<fatbin::Kernel> kernels = {kernel("a"), kernel("b"), kernel("c")};
  const auto slow = file_of({sass("80", kernels), ptx("80", "8.4", kernels)});
  EXPECT_THAT(answer_about(slow, "9.0"),
              HasSubstr("\nruns after compiling PTX on 9.0 (H100, H200): 3 kernels x 1 GPU; 1 "
                        "suspect\n"))
      << "once is enough";
}

TEST(Ptx, IsNoMatterOfGpusOnWhichNothingRuns) {
  const std::vector<fatbin::Kernel> kernels = {kernel("a"), kernel("b"), kernel("c")};
  coverage::Request wanted;
  wanted.devices = {device("12.0")};
  wanted.driver = coverage::parse_driver("535");
  const auto verdict =
      verdict_of(report_of_two(file_of({sass("80", kernels), ptx("80", "8.0", kernels)}), wanted));
  EXPECT_THAT(verdict, AllOf(StartsWith("does not run on 12.0"), Not(HasSubstr("PTX"))));
}

TEST(Answers, CountSuspectsForOtherGpusAndShowThoseFromPtx) {
  const std::string counted =
      "\n1 suspect in 1 file may be for other GPUs (--suspects lists them)\n";
  EXPECT_THAT(answer_about(suspicious_file(), "8.0"),
              AllOf(HasSubstr("\n" + counted + "\n"), Not(HasSubstr("\nsuspect ")),
                    Not(HasSubstr("may be intended"))));
  auto file = file_with_ptx();
  add_module(file, {sass("80", {kernel("gemm_sm80")})});
  EXPECT_THAT(
      answer_about(file, "9.0"),
      AllOf(HasSubstr("\nsuspect jit: libmany.so: a and 1 more kernel are compiled from PTX "),
            HasSubstr(counted), Not(HasSubstr("gemm_sm80"))));
}

TEST(PackageTable, IsTheSameWithABaseline) {
  for (const auto& file : {suspicious_file(), file_with_idle(2), file_with_ptx()}) {
    EXPECT_EQ(table_of(report_since(file, file)), table_of(question_about(file, {"8.0"})));
  }
  EXPECT_THAT(verdict_of(report_since(file_with_idle(2), file_with_idle(2))),
              HasSubstr("except perhaps 2 of 5 kernels"));
}

TEST(Answers, CountKernelsThatFailedInTheBaselineToo) {
  const auto file_lacking = [](int kernels) {
    auto file = file_of_many(6, {sass("80"), sass("90")});
    for (int index = 0; index < kernels; ++index) {
      const auto name = "lacking_" + std::string(1, static_cast<char>('a' + index));
      add_module(file, {sass("90", {kernel(name)})}).unit = name + ".cu";
      file.modules.back().registered = true;
    }
    return file;
  };
  auto before = file_lacking(3);
  auto after = before;
  add_module(after, {sass("90", {kernel("fresh")})}).unit = "fresh.cu";
  after.modules.back().registered = true;
  EXPECT_THAT(verdict_of(report_since(file_with_idle(0), after)),
              HasSubstr("except 4 of 10 kernels, which fail"));
  after = before;
  std::vector<Image> images = {sass("80", {}), sass("90", {kernel("not_in_80")})};
  add_module(after, std::move(images));
  after.modules.back().registered = true;
  EXPECT_THAT(verdict_of(report_since(before, after)),
              HasSubstr("except 4 of 10 kernels (1 new), which fail or give wrong results there: 1 "
                        "error"));
}

TEST(Answers, LeaveKernelsForOtherGpusOutOfTheShare) {
  auto file = suspicious_file();
  EXPECT_THAT(answer_about(file, "8.0"),
              AllOf(HasSubstr("\nlibmany.so all*\n"),
                    HasSubstr("; *: the rest of the\nfile may be for other GPUs\n"),
                    HasSubstr("\nruns on 8.0 (A100, A30): ")));
  EXPECT_THAT(answer_about(file, "9.0"),
              AllOf(HasSubstr("\nlibmany.so  all\n"), Not(HasSubstr("*:"))));
  EXPECT_THAT(text_of(package_report(file)), HasSubstr("\nlibmany.so  75%  75%  75%  all\n"))
      << "without a question the shares are of all kernels";
  add_module(file, {sass("90", {kernel("forgotten")})}).unit = "forgotten.cu";
  EXPECT_THAT(answer_about(file, "8.0"),
              AllOf(HasSubstr("\nlibmany.so 75%!\n"),
                    HasSubstr(", without those that\nmay be for other GPUs; !: error\n")))
      << "3 of 4, and one for 90a";
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

/// Returns an audit without a promise of a file whose kernels lack 7.0 and 12.0, which are asked
/// about.
AuditReport lacking_two(const std::vector<coverage::Ignore>& ignores = {}) {
  coverage::Request request;
  request.accept_without_promise = coverage::default_verdicts();
  request.devices = {device("7.0"), device("8.0"), device("12.0")};
  request.ignores = ignores;
  AuditReport report;
  report.without_promise = true;
  std::vector<File> files;
  files.push_back(file_of({sass("80", {kernel("one"), kernel("two")})}));
  report.audits.push_back(coverage::audit(std::move(files), request));
  return report;
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

TEST(Answers, AGpuWhoseErrorsAreIgnoredFailsNothing) {
  EXPECT_EQ(report::View(lacking_two()).totals.errors(), 1U);
  const auto one = lacking_two({{"ignore[0]", "*", {device("7.0")}, "old", "file-lacks-arch"}});
  EXPECT_EQ(report::View(one).totals.errors(), 1U) << "12.0 is left";
  const auto both = lacking_two({{"ignore[0]", "*", {}, "not sold", "file-lacks-arch"}});
  EXPECT_EQ(report::View(both).totals.errors(), 0U);
  EXPECT_THAT(verdict_of(both), HasSubstr("does not run on 7.0"));
  auto unknown = both;
  unknown.audits[0].answers[device("8.0")] = coverage::Answer::unknown;
  EXPECT_EQ(report::View(unknown).totals.errors(), 1U) << "nobody ignored 8.0";
}

TEST(Causes, AreWrittenAlikeEverywhere) {
  const auto audited = package_report(broken_file());
  const std::string message =
      "forgotten.cu is compiled for 80: nothing of that runs on 9.0 (H100, H200), which the rest "
      "of the file serves";
  const std::string fix =
      "compile forgotten.cu for 90 too: add 90 to CUDA_ARCHITECTURES in CMake, or -gencode "
      "arch=compute_90,code=sm_90 to nvcc's options";
  report::TextStyle style;
  style.columns = 200;
  EXPECT_THAT(text_of(audited, style),
              AllOf(HasSubstr("\nunit-lacks-arch: libmany.so: forgotten\n  " + message + "\n"),
                    HasSubstr("  fix: " + fix + "\n")));
  const auto finding = json::parse(json_of(audited))["findings"][0];
  EXPECT_EQ(finding["message"], message);
  EXPECT_EQ(finding["fix"], fix);
  EXPECT_THAT(junit_of(audited), AllOf(HasSubstr("failures=\"1\""), HasSubstr("device 9.0"),
                                       HasSubstr("forgotten.cu is compiled for 80")));
  for (const auto& document : {sarif_of(audited), html_of(audited), markdown_of(audited)}) {
    EXPECT_THAT(document, HasSubstr("forgotten.cu is compiled for 80"));
  }
  EXPECT_THAT(report::audit_annotations(report::View(audited)),
              HasSubstr("forgotten.cu is compiled for 80"));
  EXPECT_THAT(
      verdict_of(audited),
      HasSubstr(
          "coverage uneven: 1 error on 9.0 (H100, H200), 1 of 5 kernels x 4 GPUs; 1 suspect"));
}

std::size_t longest_line(const std::string& text) {
  std::size_t longest = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = text.find('\n', begin);
    longest = std::max(longest, end - begin);
    begin = end + 1;
  }
  return longest;
}

/// Returns a file for ten devices with a long name.
File wide_file() {
  auto file = file_of_many(3, {sass("75"), sass("80"), sass("90"), sass("100"), sass("120")});
  add_module(file, {sass("75", {kernel("forgotten")}), ptx("80", "8.4", {kernel("forgotten")})});
  file.path = "pkg.whl!lib/libwith_a_name_that_goes_on_and_on.so.1.2.3";
  file.host_cpu = "x86-64";
  return file;
}

TEST(Causes, OfOneCodeInOneFileAreAllShown) {
  auto file = file_of_many(5, {sass("75"), sass("80"), sass("90")});
  add_module(file, {sass("80", {kernel("first")}), sass("90", {kernel("first")})});
  add_module(file, {sass("75", {kernel("second")}), sass("80", {kernel("second")})});
  const auto audited = package_report(std::move(file));
  for (const auto& document :
       {text_of(audited), html_of(audited), markdown_of(audited), sarif_of(audited),
        junit_of(audited), report::audit_annotations(report::View(audited))}) {
    EXPECT_THAT(document, AllOf(HasSubstr("first"), HasSubstr("second")));
  }
  EXPECT_THAT(verdict_of(audited),
              HasSubstr("2 errors on 7.5 (T4, RTX 20) and 9.0 (H100, H200), 2 of 7 kernels"));
}

TEST(Causes, AreCountedBesideWhatCouldNotBeRead) {
  auto audited = package_report(broken_file());
  audited.errors = {"x.so: cannot be read"};
  EXPECT_EQ(
      verdict_of(audited),
      "coverage uneven: 1 unreadable input, 1 error on 9.0 (H100, H200), 1 of 5 kernels x 4 GPUs; "
      "1 suspect; GPUs newer than 9.0 get nothing");
}

TEST(PackageTable, ShowsEachFileOnEachGpu) {
  const auto text = text_of(package_report(broken_file()));
  EXPECT_THAT(text, HasSubstr("            8.0  8.6  8.9  9.0\n"
                              "libmany.so  80%  80%  80% 80%!\n"
                              "\n"
                              "%: share of the kernels whose machine code works on the GPU; !: "
                              "error\n"
                              "8.0 A100, A30; 8.6 RTX 30, RTX 2050; 8.9 RTX 40, L4; 9.0 "
                              "H100, H200\n"));
  EXPECT_THAT(text_of(package_report(file_of({sass("90")}))), HasSubstr("\nlibx.so  all\n"));
}

TEST(Answers, AreGivenForEachOfSeveralPackages) {
  coverage::Request wanted;
  wanted.accept_without_promise = coverage::default_verdicts();
  wanted.devices = {device("9.0")};
  std::vector<File> files = {file_of_many(3, {sass("80"), sass("90")}),
                             file_of_many(2, {sass("80")})};
  files[0].path = "dist/new.whl!libx.so";
  files[1].path = "dist/old.whl!libx.so";
  AuditReport audited;
  audited.without_promise = true;
  audited.audits.push_back(coverage::audit(std::move(files), wanted));
  EXPECT_THAT(text_of(audited), HasSubstr("\nnew.whl: runs on 9.0 (H100, H200)\n"
                                          "old.whl: does not run on 9.0 (H100, H200)\n"));
  EXPECT_EQ(json::parse(json_of(audited))["package_answers"],
            json::parse(R"({"dist/new.whl": {"9.0": "runs"},
                            "dist/old.whl": {"9.0": "does-not-run"}})"));
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

TEST(PackageTable, HasOneRowForFilesThatFareAlike) {
  coverage::Request wanted;
  wanted.accept_without_promise = coverage::default_verdicts();
  std::vector<File> files;
  for (const char* name : {"liba.so", "libb.so", "libc.so", "libd.so", "libe.so"}) {
    const bool is_odd = files.size() == 4;
    files.push_back(file_of_many(3, {sass(is_odd ? "90" : "80")}));
    files.back().path = name;
  }
  AuditReport audited;
  audited.without_promise = true;
  audited.audits.push_back(coverage::audit(std::move(files), wanted));
  const auto text = text_of(audited);
  EXPECT_THAT(text, HasSubstr("liba.so and 3 more "));
  EXPECT_THAT(text, HasSubstr("\nlibe.so "));
  EXPECT_THAT(text, Not(HasSubstr("\nlibb.so ")));
  EXPECT_THAT(text, HasSubstr("; -: none"));
}

TEST(PackageTable, FitsTheScreen) {
  const auto audited = package_report(wide_file());
  const auto text = text_of(audited);
  EXPECT_LE(longest_line(text), 80U) << text;
  EXPECT_THAT(text, HasSubstr("libwith_a_name_t..._and_on.so.1.2.3  all 75%+"));
  report::TextStyle wide;
  wide.columns = 160;
  EXPECT_GT(longest_line(text_of(audited, wide)), 80U);
  report::TextStyle all;
  all.all = true;
  EXPECT_THAT(text_of(audited, all), HasSubstr("  forgotten")) << "the map has every kernel";
}

std::string message_about(std::vector<Image> images) {
  auto file = file_of_many(3, {sass("75"), sass("80")});
  add_module(file, std::move(images)).unit = "k.cu";
  const auto document = json::parse(json_of(package_report(std::move(file))));
  EXPECT_EQ(document["findings"].size(), 1U);
  return document["findings"][0]["message"];
}

TEST(Causes, SayWhatHappensAndWhy) {
  EXPECT_EQ(
      message_about({sass("75", {kernel("other")}), sass("80", {kernel("other"), kernel("x")})}),
      "a launch fails on 7.5 (T4, RTX 20): host code names it, and the code for that GPU lacks it");
  EXPECT_EQ(message_about({sass("75", {unnamed("_Z1xIdEvv")}), sass("80", {kernel("_Z1xIfEvv")})}),
            "a launch fails on 7.5 (T4, RTX 20): the code for that GPU has it under another name, "
            "which depends on `__CUDA_ARCH__`");
  EXPECT_EQ(message_about({sass("75", {kernel("x", Body::trap)}), sass("80", {kernel("x")})}),
            "on 7.5 (T4, RTX 20) its body only traps, and no kernel of the family works there");
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
  file.path = "x/libx_small80.so";
  EXPECT_THAT(text_of(report_of(file, {"7.0"}), style), HasSubstr(" for 70 too: "));
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
            "by its file's name this is for 80: let host code not use it on older GPUs, or accept "
            "it");
  EXPECT_THAT(fix_for("flash_bwd_sm80.cu", "9.0"), HasSubstr("for 90 too"))
      << "code for older GPUs compiles for newer ones";
  EXPECT_THAT(fix_for("prism80.cu", "7.5"), HasSubstr("for 75 too"));
  EXPECT_THAT(fix_for("gemm.cu", "7.5"), HasSubstr("for 75 too"));
}

TEST(Answers, AreAboutItsOwnKernelsWhereAnotherPackageHasMore) {
  auto file = file_of_many(3, {sass("80")});
  EXPECT_THAT(answer_about(file, "8.0"), HasSubstr("\nruns on 8.0 (A100, A30): "));
  file.needed = {"libtorch_cuda.so"};
  EXPECT_THAT(answer_about(file, "8.0"), HasSubstr("\nits own kernels run on 8.0 (A100, A30): "));
  EXPECT_THAT(answer_about(file, "9.0"), HasSubstr("\ndoes not run on 9.0"));
}

}  // namespace
}  // namespace archgrid::tests
