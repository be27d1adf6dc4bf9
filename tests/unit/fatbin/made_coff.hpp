// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes Windows programs and COFF objects.
#ifndef ARCHGRID_TESTS_MADE_COFF_HPP
#define ARCHGRID_TESTS_MADE_COFF_HPP

#include <algorithm>
#include <map>

#include "made.hpp"

namespace archgrid::tests {

constexpr std::uint32_t kReadableData = 0x40000040;
constexpr std::uint32_t kReadableCode = 0x60000020;
constexpr std::uint32_t kZeros = 0xc0000080;
constexpr std::uint16_t kMachineX86_64 = 0x8664;
constexpr std::uint16_t kMachineArm64 = 0xaa64;

struct MadeCoffRelocation {
  std::uint32_t place = 0;
  std::uint32_t symbol = 0;
  std::uint16_t type = 1;
};

struct MadeCoffSection {
  std::string name;
  std::string data;
  std::uint32_t flags = kReadableData;
  std::vector<MadeCoffRelocation> relocations = {};
};

struct MadeCoffSymbol {
  std::string name;
  std::int16_t section = 0;  ///< from 1
  std::uint32_t value = 0;
  std::uint8_t storage = 2;
  std::string extra = {};  ///< the name of a file
};

struct MadeCoff {
  std::uint16_t machine = kMachineX86_64;
  bool big = false;
  std::vector<MadeCoffSection> sections;
  std::vector<MadeCoffSymbol> symbols;
};

/// The table of long names, and the form of a name in a field of eight bytes.
class CoffNames {
 public:
  std::string of_section(const std::string& name) {
    auto field = name.size() <= 8 ? name : "/" + std::to_string(add(name));
    field.resize(8, '\0');
    return field;
  }

  std::string of_symbol(const std::string& name) {
    auto field = name.size() <= 8 ? name : std::string();
    field.resize(8, '\0');
    if (name.size() > 8) put<std::uint32_t>(field, 4, add(name));
    return field;
  }

  [[nodiscard]] std::string bytes() const {
    auto text = text_;
    put<std::uint32_t>(text, 0, static_cast<std::uint32_t>(text.size()));
    return text;
  }

 private:
  std::uint32_t add(const std::string& name) {
    const auto at = static_cast<std::uint32_t>(text_.size());
    text_ += name + '\0';
    return at;
  }

