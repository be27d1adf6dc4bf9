// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <archgrid/system/memory.hpp>
#include <archgrid/system/temporary_file.hpp>
#include <archgrid/system/temporary_folder.hpp>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <thread>

#include "folder.hpp"

namespace archgrid::system {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

/// Sets TMPDIR for one test.
class Temporary : public ::testing::Test {
 protected:
  void SetUp() override { ::setenv("TMPDIR", folder_.c_str(), 1); }
  void TearDown() override { ::unsetenv("TMPDIR"); }

  const fs::path folder_ = new_folder();
};

TEST_F(Temporary, FileIsMappedAndHasNoName) {
  TemporaryFile file;
  file.add("ab");
  file.add("c");
  EXPECT_TRUE(fs::is_empty(folder_));
  const auto mapped = file.map();
  EXPECT_EQ(mapped->bytes(), "abc");
  EXPECT_EQ(mapped->change(), "");
  EXPECT_GT(free_temporary_space(), 0U);
}

TEST_F(Temporary, FileNamesAFolderThatDoesNotExist) {
  ::setenv("TMPDIR", "/no/such/folder", 1);
  try {
    const TemporaryFile file;
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("/no/such/folder: "));
  }
}

TEST_F(Temporary, FolderDisappears) {
  fs::path path;
  {
    const TemporaryFolder folder;
    path = folder.path();
    write(path / "x");
    EXPECT_EQ(path.parent_path(), folder_);
    EXPECT_TRUE(fs::exists(path / "alive"));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(Temporary, FolderOfAKilledProcessDisappears) {
  const auto process = ::fork();
  if (process == 0) {
    const TemporaryFolder folder;
    write(folder_ / "ready");
    ::pause();
  }
  const auto waits_until = [](const auto& holds) {
    for (int turn = 0; turn < 500 && !holds(); ++turn) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return holds();
  };
  ASSERT_TRUE(waits_until([&] { return fs::exists(folder_ / "ready"); }));
  ::kill(process, SIGKILL);
  ::waitpid(process, nullptr, 0);
  fs::remove(folder_ / "ready");
  EXPECT_TRUE(waits_until([&] { return fs::is_empty(folder_); }));
}

TEST(Memory, BeginsAtALargePage) {
  const auto pages = allocate_pages(kLargePage);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(pages.get()) % kLargePage, 0U);
  pages.get()[kLargePage - 1] = 'x';
}

}  // namespace
}  // namespace archgrid::system
