// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests device code in the data of programs, outside of fat binaries, and names of loaders.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <archgrid/system/mapped_file.hpp>
#include <filesystem>
#include <fstream>

#include "clue.hpp"
#include "made.hpp"
#include "made_fatbin.hpp"
#include "samples.hpp"

namespace archgrid::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string zero_ended(const std::string& text) {
  return text + '\0';
}

fatbin::File read_embedded(const std::string& data, std::uint32_t type = 1) {
  MadeElf elf;
  elf.sections = {{".rodata", type, data}};
  return fatbin::read_bytes(bytes_of(elf), "made");
}

std::string cubin() {
  auto made = made_cubin({kernel_symbol(1)}, std::string("\0k\0", 3));
  made.flags = 86;
  return bytes_of(made);
}

std::string ptx(const std::string& kernel = "k") {
  return ".version 8.4\n.target sm_90a\n.address_size 64\n\n.visible .entry " + kernel +
         "()\n{\n  ret;\n}\n";
}

TEST(Embedded, CubinsAreModulesThatHostCodePicksFrom) {
  const auto file = read_embedded("text" + cubin() + "more" + cubin());
  EXPECT_EQ(complaints(file), "");
  ASSERT_EQ(file.modules.size(), 2U);
  ASSERT_EQ(file.images.size(), 2U);
  EXPECT_FALSE(file.modules[1].registered);
  EXPECT_EQ(file.modules[1].section, ".rodata");
  EXPECT_EQ(file.modules[1].offset, kFirstSectionAt + 8 + cubin().size());
  EXPECT_EQ(file.images[1].module, 1U);
  EXPECT_EQ(file.images[1].kind, fatbin::Kind::sass);
  EXPECT_EQ(file.images[1].arch.text(), "86");
  EXPECT_EQ(file.images[1].decompressed_bytes, cubin().size());
  ASSERT_EQ(file.images[1].kernels.size(), 1U);
  EXPECT_EQ(file.images[1].kernels[0].name, "k");
}

/// Returns a cubin for 9.0 of k, or of another kernel, whose code consists of `code`.
std::string cubin_with(char code, const std::string& name = "k") {
  auto made = made_cubin({kernel_symbol(1)}, '\0' + name + '\0');
  made.sections[0].data.assign(16, code);
  return bytes_of(made);
}

TEST(Embedded, CodeOfOneNameAndArchIsCompared) {
  const auto hash = [](const fatbin::File& file, std::size_t image) {
    return file.images.at(image).kernels.at(0).code_hash;
  };
  const auto differs = read_embedded(cubin_with('a') + cubin_with('b') + cubin_with('a'));
  EXPECT_EQ(complaints(differs), "");
  ASSERT_TRUE(hash(differs, 0));
  EXPECT_NE(hash(differs, 0), hash(differs, 1));
  EXPECT_EQ(hash(differs, 0), hash(differs, 2));
  EXPECT_FALSE(hash(read_embedded(cubin_with('a') + cubin_with('b', "other")), 0));
  EXPECT_FALSE(hash(read_embedded(cubin_with('a') + cubin()), 0)) << "of another arch";
  const auto packed = [](char code) {
    return fatbin_of({packed_entry(fatbin::Kind::sass, {90, '\0'}, fatbin::Compression::zstd,
                                   cubin_with(code))});
  };
  const auto containers = read_embedded(packed('a') + packed('b'));
  EXPECT_EQ(complaints(containers), "");
  ASSERT_TRUE(hash(containers, 0));
  EXPECT_EQ(hash(containers, 0), hash(differs, 0));
  EXPECT_EQ(hash(containers, 1), hash(differs, 1));
}

TEST(Embedded, ContainersAroundCubinsStay) {
  const auto file = read_embedded(empty_container() + cubin() + empty_container());
  EXPECT_EQ(complaints(file), "");
  EXPECT_EQ(file.modules.size(), 3U);
  EXPECT_EQ(file.images.size(), 1U);
}

