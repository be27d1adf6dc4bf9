// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests files that are truncated or contain false claims.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "reading.hpp"
#include "samples.hpp"

namespace archgrid::tests {
namespace {

using ::testing::HasSubstr;

class Damage : public ::testing::TestWithParam<std::string> {};

TEST_P(Damage, EveryTruncationIsAnError) {
  for (const auto* name : {"plain.o", "packed.o", "first.o", "sample.cubin", "sample.fatbin"}) {
    const auto whole = tests::contents_of(sample_path(GetParam(), name));
    ASSERT_GT(whole.size(), 1000U) << name;
    EXPECT_EQ(complaints(read_copy(whole)), "") << name;
    for (std::size_t size = 0; size < whole.size(); size += 64) {
      const auto file = read_copy(std::string_view(whole).substr(0, size));
      EXPECT_NE(complaints(file), "") << name << " cut to " << size << " bytes";
    }
  }
}

TEST_P(Damage, ErrorsSayWhereAndWhat) {
  const auto whole = tests::contents_of(sample_path(GetParam(), "plain.o"));
  const auto file = read_copy(std::string_view(whole).substr(0, whole.size() / 2));
  ASSERT_EQ(file.errors.size(), 1U);
  EXPECT_THAT(file.errors[0].message, HasSubstr("section table"));
  EXPECT_THAT(file.errors[0].message, HasSubstr("expected here, but the data ends at"));
  EXPECT_GT(file.errors[0].offset, 0U);
}

/// Returns the file with headers that claim a false size all over the section of its fat binaries.
std::string with_bad_containers(std::string bytes, std::size_t count) {
  const std::string magic("\x50\xed\x55\xba\x01\x00\x10\x00", 8);
  const auto begin = bytes.find(magic);
  for (std::size_t index = 0; index < count; ++index) {
    bytes.replace(begin + index * 16, 16, magic + std::string(7, '\xff') + '\x7f');
  }
  return bytes;
}

TEST_P(Damage, ManyBadFatBinariesAreCountedNotListed) {
  const auto whole = tests::contents_of(sample_path(GetParam(), "plain.o"));
  EXPECT_EQ(read_copy(whole).errors.size(), 0U);
  const auto few = read_copy(with_bad_containers(whole, 10));
  EXPECT_GE(few.errors.size(), 10U);
  EXPECT_LE(few.errors.size(), 11U);
  const auto many = read_copy(with_bad_containers(whole, 200));
  ASSERT_EQ(many.errors.size(), 65U);
  EXPECT_THAT(many.errors[64].message, HasSubstr("more places could not be read"));
  EXPECT_GT(many.errors[64].offset, many.errors[63].offset);
  // A cubin in one of them is found separately.
  EXPECT_LE(many.modules.size() - many.images.size(), 65U) << "no module for what is only counted";
}

/// Returns the file with a first section of this type that claims a gigabyte.
std::string with_lying_section(std::string bytes, std::uint32_t type) {
  std::uint64_t table = 0;
  std::uint16_t count = 0;
  std::memcpy(&table, bytes.data() + 40, sizeof(table));
  std::memcpy(&count, bytes.data() + 60, sizeof(count));
  for (std::uint64_t header = table; header < table + count * 64U; header += 64) {
    std::uint32_t found = 0;
    std::memcpy(&found, bytes.data() + header + 4, sizeof(found));
    if (found != type) continue;
    const std::uint64_t claim = 1U << 30;
    std::memcpy(bytes.data() + header + 32, &claim, sizeof(claim));
    return bytes;
  }
  return "no section of this type";
}

// Sections of types that only cubins have may have a size and no bytes; others may not.
TEST_P(Damage, SectionsOfCubinsMayLackBytes) {
  const auto whole = tests::contents_of(sample_path(GetParam(), "sample.cubin"));
  constexpr std::uint32_t kRelocationActions = 0x7000000b;
  constexpr std::uint32_t kProgram = 1;
  constexpr std::uint32_t kInfo = 0x70000000;
  EXPECT_EQ(complaints(read_copy(with_lying_section(whole, kRelocationActions))), "");
  EXPECT_THAT(complaints(read_copy(with_lying_section(whole, kProgram))),
              HasSubstr("section content"));
  EXPECT_THAT(complaints(read_copy(with_lying_section(whole, kInfo))),
              HasSubstr("section content"));
}

// Reading of arbitrary bytes ends, stays within bounds and takes little memory.
TEST_P(Damage, FlippedBytesAreSurvived) {
  std::mt19937 random(20240101);
  for (const auto* name : {"plain.o", "packed.o", "sample.cubin", "sample.fatbin", "sample.ptx"}) {
    const auto whole = tests::contents_of(sample_path(GetParam(), name));
    std::uniform_int_distribution<std::size_t> place(0, whole.size() - 1);
    std::uniform_int_distribution<int> value(0, 255);
    for (int round = 0; round < 200; ++round) {
      auto bytes = whole;
      for (int flip = 0; flip < 8; ++flip) bytes[place(random)] = static_cast<char>(value(random));
      const auto file = read_copy(bytes);
      for (const auto& image : file.images) ASSERT_LT(image.module, file.modules.size());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Toolkit, Damage, ::testing::ValuesIn(toolkits()), [](const auto& test) {
  auto name = test.param;
  std::replace(name.begin(), name.end(), '.', '_');
  return "cuda" + name;
});

}  // namespace
}  // namespace archgrid::tests
