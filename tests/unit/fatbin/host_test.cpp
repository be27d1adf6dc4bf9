// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests host files that no linker writes: overlapping sections, and more sections than 16 bits
// count.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "made.hpp"
#include "reading.hpp"
#include "samples.hpp"

namespace archgrid::tests {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::uint32_t kNoBits = 8;

TEST(MadeHost, BytesThatSeveralSectionsClaimAreSearchedOnce) {
  MadeElf elf;
  const auto container = empty_container();
  elf.sections = {{"x", 1, container},
                  {"y", 1, "", 0, 0, 0, {{kFirstSectionAt, container.size()}}}};
  const auto file = read_made(elf);
  EXPECT_EQ(file.modules.size(), 1U);
  ASSERT_EQ(file.errors.size(), 1U);
  EXPECT_EQ(file.errors[0].message, "section y lies over another one");
}

TEST(MadeHost, ManySectionsOfTheSameBytesAreRefused) {
  MadeElf elf;
  const auto containers = repeated(empty_container(), 1000);
  elf.sections.assign(1000, {"x", 1, "", 0, 0, 0, {{kFirstSectionAt, containers.size()}}});
  elf.sections[0] = {"x", 1, containers};
  const auto file = read_made(elf);
  EXPECT_THAT(complaints(file), HasSubstr("sections overlap"));
  EXPECT_THAT(file.modules, IsEmpty());
}

TEST(MadeHost, SectionsWithoutBytesMayLieAnywhere) {
  MadeElf elf;
  elf.sections = {{"x", 1, empty_container()},
                  {"nothing", 1, "", 0, 0, 0, {{kFirstSectionAt, 0}}},
                  {"zeros", kNoBits, "", 0, 0, 0, {{kFirstSectionAt, 1U << 30}}}};
  const auto file = read_made(elf);
  EXPECT_EQ(complaints(file), "");
  EXPECT_EQ(file.modules.size(), 1U);
}

TEST(MadeHost, BytesWithoutASectionAreSearched) {
  MadeElf elf;
  elf.sections = {{"x", 1, "text"}};
  EXPECT_EQ(fatbin::read_bytes(bytes_of(elf) + empty_container(), "made").modules.size(), 1U);
  auto text = bytes_of(elf);
  const auto gap = std::string(8, '\0') + empty_container() + std::string(8, '\0');
  std::uint64_t table = 0;
  std::memcpy(&table, text.data() + 40, sizeof(table));
  text.insert(table, gap);
  put<std::uint64_t>(text, 40, table + gap.size());
  EXPECT_EQ(fatbin::read_bytes(text, "made").modules.size(), 1U);
}

TEST(MadeHost, FatBinariesInExecutableSectionsAreRead) {
  for (const std::uint64_t flags : {2, 6}) {
    MadeElf elf;
    elf.sections = {{".nv_fatbin", 1, empty_container()}};
    auto text = bytes_of(elf);
    std::uint64_t table = 0;
    std::memcpy(&table, text.data() + 40, sizeof(table));
    put<std::uint64_t>(text, table + 64 + 8, flags);
    EXPECT_EQ(fatbin::read_bytes(text, "made").modules.size(), 1U) << flags;
  }
}

/// Returns the file without its section table, and with two loaded segments that each span all of
/// it.
std::string with_two_segments(std::string text) {
  const auto end = text.size();
  for (std::size_t header = end; header < end + 112; header += 56) {
    put<std::uint32_t>(text, header, 1);
    put<std::uint64_t>(text, header + 8, 0);
    put<std::uint64_t>(text, header + 32, end);
    put<std::uint64_t>(text, header + 48, 0);
  }
  put<std::uint64_t>(text, 32, end);
  put<std::uint64_t>(text, 40, 0);
  put<std::uint16_t>(text, 56, 2);
  return text;
}

TEST(MadeHost, BytesThatSeveralSegmentsLoadAreSearchedOnce) {
  MadeElf elf;
  elf.type = 3;
  elf.sections = {{"x", 1, empty_container()}};
  const auto file = fatbin::read_bytes(with_two_segments(bytes_of(elf)), "made");
  EXPECT_EQ(complaints(file), "");
  EXPECT_EQ(file.modules.size(), 1U);
}

TEST(MadeHost, WithoutSectionsFatBinariesCountAsRegisteredButNoBareCubins) {
  MadeElf elf;
  elf.type = 3;
  elf.sections = {{"x", 1, empty_container()},
                  {"y", 1, bytes_of(made_cubin({kernel_symbol(1)}, std::string("\0k\0", 3)))}};
  const auto file = fatbin::read_bytes(with_two_segments(bytes_of(elf)), "made");
  ASSERT_EQ(file.modules.size(), 2U);
  ASSERT_EQ(file.images.size(), 1U);
  for (const auto& module : file.modules) {
    EXPECT_EQ(module.registered, module.index != file.images[0].module);
  }
}

TEST(MadeHost, ALongSectionNameIsNotKeptForEveryModule) {
  MadeElf elf;
  elf.sections = {{std::string(100000, 'x'), 1, repeated(empty_container(), 100)}};
  const auto file = read_made(elf);
  ASSERT_EQ(file.modules.size(), 100U);
  EXPECT_EQ(file.modules[99].section, std::string(256, 'x'));
}

TEST(MadeHost, ManySectionNamesOutOfOneLongStringAreRefused) {
  MadeElf elf;
  elf.sections.assign(1000, {"", 1, ""});
  elf.sections.push_back({std::string(2000, 'x'), 1, ""});
  auto text = bytes_of(elf);
  std::uint64_t table = 0;
  std::memcpy(&table, text.data() + 40, sizeof(table));
  std::uint32_t name = 0;
  std::memcpy(&name, text.data() + table + 1001 * 64, sizeof(name));
  for (std::size_t index = 1; index < 1001; ++index) put(text, table + index * 64, name);
  EXPECT_THAT(complaints(fatbin::read_bytes(text, "made")), HasSubstr("section names overlap"));
}

TEST(MadeHost, EveryWrapperRegistersItsOwnModule) {
  constexpr std::uint64_t kModules = 3000;
  constexpr std::uint64_t kAddress = 0x1000;
  MadeElf elf;
  elf.type = 3;
  std::string wrappers;
  for (std::uint64_t index = 0; index < kModules; index += 2) {
    wrappers += wrapper_bytes(kAddress + index * 16);
  }
  wrappers += wrapper_bytes(kAddress + kModules * 16);
  elf.sections = {{".nv_fatbin", 1, repeated(empty_container(), kModules), 0, 0, kAddress},
                  {".nvFatBinSegment", 1, wrappers, 0, 0, 0x100000}};
  const auto file = read_made(elf);
  EXPECT_EQ(complaints(file), "");
  ASSERT_EQ(file.modules.size(), kModules);
  for (const auto& module : file.modules) EXPECT_EQ(module.registered, module.index % 2 == 0);
  EXPECT_EQ(file.dangling.size(), 1U);
}

/// Returns a library whose wrappers have these pointers.
MadeElf library_with_wrappers(std::initializer_list<std::uint64_t> pointers) {
  constexpr std::uint64_t kAddress = 0x2000;
  MadeElf elf;
  elf.type = 3;
  std::string wrappers;
  for (const auto pointer : pointers) wrappers += wrapper_bytes(pointer);
  elf.sections = {{".nv_fatbin", 1, empty_container(), 0, 0, kAddress},
                  {".nvFatBinSegment", 1, wrappers, 0, 0, 0x100000}};
  return elf;
}

TEST(MadeHost, NullPointersOfPrunedUnitsAreNoLostCode) {
  EXPECT_THAT(read_made(library_with_wrappers({0x2000, 0, 0})).dangling, IsEmpty());
  EXPECT_EQ(read_made(library_with_wrappers({0x2000, 0, 0x3000})).dangling.size(), 1U);
  EXPECT_EQ(read_made(library_with_wrappers({0, 0})).dangling.size(), 2U) << "all code is gone";
}

std::string relocation_bytes(std::uint64_t offset, std::uint32_t symbol) {
  std::string text;
  put<std::uint64_t>(text, 0, offset);
  put<std::uint32_t>(text, 8, 1);
  put<std::uint32_t>(text, 12, symbol);
  put<std::uint64_t>(text, 16, 0);
  return text;
}

/// Returns an object with so many sections that a separate table has the number of its .nv_fatbin,
/// the last but one. A second wrapper names an absolute symbol, whose reserved number is that of a
/// section here.
MadeElf object_of_many_sections(bool with_indices) {
  constexpr std::uint32_t kCount = 0xfff8;
  constexpr std::uint16_t kAbsolute = 0xfff1;
  MadeElf elf;
  elf.sections = {{".nvFatBinSegment", 1, wrapper_bytes() + wrapper_bytes()},
                  {".rela", 4, relocation_bytes(8, 1) + relocation_bytes(32, 2), 4, 1},
                  {".strtab", 3, std::string(1, '\0')},
                  {".symtab", 2, symbol_bytes({{0, 0xffff}, {0, kAbsolute}}), 3}};
  elf.sections.resize(kCount - 1, {"x", 1, ""});
  elf.sections.push_back({"apart", 1, std::string(8, '\0')});
  elf.sections.push_back({".nv_fatbin", 1, empty_container()});
  if (!with_indices) return elf;
  std::string indices;
  put<std::uint32_t>(indices, 4, kCount + 1);
  put<std::uint32_t>(indices, 8, 0);
  elf.sections[4] = {".symtab_shndx", 18, indices, 4};
  return elf;
}

TEST(MadeHost, SectionNumbersBeyondSixteenBitsAreResolved) {
  const auto file = read_made(object_of_many_sections(true));
  EXPECT_EQ(complaints(file), "");
  ASSERT_EQ(file.modules.size(), 1U);
  EXPECT_TRUE(file.modules[0].registered);
  EXPECT_EQ(file.dangling.size(), 1U);
}

TEST(MadeHost, SectionNumbersThatNoTableHoldsAreAnError) {
  EXPECT_THAT(complaints(read_made(object_of_many_sections(false))),
              HasSubstr("extended section index"));
}

}  // namespace
}  // namespace archgrid::tests
