// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cstring>

#include "packed.hpp"

namespace archgrid::archive {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using tests::compressed;
using tests::errors_of;
using tests::found_at;
using tests::found_in;
using tests::Item;
using tests::packed;
using tests::paths_of;
using tests::ptx;

const std::string kLongName = "an_object_whose_name_is_longer_than_sixteen_characters.o";

class EachPacking : public ::testing::TestWithParam<tests::Packing> {};

TEST_P(EachPacking, GivesItsMembersInOrder) {
  const auto library = tests::sample("libsample.so");
  const auto object = tests::sample("plain.o");
  const auto seen = found_in(packed({{"libsample.so", library},
                                     {"setup.py", "import os\n"},
                                     {"odd", "o"},
                                     {"empty", ""},
                                     {kLongName, object},
                                     {"last.ptx", ptx("k")}},
                                    GetParam()));
  EXPECT_THAT(errors_of(seen), IsEmpty());
  EXPECT_THAT(paths_of(seen), ElementsAre("x!libsample.so", "x!" + kLongName, "x!last.ptx"));
  EXPECT_EQ(seen[0].bytes, library);
  EXPECT_EQ(seen[1].bytes, object);
  EXPECT_EQ(seen[2].bytes, ptx("k"));
}

TEST_P(EachPacking, MayHoldNothing) {
  if (GetParam().format == ARCHIVE_FORMAT_AR_GNU || GetParam().format == ARCHIVE_FORMAT_AR_BSD) {
    EXPECT_THAT(found_in("!<arch>\n"), IsEmpty());
  }
  EXPECT_THAT(found_in(packed({{"setup.py", "import os\n"}}, GetParam())), IsEmpty());
}

TEST_P(EachPacking, GivesOneMemberAgain) {
  const auto inner = packed({{"a.ptx", ptx("a")}, {"b.ptx", ptx("b")}}, GetParam());
  const auto path =
      tests::file("outer", packed({{"first.ptx", ptx("first")}, {"inner", inner}}, GetParam()));
  const auto bytes_of = [&](const std::string& member) {
    const auto contents = contents_of(path.string() + member);
    return contents ? std::string(contents->bytes()) : "none";
  };
  EXPECT_EQ(bytes_of("!first.ptx"), ptx("first"));
  EXPECT_EQ(bytes_of("!inner!b.ptx"), ptx("b"));
  EXPECT_EQ(bytes_of("!inner!c.ptx"), "none");
  EXPECT_EQ(bytes_of("!inner"), "none") << "an archive";
  EXPECT_EQ(bytes_of("x"), "none");
}

INSTANTIATE_TEST_SUITE_P(Walk, EachPacking, ::testing::ValuesIn(tests::kPackings),
                         [](const auto& parameter) {
                           auto name = parameter.param.name;
                           for (auto& c : name) c = std::isalnum(c) != 0 ? c : '_';
                           return name;
                         });

TEST(Walk, GivesAFileThatIsNoArchive) {
  const auto path = tests::file("a.whatever", ptx("k"));
  const auto seen = found_at(path);
  EXPECT_THAT(paths_of(seen), ElementsAre(path.string()));
  EXPECT_EQ(seen[0].bytes, ptx("k"));
}

// The reader of device code reports what is wrong with it.
TEST(Walk, GivesANamedFileThatIsNothing) {
  EXPECT_THAT(paths_of(found_at(tests::file("setup.py", "import os\n"))), ::testing::SizeIs(1));
  EXPECT_THAT(paths_of(found_at(tests::file("empty", ""))), ::testing::SizeIs(1));
}

TEST(Walk, GivesANamedFileAgain) {
  const auto path = tests::file("with!mark.ptx", ptx("k"));
  EXPECT_EQ(contents_of(path.string()).value().bytes(), ptx("k"));
  EXPECT_FALSE(contents_of(path.string() + "!inside"));
  EXPECT_FALSE(contents_of(""));
}

TEST(Walk, ReadsSingleCompressedFiles) {
  for (const int filter : {ARCHIVE_FILTER_GZIP, ARCHIVE_FILTER_BZIP2, ARCHIVE_FILTER_XZ,
                           ARCHIVE_FILTER_ZSTD, ARCHIVE_FILTER_LZ4}) {
    const auto seen = found_in(compressed(ptx("k"), filter));
    EXPECT_THAT(paths_of(seen), ElementsAre("x")) << filter;
    EXPECT_EQ(seen.at(0).bytes, ptx("k")) << filter;
  }
}

TEST(Walk, ReadsCompressedFilesOneBehindTheOther) {
  for (const int filter : {ARCHIVE_FILTER_GZIP, ARCHIVE_FILTER_BZIP2, ARCHIVE_FILTER_XZ,
                           ARCHIVE_FILTER_ZSTD, ARCHIVE_FILTER_LZ4}) {
    const auto seen = found_in(compressed(ptx("k"), filter) + compressed("// more\n", filter));
    EXPECT_THAT(errors_of(seen), IsEmpty()) << filter;
    EXPECT_EQ(seen.at(0).bytes, ptx("k") + "// more\n") << filter;
  }
  const auto padded = compressed(ptx("k"), ARCHIVE_FILTER_GZIP) + std::string(5000, '\0');
  EXPECT_THAT(errors_of(found_in(padded)), IsEmpty());
}

TEST(Walk, ReadsArchivesInArchives) {
  const auto wheel = packed({{"pkg/lib.so", ptx("k")}}, tests::kZip);
  const auto zip = packed({{"p.whl", wheel}}, tests::kZip);
  for (const auto& packing : tests::kPackings) {
    const auto seen = found_in(packed({{"p.zip", zip}, {"after.ptx", ptx("l")}}, packing));
    EXPECT_THAT(errors_of(seen), IsEmpty()) << packing.name;
    EXPECT_THAT(paths_of(seen), ElementsAre("x!p.zip!p.whl!pkg/lib.so", "x!after.ptx"))
        << packing.name;
    EXPECT_EQ(seen.at(0).bytes, ptx("k")) << packing.name;
  }
}

TEST(Walk, ReadsEveryPackingInEveryOther) {
  for (const auto& outer : tests::kPackings) {
    for (const auto& inner : tests::kPackings) {
      const auto member = packed({{"a.ptx", ptx("k")}, {"b.ptx", ptx("l")}}, inner);
      const auto seen = found_in(packed({{"in", member}, {"c.ptx", ptx("m")}}, outer));
      EXPECT_THAT(errors_of(seen), IsEmpty()) << inner.name << " in " << outer.name;
      EXPECT_THAT(paths_of(seen), ElementsAre("x!in!a.ptx", "x!in!b.ptx", "x!c.ptx"))
          << inner.name << " in " << outer.name;
    }
  }
}

TEST(Walk, ReadsPackagesOfCondaAndDebian) {
  const auto tree = [](const tests::Packing& packing) {
    return packed({{"lib/libx.so", ptx("k")}}, packing);
  };
  EXPECT_THAT(paths_of(found_in(tree(tests::kTarBz2))), ElementsAre("x!lib/libx.so"));
  const auto conda =
      packed({{"metadata.json", "{}"},
              {"pkg-x.tar.zst", tree(tests::kTarZst)},
              {"info-x.tar.zst", packed({{"info/index.json", "{}"}}, tests::kTarZst)}},
             tests::kStoredZip);
  EXPECT_THAT(paths_of(found_in(conda)), ElementsAre("x!pkg-x.tar.zst!lib/libx.so"));
  const auto debian =
      packed({{"debian-binary", "2.0\n"},
              {"control.tar.xz", packed({{"control", "Package: x\n"}}, tests::kTarXz)},
              {"data.tar.xz", tree(tests::kTarXz)}},
             tests::kAr);
  EXPECT_THAT(paths_of(found_in(debian)), ElementsAre("x!data.tar.xz!lib/libx.so"));
}

template <typename Number>
void add_to(std::string& bytes, std::size_t at, Number number) {
  Number before = 0;
  std::memcpy(&before, bytes.data() + at, sizeof(before));
  before += number;
  std::memcpy(bytes.data() + at, &before, sizeof(before));
}

/// Returns the zip behind a line. Its offsets count from its own start or, as Python writes them,
/// from the front.
std::string program_of(std::string zip, const std::string& line, bool from_front) {
  const auto size = static_cast<std::uint32_t>(line.size());
  for (auto at = zip.find("PK\1\2"); from_front && at != std::string::npos;
       at = zip.find("PK\1\2", at + 1)) {
    add_to(zip, at + 42, size);
  }
  if (from_front) add_to(zip, zip.rfind("PK\5\6") + 16, size);
  return line + zip;
}

TEST(Walk, ReadsZipsBehindALine) {
  const std::string line = "#!/usr/bin/env python3\n";
  for (const auto& packing : {tests::kZip, tests::kStoredZip}) {
    const auto zip =
        packed({{"a.ptx", ptx("a")}, {"__main__.py", "1"}, {"b.ptx", ptx("b")}}, packing);
    for (const bool from_front : {false, true}) {
      const auto program = program_of(zip, line, from_front);
      EXPECT_THAT(errors_of(found_in(program)), IsEmpty()) << from_front;
      EXPECT_THAT(paths_of(found_in(program)), ElementsAre("x!a.ptx", "x!b.ptx"));
      for (const auto& outer : tests::kPackings) {
        const auto seen = found_in(packed({{"app", program}, {"c.ptx", ptx("c")}}, outer));
        EXPECT_THAT(errors_of(seen), IsEmpty()) << outer.name;
        EXPECT_THAT(paths_of(seen), ElementsAre("x!app!a.ptx", "x!app!b.ptx", "x!c.ptx"))
            << outer.name;
      }
      const auto path = tests::file("app.pex", program);
      EXPECT_EQ(paths_of(tests::found_at(path)).size(), 2U);
    }
    auto damaged = program_of(zip, line, true);
    damaged.at(damaged.find("PK\1\2")) = 'X';
    EXPECT_FALSE(errors_of(found_in(damaged)).empty());
  }
}

TEST(Walk, PassesOverScripts) {
  const auto script = "#!/bin/sh\necho 'PK\5\6'\n" + std::string(100, '#');
  EXPECT_THAT(paths_of(found_in(packed({{"run", script}, {"a.ptx", ptx("a")}}, tests::kTarGz))),
              ElementsAre("x!a.ptx"));
  EXPECT_THAT(paths_of(found_in(script)), ElementsAre("x"));  // it was named
  EXPECT_EQ(found_in(script).at(0).bytes, script);
}

TEST(Walk, PassesOverFoldersAndLinks) {
  const std::vector<Item> items = {{"d/", "", AE_IFDIR, ""},
                                   {"d/a.ptx", ptx("k")},
                                   {"soft", "", AE_IFLNK, "d/a.ptx"},
                                   {"hard", "", AE_IFREG, "d/a.ptx"}};
  EXPECT_THAT(paths_of(found_in(packed(items, tests::kTarGz))), ElementsAre("x!d/a.ptx"));
  EXPECT_THAT(paths_of(found_in(packed({items[0], items[1], items[2]}, tests::kZip))),
              ElementsAre("x!d/a.ptx"));
}

TEST(Walk, DoesNotCopyWhatLiesInTheFileAsItIs) {
  const auto library = tests::sample("libsample.so");
  for (const auto& packing : {tests::kStoredZip, tests::kTar, tests::kAr}) {
    const auto inner = packed({{"a.so", library}, {"b.so", library}}, packing);
    const auto outer = packed({{"in", inner}}, tests::kStoredZip);
    int count = 0;
    walk_bytes(outer, "x", {}, [&](const Found& found) {
      ++count;
      EXPECT_EQ(found.contents.bytes(), library);
      EXPECT_TRUE(Contents(std::string_view(outer)).contains(found.contents.bytes()))
          << packing.name;
    });
    EXPECT_EQ(count, 2) << packing.name;
  }
}

TEST(Walk, KeepsWhatIsLargeInAFileWithoutName) {
  const auto temporary = tests::folder() / "temporary";
  std::filesystem::create_directories(temporary);
  ::setenv("TMPDIR", temporary.c_str(), 1);
  Limits limits;
  limits.in_memory = 10000;
  const auto large = ptx("k") + "// " + tests::noise(100000);
  std::vector<Found> kept;
  walk_bytes(packed({{"a.ptx", large}, {"b.ptx", ptx("l")}}, tests::kTarGz), "x", limits,
             [&](Found found) { kept.push_back(std::move(found)); });
  ::unsetenv("TMPDIR");
  EXPECT_TRUE(std::filesystem::is_empty(temporary));
  ASSERT_EQ(kept.size(), 2U);
  EXPECT_EQ(kept[0].contents.bytes(), large);
  EXPECT_EQ(kept[0].contents.memory(), 0U);
  EXPECT_EQ(kept[1].contents.bytes(), ptx("l"));
  EXPECT_EQ(kept[1].contents.memory(), ptx("l").size());
}

TEST(Walk, FillsTheHolesOfSparseFiles) {
  const auto head = ptx("k");
  std::string tar;
  {
    auto* const handle = archive_write_new();
    archive_write_set_format_pax(handle);
    const auto write = [](struct archive*, void* data, const void* bytes, std::size_t size) {
      static_cast<std::string*>(data)->append(static_cast<const char*>(bytes), size);
      return static_cast<la_ssize_t>(size);
    };
    archive_write_open(handle, &tar, nullptr, write, nullptr);
    auto* const entry = archive_entry_new();
    archive_entry_set_pathname(entry, "sparse.ptx");
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_size(entry, 300000);
    archive_entry_sparse_add_entry(entry, 0, static_cast<la_int64_t>(head.size()));
    archive_entry_sparse_add_entry(entry, 200000, 4);
    archive_write_header(handle, entry);
    auto bytes = head;
    bytes.resize(200000, '\0');
    bytes += "tail";
    bytes.resize(300000, '\0');
    archive_write_data(handle, bytes.data(), bytes.size());
    archive_entry_free(entry);
    archive_write_close(handle);
    archive_write_free(handle);
  }
  ASSERT_LT(tar.size(), 100000U);
  auto expected = head;
  expected.resize(200000, '\0');
  expected += "tail";
  expected.resize(300000, '\0');
  const auto seen = found_in(tar);
  EXPECT_THAT(errors_of(seen), IsEmpty());
  const auto& bytes = seen.at(0).bytes;
  ASSERT_EQ(bytes.size(), expected.size());
  const auto differ = std::mismatch(bytes.begin(), bytes.end(), expected.begin());
  EXPECT_EQ(differ.first - bytes.begin(), 300000);
}

TEST(Walk, NamesOfOtherLanguagesStay) {
  const std::string name = "gr\xc3\xbc\xc3\x9f.ptx";
  const std::vector<Item> items = {{name, ptx("k")}};
  const tests::Packing gnu{"gnu tar", ARCHIVE_FORMAT_TAR_GNUTAR};
  EXPECT_THAT(paths_of(found_in(packed(items, gnu))), ElementsAre("x!" + name));
  auto zip = packed(items, tests::kStoredZip);
  EXPECT_THAT(paths_of(found_in(zip)), ElementsAre("x!" + name));
  constexpr char kNamesAreUtf8 = 8;
  zip.at(7) |= kNamesAreUtf8;
  zip.at(zip.find("PK\1\2") + 9) |= kNamesAreUtf8;
  EXPECT_THAT(paths_of(found_in(zip)), ElementsAre("x!" + name));
}

}  // namespace
}  // namespace archgrid::archive