  std::string text_ = std::string(4, '\0');
};

inline std::string coff_section_header(const MadeCoffSection& section, CoffNames& names,
                                       std::uint32_t offset) {
  auto header = names.of_section(section.name);
  const auto size = static_cast<std::uint32_t>(section.data.size());
  put<std::uint32_t>(header, 16, size);
  put<std::uint32_t>(header, 20, (section.flags & 0x80) != 0 ? 0 : offset);
  put<std::uint32_t>(header, 24, offset + size);
  put<std::uint16_t>(header, 32, static_cast<std::uint16_t>(section.relocations.size()));
  put<std::uint32_t>(header, 36, section.flags);
  return header;
}

inline std::string coff_relocations(const MadeCoffSection& section) {
  std::string text;
  for (const auto& relocation : section.relocations) {
    const auto at = text.size();
    put<std::uint32_t>(text, at, relocation.place);
    put<std::uint32_t>(text, at + 4, relocation.symbol);
    put<std::uint16_t>(text, at + 8, relocation.type);
  }
  return text;
}

/// Returns the number of records of a symbol. A symbol's index counts the records before it.
inline std::uint32_t symbol_records(const MadeCoffSymbol& symbol) {
  return 1 + static_cast<std::uint32_t>((symbol.extra.size() + 17) / 18);
}

inline std::string coff_symbols(const MadeCoff& coff, CoffNames& names) {
  const std::size_t size = coff.big ? 20 : 18;
  std::string text;
  for (const auto& symbol : coff.symbols) {
    auto record = names.of_symbol(symbol.name);
    put<std::uint32_t>(record, 8, symbol.value);
    if (coff.big) put<std::int32_t>(record, 12, symbol.section);
    if (!coff.big) put<std::int16_t>(record, 12, symbol.section);
    put<std::uint8_t>(record, size - 2, symbol.storage);
    put<std::uint8_t>(record, size - 1, static_cast<std::uint8_t>(symbol_records(symbol) - 1));
    record += symbol.extra;
    record.resize(symbol_records(symbol) * size, '\0');
    text += record;
  }
  return text;
}

inline std::string coff_header(const MadeCoff& coff, std::size_t symbols_at, std::size_t symbols) {
  std::string header;
  const std::size_t counts = coff.big ? 44 : 2;
  if (coff.big) {
    header = std::string("\0\0\xff\xff\x02\0", 6);
    put<std::uint16_t>(header, 6, coff.machine);
    header.resize(12, '\0');
    header += std::string("\xc7\xa1\xba\xd1\xee\xba\xa9\x4b\xaf\x20\xfa\xf6\x6a\xa4\xdc\xb8", 16);
    put<std::uint32_t>(header, counts, static_cast<std::uint32_t>(coff.sections.size()));
  } else {
    put<std::uint16_t>(header, 0, coff.machine);
    put<std::uint16_t>(header, counts, static_cast<std::uint16_t>(coff.sections.size()));
    put<std::uint32_t>(header, 4, 0);
  }
  const std::size_t place = coff.big ? 48 : 8;
  put<std::uint32_t>(header, place, static_cast<std::uint32_t>(symbols_at));
  put<std::uint32_t>(header, place + 4, static_cast<std::uint32_t>(symbols));
  header.resize(coff.big ? 56 : 20, '\0');
  return header;
}

inline std::string bytes_of(const MadeCoff& coff) {
  CoffNames names;
  const std::size_t start = (coff.big ? 56 : 20) + coff.sections.size() * 40;
  std::string headers;
  std::string content;
  for (const auto& section : coff.sections) {
    headers +=
        coff_section_header(section, names, static_cast<std::uint32_t>(start + content.size()));
    content += section.data + coff_relocations(section);
  }
  const auto symbols = coff_symbols(coff, names);
  const auto count = symbols.size() / (coff.big ? 20 : 18);
  return coff_header(coff, start + content.size(), count) + headers + content + symbols +
         names.bytes();
}

struct MadePe {
  bool wide = true;
  std::uint16_t flags = 0x2022;  ///< a DLL
  std::vector<MadeCoffSection> sections;
  std::map<std::size_t, std::pair<std::uint32_t, std::uint32_t>> directories;
  std::string overlay;
};

constexpr std::uint64_t kImageBase = 0x180000000;
constexpr std::uint32_t kPeSectionTable = 328;

/// Returns the address of section `index` in memory, relative to the image base.
constexpr std::uint32_t pe_address(std::size_t index) {
  return static_cast<std::uint32_t>(0x100000 * (index + 1));
}

inline std::string pe_headers(const MadePe& pe) {
  std::string text("MZ");
  put<std::uint32_t>(text, 60, 64);
  text += std::string("PE\0\0", 4);
  put<std::uint16_t>(text, 68, pe.wide ? 0x8664 : 0x14c);
  put<std::uint16_t>(text, 70, static_cast<std::uint16_t>(pe.sections.size()));
  put<std::uint16_t>(text, 84, static_cast<std::uint16_t>(kPeSectionTable - 88));
  put<std::uint16_t>(text, 86, pe.flags);
  put<std::uint16_t>(text, 88, pe.wide ? 0x20b : 0x10b);
  if (pe.wide) put<std::uint64_t>(text, 88 + 24, kImageBase);
  const std::size_t directories = 88 + (pe.wide ? 112 : 96);
  put<std::uint32_t>(text, directories - 4, 16);
  text.resize(kPeSectionTable, '\0');
  for (const auto& [number, place] : pe.directories) {
    put<std::uint32_t>(text, directories + number * 8, place.first);
    put<std::uint32_t>(text, directories + number * 8 + 4, place.second);
  }
  return text;
}

/// Returns the bytes of the file. Names are cut as by linkers, and content is padded to 512 bytes.
inline std::string bytes_of(const MadePe& pe) {
  CoffNames names;
  auto text = pe_headers(pe);
  const auto start = (text.size() + pe.sections.size() * 40 + 511) / 512 * 512;
  std::string content;
  for (std::size_t index = 0; index < pe.sections.size(); ++index) {
    auto section = pe.sections[index];
    const auto size = static_cast<std::uint32_t>(section.data.size());
    section.name = section.name.substr(0, 8);
    section.data.resize((section.data.size() + 511) / 512 * 512, '\0');
    auto header =
        coff_section_header(section, names, static_cast<std::uint32_t>(start + content.size()));
    put<std::uint32_t>(header, 8, size);
    put<std::uint32_t>(header, 12, pe_address(index));
    put<std::uint32_t>(header, 24, 0);
    text += header;
    if ((section.flags & 0x80) == 0) content += section.data;
  }
  text.resize(start, '\0');
  return text + content + pe.overlay;
}

struct MadeImport {
  std::string library;
  std::vector<std::string> functions;
};

/// Returns the directory of these imports, or of these delayed imports, for `address`.
inline std::string import_bytes(const std::vector<MadeImport>& imports, std::uint32_t address,
                                bool delayed = false, std::size_t width = 8) {
  const std::size_t size = delayed ? 32 : 20;
  std::string text((imports.size() + 1) * size, '\0');
  const auto here = [&] { return address + static_cast<std::uint32_t>(text.size()); };
  for (std::size_t index = 0; index < imports.size(); ++index) {
    const auto& import = imports[index];
    const auto entry = index * size;
    put<std::uint32_t>(text, entry + (delayed ? 4 : 12), here());
    text += import.library + '\0';
    const auto table = text.size();
    put<std::uint32_t>(text, entry + (delayed ? 16 : 0), here());
    put<std::uint32_t>(text, entry + (delayed ? 12 : 16), here());
    if (delayed) put<std::uint32_t>(text, entry, 1);
    text.resize(table + (import.functions.size() + 1) * width, '\0');
    for (std::size_t function = 0; function < import.functions.size(); ++function) {
      put<std::uint32_t>(text, table + function * width, here());
      text += std::string(2, '\1') + import.functions[function] + '\0';
    }
  }
  return text;
}

}  // namespace archgrid::tests

#endif
