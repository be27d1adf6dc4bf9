// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <archgrid/system/child.hpp>
#include <archgrid/system/programs.hpp>
#include <csignal>
#include <iterator>

#include "folder.hpp"

namespace archgrid::system {
namespace {

using How = Ended::How;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string text_in(const std::filesystem::path& path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(Capture, SeparatesOutputFromErrors) {
  const auto outcome = capture({"sh", "-c", "echo out; echo err >&2; exit 3"});
  EXPECT_FALSE(outcome.good);
  EXPECT_EQ(outcome.output, "out\n");
  EXPECT_EQ(outcome.errors, "err\n");
  EXPECT_TRUE(capture({"true"}, Group::own).good);
}

TEST(Capture, NamesAMissingProgram) {
  try {
    capture({"archgrid-has-no-such-program"});
    FAIL();
  } catch (const CannotStart& error) {
    EXPECT_THAT(error.what(), HasSubstr("cannot run archgrid-has-no-such-program: "));
    EXPECT_THAT(error.what(), HasSubstr(": install it"));
  }
}

TEST(RunLogged, WritesBothOutputsWithMoreVariables) {
  const auto log = new_folder() / "log";
  ::setenv("ARCHGRID_SYSTEM_TEST", "old", 1);
  const auto ended = run_logged({"sh", "-c", "echo $ARCHGRID_SYSTEM_TEST $HOME; cat; echo b >&2"},
                                log, {{"ARCHGRID_SYSTEM_TEST", "new"}});
  EXPECT_TRUE(ended.good());
  EXPECT_EQ(text_in(log), std::string("new ") + std::getenv("HOME") + "\nb\n");
  EXPECT_STREQ(std::getenv("ARCHGRID_SYSTEM_TEST"), "old");
  ::unsetenv("ARCHGRID_SYSTEM_TEST");
}

TEST(RunLogged, ReportsHowTheProgramEnded) {
  const auto log = new_folder() / "log";
  const auto exited = run_logged({"sh", "-c", "exit 7"}, log);
  EXPECT_EQ(exited.how, How::exited);
  EXPECT_EQ(exited.code, 7);
  EXPECT_FALSE(exited.good());
  const auto killed = run_logged({"sh", "-c", "kill -KILL $$"}, log);
  EXPECT_EQ(killed.how, How::killed);
  EXPECT_EQ(killed.code, SIGKILL);
  const auto missing = run_logged({"/no/such/program"}, log);
  EXPECT_EQ(missing.how, How::not_started);
  EXPECT_THAT(missing.problem, HasSubstr("No such file"));
}

TEST(Child, IsReadByLines) {
  Child child({"sh", "-c", "echo one; echo two >&2; printf rest; exit 4"});
  std::vector<std::string> lines;
  while (child.runs()) {
    for (auto& line : child.read_lines()) lines.push_back(line);
  }
  EXPECT_EQ(child.wait(), 4);
  EXPECT_THAT(lines, ElementsAre("one", "two", "rest"));
}

}  // namespace
}  // namespace archgrid::system
