// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that the work for hostile files is bounded: the larger ones here would take minutes.
#include <elf.h>
#include <gmock/gmock.h>

#include <string>

#include "sweep.hpp"

namespace archgrid::launches {
namespace {

constexpr std::uint64_t kText = 0x1000;
constexpr std::uint64_t kData = 0x100000000;

std::string bytes_of(std::uint64_t number, std::size_t count) {
  return {reinterpret_cast<const char*>(&number), count};
}

/// A file with code and data.
class Bounds : public testing::Test {
 protected:
  void build(std::string text, std::string data) {
    text_ = std::move(text);
    data_ = std::move(data);
    auto& binary = program_.binary;
    binary.sections = {section(text_, kText), section(data_, kData)};
    binary.sections[0].is_executable = true;
    binary.text = binary.sections.data();
    binary.by_address = {binary.text, binary.text + 1};
  }

  static Section section(std::string_view bytes, std::uint64_t address) {
    Section section;
    section.bytes = bytes;
    section.address = address;
    section.is_loaded = true;
    return section;
  }

  Program program_;

 private:
  std::string text_;
  std::string data_;
};

TEST_F(Bounds, RepeatedRelocations) {
  std::string data;
  for (int count = 0; count < 64; ++count) data += bytes_of(kText, 8);
  std::string packed;
  for (int count = 0; count < 1000; ++count) {
    packed += bytes_of(kData, 8) + bytes_of(UINT64_MAX, 8);  // all 64 places, again and again
  }
  build(std::string(16, '\x90'), data);
  auto relocations = section(packed, 0);
  relocations.type = SHT_RELR;
  auto& binary = program_.binary;
  binary.sections.push_back(relocations);
  binary.text = binary.sections.data();
  binary.by_address = {binary.text, binary.text + 1};
  read_relocations(binary);
  EXPECT_THAT(binary.pointers, testing::SizeIs(64));
}

TEST_F(Bounds, ManyNamesAndManyCallees) {
  constexpr std::uint32_t kCount = 300'000;
  build(std::string(16, '\x90'), "");
  Sweep sweep;
  for (std::uint32_t index = 1; index <= kCount; ++index) {
    Symbol symbol;
    symbol.address = kText + index;
    program_.binary.symbols.push_back(symbol);
    sweep.attributes[kData + index] = {1, 1, 1, 76};
  }
  infer_roles(sweep, program_);
  EXPECT_THAT(program_.roles, testing::SizeIs(1));
}

TEST_F(Bounds, ManyLongNames) {
  // lea rsi, [rip + function]; lea rdx, [rip + name]; call
  constexpr std::uint64_t kSize = 19;
  constexpr std::uint64_t kNear = std::uint64_t{1} << 30;
  std::string text;
  for (std::uint64_t at = kText; at < kText + 500'000 * kSize; at += kSize) {
    text += "\x48\x8d\x35" + bytes_of(kText - (at + 7), 4);
    text += "\x48\x8d\x15" + bytes_of(kNear - (at + 14), 4);
    text += "\xe8" + bytes_of(kText - (at + kSize), 4);
  }
  build(text, std::string(1 << 16, 'x'));
  program_.binary.sections[1].address = kNear;
  program_.binary.functions = {{kText, kText + text.size()}};
  program_.uses.resize(1);
  EXPECT_FALSE(sweep(program_).is_complete);
}

}  // namespace
}  // namespace archgrid::launches
