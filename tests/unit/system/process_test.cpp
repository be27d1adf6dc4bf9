// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <archgrid/system/process.hpp>
#include <archgrid/system/terminal.hpp>
#include <array>
#include <cstdlib>

namespace archgrid::system {
namespace {

TEST(Process, HasAPathAndANumber) {
  EXPECT_EQ(own_executable().filename(), "system_test");
  EXPECT_TRUE(own_executable().is_absolute());
  EXPECT_EQ(process_id(), ::getpid());
  EXPECT_FALSE(machine_name().empty());
}

TEST(Process, ChangesItsEnvironment) {
  set_environment("ARCHGRID_SYSTEM_TEST", "a b");
  EXPECT_STREQ(std::getenv("ARCHGRID_SYSTEM_TEST"), "a b");
  unset_environment("ARCHGRID_SYSTEM_TEST");
  EXPECT_EQ(std::getenv("ARCHGRID_SYSTEM_TEST"), nullptr);
}

TEST(Time, IsThatOfUtc) {
  const auto parts = utc_time(86400 * 365 + 3661);
  EXPECT_EQ(parts.tm_year, 71);
  EXPECT_EQ(parts.tm_yday, 0);
  EXPECT_EQ(parts.tm_hour, 1);
  EXPECT_EQ(parts.tm_min, 1);
  EXPECT_EQ(parts.tm_sec, 1);
}

TEST(Terminal, HasColumns) {
  int screen = -1;
  int keyboard = -1;
  winsize size = {};
  size.ws_col = 123;
  ASSERT_EQ(::openpty(&keyboard, &screen, nullptr, nullptr, &size), 0);
  EXPECT_TRUE(is_terminal(screen));
  EXPECT_EQ(terminal_columns(screen), 123U);
  write_unbuffered(screen, "shown");
  std::array<char, 5> shown = {};
  EXPECT_EQ(::read(keyboard, shown.data(), shown.size()), 5);
  EXPECT_EQ(std::string(shown.data(), shown.size()), "shown");
  ::close(screen);
  ::close(keyboard);
}

TEST(Terminal, IsNoPipe) {
  std::array<int, 2> ends = {};
  ASSERT_EQ(::pipe(ends.data()), 0);
  EXPECT_FALSE(is_terminal(ends[1]));
  EXPECT_EQ(terminal_columns(ends[1]), 0U);
  for (const int end : ends) ::close(end);
}

}  // namespace
}  // namespace archgrid::system
