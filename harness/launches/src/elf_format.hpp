// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The parts of the 64-bit ELF format that are read here. Not every system has an elf.h.
#ifndef ARCHGRID_LAUNCHES_ELF_FORMAT_HPP
#define ARCHGRID_LAUNCHES_ELF_FORMAT_HPP

#include <array>
#include <cstdint>
#include <string_view>

namespace archgrid::launches::elf {

/// The beginning of a little-endian 64-bit file.
constexpr std::string_view kBegin =
    "\x7f"
    "ELF\x02\x01";
constexpr std::uint16_t kSharedObject = 3;
constexpr std::uint16_t kMachineX86_64 = 62;

struct FileHeader {
  std::array<char, 16> identification;
  std::uint16_t type;
  std::uint16_t machine;
  std::uint32_t version;
  std::uint64_t entry;
  std::uint64_t segments_offset;
  std::uint64_t sections_offset;
  std::uint32_t flags;
  std::uint16_t header_size;
  std::uint16_t segment_size;
  std::uint16_t segment_count;
  std::uint16_t section_size;
  std::uint16_t section_count;
  std::uint16_t names_section;
};
static_assert(sizeof(FileHeader) == 64);

struct SectionHeader {
  std::uint32_t name;
  std::uint32_t type;
  std::uint64_t flags;
  std::uint64_t address;
  std::uint64_t offset;
  std::uint64_t size;
  std::uint32_t link;
  std::uint32_t info;
  std::uint64_t alignment;
  std::uint64_t entry_size;
};
static_assert(sizeof(SectionHeader) == 64);

// Types of sections.
constexpr std::uint32_t kSymbols = 2;
constexpr std::uint32_t kRelocations = 4;  ///< with addends
constexpr std::uint32_t kNoBytes = 8;
constexpr std::uint32_t kDynamicSymbols = 11;
constexpr std::uint32_t kPackedRelocations = 19;

// Flags of sections.
constexpr std::uint64_t kWritable = 1;
constexpr std::uint64_t kLoaded = 2;
constexpr std::uint64_t kExecutable = 4;

struct SymbolEntry {
  std::uint32_t name;
  std::uint8_t info;
  std::uint8_t other;
  std::uint16_t section;
  std::uint64_t value;
  std::uint64_t size;

  [[nodiscard]] unsigned type() const { return info & 0xfU; }
};
static_assert(sizeof(SymbolEntry) == 24);

constexpr std::uint16_t kUndefined = 0;  ///< the section of an undefined symbol
constexpr unsigned kFunction = 2;        ///< a type of symbols

struct Relocation {
  std::uint64_t offset;
  std::uint64_t info;
  std::int64_t addend;

  [[nodiscard]] std::uint64_t symbol() const { return info >> 32U; }
  [[nodiscard]] std::uint32_t type() const { return static_cast<std::uint32_t>(info); }
};
static_assert(sizeof(Relocation) == 24);

// Types of relocations on x86-64.
constexpr std::uint32_t kAbsolute = 1;
constexpr std::uint32_t kGlobalData = 6;
constexpr std::uint32_t kJumpSlot = 7;
constexpr std::uint32_t kRelative = 8;

}  // namespace archgrid::launches::elf

#endif
