// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes ELF files that no compiler writes.
#ifndef ARCHGRID_TESTS_MADE_HPP
#define ARCHGRID_TESTS_MADE_HPP

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace archgrid::tests {

template <typename Number>
void put(std::string& text, std::size_t at, Number number) {
  if (text.size() < at + sizeof(number)) text.resize(at + sizeof(number), '\0');
  std::memcpy(text.data() + at, &number, sizeof(number));
}

struct MadeSection {
  std::string name;
  std::uint32_t type = 1;
  std::string data;
  std::uint32_t link = 0;
  std::uint32_t info = 0;
  std::uint64_t address = 0;
  /// Offset and size, if the section lies over the bytes of another one.
  std::optional<std::pair<std::uint64_t, std::uint64_t>> place = std::nullopt;
};

struct MadeElf {
  std::uint16_t machine = 62;
  std::uint16_t type = 1;
  std::uint8_t abi = 0;
  std::uint32_t flags = 0;
  std::vector<MadeSection> sections;  ///< from index 1 on; the section names come last
};

constexpr std::size_t kFirstSectionAt = 64;
constexpr std::uint32_t kStrings = 3;  ///< SHT_STRTAB

inline std::string section_header(std::uint32_t name, const MadeSection& section,
                                  std::uint64_t offset, std::uint64_t size) {
  std::string header(64, '\0');
  put<std::uint32_t>(header, 0, name);
  put<std::uint32_t>(header, 4, section.type);
  put<std::uint64_t>(header, 8, 2);
  put<std::uint64_t>(header, 16, section.address);
  put<std::uint64_t>(header, 24, offset);
  put<std::uint64_t>(header, 32, size);
  put<std::uint32_t>(header, 40, section.link);
  put<std::uint32_t>(header, 44, section.info);
  return header;
}

inline std::string elf_header(const MadeElf& elf) {
  std::string header(
      "\x7f"
      "ELF\x02\x01\x01",
      7);
  put<std::uint8_t>(header, 8, elf.abi);
  put<std::uint16_t>(header, 16, elf.type);
  put<std::uint16_t>(header, 18, elf.machine);
  put<std::uint32_t>(header, 20, 124);
  put<std::uint32_t>(header, 48, elf.flags);
  put<std::uint16_t>(header, 52, 64);
  put<std::uint16_t>(header, 54, 56);
  put<std::uint16_t>(header, 58, 64);
  put<std::uint16_t>(header, 62, 0);
  return header;
}

/// Returns the bytes of the file. If 16 bits cannot count its sections, the first section header
/// does, as ELF requires.
inline std::string bytes_of(MadeElf elf) {
  auto text = elf_header(elf);
  std::string names(1, '\0');
  std::string headers;
  elf.sections.push_back({".shstrtab", 3, ""});
  for (auto& section : elf.sections) {
    const auto name = static_cast<std::uint32_t>(names.size());
    names += section.name + '\0';
    if (&section == &elf.sections.back()) section.data = names;
    const auto place = section.place.value_or(std::make_pair(text.size(), section.data.size()));
    headers += section_header(name, section, place.first, place.second);
    if (!section.place) text += section.data;
  }
  const auto count = elf.sections.size() + 1;
  const bool many = count >= 0xff00;
  std::string null(64, '\0');
  if (many) put<std::uint64_t>(null, 32, count);
  if (many) put<std::uint32_t>(null, 40, static_cast<std::uint32_t>(count - 1));
  put<std::uint64_t>(text, 40, text.size());
  put<std::uint16_t>(text, 60, many ? 0 : static_cast<std::uint16_t>(count));
  put<std::uint16_t>(text, 62, many ? 0xffff : static_cast<std::uint16_t>(count - 1));
  return text + null + headers;
}

struct MadeSymbol {
  std::uint32_t name = 0;
  std::uint16_t section = 0;
  std::uint8_t info = 0;
  std::uint8_t other = 0;
  std::uint64_t value = 0;
  std::uint64_t size = 0;
};

inline std::string symbol_bytes(const std::vector<MadeSymbol>& symbols) {
  std::string text(24, '\0');
  for (const auto& symbol : symbols) {
    const auto at = text.size();
    put<std::uint32_t>(text, at, symbol.name);
    put<std::uint8_t>(text, at + 4, symbol.info);
    put<std::uint8_t>(text, at + 5, symbol.other);
    put<std::uint16_t>(text, at + 6, symbol.section);
    put<std::uint64_t>(text, at + 8, symbol.value);
    put<std::uint64_t>(text, at + 16, symbol.size);
  }
  return text;
}

/// Returns a kernel's symbol; its code lies in the first section.
inline MadeSymbol kernel_symbol(std::uint32_t name, std::uint64_t size = 16) {
  return {name, 1, 0x12, 0x10, 0, size};
}

/// Returns a cubin of CUDA 12.4 for 9.0: code, names, symbols.
inline MadeElf made_cubin(const std::vector<MadeSymbol>& symbols, std::string names,
                          std::size_t code = 16, std::uint32_t flags = 90) {
  MadeElf cubin{190, 2, 7, flags, {}};
  cubin.sections = {{".text", 1, std::string(code, '\0')},
                    {".strtab", 3, std::move(names)},
                    {".symtab", 2, symbol_bytes(symbols), 2}};
  return cubin;
}

/// Returns a container without entries.
inline std::string empty_container() {
  std::string text("\x50\xed\x55\xba\x01\x00\x10\x00", 8);
  put<std::uint64_t>(text, 8, 0);
  return text;
}

/// Returns a registration wrapper of the container at `target`.
inline std::string wrapper_bytes(std::uint64_t target = 0, std::uint32_t version = 1) {
  std::string text;
  put<std::uint32_t>(text, 0, 0x466243b1);
  put<std::uint32_t>(text, 4, version);
  put<std::uint64_t>(text, 8, target);
  put<std::uint64_t>(text, 16, 0);
  return text;
}

inline std::string repeated(const std::string& text, std::size_t count) {
  std::string result;
  for (std::size_t index = 0; index < count; ++index) result += text;
  return result;
}

}  // namespace archgrid::tests

#endif
