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
    AuditedRelease release{version, {}, {}};
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
    EXPECT_TRUE(running.newest_runs);
    EXPECT_LE(history.audited.size(), 8U) << "of 40, by halving";
  }
}

TEST(History, FindsTheLastReleaseThatRuns) {
  for (const int last : {1, 17, 39}) {
    const auto running = running_of(search(1, last));
    EXPECT_EQ(running.last, std::to_string(last));
    EXPECT_EQ(running.fails, std::to_string(last + 1));
    EXPECT_FALSE(running.newest_runs);
  }
  EXPECT_EQ(running_of(search(18, 24)).last, "24") << "neither the oldest nor the newest runs";
}

TEST(History, SaysWhereAllOrNoneRun) {
  const auto all = running_of(search(1, 40));
  EXPECT_EQ(all.first, "1");
  EXPECT_EQ(all.last, "40");
  EXPECT_FALSE(all.fails);
  const auto none = search(99, 99);
  EXPECT_FALSE(running_of(none).first);
  EXPECT_LE(none.audited.size(), 9U);
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

TEST(History, OrdersVersionsAsPythonDoes) {
  EXPECT_THAT(coverage::newest_first({"1.2", "1.10.0", "1.10", "2.0rc1", "2.0", "2.0.post1",
                                      "1!0.1", "2.0.dev3", "2.0a1", "1.2", "2.0b2"}),
              ElementsAre("1!0.1", "2.0.post1", "2.0", "2.0rc1", "2.0b2", "2.0a1", "2.0.dev3",
                          "1.10.0", "1.10", "1.2"));
}

}  // namespace
}  // namespace archgrid::tests
