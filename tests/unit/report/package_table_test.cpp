// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the table of a package: shares with idle bodies, with a baseline, and the words about them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <archgrid/report/codes.hpp>
#include <filesystem>
#include <fstream>
#include <set>

#include "list_shared.hpp"
#include "suspicious.hpp"

namespace archgrid::tests {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

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

TEST(ListWords, ExplainEachKindCompressionAndBody) {
  std::vector<std::string> names;
  for (const auto kind : {fatbin::Kind::sass, fatbin::Kind::ptx, fatbin::Kind::lto,
                          fatbin::Kind::tile, fatbin::Kind::other}) {
    names.emplace_back(fatbin::name_of(kind));
  }
  for (const auto compression : {fatbin::Compression::none, fatbin::Compression::lz4,
                                 fatbin::Compression::lz4_frame, fatbin::Compression::zstd}) {
    names.emplace_back(fatbin::name_of(compression));
  }
  for (int body = 0; body <= static_cast<int>(Body::unknown); ++body) {
    names.emplace_back(report::name_of(static_cast<Body>(body)));
  }
  for (const auto& name : names) {
    const auto words = report::find_screen_words(name);
    EXPECT_TRUE(std::any_of(words.begin(), words.end(), [](const auto& word) {
      return word.of_list;
    })) << name;
  }
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
  EXPECT_EQ(verdict_of(report_since(before, before)),
            "runs on 8.0 (A100, A30), except 3 of 9 kernels, whose errors are ignored; 1 ignored");
  EXPECT_THAT(verdict_of(report_since(file_with_idle(2), file_with_idle(2))),
              Not(HasSubstr("whose errors")))
      << "suspects";
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

}  // namespace
}  // namespace archgrid::tests
