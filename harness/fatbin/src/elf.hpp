// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the parts of ELF64 (little endian) that host files and cubins share.
#ifndef ARCHGRID_FATBIN_ELF_HPP
#define ARCHGRID_FATBIN_ELF_HPP

#include <cstdint>
#include <string_view>
#include <vector>

#include "bytes.hpp"
#include "file_reader.hpp"

namespace archgrid::fatbin {

struct Section {
  std::string_view name;
  std::uint32_t type = 0;
  std::uint64_t flags = 0;
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  std::uint32_t link = 0;
  std::uint32_t info = 0;
  Bytes data;           ///< empty if the section occupies no bytes of the file
  bool beyond = false;  ///< some of its bytes are beyond the first ones that were given
};

struct Symbol {
  std::string_view name;
  std::uint8_t type = 0;
  std::uint8_t binding = 0;
  std::uint8_t other = 0;
  std::uint32_t section = 0;  ///< 0: undefined; elf::kNoSection: a common or absolute symbol
  std::uint64_t value = 0;
  std::uint64_t size = 0;
};

struct Relocation {
  std::uint64_t offset = 0;
  std::uint32_t type = 0;
  std::uint32_t symbol = 0;
  std::int64_t addend = 0;
};

struct Elf {
  std::uint64_t bytes = 0;  ///< size of the whole file
  std::uint8_t os_abi = 0;
  std::uint8_t abi_version = 0;
  std::uint16_t type = 0;
  std::uint16_t machine = 0;
  std::uint32_t version = 0;
  std::uint32_t flags = 0;
  bool has_interpreter = false;   ///< a program, which may be position-independent
  bool has_sections = false;      ///< false: `sections` are the loaded segments
  std::vector<Section> sections;  ///< by index, the null section included
};

bool is_elf(std::string_view bytes);

/// Throws Unreadable.
Elf parse_elf(Bytes bytes);

/// Reads the first bytes of a file of `size` bytes, which must include the section table and the
/// section names. Throws Unreadable.
Elf parse_elf_start(Bytes file, std::uint64_t size);

/// Returns the section of type SHT_SYMTAB or SHT_DYNSYM, null if there is none. Throws Unreadable
/// if there are several: ELF allows one of each.
const Section* symbol_table(const Elf& elf, std::uint32_t type);

/// Returns the symbols in such a section of `elf`, by index, including the null symbol. Throws
/// Unreadable.
std::vector<Symbol> symbols_of(const Elf& elf, const Section& table);

/// Calls `visit` with each relocation of a SHT_RELA section. Libraries have a million of them.
template <typename Visit>
void for_each_relocation(const Section& table, const Visit& visit) {
  constexpr std::uint64_t kSize = 24;
  constexpr std::uint64_t kStep = 4096 * kSize;
  FileReader file;
  for (std::uint64_t begin = 0; begin < table.data.size(); begin += kStep) {
    const Bytes part(file.read(table.data.text().substr(begin, kStep)), table.data.base() + begin);
    for (std::uint64_t at = 0; part.contains(at, kSize); at += kSize) {
      const auto info = part.at<std::uint64_t>(at + 8, "relocation info");
      visit(Relocation{part.at<std::uint64_t>(at, "relocation offset"),
                       static_cast<std::uint32_t>(info & 0xffffffff),
                       static_cast<std::uint32_t>(info >> 32),
                       part.at<std::int64_t>(at + 16, "relocation addend")});
    }
  }
}

namespace elf {
constexpr std::uint32_t kSymbolTable = 2;
constexpr std::uint32_t kProgramBits = 1;
constexpr std::uint32_t kStrings = 3;
constexpr std::uint32_t kRela = 4;
constexpr std::uint32_t kDynamic = 6;
constexpr std::uint32_t kNote = 7;
constexpr std::uint32_t kNoBits = 8;
constexpr std::uint32_t kRel = 9;
constexpr std::uint32_t kDynamicSymbols = 11;
constexpr std::uint32_t kExtendedIndices = 18;
// The first section type that only cubins have, that of .nv.info. Some later ones, like that of
// .nv_debug.shared, state a size in the GPU's memory and have no bytes in the file; which ones is
// not documented.
constexpr std::uint32_t kCudaInfo = 0x70000000;
constexpr std::uint32_t kNoSection = 0xffffffff;
constexpr std::uint64_t kExecutable = 4;
constexpr std::uint16_t kObject = 1;
constexpr std::uint16_t kExecutableFile = 2;
constexpr std::uint16_t kSharedObject = 3;
constexpr std::uint16_t kMachineX86_64 = 62;
constexpr std::uint16_t kMachineAarch64 = 183;
constexpr std::uint16_t kMachineCuda = 190;
constexpr std::uint8_t kLocalBinding = 0;
constexpr std::uint8_t kGlobalBinding = 1;
constexpr std::uint8_t kWeakBinding = 2;
constexpr std::uint8_t kUniqueBinding = 10;
constexpr std::uint8_t kFunctionSymbol = 2;
constexpr std::uint8_t kSectionSymbol = 3;
constexpr std::uint8_t kFileSymbol = 4;
}  // namespace elf

}  // namespace archgrid::fatbin

#endif
