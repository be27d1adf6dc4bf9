// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "ar.hpp"

#include <gmock/gmock.h>

#include <cstdlib>

#include "packed.hpp"

namespace archgrid::archive {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using tests::ar_header;
using tests::ar_member;
using tests::errors_of;
using tests::file;
using tests::folder;
using tests::found_at;
using tests::found_in;
using tests::paths_of;
using tests::ptx;

void run_ar(const std::string& arguments) {
  const auto line = "cd '" + folder().string() + "' && '" ARCHGRID_AR "' " + arguments;
  ASSERT_EQ(std::system(line.c_str()), 0) << line;
}

TEST(Ar, ReadsWhatArWrites) {
  const std::string name = "an_object_with_a_name_of_more_than_sixteen_characters.o";
  file("short.o", tests::sample("plain.o"));
  file(name, tests::sample("stores.o"));
  file("odd.ptx", ptx("odd") + (ptx("odd").size() % 2 == 0 ? "\n" : ""));
  run_ar("rcs lib.a short.o " + name + " odd.ptx");
  const auto seen = found_at(folder() / "lib.a");
  const auto path = (folder() / "lib.a").string();
  EXPECT_THAT(errors_of(seen), IsEmpty());
  EXPECT_THAT(paths_of(seen), ElementsAre(path + "!short.o", path + "!" + name, path + "!odd.ptx"));
  EXPECT_EQ(seen[1].bytes, tests::sample("stores.o"));
}

TEST(Ar, ReadsThinArchives) {
  const std::string name = "sub/an_object_with_a_name_of_more_than_sixteen_characters.o";
  file("a.o", tests::sample("plain.o"));
  file(name, tests::sample("stores.o"));
  run_ar("rcST thin.a a.o " + name);
  ASSERT_LT(std::filesystem::file_size(folder() / "thin.a"), 1000U);
  const auto seen = found_at(folder() / "thin.a");
  const auto path = (folder() / "thin.a").string();
  EXPECT_THAT(errors_of(seen), IsEmpty());
  EXPECT_THAT(paths_of(seen), ElementsAre(path + "!a.o", path + "!" + name));
  EXPECT_EQ(seen[0].bytes, tests::sample("plain.o"));
  EXPECT_EQ(seen[1].bytes, tests::sample("stores.o"));
}

TEST(Ar, ReadsThinArchivesOfArchives) {
  const std::string name = "an_object_with_a_name_of_more_than_sixteen_characters.o";
  file("sub/a.o", tests::sample("plain.o"));
  file("sub/" + name, tests::sample("stores.o"));
  run_ar("rcs sub/lib.a sub/a.o sub/" + name);
  run_ar("rcsT thin.a sub/lib.a");
  const auto seen = found_at(folder() / "thin.a");
  const auto path = (folder() / "thin.a").string() + "!sub/lib.a!";
  EXPECT_THAT(errors_of(seen), IsEmpty());
  EXPECT_THAT(paths_of(seen), ElementsAre(path + "a.o", path + name));
  EXPECT_EQ(seen[1].bytes, tests::sample("stores.o"));
}

TEST(Ar, NamesWhatAThinArchiveLacks) {
  file("a.o", tests::sample("plain.o"));
  file("b.o", tests::sample("stores.o"));
  file("c.o", tests::sample("stores.o"));
  run_ar("rcsT thin.a a.o b.o c.o");
  std::filesystem::remove(folder() / "b.o");
  const auto seen = found_at(folder() / "thin.a");
  EXPECT_THAT(errors_of(seen), ElementsAre(AllOf(HasSubstr("thin.a!b.o: cannot open: No such file"),
                                                 HasSubstr((folder() / "b.o").string()))));
  EXPECT_THAT(paths_of(seen), ElementsAre(HasSubstr("!a.o"), HasSubstr("!c.o")));
}

TEST(Ar, AThinArchiveInAnArchiveHasNoFilesBesideIt) {
  file("a.o", tests::sample("plain.o"));
  run_ar("rcsT thin.a a.o");
  const auto thin = tests::contents_of(folder() / "thin.a");
  EXPECT_THAT(errors_of(found_in(thin)), ElementsAre(HasSubstr("x: it is a thin archive")));
  const auto zip = tests::packed({{"thin.a", thin}, {"b.ptx", ptx("k")}}, tests::kZip);
  const auto seen = found_in(zip);
  EXPECT_THAT(errors_of(seen), ElementsAre(HasSubstr("x!thin.a: it is a thin archive")));
  EXPECT_THAT(paths_of(seen), ElementsAre("x!b.ptx"));
}

TEST(Ar, AThinArchiveThatNamesItselfIsRefused) {
  const auto self =
      file("self.a", "!<thin>\n" + ar_header("self.a/", "9") + ar_header("self.a/", "9"));
  std::filesystem::create_hard_link(self, folder() / "again.a");
  const auto other = file("other.a", "!<thin>\n" + ar_header("other.a/", "9"));
  std::filesystem::remove(other);
  std::filesystem::create_symlink("again.a", other);
  for (const auto& path : {self, folder() / "again.a", other}) {
    const auto error = path.string() + "!self.a: the thin archive names itself";
    EXPECT_THAT(errors_of(found_at(path)), ElementsAre(HasSubstr(error), HasSubstr(error)));
  }
}

TEST(Ar, ThinArchivesThatNameEachOtherAreRefused) {
  file("a.o", tests::sample("plain.o"));
  const auto one = file("one.a", "!<thin>\n" + ar_header("two.a/", "9") + ar_header("a.o/", "9"));
  file("two.a", "!<thin>\n" + ar_header("a.o/", "9") + ar_header("one.a/", "9"));
  const auto seen = found_at(one);
  EXPECT_THAT(errors_of(seen), ElementsAre(HasSubstr("one.a!two.a!one.a: the thin archive names "
                                                     "itself, or an archive that names it")));
  EXPECT_THAT(paths_of(seen), ElementsAre(HasSubstr("one.a!two.a!a.o")));  // each member once
}

TEST(Ar, ReadsEachMemberOfAThinArchiveOnce) {
  file("a.o", tests::sample("plain.o"));
  file("b.o", tests::sample("stores.o"));
  std::filesystem::create_hard_link(folder() / "a.o", folder() / "again.o");
  std::string many;
  for (int index = 0; index < 10000; ++index) {
    many += ar_header("a.o/", "9") + ar_header("again.o/", "9");
  }
  const auto thin = file("thin.a", "!<thin>\n" + many + ar_header("b.o/", "9"));
  const auto seen = found_at(thin);
  EXPECT_THAT(errors_of(seen), IsEmpty());
  EXPECT_THAT(paths_of(seen), ElementsAre(HasSubstr("thin.a!a.o"), HasSubstr("thin.a!b.o")));
}

TEST(Ar, AThinArchiveInAFolderNamesNothingOutsideOfIt) {
  file("secret.o", tests::sample("plain.o"));
  file("asked/sub/a.o", tests::sample("plain.o"));
  std::filesystem::create_directory_symlink(folder(), folder() / "asked" / "way");
  const auto absolute = (folder() / "secret.o").string();
  const auto names = "../secret.o/\n" + absolute + "/\nway/secret.o/\nsub/a.o/\n";
  const auto place = [&](const std::string& name) {
    return ar_header('/' + std::to_string(names.find(name)), "9");
  };
  const auto thin =
      file("asked/thin.a", "!<thin>\n" + ar_member("//", names) + place("../secret.o") +
                               place(absolute) + place("way/") + place("sub/"));
  const auto seen = found_at(folder() / "asked");
  const auto outside = HasSubstr("outside of the folder");
  EXPECT_THAT(errors_of(seen), ElementsAre(outside, outside, outside));
  EXPECT_THAT(paths_of(seen),
              ElementsAre(HasSubstr("asked/sub/a.o"), HasSubstr("asked/thin.a!sub/a.o")));
  // If it is named itself, it is read as the linker reads it.
  EXPECT_THAT(errors_of(found_at(thin)), IsEmpty());
  EXPECT_EQ(found_at(thin).size(), 2U);
}

TEST(Ar, SaysWhenMembersOfItsSymbolsAreMissing) {
  file("a.o", tests::sample("plain.o"));
  file("b.o", tests::sample("stores.o"));
  for (const std::string kind : {"rcs", "rcsT"}) {
    std::filesystem::remove(folder() / "lib.a");
    run_ar(kind + " lib.a a.o b.o");
    const auto path = folder() / "lib.a";
    EXPECT_THAT(errors_of(found_at(path)), IsEmpty());
    const auto bytes = tests::contents_of(path);
    const auto last = kind == "rcs" ? bytes.rfind("b.o/") : bytes.size() - 60;
    const auto cut = file("cut.a", bytes.substr(0, last));
    const auto seen = found_at(cut);
    EXPECT_THAT(errors_of(seen), ElementsAre(HasSubstr("cut.a: the archive ends at offset 0x")))
        << kind;
    EXPECT_THAT(paths_of(seen), ElementsAre(cut.string() + "!a.o")) << kind;
  }
}

TEST(Ar, ReadsTablesOfSymbols) {
  const auto number = [](std::uint64_t value, std::size_t width) {
    std::string bytes;
    for (auto at = width; at-- > 0;) bytes += static_cast<char>(value >> (8 * at));
    return bytes;
  };
  const auto member = ar_member("k.ptx/", ptx("k"));
  for (const std::size_t width : {4, 8}) {
    const auto* name = width == 4 ? "/" : "/SYM64/";
    const auto with = [&](std::uint64_t count, std::uint64_t offset) {
      const auto table = number(count, width) + number(offset, width) + std::string("k\0", 2);
      return "!<arch>\n" + ar_member(name, table) + member;
    };
    const auto place = with(0, 0).size() - member.size();
    EXPECT_THAT(errors_of(found_in(with(1, place))), IsEmpty());
    EXPECT_THAT(errors_of(found_in(with(1, place + member.size()))),
                ElementsAre(HasSubstr("x: the archive ends at offset 0x")));
    EXPECT_THAT(errors_of(found_in(with(0, 999999))), IsEmpty());
    EXPECT_THAT(errors_of(found_in(with(0xffffffff, place))), IsEmpty());
    EXPECT_EQ(paths_of(found_in(with(1, 999999))).size(), 1U);
    EXPECT_THAT(errors_of(found_in(with(1, place).substr(0, 8 + 60 + width))),
                ElementsAre(HasSubstr("the archive ends")));
    EXPECT_THAT(errors_of(found_in("!<arch>\n" + ar_member(name, "1") + member)), IsEmpty());
  }
}

TEST(Ar, ReadsWhatWindowsWrites) {
  const std::string name = "folder\\of\\an\\object\\with_a_long_name.obj";
  const auto library = "!<arch>\n" + ar_member("/", std::string(4, '\0')) +
                       ar_member("/", std::string(6, '\0')) + ar_member("//", name + '\0') +
                       ar_member("/<ECSYMBOLS>/", "table") + ar_member("/0", ptx("k")) +
                       ar_member("short.obj/", ptx("l"));
  const auto seen = found_in(library);
  EXPECT_THAT(errors_of(seen), IsEmpty());
  EXPECT_THAT(paths_of(seen), ElementsAre("x!" + name, "x!short.obj"));
}

TEST(Ar, ReadsNamesOfBsd) {
  const std::string name = "a name with spaces.o";
  const auto text = name + std::string(4, '\0') + ptx("k");
  const auto archive =
      "!<arch>\n" + ar_member("__.SYMDEF SORTED", "table") + ar_member("#1/24", text);
  EXPECT_THAT(paths_of(found_in(archive)), ElementsAre("x!" + name));
  EXPECT_EQ(found_in(archive).at(0).bytes, ptx("k"));
}

TEST(Ar, SaysWhatIsWrong) {
  const auto error_in = [](const std::string& members) {
    const auto errors = errors_of(found_in("!<arch>\n" + members));
    EXPECT_EQ(errors.size(), 1U) << members;
    return errors.empty() ? "" : errors[0];
  };
  const auto good = ar_member("a.ptx/", ptx("k") + (ptx("k").size() % 2 != 0 ? "\n" : ""));
  EXPECT_THAT(error_in(good + "rubbish"),
              AllOf(HasSubstr("x: at offset 0x"), HasSubstr("header of an ar member expected")));
  EXPECT_THAT(error_in(ar_header("a.ptx/", "1x")), HasSubstr("at offset 0x8: the header"));
  EXPECT_THAT(error_in(ar_header("a.ptx/", "-1")), HasSubstr("at offset 0x8: the header"));
  EXPECT_THAT(error_in(ar_header("a.ptx/", "9999999999") + ptx("k")),
              AllOf(HasSubstr("x!a.ptx: the archive ends "),
                    HasSubstr("before the end of its member a.ptx")));
  EXPECT_THAT(error_in(ar_header("README/", "100") + "import"),
              HasSubstr("end of its member README"));
  EXPECT_THAT(error_in(ar_member("/5", ptx("k"))), HasSubstr("\"/5\" is no place in"));
  EXPECT_THAT(error_in(ar_member("#1/999", ptx("k"))), HasSubstr("\"#1/999\" names no ar member"));
  EXPECT_THAT(error_in(ar_header("//", "9999999999")), HasSubstr("larger than 64 MB"));
  EXPECT_THAT(error_in(ar_header("//", "999")), HasSubstr("ends within its table of names"));
}

}  // namespace
}  // namespace archgrid::archive