// Programs that read fat binaries contain such constants; archgrid's own tests do.
TEST(Embedded, TheFirstBytesOfContainersAsConstantsAreNone) {
  const auto start = empty_container().substr(0, 8);
  for (const auto& text :
       {start + std::string("\0\x7f"
                            "ELF\x02\x01\x01\0.version \0",
                            18),
        start, start + std::string(8, '\xff') + "text", start + std::string(9, '\xff'),
        start + std::string("\0\x01\0\x10\0\0\0\0", 8) + std::string(32, '\x01')}) {
    EXPECT_THAT(read_embedded(text).modules, IsEmpty());
    EXPECT_EQ(complaints(read_embedded(text)), "");
  }
}

/// Reads a program with `rodata` as data, before a fat binary in a section of its own.
fatbin::File read_beside_own_section(const std::string& rodata, const std::string& own) {
  MadeElf elf;
  elf.sections = {{".rodata", 1, rodata}, {".nv_fatbin", 1, own}};
  return fatbin::read_bytes(bytes_of(elf), "made");
}

std::string sample_container() {
  return tests::contents_of(sample_path(toolkits().back(), "sample.fatbin"));
}

TEST(Embedded, ContainersOfTheirOwnSectionComeFirstAndHoldTheSame) {
  const auto padding = std::string(8 - sample_container().size() % 8, '\0');
  const auto file =
      read_beside_own_section("text" + sample_container() + padding + cubin(), sample_container());
  EXPECT_EQ(complaints(file), "");
  ASSERT_EQ(file.modules.size(), 3U);
  EXPECT_EQ(file.modules[0].section, ".nv_fatbin");
  EXPECT_EQ(file.modules[1].section, ".rodata");
  EXPECT_EQ(file.modules[2].section, ".rodata");
  EXPECT_EQ(file.modules[1].index, 1U);
  EXPECT_LT(file.modules[1].offset, file.modules[0].offset);
  const auto kernel_names = [&](std::size_t module) {
    std::vector<std::string> names;
    for (const auto& image : file.images) {
      for (const auto& kernel : image.kernels) {
        if (image.module == module) names.push_back(image.arch.text() + kernel.name);
      }
    }
    return names;
  };
  EXPECT_FALSE(kernel_names(0).empty());
  EXPECT_EQ(kernel_names(0), kernel_names(1));
  EXPECT_THAT(kernel_names(2), ElementsAre("86k"));
}

TEST(Embedded, ErrorsInAndOutsideOfTheirOwnSectionAreKept) {
  auto cut = empty_container() + std::string("\x02\0\x01\x01", 4) + std::string(60, '\0');
  put<std::uint64_t>(cut, 8, 65);
  const auto text = complaints(read_beside_own_section(cut, "junk"));
  EXPECT_THAT(text, HasSubstr("expected here"));
  EXPECT_THAT(text, HasSubstr("fat binary (65 bytes)"));
}

TEST(Embedded, AContainerThatLeadsOutsideIsAnError) {
  auto container = empty_container() + std::string("\x02\0\x01\x01", 4) + std::string(60, '\0');
  put<std::uint64_t>(container, 8, 65);
  EXPECT_THAT(complaints(read_embedded(container)), HasSubstr("fat binary (65 bytes)"));
}

TEST(Embedded, ElfFilesOfOtherMachinesAreNone) {
  auto text = cubin();
  put<std::uint16_t>(text, 18, 62);
  EXPECT_THAT(read_embedded(text).modules, IsEmpty());
}

TEST(Embedded, HeadersThatAreNoCubinsAreNone) {
  for (const std::size_t place : {4U, 5U, 52U, 58U}) {
    auto text = cubin();
    put<std::uint8_t>(text, place, 7);
    EXPECT_THAT(read_embedded(text).modules, IsEmpty()) << place;
  }
  auto far_table = cubin();
  put<std::uint64_t>(far_table, 40, 1U << 30);
  EXPECT_THAT(read_embedded(far_table).modules, IsEmpty());
  EXPECT_THAT(read_embedded(cubin().substr(0, 64)).modules, IsEmpty());
}

