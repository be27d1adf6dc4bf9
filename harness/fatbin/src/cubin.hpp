// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_FATBIN_CUBIN_HPP
#define ARCHGRID_FATBIN_CUBIN_HPP

#include <archgrid/fatbin.hpp>

#include "body.hpp"
#include "bytes.hpp"
#include "elf.hpp"

namespace archgrid::fatbin {

/// Marks kernels in Symbol::other.
constexpr std::uint8_t kEntryFunction = 0x10;

/// Reports whether a symbol is an undefined function that is_report().
inline bool names_report(const Symbol& symbol) {
  return symbol.type == elf::kFunctionSymbol && symbol.section == 0 && is_report(symbol.name);
}

/// Reports whether a section of that name holds `__device__` or `__constant__` variables.
inline bool holds_variables(std::string_view section) {
  return section == ".nv.global" || section == ".nv.global.init" || section == ".nv.constant3";
}

// In the content of a .note.nv.cuinfo, of 16 bits each.
constexpr std::uint64_t kNoteSource = 2;
constexpr std::uint64_t kNoteToolkit = 4;

struct Cubin {
  Arch arch;
  std::string toolkit;
  std::string options;
  std::optional<Arch> compiled_from;   ///< Image::compiled_from
  bool debug = false;                  ///< made with -G
  bool variables = false;              ///< Image::variables
  std::vector<std::string> undefined;  ///< Image::undefined
  std::vector<std::string> defined;    ///< Image::defined
  std::vector<Kernel> kernels;
};

/// The number of the architecture, by the ELF header alone. Throws Unreadable.
int arch_number(Bytes bytes);

/// "12.4", by the ELF header alone; empty for cubins of CUDA 13 or newer, which have a note of it.
/// Throws Unreadable.
std::string header_toolkit(Bytes bytes);

/// The suffix of an arch with that number, by the ELF header alone; nothing for cubins of CUDA 13
/// or newer, which have notes of it. Throws Unreadable.
std::optional<char> header_suffix(Bytes bytes, int arch_number);

/// The arch with that number of the PTX from which a cubin was compiled that has that suffix of its
/// own, by a tool with that command line. Nothing where one of them is not known, or the command
/// line does not show that all of the PTX was compiled.
std::optional<Arch> source_arch(std::optional<int> number, std::optional<char> suffix,
                                std::string_view options);

/// 'f' of the command line "-arch sm_100f -m 64", '\0' where the arch has none; nothing where no
/// arch is named.
std::optional<char> suffix_in(std::string_view options);

/// "12.8" of "Cuda compilation tools, release 12.8, V12.8.90".
std::string release_of(std::string_view text);

/// "13.0" of 130, as notes have it.
std::string toolkit_text(std::uint32_t version);

/// Of which kernels Detail::bodies tells whether they store: of those that are small enough to do
/// nothing, or of all, which takes longer the more code there is.
enum class StoresOf { small, all };

/// Reads a cubin. The suffix is what the cubin itself says, which is less than what a fat binary
/// entry says: CUDA 13 records `f` only in a note. Without Detail::everything kernels have their
/// name, the size of their code and, where it is short, what it does. Throws Unreadable.
Cubin parse_cubin(Bytes bytes, Detail detail = Detail::everything,
                  StoresOf stores = StoresOf::small);

}  // namespace archgrid::fatbin

#endif
