// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <atomic>
#include <filesystem>
#include <map>

#include "../fatbin/made_fatbin.hpp"
#include "packed.hpp"
#include "paths.hpp"

namespace archgrid::archive {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using tests::file;
using tests::folder;
using tests::packed;
using tests::ptx;

std::vector<fatbin::File> read_all(const std::vector<std::string>& paths, unsigned threads = 0) {
  Options options;
  options.threads = threads;
  return read(paths, options);
}

std::vector<std::string> paths_of(const std::vector<fatbin::File>& files) {
  std::vector<std::string> paths;
  for (const auto& each : files) paths.push_back(each.path);
  return paths;
}

TEST(Read, BoundsWhatAllImagesOfAnInputDecompressTo) {
  constexpr std::size_t kMegabyte = 1 << 20;
  auto text = ptx("k");
  text.resize(kMegabyte, '\n');
  const auto entry =
      tests::packed_entry(fatbin::Kind::ptx, {80, '\0'}, fatbin::Compression::zstd, text);
  const auto fatbin = tests::fatbin_of({entry, entry});
  const auto path = file("x.tar", packed({{"a", fatbin}, {"b", fatbin}}, tests::kTar)).string();
  Options options;
  options.threads = 1;
  options.limits.unpacked = 3 * kMegabyte;
  options.limits.unpacked_times = 0;
  const auto complaints = [&] {
    std::vector<std::string> errors;
    for (const auto& each : read({path}, options)) {
      for (const auto& image : each.images) errors.push_back(image.error);
    }
    return errors;
  };
  EXPECT_THAT(complaints(), ElementsAre("", "", "", HasSubstr("more than 3 MB")));
  options.limits.unpacked = 4 * kMegabyte;
  EXPECT_THAT(complaints(), ElementsAre("", "", "", ""));
}

TEST(Read, GivesMetadataThatAreWantedAndReadsCodeWhateverItsName) {
  const auto path = file("m.whl", packed({{"x.dist-info/variant.json", "{}"},
                                          {"y.dist-info/variant.json", ptx("k")},
                                          {"other.json", "[]"}},
                                         tests::kZip))
                        .string();
  Options options;
  options.wants = [](std::string_view member) { return member.ends_with("/variant.json"); };
  std::vector<std::string> taken;
  options.take = [&](std::string_view member, std::string_view bytes) {
    taken.push_back(std::string(member) + " " + std::string(bytes));
  };
  EXPECT_THAT(paths_of(read({path}, options)), ElementsAre(path + "!y.dist-info/variant.json"));
  EXPECT_THAT(taken, ElementsAre(path + "!x.dist-info/variant.json {}"));
}

TEST(Read, GivesTheBytesOfFilesWithDeviceCodeToKeep) {
  const auto object = tests::sample("plain.o");
  const auto path =
      file("kept.tar", packed({{"a.o", object}, {"b.txt", "text"}, {"c.o", object}}, tests::kTar))
          .string();
  std::map<std::string, Contents> kept;
  Options options;
  options.keep = [&](const fatbin::File& each, const Contents& contents) {
    kept.emplace(each.path, contents);
  };
  read({path}, options);
  std::filesystem::remove(path);
  ASSERT_EQ(kept.size(), 2U);
  EXPECT_EQ(kept.at(path + "!a.o").bytes(), object);
  EXPECT_EQ(kept.at(path + "!c.o").bytes(), object);
}

TEST(Read, GivesWhatTheReaderOfOneFileGives) {
  const auto path =
      file("p.whl", packed({{"a.so", tests::sample("libsample.so")}}, tests::kZip)).string();
  const auto files = read_all({path});
  ASSERT_EQ(files.size(), 1U);
  const auto alone = fatbin::read_bytes(tests::sample("libsample.so"), "a.so");
  EXPECT_EQ(files[0].path, path + "!a.so");
  EXPECT_EQ(files[0].format, "shared object");
  EXPECT_EQ(files[0].images.size(), alone.images.size());
  EXPECT_EQ(files[0].images.at(0).kernels.size(), alone.images.at(0).kernels.size());
}

TEST(Read, KeepsTheOrderWhateverTheThreads) {
  std::vector<tests::Item> items;
  for (int index = 0; index < 90; ++index) {
    const auto bytes = ptx("k" + std::to_string(index)) +
                       std::string(index % 7 == 0 ? tests::many(200000) : 10, '\n');
    items.push_back({std::to_string(index) + ".ptx", bytes});
    if (index % 40 == 39) items.push_back({"in.zip", packed(items, tests::kZip)});
  }
  std::vector<std::string> paths;
  for (const auto& packing : {tests::kZip, tests::kTarZst, tests::kAr}) {
    paths.push_back(file("folder/" + packing.name, packed(items, packing)).string());
  }
  file("folder/z.ptx", ptx("z"));
  paths.push_back(folder() / "folder");
  paths.push_back("no/such/file");
  paths.push_back(paths.front());
  const auto expected = paths_of(read_all(paths, 1));
  EXPECT_GT(expected.size(), 1000U);
  for (const unsigned threads : {2U, 3U, 8U})
    EXPECT_EQ(paths_of(read_all(paths, threads)), expected);
}

TEST(Read, LeavesOutWhatHasNoDeviceCode) {
  const auto host = tests::contents_of("/bin/true");
  const auto wheel =
      file("p.whl", packed({{"host", host}, {"a.ptx", ptx("a")}}, tests::kZip)).string();
  const auto plain = file("host", host).string();
  const auto empty = file("empty.whl", packed({{"host", host}}, tests::kZip)).string();
  file("sub/host", host);
  const auto sub = (folder() / "sub").string();
  const auto files = read_all({wheel, plain, empty, sub});
  EXPECT_THAT(paths_of(files), ElementsAre(wheel + "!a.ptx", plain, empty, sub));
  EXPECT_EQ(files[1].format, "executable");
  EXPECT_EQ(files[2].format, "archive");
  EXPECT_EQ(files[3].format, "folder");
  for (const auto& each : files) EXPECT_THAT(each.errors, IsEmpty());
}

TEST(Read, KeepsObjectsOfHostLto) {
  const auto path =
      file("p.whl",
           packed({{"hidden.o", tests::sample("lto.o")}, {"host.o", tests::sample("lto_host.o")}},
                  tests::kZip))
          .string();
  const auto files = read_all({path});
  ASSERT_THAT(paths_of(files), ElementsAre(path + "!hidden.o", path + "!host.o"));
  EXPECT_EQ(files[0].errors.size(), 1U);
  EXPECT_TRUE(files[1].host_lto);
  EXPECT_THAT(files[1].errors, IsEmpty());
}

TEST(Read, KeepsWhatCannotBeReadAmongTheRest) {
  const auto cut = tests::sample("libsample.so").substr(0, 5000);
  const auto path =
      file("p.whl",
           packed({{"a.ptx", ptx("a")}, {"cut.so", cut}, {"b.ptx", ptx("b")}}, tests::kZip))
          .string();
  const auto files = read_all({path, "no/such/file"});
  EXPECT_THAT(paths_of(files),
              ElementsAre(path + "!a.ptx", path + "!cut.so", path + "!b.ptx", "no/such/file"));
  EXPECT_EQ(files[1].errors.size(), 1U);
  EXPECT_THAT(files[3].errors.at(0).message, HasSubstr("cannot open: No such file"));
}

/// Returns an archive of `count` truncated members, and a good one among them.
std::string many_cut(std::size_t count) {
  std::vector<tests::Item> items;
  for (std::size_t index = 0; index < count; ++index) {
    items.push_back({std::to_string(index) + ".so",
                     "\x7f"
                     "ELF"});
    if (index == count / 2) items.push_back({"good.ptx", ptx("k")});
  }
  return packed(items, tests::kTarGz);
}

TEST(Read, KeepsTheFirstErrorsAndCountsTheRest) {
  const auto many = file("many.tar.gz", many_cut(5000)).string();
  const auto few = file("few.tar.gz", many_cut(64)).string();
  for (const unsigned threads : {1U, 8U}) {
    const auto files = read_all({many, few}, threads);
    ASSERT_EQ(files.size(), 64U + 2 + 65);
    for (std::size_t index = 0; index < 64; ++index) {
      EXPECT_EQ(files[index].path, many + "!" + std::to_string(index) + ".so");
      EXPECT_EQ(files[index].errors.size(), 1U);
    }
    EXPECT_EQ(files[64].path, many + "!good.ptx");
    EXPECT_EQ(files[65].path, many);
    ASSERT_EQ(files[65].errors.size(), 1U);
    EXPECT_THAT(files[65].errors[0].message,
                HasSubstr("and 4936 more places in it could not be read"));
    for (std::size_t index = 66; index < files.size(); ++index) {
      EXPECT_THAT(files[index].path, HasSubstr(few + "!"));
    }
  }
}

TEST(Read, CountsTheErrorsOfAFolderAsOfOneInput) {
  const auto lib = folder() / "lib";
  for (int index = 100; index < 180; ++index) {
    file("lib/" + std::to_string(index) + ".so",
         "\x7f"
         "ELF");
  }
  const auto files = read_all({lib.string()});
  ASSERT_EQ(files.size(), 65U);
  EXPECT_EQ(files[63].path, (lib / "163.so").string());
  EXPECT_EQ(files[64].path, lib.string());
  EXPECT_THAT(files[64].errors.at(0).message, HasSubstr("and 16 more places"));
}

TEST(Read, MoreMembersThanMayWait) {
  std::vector<tests::Item> items;
  for (int index = 0; index < 2000; ++index) items.push_back({std::to_string(index), ptx("k")});
  const auto path = file("p.tar", packed(items, tests::kTar)).string();
  EXPECT_EQ(read_all({path}, 1).size(), 2000U);
  EXPECT_EQ(read_all({path}, 4).size(), 2000U);
}

TEST(Read, SaysHowFarItIs) {
  std::vector<tests::Item> items;
  const auto lines = tests::many(2000000);
  for (int index = 0; index < 40; ++index) {
    items.push_back({std::to_string(index), ptx("k") + std::string(lines, '\n')});
  }
  const auto path = file("p.tar.gz", packed(items, tests::kTarGz)).string();
  std::size_t calls = 0;
  Options options;
  options.threads = 2;
  options.watch = [&](const Progress& progress) {
    ++calls;
    EXPECT_EQ(progress.path, path);
    EXPECT_LE(progress.read, progress.found);
    EXPECT_LE(progress.found, 40U);
    EXPECT_GE(progress.bytes, progress.read * lines);
  };
  EXPECT_EQ(read({path}, options).size(), 40U);
  EXPECT_GT(calls, 0U);
}

}  // namespace
}  // namespace archgrid::archive