TEST(Embedded, ACubinThatCannotBeReadIsAnErrorOfItsImage) {
  auto text = cubin();
  std::uint64_t table = 0;
  std::memcpy(&table, text.data() + 40, sizeof(table));
  put<std::uint64_t>(text, table + 64 + 24, 1U << 30);
  const auto file = read_embedded(text);
  ASSERT_EQ(file.images.size(), 1U);
  EXPECT_THAT(file.images[0].error, HasSubstr("section content"));
}

TEST(Embedded, PtxIsFound) {
  for (const auto& text :
       {zero_ended(ptx()), zero_ended("// made by hand\n" + ptx()), zero_ended("\0  " + ptx()),
        ptx() + "\xe0\xff\x01" + zero_ended("x"), ptx()}) {
    const auto file = read_embedded(text);
    EXPECT_EQ(complaints(file), "");
    ASSERT_EQ(file.images.size(), 1U) << text;
    EXPECT_FALSE(file.modules[0].registered);
    EXPECT_EQ(file.images[0].kind, fatbin::Kind::ptx);
    EXPECT_EQ(file.images[0].arch.text(), "90a");
    EXPECT_EQ(file.images[0].ptx_isa, "8.4");
    ASSERT_EQ(file.images[0].kernels.size(), 1U);
    EXPECT_EQ(file.images[0].kernels[0].name, "k");
  }
}

TEST(Embedded, PiecesOfPtxAndTextAboutItAreNone) {
  const auto head = ptx().substr(0, ptx().find(".visible"));
  const std::string no_target = ".version 8.4\n.address_size 64\n.visible .entry k() { ret; }\n";
  for (const auto& text :
       {head, no_target, "x" + ptx(), ptx().substr(0, ptx().size() - 3),
        std::string(".version %s\n.target %s\n.address_size 64\n.entry %s { ret; }\n"),
        std::string("PTX .version 8.4 does not support .target sm_90")}) {
    EXPECT_THAT(read_embedded(zero_ended(text)).modules, IsEmpty()) << text;
    EXPECT_EQ(complaints(read_embedded(zero_ended(text))), "");
  }
}

// Text is read once, however many directives it contains, and code behind it is still found.
TEST(Embedded, ManyStartsOfPtxTakeLittleTime) {
  const auto file =
      read_embedded(repeated(".version 8.4\n.target sm_80\n.address_size 64\n{", 50000) +
                    empty_container() + zero_ended(ptx()));
  EXPECT_EQ(file.modules.size(), 2U);
}

TEST(Embedded, ManyStartsOfCubinsTakeLittleTime) {
  auto header = cubin().substr(0, 64);
  put<std::uint16_t>(header, 56, 0);
  put<std::uint16_t>(header, 60, 0xfeff);
  std::string data = repeated(header, 40000);
  for (std::uint64_t at = 0; at < data.size(); at += 64) put<std::uint64_t>(data, at + 40, 64);
  data.resize(data.size() + 128, '\0');
  EXPECT_LT(read_embedded(data).modules.size(), 2U);
}

class EmbeddedSample : public ::testing::TestWithParam<std::string> {};

std::vector<std::string> kernel_names(const fatbin::File& file) {
  std::vector<std::string> names;
  for (const auto& image : file.images) {
    for (const auto& kernel : image.kernels) names.push_back(kernel.name);
  }
  return names;
}

