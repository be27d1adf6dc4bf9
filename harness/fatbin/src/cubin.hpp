// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_FATBIN_CUBIN_HPP
#define ARCHGRID_FATBIN_CUBIN_HPP

#include <archgrid/fatbin.hpp>

#include "body.hpp"
#include "bytes.hpp"
#include "elf.hpp"

namespace archgrid::fatbin {

/// The flag of kernels in Symbol::other.
constexpr std::uint8_t kEntryFunction = 0x10;

/// Reports whether a symbol is an undefined function that is_report().
inline bool names_report(const Symbol& symbol) {
  return symbol.type == elf::kFunctionSymbol && symbol.section == 0 && is_report(symbol.name);
}

/// Reports whether a section of this name contains `__device__` or `__constant__` variables.
inline bool contains_variables(std::string_view section) {
  return section == ".nv.global" || section == ".nv.global.init" || section == ".nv.constant3";
}

// Offsets of 16-bit fields in the content of a .note.nv.cuinfo.
constexpr std::uint64_t kNoteSource = 2;
constexpr std::uint64_t kNoteToolkit = 4;

struct Cubin {
  Arch arch;
  std::string toolkit;
  std::string options;
  std::optional<Arch> compiled_from;   ///< Image::compiled_from
  bool debug = false;                  ///< compiled with -G
  bool variables = false;              ///< Image::variables
  std::vector<std::string> undefined;  ///< Image::undefined
  std::vector<std::string> defined;    ///< Image::defined
  std::vector<Kernel> kernels;
};

/// Returns the number of the architecture, from the ELF header alone. Throws Unreadable.
int arch_number(Bytes bytes);

/// Returns "12.4", from the ELF header alone; empty for cubins of CUDA 13 or newer, which record it
/// in a note. Throws Unreadable.
std::string header_toolkit(Bytes bytes);

/// Returns the suffix of an arch with this number, from the ELF header alone; nothing for cubins of
/// CUDA 13 or newer, which record it in notes. Throws Unreadable.
std::optional<char> header_suffix(Bytes bytes, int arch_number);

/// Returns the arch of the PTX that a cubin was compiled from. `number` is the PTX's, `suffix` the
/// cubin's, `options` the tool's command line. Nothing if one of them is unknown, or the command
/// line does not show that all of the PTX was compiled.
std::optional<Arch> source_arch(std::optional<int> number, std::optional<char> suffix,
                                std::string_view options);

/// Returns 'f' for the command line "-arch sm_100f -m 64", '\0' if the arch has no suffix; nothing
/// if no arch is named.
std::optional<char> suffix_in(std::string_view options);

/// Returns "12.8" for "Cuda compilation tools, release 12.8, V12.8.90".
std::string release_of(std::string_view text);

/// Returns "13.0" for 130, the form in notes.
std::string toolkit_text(std::uint32_t version);

/// The kernels for which Detail::bodies determines whether they store: those small enough to do
/// nothing, or all, which takes longer the more code there is.
enum class StoresOf { small, all };

/// Reads a cubin. The suffix is the one that the cubin itself records, which is less reliable than
/// that of a fat binary entry: CUDA 13 records `f` only in a note. Without Detail::everything,
/// kernels have their name, the size of their code and, if that is short, their body. Throws
/// Unreadable.
Cubin parse_cubin(Bytes bytes, Detail detail = Detail::everything,
                  StoresOf stores = StoresOf::small);

}  // namespace archgrid::fatbin

#endif
