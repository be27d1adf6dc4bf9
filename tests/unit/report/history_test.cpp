// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests what is said about the releases of a package.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <archgrid/report/history.hpp>
#include <nlohmann/json.hpp>

#include "files.hpp"

namespace archgrid::tests {
namespace {

using coverage::Answer;
using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// Returns the history of releases with these answers for 9.0, the newest first. One without an
/// answer cannot be audited.
report::HistoryReport history_of(const std::vector<std::optional<Answer>>& answers) {
  std::vector<std::string> versions;
  for (auto number = answers.size(); number > 0; --number) {
    versions.push_back(std::to_string(number) + ".0");
  }
  report::HistoryReport report;
  report.package = "x";
  report.history =
      coverage::find_history(versions, {device("9.0")}, [&](const std::string& version) {
        coverage::AuditedRelease release;
        release.version = version;
        const auto answer = answers.at(answers.size() - std::stoul(version));
        if (answer) release.answers[device("9.0")] = *answer;
        if (!answer) release.problem = "it cannot be read";
        return release;
      });
  return report;
}

std::string text_of(const report::HistoryReport& report) {
  return report::history_text(report, 200);
}

TEST(History, SaysHowAReleaseFails) {
  EXPECT_THAT(text_of(history_of({Answer::runs, Answer::runs_in_part})),
              HasSubstr(" since 2.0; 1.0 runs in part\n"));
  EXPECT_THAT(text_of(history_of({Answer::runs, Answer::does_nothing})),
              HasSubstr(" since 2.0; 1.0 does nothing there\n"));
  EXPECT_THAT(text_of(history_of({Answer::runs_in_part, Answer::runs})),
              StartsWith("x 1.0 is the last release that runs on 9.0 (H100, H200); 2.0 runs in "
                         "part\n"));
  const auto none = history_of({Answer::does_not_run, Answer::runs_in_part});
  EXPECT_THAT(text_of(none), StartsWith("no audited release of x runs fully on 9.0 (H100, H200); "
                                        "1.0 runs in part\n"));
  EXPECT_EQ(report::runs_on_all(none), false);
}

TEST(History, NamesTheFilesThatDoNotRun) {
  auto report = history_of({Answer::runs_in_part, Answer::runs});
  report.history.audited[0].failing_files[device("9.0")] = {"x.whl!x/_C_hopper.so"};
  EXPECT_THAT(text_of(report), HasSubstr("; 2.0 runs in part, without _C_hopper.so\n"));
  EXPECT_THAT(report::release_line(report, report.history.audited[0], 200),
              StartsWith("2.0: runs in part on 9.0 (H100, H200), without _C_hopper.so\n"));
  const auto document = json::parse(report::history_json(report));
  EXPECT_EQ(document["audited"][0]["failing_files"]["9.0"][0], "x.whl!x/_C_hopper.so");
}

TEST(History, ReleasesWithoutAnAnswerAreNeitherAuditedNorLikeOthers) {
  const auto some = history_of({Answer::runs, std::nullopt, Answer::runs, std::nullopt,
                                Answer::runs, Answer::runs, std::nullopt});
  EXPECT_THAT(text_of(some),
              HasSubstr("from 2.0 to 7.0\naudited: 4 of 7 releases, 3 could not be\n"));
  const std::vector<std::optional<Answer>> many(9, Answer::runs);
  EXPECT_THAT(
      text_of(history_of(many)),
      HasSubstr("from 1.0 to 9.0\naudited: 5 of 9 releases; the others are taken to be like "
                "those beside them\n"));
  const auto one = history_of({std::nullopt, Answer::runs});
  EXPECT_THAT(text_of(one), HasSubstr(" in the one release that could be audited, 1.0\naudited: 1 "
                                      "of 2 releases, 1 could not be\n"));
  EXPECT_EQ(report::runs_on_all(one), true);
}

TEST(History, SaysThatSomeKernelsOfARunningReleaseFail) {
  auto report = history_of({Answer::runs, Answer::runs});
  report.history.audited[1].with_errors.insert(device("9.0"));
  EXPECT_THAT(text_of(report), HasSubstr("from 1.0 to 2.0, except some kernels\n"));
  EXPECT_THAT(report::release_line(report, report.history.audited[1], 200),
              testing::EndsWith(", but some kernels fail\n"));
  EXPECT_THAT(report::release_line(report, report.history.audited[0], 200),
              testing::Not(HasSubstr("fail")));
  EXPECT_THAT(report::history_json(report), HasSubstr("with_errors"));
}

TEST(History, UnknownIsNoNo) {
  for (const auto& report :
       {history_of({std::nullopt, std::nullopt}), history_of({Answer::unknown, Answer::unknown})}) {
    EXPECT_THAT(text_of(report), StartsWith("whether x runs on 9.0 (H100, H200) is unknown: no "
                                            "release could be audited\n"));
    EXPECT_EQ(report::runs_on_all(report), std::nullopt);
    EXPECT_FALSE(json::parse(report::history_json(report))["gpus"]["9.0"].contains("newest_runs"));
  }
}

}  // namespace
}  // namespace archgrid::tests