TEST_P(EmbeddedSample, IsReadAsTheFileOfItsOwn) {
  for (const auto* name : {"sample.cubin", "spills.cubin", "sample.ptx"}) {
    const auto path = sample_path(GetParam(), name);
    const auto bare = fatbin::read(path);
    const auto text = tests::contents_of(path);
    const auto file =
        read_embedded(zero_ended("before") + zero_ended(text) + std::string(5000, 'x'));
    EXPECT_EQ(complaints(file), "") << name;
    ASSERT_EQ(file.images.size(), 1U) << name;
    // PTX begins with comments, which are not part of the image.
    const bool is_ptx = file.images[0].kind == fatbin::Kind::ptx;
    const auto size = text.size() - (is_ptx ? text.find(".version") : 0);
    EXPECT_EQ(file.images[0].decompressed_bytes, size) << name;
    EXPECT_EQ(file.images[0].arch.text(), bare.images.at(0).arch.text()) << name;
    EXPECT_EQ(kernel_names(file), kernel_names(bare)) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Toolkit, EmbeddedSample, ::testing::ValuesIn(toolkits()),
                         [](const auto& test) {
                           auto name = test.param;
                           std::replace(name.begin(), name.end(), '.', '_');
                           return "cuda" + name;
                         });

TEST(Loaders, StringsOfTheProgramAreAGuess) {
  const auto file = read_embedded(zero_ended("") + zero_ended("nvrtcCompileProgram") +
                                  zero_ended("libnvrtc.so.12") + zero_ended("libnvJitLink.so.%d") +
                                  zero_ended("cuModuleLoadDataEx"));
  EXPECT_THAT(file.loaders, IsEmpty());
  EXPECT_THAT(file.named_loaders, ElementsAre("cuModuleLoadDataEx", "libnvJitLink.so.%d",
                                              "libnvrtc.so.12", "nvrtcCompileProgram"));
}

TEST(Loaders, OtherStringsAreNone) {
  const auto file =
      read_embedded(zero_ended("nvrtcCompileProgram failed") + zero_ended("cuModuleLoad(&m)") +
                    zero_ended("xcuModuleLoad") + zero_ended("nvrtc: Load") +
                    zero_ended("libnvrtc-builtins.so.12") + zero_ended("nvrtcVersion") +
                    std::string(100, 'x') + zero_ended("nvrtc64_1.dll") + "cuModuleLoad");
  EXPECT_THAT(file.named_loaders, IsEmpty());
}

TEST(Loaders, AnyStringSpeaksOfNvrtc) {
  EXPECT_TRUE(read_embedded(zero_ended("can_be_nvrtc_compiled")).mentions_nvrtc);
  EXPECT_FALSE(read_embedded(zero_ended("can_be_compiled") + zero_ended("libnvJitLink.so.13"))
                   .mentions_nvrtc);
}

TEST(Loaders, NamesInTablesOfNamesAreNone) {
  const auto names = zero_ended("nvrtcCompileProgram");
  const auto file = read_embedded(names, kStrings);
  EXPECT_THAT(file.named_loaders, IsEmpty());
  EXPECT_FALSE(file.mentions_nvrtc);
}

TEST(Loaders, NamesThatTheCudaRuntimeLooksUpAreItsOwn) {
  const auto mine = zero_ended("cuModuleLoadData") + zero_ended("cuModuleLoadDataEx");
  EXPECT_THAT(read_embedded(mine).named_loaders,
              ElementsAre("cuModuleLoadData", "cuModuleLoadDataEx"));
  const auto runtime = zero_ended("cuModuleLoad") + zero_ended("cuModuleLoadFatBinary");
  EXPECT_THAT(read_embedded(runtime + mine).named_loaders, ElementsAre("cuModuleLoadDataEx"));
}

MadeElf library_of(const std::vector<std::string>& needed) {
  std::string names(1, '\0');
  std::string dynamic;
  for (const auto& library : needed) {
    put<std::uint64_t>(dynamic, dynamic.size(), 1);
    put<std::uint64_t>(dynamic, dynamic.size(), names.size());
    names += zero_ended(library);
  }
  MadeElf elf;
  elf.type = 3;
  elf.sections = {{".dynstr", kStrings, names}, {".dynamic", 6, dynamic, 1}};
  return elf;
}

TEST(Loaders, LibrariesThatCompileAreNamed) {
  const auto elf = library_of({"libc.so.6", "libnvrtc-672ee683.so.11.2", "libnvrtc-builtins.so.12",
                               "libnvJitLink.so.13", "libcudart.so.12"});
  const auto file = fatbin::read_bytes(bytes_of(elf), "made");
  EXPECT_EQ(complaints(file), "");
  EXPECT_THAT(file.loaders, ElementsAre("libnvJitLink.so.13", "libnvrtc-672ee683.so.11.2"));
  EXPECT_EQ(file.needed.size(), 5U);
  EXPECT_EQ(file.needed.at(1), "libnvrtc-672ee683.so.11.2");
}

TEST(Loaders, ADynamicSectionWithoutNamesIsAnError) {
  auto elf = library_of({"libc.so.6"});
  elf.sections[1].link = 9;
  EXPECT_THAT(complaints(fatbin::read_bytes(bytes_of(elf), "made")),
              HasSubstr("names no string table"));
}

TEST(Clues, AreFoundWhereverTheyLie) {
  const std::string magic("\x50\xed\x55\xba\x01\x00\x10\x00", 8);
  for (std::size_t size : {8U, 64U, 65U, 80U, 200U}) {
    for (std::size_t at = 0; at + magic.size() <= size; ++at) {
      std::string text(size, '\x50');
      text.replace(at, magic.size(), magic);
      const auto hit = fatbin::next_clue(text, 0);
      ASSERT_TRUE(hit) << at;
      EXPECT_EQ(hit->at, at);
      EXPECT_EQ(hit->clue, fatbin::Clue::container);
      EXPECT_FALSE(fatbin::next_clue(text, at + 1));
      EXPECT_FALSE(fatbin::next_clue(std::string_view(text).substr(0, at + 7), 0));
    }
  }
}

TEST(Clues, OfEveryKindAreFound) {
  const std::string elf(
      "\x7f"
      "ELF\x02\x01\x01",
      7);
  const auto text =
      std::string(70, '.') + elf + std::string(70, 'n') + ".version " + "nvLog" + "nvJitLink";
  const auto first = fatbin::next_clue(text, 0);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->clue, fatbin::Clue::elf);
  const auto second = fatbin::next_clue(text, first->at + 1);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->clue, fatbin::Clue::ptx);
  const auto third = fatbin::next_clue(text, second->at + 1);
  ASSERT_TRUE(third);
  EXPECT_EQ(third->clue, fatbin::Clue::loader);
  EXPECT_FALSE(fatbin::next_clue(text, third->at + 1));
}

