// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// An x86-64 ELF file, as far as the analysis needs it.
#ifndef ARCHGRID_LAUNCHES_BINARY_HPP
#define ARCHGRID_LAUNCHES_BINARY_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "names.hpp"

namespace archgrid::launches {

struct Section {
  std::string_view name;
  std::string_view bytes;  ///< empty where the file holds none
  std::uint64_t address = 0;
  std::uint32_t type = 0;
  std::uint32_t link = 0;  ///< index of another section
  bool is_loaded = false;
  bool is_constant = false;  ///< neither code nor the loader writes it
  bool is_executable = false;
};

/// The machine code between two addresses, one entry of .eh_frame. Entries never overlap.
struct Function {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

struct Symbol {
  std::string_view name;
  std::uint64_t address = 0;  ///< 0: undefined
  bool is_function = false;
  bool is_dynamic = false;
};

/// A pointer into .text that the loader writes.
struct Pointer {
  std::uint64_t slot = 0;
  std::uint64_t target = 0;
};

constexpr std::uint32_t kNone = 0xFFFFFFFF;

/// The destination of a call: an address in the file or, if that is 0, an import or `kNone`.
struct Callee {
  std::uint64_t address = 0;
  std::uint32_t import = kNone;
};

struct Import {
  std::string_view name;
  Role role = Role::none;
};

struct Binary {
  std::vector<Section> sections;           ///< in their order in the file
  std::vector<const Section*> by_address;  ///< loaded ones with bytes
  const Section* text = nullptr;
  std::vector<Function> functions;  ///< sorted
  std::vector<Symbol> symbols;
  std::vector<Pointer> pointers;         ///< sorted by `slot`
  std::vector<std::uint32_t> by_target;  ///< indices of pointers, sorted by their targets
  std::vector<Import> imports;
  std::unordered_map<std::uint64_t, Callee> slots;  ///< pointers of the GOT
  std::unordered_map<std::uint64_t, Callee> plt;

  /// Returns the loaded section with bytes at an address, or null.
  [[nodiscard]] const Section* section_at(std::uint64_t address) const;
  /// Returns the bytes from an address to the end of its section, or none.
  [[nodiscard]] std::string_view at(std::uint64_t address) const;
  /// Returns a number of up to 8 bytes in a section that is never written.
  [[nodiscard]] std::optional<std::uint64_t> constant_at(std::uint64_t address,
                                                         unsigned bytes) const;
  /// Returns the bytes of a function.
  [[nodiscard]] std::string_view code_of(const Function& function) const;
  [[nodiscard]] const Section* find(std::string_view name) const;
  [[nodiscard]] bool is_code(std::uint64_t address) const;
  /// Returns the index of the function that contains an address, or `kNone`.
  [[nodiscard]] std::uint32_t function_at(std::uint64_t address) const;
  /// Returns the index of the function that begins at an address, or `kNone`.
  [[nodiscard]] std::uint32_t function_from(std::uint64_t address) const;
  /// Follows an entry of the procedure linkage table.
  [[nodiscard]] Callee callee_of(std::uint64_t address) const;
  /// Returns the indices of the pointers to an address.
  [[nodiscard]] std::span<const std::uint32_t> pointers_to(std::uint64_t target) const;
  /// Returns what the pointer at an address of the GOT leads to.
  [[nodiscard]] std::optional<Callee> slot_at(std::uint64_t address) const;
};

/// Returns a value at an offset, or nothing where `bytes` end before.
template <typename T>
std::optional<T> value_at(std::string_view bytes, std::uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

/// Returns a part of `bytes`, or none where it does not lie within.
std::string_view part_of(std::string_view bytes, std::uint64_t offset, std::uint64_t size);

/// Returns the text at an offset up to a 0, and at most `limit` bytes of it.
std::string_view text_at(std::string_view bytes, std::uint64_t offset, std::size_t limit);

/// Reports whether the header is of an x86-64 shared object or position-independent program.
bool is_readable_elf(std::string_view bytes);

/// Reads sections and symbols; reports whether it is a file that can be analysed.
bool read_elf(std::string_view bytes, Binary& binary);
/// Reads the functions that .eh_frame_hdr lists; reports whether there are any.
bool read_functions(Binary& binary);
/// Reads pointers, slots and entries of the procedure linkage table.
void read_relocations(Binary& binary);

}  // namespace archgrid::launches

#endif
