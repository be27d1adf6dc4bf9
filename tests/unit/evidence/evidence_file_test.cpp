// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the file of what ran where.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "executions.hpp"

namespace archgrid::tests {
namespace {

using evidence::Evidence;
using evidence::EvidenceError;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string written(const std::string& name, const std::string& text) {
  const auto path = ::testing::TempDir() + "archgrid_evidence_" + name + ".jsonl";
  std::ofstream(path) << text;
  return path;
}

/// Returns the message about a file with this text.
std::string refusal(const std::string& text) {
  try {
    Evidence::read(written("refused", text));
  } catch (const EvidenceError& error) {
    return error.what();
  }
  return "none";
}

TEST(EvidenceFile, IsReadAsItWasWritten) {
  Evidence evidence;
  evidence.add(execution("k", "9.0", 'a'));
  evidence.add(execution("k", "8.0", 'a'));
  evidence.add(execution("k", "9.0", 'b', "2026-11-02"));
  evidence.add(passed("9.0", identity('c')));
  const auto read = Evidence::read(written("same", evidence.text()));
  EXPECT_EQ(read.text(), evidence.text());
  EXPECT_EQ(read.size(), 3U);
  EXPECT_THAT(read.devices(), ElementsAre(device("8.0"), device("9.0")));
  ASSERT_NE(read.find("k", device("9.0"), code('b')), nullptr);
  EXPECT_EQ(read.find("k", device("9.0"), code('b'))->run.gpu, "NVIDIA X");
  EXPECT_EQ(read.find("k", device("8.0"), code('b')), nullptr);
  EXPECT_EQ(read.find_any("k", device("9.0"))->run.date, "2026-11-02");
  EXPECT_EQ(read.find_any("l", device("9.0")), nullptr);
  ASSERT_NE(read.find_passed("cell/x_test", identity('c'), device("9.0")), nullptr);
  EXPECT_EQ(read.find_passed("cell/x_test", identity('c'), device("9.0"))->run.test, "t");
  EXPECT_EQ(read.find_passed("cell/x_test", identity('c'), device("8.0")), nullptr);
  EXPECT_EQ(read.find_passed("cell/y_test", identity('c'), device("9.0")), nullptr);
}

TEST(EvidenceFile, AMissingFileIsEmpty) {
  EXPECT_EQ(Evidence::read(::testing::TempDir() + "archgrid_no_evidence.jsonl").size(), 0U);
}

TEST(EvidenceFile, TheOrderOfAdditionsDoesNotChangeIt) {
  Evidence forwards;
  Evidence backwards;
  for (const char letter : {'a', 'b', 'c'}) forwards.add(execution("k", "9.0", letter));
  for (const char letter : {'c', 'b', 'a'}) backwards.add(execution("k", "9.0", letter));
  EXPECT_EQ(forwards.text(), backwards.text());
}

TEST(EvidenceFile, KeepsTheNewestExecutionOfACode) {
  Evidence evidence;
  EXPECT_EQ(evidence.add(execution("k", "9.0", 'a', "2026-11-02")), Evidence::Added::fresh);
  EXPECT_EQ(evidence.add(execution("k", "9.0", 'a', "2026-11-01")), Evidence::Added::again);
  EXPECT_EQ(evidence.find("k", device("9.0"), code('a'))->run.date, "2026-11-02");
  EXPECT_EQ(evidence.size(), 1U);
}

TEST(EvidenceFile, AFailureSinceRemovesThePassOfAProgram) {
  Evidence evidence;
  const auto is_there = [&] {
    return evidence.find_passed("cell/x_test", identity('c'), device("9.0")) != nullptr;
  };
  evidence.add(passed("9.0", identity('c'), "2026-11-02"));
  evidence.remove(passed("9.0", identity('c'), "2026-11-01"));
  evidence.remove(passed("9.0", identity('d'), "2026-11-03"));
  EXPECT_TRUE(is_there());
  evidence.remove(passed("9.0", identity('c'), "2026-11-02"));
  EXPECT_FALSE(is_there());
}

TEST(EvidenceFile, CodeOfAnotherKindIsOtherCode) {
  Evidence evidence;
  evidence.add(execution("k", "9.0", 'a'));
  EXPECT_EQ(evidence.find("k", device("9.0"), {"compute_90", identity('a')}), nullptr);
}

TEST(EvidenceFile, TakesTheLinesOfTwoBranches) {
  Evidence one;
  Evidence other;
  one.add(execution("k", "9.0", 'a'));
  other.add(execution("k", "9.0", 'a', "2026-11-09"));
  other.add(execution("l", "9.0", 'b'));
  const auto read = Evidence::read(written("union", other.text() + one.text()));
  EXPECT_EQ(read.text(), other.text());
}

TEST(EvidenceFile, NamesTheLineThatItRefuses) {
  Evidence evidence;
  evidence.add(execution("k", "9.0", 'a'));
  const auto good = evidence.text();
  const auto with = [&](const std::string& from, const std::string& to) {
    auto line = good;
    line.replace(line.find(from), from.size(), to);
    return refusal(good + line);
  };
  EXPECT_EQ(refusal(good), "none");
  EXPECT_THAT(refusal(good + good.substr(0, 40)), HasSubstr(".jsonl:2: no line of archgrid"));
  EXPECT_THAT(refusal(good + "<<<<<<< HEAD\n"), HasSubstr("2: git left a conflict"));
  EXPECT_THAT(with("\"9.0\"", "\"90\""), HasSubstr("\"90\" is no compute capability"));
  EXPECT_THAT(with("\"sm_90\"", "\"90\""), HasSubstr("is neither sm_90 nor compute_90"));
  EXPECT_THAT(with(identity('a'), "abc"), HasSubstr("2: \"identity\" has no 32"));
  EXPECT_THAT(with("\"gpu\"", "\"gpux\""), HasSubstr("\"gpu\" is missing"));
  EXPECT_THAT(with("2026-11-01", "yesterday"), HasSubstr("\"yesterday\" is no date of the past"));
  EXPECT_THAT(with("2026-11-01", "2026-11-31"), HasSubstr("is no date of the past"));
  EXPECT_THAT(with("2026-11-01", "2999-11-01"), HasSubstr("is no date of the past"));
  EXPECT_THAT(with("{", "{\"more\":1,"), HasSubstr("the key \"more\" is unknown"));
}

}  // namespace
}  // namespace archgrid::tests