/// Returns the positions of the clues that the finder returns.
std::vector<std::size_t> found_in(std::string_view text) {
  std::vector<std::size_t> places;
  fatbin::ClueFinder finder(text);
  for (std::size_t from = 0;;) {
    const auto hit = finder.next(from);
    if (!hit) return places;
    places.push_back(hit->at);
    from = hit->at + 1;
  }
}

// The finder reads a file in parts, and a clue may span two of them.
TEST(Clues, AreFoundInEveryPartOfALargeFile) {
  constexpr std::size_t kSize = 900000;
  const auto path = std::filesystem::path(::testing::TempDir()) / "clues";
  for (const std::size_t distance : {7, 111, 1023, 65537, 262144 + 9}) {
    std::string text(kSize, '\1');
    std::vector<std::size_t> places;
    for (std::size_t at = distance % 97; at + 9 <= kSize; at += distance) {
      text.replace(at, 5, "nvrtc");
      places.push_back(at);
    }
    std::ofstream(path, std::ios::binary) << text;
    const system::MappedFile file(path);
    EXPECT_EQ(found_in(file.bytes()), places) << distance;
    EXPECT_EQ(found_in(text), places) << distance;
  }
}

TEST(Clues, ComeWithTheTextAroundThem) {
  constexpr std::size_t kSize = 900000;
  std::string text(kSize, '\1');
  for (std::size_t at = 0; at < kSize; ++at) text[at] = static_cast<char>(1 + at % 7);
  const std::vector<std::size_t> places = {0, 50, 1020, 5000, 300000, kSize - 5};
  for (const auto at : places) text.replace(at, 5, "nvrtc");
  const auto path = std::filesystem::path(::testing::TempDir()) / "clues";
  std::ofstream(path, std::ios::binary) << text;
  const system::MappedFile file(path);
  fatbin::ClueFinder finder(file.bytes());
  std::size_t from = 0;
  for (const auto at : places) {
    const auto hit = finder.next(from);
    ASSERT_TRUE(hit);
    ASSERT_EQ(hit->at, at);
    const auto [around, place] = finder.around(at, 100);
    const auto before = std::min<std::size_t>(at, 100);
    ASSERT_GE(place, before);
    EXPECT_EQ(around.substr(place - before, before + 100), text.substr(at - before, before + 100));
    from = at + 1;
  }
}

}  // namespace
}  // namespace archgrid::tests
