// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Host files that no linker writes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "made.hpp"
#include "samples.hpp"

namespace archgrid::tests {
namespace {

using ::testing::HasSubstr;

fatbin::File read(const MadeElf& elf) {
  return fatbin::read_bytes(bytes_of(elf), "made");
}

std::string wrapper_bytes(std::uint64_t target = 0) {
  std::string text;
  put<std::uint32_t>(text, 0, 0x466243b1);
  put<std::uint32_t>(text, 4, 1);
  put<std::uint64_t>(text, 8, target);
  put<std::uint64_t>(text, 16, 0);
  return text;
}

std::string relocation_bytes(std::uint64_t offset, std::uint32_t symbol) {
  std::string text;
  put<std::uint64_t>(text, 0, offset);
  put<std::uint32_t>(text, 8, 1);
  put<std::uint32_t>(text, 12, symbol);
  put<std::uint64_t>(text, 16, 0);
  return text;
}

/// An object of so many sections that the number of its .nv_fatbin, the last but one, is in a table
/// of its own. A second wrapper names an absolute symbol, whose reserved number is a section's
/// here.
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
  const auto file = read(object_of_many_sections(true));
  EXPECT_EQ(complaints(file), "");
  ASSERT_EQ(file.modules.size(), 1U);
  EXPECT_TRUE(file.modules[0].registered);
  EXPECT_EQ(file.dangling.size(), 1U);
}

TEST(MadeHost, SectionNumbersThatNoTableHoldsAreAnError) {
  EXPECT_THAT(complaints(read(object_of_many_sections(false))),
              HasSubstr("extended section index"));
}

}  // namespace
}  // namespace archgrid::tests
