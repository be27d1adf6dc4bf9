// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>

#include "packed.hpp"

namespace archgrid::archive {
namespace {

namespace fs = std::filesystem;

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using tests::errors_of;
using tests::file;
using tests::folder;
using tests::found_at;
using tests::packed;
using tests::paths_of;
using tests::ptx;

std::string at(const std::string& name) {
  return (folder() / name).string();
}

TEST(Folder, IsReadToTheBottomByName) {
  file("b.ptx", ptx("b"));
  file("a/z.ptx", ptx("z"));
  file("a/b/c/deep.ptx", ptx("d"));
  file("setup.py", "import os\n");
  file("empty", "");
  file("c.whl", packed({{"in.ptx", ptx("i")}}, tests::kZip));
  const auto seen = found_at(folder());
  EXPECT_THAT(errors_of(seen), IsEmpty());
  EXPECT_THAT(paths_of(seen), ElementsAre(at("a/b/c/deep.ptx"), at("a/z.ptx"), at("b.ptx"),
                                          at("c.whl") + "!in.ptx"));
  EXPECT_EQ(seen[2].bytes, ptx("b"));
}

TEST(Folder, FollowsNoLinksToFolders) {
  file("a/a.ptx", ptx("a"));
  fs::create_directory_symlink("..", folder() / "a/up");
  fs::create_directory_symlink("a", folder() / "again");
  fs::create_symlink("loop", folder() / "loop");
  fs::create_symlink("nothing", folder() / "dangling");
  const auto seen = found_at(folder());
  EXPECT_THAT(errors_of(seen), IsEmpty());
  EXPECT_THAT(paths_of(seen), ElementsAre(at("a/a.ptx")));
}

TEST(Folder, ReadsAFileOnce) {
  const auto elsewhere = folder() / "elsewhere.ptx";
  file("elsewhere.ptx", ptx("e"));
  file("in/libx.so.1.2", ptx("x"));
  fs::create_symlink("libx.so.1.2", folder() / "in/libx.so");
  fs::create_hard_link(folder() / "in/libx.so.1.2", folder() / "in/same.so");
  fs::create_symlink(elsewhere, folder() / "in/a.ptx");
  fs::create_symlink(elsewhere, folder() / "in/b.ptx");
  EXPECT_THAT(paths_of(found_at(folder() / "in")),
              ElementsAre(at("in/libx.so.1.2"), at("in/a.ptx")));
}

TEST(Folder, OpensNothingSpecial) {
  file("a.ptx", ptx("a"));
  ASSERT_EQ(::mkfifo(at("fifo").c_str(), 0600), 0);
  fs::create_symlink("fifo", folder() / "link");
  const int descriptor = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  const auto before = fs::current_path();
  fs::current_path(folder());
  std::strncpy(address.sun_path, "socket", sizeof(address.sun_path) - 1);
  ASSERT_EQ(::bind(descriptor, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  fs::current_path(before);
  ::close(descriptor);
  const auto seen = found_at(folder());
  EXPECT_THAT(errors_of(seen), IsEmpty());
  EXPECT_THAT(paths_of(seen), ElementsAre(at("a.ptx")));
  EXPECT_THAT(errors_of(found_at(folder() / "fifo")),
              ElementsAre(at("fifo") + ": not a regular file"));
}

TEST(Folder, ReadsTheRestWhereAPartIsForbidden) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  file("a.ptx", ptx("a"));
  file("b/in.ptx", ptx("b"));
  file("c.ptx", ptx("c"));
  fs::permissions(folder() / "a.ptx", fs::perms::none);
  fs::permissions(folder() / "b", fs::perms::none);
  const auto seen = found_at(folder());
  fs::permissions(folder() / "b", fs::perms::owner_all);
  EXPECT_THAT(errors_of(seen), ::testing::UnorderedElementsAre(
                                   HasSubstr("a.ptx: cannot open: Permission denied"),
                                   HasSubstr("b: cannot read the folder: Permission denied")));
  EXPECT_THAT(paths_of(seen), ElementsAre(at("c.ptx")));
}

TEST(Folder, ReadsTheRestWhereAFileIsDamaged) {
  const auto zip = packed({{"in.ptx", ptx("i")}}, tests::kZip);
  file("a.zip", zip.substr(0, zip.size() / 2));
  file("b.ptx", ptx("b"));
  const auto seen = found_at(folder());
  EXPECT_THAT(errors_of(seen), ::testing::Each(HasSubstr("a.zip")));
  EXPECT_THAT(errors_of(seen), ::testing::Not(IsEmpty()));
  EXPECT_THAT(paths_of(seen), ElementsAre(at("b.ptx")));
}

TEST(Folder, ShowsNoControlCharacters) {
  file("a\x1b[31m.ptx", ptx("a"));
  EXPECT_THAT(paths_of(found_at(folder())), ElementsAre(at("a?[31m.ptx")));
}

TEST(Folder, ThatIsNotThere) {
  EXPECT_THAT(errors_of(found_at("no/such/folder")),
              ElementsAre("no/such/folder: cannot open: No such file or directory"));
}

}  // namespace
}  // namespace archgrid::archive
