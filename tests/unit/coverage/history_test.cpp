// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "files.hpp"

namespace archgrid::tests {
namespace {

using coverage::Answer;
using coverage::AuditedRelease;
using coverage::RunningReleases;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Returns releases 40 to 1, the newest first.
std::vector<std::string> forty() {
  std::vector<std::string> versions;
  for (int number = 40; number > 0; --number) versions.push_back(std::to_string(number));
  return versions;
}

/// Searches releases of which those from `first` to `last` run on 9.0, and `without` cannot be
/// audited.
coverage::History search(int first, int last, const std::set<int>& without = {}) {
  return coverage::find_history(forty(), {device("9.0")}, [&](const std::string& version) {
    const auto number = std::stoi(version);
    AuditedRelease release;
    release.version = version;
    if (without.count(number) != 0) {
      release.problem = "no wheel";
    } else {
      const bool runs = first <= number && number <= last;
      release.answers[device("9.0")] = runs ? Answer::runs_after_jit : Answer::runs_in_part;
    }
    return release;
  });
}

RunningReleases running_of(const coverage::History& history) {
  return history.running.at(device("9.0"));
}

TEST(History, FindsTheFirstReleaseThatRuns) {
  for (const int first : {2, 17, 39, 40}) {
    const auto history = search(first, 40);
    const auto running = running_of(history);
    EXPECT_EQ(running.first, std::to_string(first));
    EXPECT_EQ(running.last, "40");
    EXPECT_EQ(running.fails, std::to_string(first - 1));
    EXPECT_EQ(running.newest_runs, true);
    EXPECT_LE(history.audited.size(), 8U) << "of 40, by halving";
  }
}

TEST(History, FindsTheLastReleaseThatRuns) {
  for (const int last : {1, 17, 39}) {
    const auto running = running_of(search(1, last));
    EXPECT_EQ(running.last, std::to_string(last));
    EXPECT_EQ(running.fails, std::to_string(last + 1));
    EXPECT_EQ(running.newest_runs, false);
  }
  EXPECT_EQ(running_of(search(18, 24)).last, "24") << "neither the oldest nor the newest runs";
}

TEST(History, SaysWhereAllOrNoneRun) {
  const auto all = running_of(search(1, 40));
  EXPECT_EQ(all.first, "1");
  EXPECT_EQ(all.last, "40");
  EXPECT_FALSE(all.fails);
  EXPECT_EQ(search(1, 40).audited.size(), 5U) << "the ends, and three between";
  const auto none = search(99, 99);
  EXPECT_FALSE(running_of(none).first);
  EXPECT_LE(none.audited.size(), 9U);
}

TEST(History, SeesThatReleasesBetweenDoNotRun) {
  const auto history =
      coverage::find_history(forty(), {device("9.0")}, [](const std::string& version) {
        const auto number = std::stoi(version);
        AuditedRelease release;
        release.version = version;
        const bool runs = number < 10 || number > 27;
        release.answers[device("9.0")] = runs ? Answer::runs : Answer::does_not_run;
        return release;
      });
  EXPECT_EQ(running_of(history).first, "28");
  EXPECT_EQ(running_of(history).fails, "27");
}

TEST(History, LeavesOutReleasesThatCannotBeAudited) {
  const auto running = running_of(search(17, 40, {1, 16, 17, 20, 40}));
  EXPECT_EQ(running.first, "18");
  EXPECT_EQ(running.fails, "15");
  EXPECT_EQ(running.last, "39");
  std::set<int> all;
  for (int number = 1; number <= 40; ++number) all.insert(number);
  EXPECT_FALSE(running_of(search(1, 40, all)).first);
  EXPECT_THAT(coverage::find_history({}, {device("9.0")}, {}).audited, IsEmpty());
}

TEST(History, GivesUpWhereNothingCanBeAudited) {
  std::set<int> all;
  for (int number = 1; number <= 40; ++number) all.insert(number);
  const auto none = search(1, 40, all);
  EXPECT_FALSE(running_of(none).newest_runs);
  EXPECT_EQ(none.audited.size(), 10U) << "5 from each end";
  auto few = all;
  for (int number = 12; number <= 40; ++number) few.erase(number);
  const auto newer = search(1, 40, few);
  EXPECT_EQ(running_of(newer).first, "12") << "halved between the oldest and the newest";
  EXPECT_EQ(running_of(newer).last, "40");
  EXPECT_TRUE(running_of(newer).newest_runs.value());
  EXPECT_LE(newer.audited.size(), 15U) << "3 of them between the ends that run";
  few = all;
  for (int number = 1; number <= 30; ++number) few.erase(number);
  const auto older = running_of(search(20, 40, few));
  EXPECT_EQ(older.first, "20");
  EXPECT_EQ(older.last, "30");
  few = all;
  few.erase(1);
  few.erase(40);
  const auto gap = search(10, 40, few);
  EXPECT_EQ(running_of(gap).fails, "1");
  EXPECT_LE(gap.audited.size(), 8U) << "5 between the ends";
}

TEST(History, GivesUpAfterThreeReleasesWithoutCode) {
  const auto history = coverage::find_history(forty(), {device("9.0"), device("8.0")},
                                              [](const std::string& version) {
                                                AuditedRelease release;
                                                release.version = version;
                                                release.has_code = false;
                                                return release;
                                              });
  EXPECT_FALSE(running_of(history).newest_runs);
  EXPECT_EQ(history.audited.size(), 6U) << "3 from each end";
}

TEST(History, AnUnknownAnswerIsNone) {
  const auto history = coverage::find_history(
      forty(), {device("9.0"), device("8.7")}, [](const std::string& version) {
        AuditedRelease release;
        release.version = version;
        release.answers[device("9.0")] = std::stoi(version) > 10 ? Answer::runs : Answer::unknown;
        release.answers[device("8.7")] = Answer::unknown;
        return release;
      });
  EXPECT_EQ(running_of(history).first, "11");
  EXPECT_FALSE(running_of(history).fails);
  EXPECT_FALSE(history.running.at(device("8.7")).newest_runs);
}

TEST(History, ReleasesWithoutAnAnswerHaveAProblem) {
  coverage::Request request;
  request.accept_without_promise = coverage::default_verdicts();
  request.devices = {device("9.0"), device("7.5")};
  const auto release_of = [&](std::vector<File> files) {
    return coverage::release_of("1.0", coverage::audit(std::move(files), request));
  };
  const auto good = release_of({file_of({sass("90")})});
  EXPECT_EQ(good.answers.at(device("9.0")), Answer::runs);
  EXPECT_EQ(good.answers.at(device("7.5")), Answer::does_not_run);
  EXPECT_EQ(good.problem, "");
  EXPECT_THAT(good.with_errors, ElementsAre(device("7.5")));
  auto damaged = file_of({sass("80")});
  damaged.errors.push_back({0, "it ends early"});
  const auto unread = release_of({damaged});
  EXPECT_THAT(unread.answers, IsEmpty());
  EXPECT_THAT(unread.problem, ::testing::StartsWith("it cannot be read: "));
  EXPECT_TRUE(unread.has_code);
  const auto empty = release_of({file_of({})});
  EXPECT_THAT(empty.answers, IsEmpty());
  EXPECT_EQ(empty.problem, "no CUDA code was found in it");
  EXPECT_FALSE(empty.has_code);
  request.devices = {device("7.5")};
  auto large = file_of({sass("90", {kernel("a"), kernel("b"), kernel("c")})});
  large.path = "libhopper.so";
  const auto in_part = release_of({file_of({sass("75")}), large});
  EXPECT_EQ(in_part.answers.at(device("7.5")), Answer::runs_in_part);
  EXPECT_THAT(in_part.failing_files.at(device("7.5")), ElementsAre("libhopper.so"));
  request.devices = {device("8.7")};
  const auto unknown = release_of({file_of({sass("80")})});
  EXPECT_THAT(unknown.answers, IsEmpty());
  EXPECT_EQ(unknown.problem, "whether it runs there cannot be told");
}

TEST(History, LeavesOutPreReleases) {
  EXPECT_THAT(coverage::without_prereleases(
                  {"2.0rc1", "1.0", "1.1.dev3", "1.2.post1.dev1", "1.2a1", "1.0.post1"}),
              ElementsAre("1.0", "1.0.post1"));
  EXPECT_THAT(coverage::without_prereleases({"2.0rc1", "1.0a1"}), ElementsAre("2.0rc1", "1.0a1"));
}

TEST(History, OrdersVersionsAsPythonDoes) {
  EXPECT_THAT(coverage::newest_first({"1.2", "1.10.0", "1.10", "2.0rc1", "2.0", "2.0.post1",
                                      "1!0.1", "2.0.dev3", "2.0a1", "1.2", "2.0b2"}),
              ElementsAre("1!0.1", "2.0.post1", "2.0", "2.0rc1", "2.0b2", "2.0a1", "2.0.dev3",
                          "1.10.0", "1.10", "1.2"));
}

}  // namespace
}  // namespace archgrid::tests
