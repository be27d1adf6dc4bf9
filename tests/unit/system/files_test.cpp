// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <archgrid/system/files.hpp>
#include <cerrno>

#include "folder.hpp"

namespace archgrid::system {
namespace {

namespace fs = std::filesystem;
using Status = Matches::Status;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(FileId, IsThatOfTheFileAndNotOfThePath) {
  const auto folder = new_folder();
  write(folder / "a");
  write(folder / "b");
  fs::create_symlink(folder / "a", folder / "link");
  fs::create_hard_link(folder / "a", folder / "hard");
  const auto id = file_id(folder / "a");
  ASSERT_TRUE(id);
  EXPECT_EQ(id, file_id(folder / "link"));
  EXPECT_EQ(id, file_id(folder / "hard"));
  EXPECT_FALSE(id == file_id(folder / "b"));
  EXPECT_NE(*id < *file_id(folder / "b"), *file_id(folder / "b") < *id);
  EXPECT_FALSE(file_id(folder / "missing"));
}

TEST(Files, SayWhoMayChangeThem) {
  const auto folder = new_folder();
  write(folder / "a");
  EXPECT_FALSE(is_owned_by_others(folder / "a"));
  EXPECT_FALSE(is_writable_by_all(folder / "a"));
  ::chmod((folder / "a").c_str(), 0666);
  EXPECT_TRUE(is_writable_by_all(folder / "a"));
  if (::geteuid() != 0) return;
  ASSERT_EQ(::chown((folder / "a").c_str(), 12345, 12345), 0);
  EXPECT_TRUE(is_owned_by_others(folder / "a"));
}

TEST(Files, KnowErrorsOfAFullDisk) {
  EXPECT_TRUE(is_disk_full(ENOSPC));
  EXPECT_TRUE(is_disk_full(EDQUOT));
  EXPECT_FALSE(is_disk_full(EACCES));
}

TEST(Glob, MatchesLikeAShell) {
  const auto folder = new_folder();
  const auto root = folder.string() + "/";
  for (const char* name : {"a1.so", "a2.so", "b.so", ".hidden.so"}) write(folder / name);
  const auto found = glob(root + "*.so");
  EXPECT_EQ(found.status, Status::found);
  EXPECT_THAT(found.paths, ElementsAre(root + "a1.so", root + "a2.so", root + "b.so"));
  EXPECT_THAT(glob(root + "a[2-9].so").paths, ElementsAre(root + "a2.so"));
  EXPECT_THAT(glob(root + "?.so").paths, ElementsAre(root + "b.so"));
  EXPECT_EQ(glob(root + "*.whl").status, Status::none);
  EXPECT_EQ(glob(root + "missing/*").status, Status::none);
}

TEST(Glob, TakesFoldersByTheirVeryNames) {
  const auto folder = new_folder();
  fs::create_directory(folder / "build [1]");
  fs::create_directory(folder / "build 1");
  write(folder / "build [1]" / "x.so");
  write(folder / "build 1" / "y.so");
  const auto root = folder.string() + "/";
  EXPECT_THAT(glob(root + "build [1]/*").paths, ElementsAre(root + "build [1]/x.so"));
  EXPECT_THAT(glob(root + "build ?/*").paths, ElementsAre(root + "build 1/y.so"));
}

TEST(Glob, ReportsFoldersThatCannotBeRead) {
  if (::geteuid() == 0) GTEST_SKIP() << "the administrator reads all folders";
  const auto folder = new_folder();
  fs::create_directory(folder / "closed");
  ::chmod((folder / "closed").c_str(), 0);
  const auto found = glob((folder / "closed" / "*").string());
  ::chmod((folder / "closed").c_str(), 0755);
  EXPECT_EQ(found.status, Status::unreadable);
  EXPECT_THAT(found.paths, IsEmpty());
}

}  // namespace
}  // namespace archgrid::system
