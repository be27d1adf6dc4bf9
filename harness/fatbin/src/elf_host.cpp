// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "elf_host.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>

#include "bounds.hpp"

namespace archgrid::fatbin {
namespace {

// R_X86_64_64, R_AARCH64_ABS64 in objects; R_X86_64_RELATIVE, R_AARCH64_RELATIVE in linked files.
constexpr std::array<std::uint32_t, 2> kAbsoluteRelocations = {1, 257};
constexpr std::array<std::uint32_t, 2> kRelativeRelocations = {8, 1027};

constexpr std::uint64_t kLoaded = 2;
constexpr std::uint64_t kHostHeaderSize = 64;
constexpr std::uint64_t kDynamicSize = 16;
constexpr std::uint64_t kNeeded = 1;

template <typename List>
bool contains(const List& list, std::uint32_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

std::string format_of(const Elf& elf, Bytes file) {
  switch (elf.type) {
    case elf::kObject:
      return "object";
    case elf::kExecutableFile:
      return "executable";
    case elf::kSharedObject:
      return elf.has_interpreter ? "executable" : "shared object";
    default:
      file.fail(16, fmt::format("ELF file type {} holds no program", elf.type));
  }
}

/// Returns File::host_cpu of an ELF machine (EM_X86_64, EM_AARCH64).
std::string_view cpu_of(std::uint16_t machine) {
  constexpr std::uint16_t kX86_64 = 62;
  constexpr std::uint16_t kAarch64 = 183;
  if (machine == kX86_64) return "x86-64";
  return machine == kAarch64 ? "aarch64" : "";
}

HostSection host_section(const Elf& elf, const Section& section) {
  const bool code = (section.flags & elf::kExecutable) != 0;
  const bool table = section.type == elf::kSymbolTable || section.type == elf::kDynamicSymbols ||
                     section.type == elf::kRela || section.type == elf::kNote;
  HostSection result;
  result.name = section.name;
  result.data = section.data;
  result.address = elf.type == elf::kObject ? section.data.base() : section.address;
  // Whole segments are executable if the linker had to save pages.
  result.searched =
      !table && (!code || contains_only_containers(section.name) || !elf.has_sections);
  const bool loaded = (section.flags & kLoaded) != 0 || !elf.has_sections;
  result.is_text = !code && result.searched && section.type != elf::kStrings && loaded;
  return result;
}

bool contains_wrappers(const Elf& elf, std::uint32_t index) {
  return index < elf.sections.size() && elf.sections[index].name == kWrapperSection;
}

/// Returns the symbols of an object, which has one table of them.
std::vector<Symbol> object_symbols(const Elf& elf) {
  const auto* table = symbol_table(elf, elf::kSymbolTable);
  if (table == nullptr) return {};
  return symbols_of(elf, *table);
}

void add_object_pointers(const Elf& elf, const Section& table, const std::vector<Symbol>& symbols,
                         HostImage& image) {
  if (table.link >= elf.sections.size() || elf.sections[table.link].type != elf::kSymbolTable) {
    throw Unreadable(table.data.base(), "relocations name no symbol table");
  }
  const auto start = image.sections[table.info].address;
  for_each_relocation(table, [&](const Relocation& relocation) {
    if (!contains(kAbsoluteRelocations, relocation.type)) return;
    if (relocation.symbol >= symbols.size()) {
      throw Unreadable(table.data.base(), "relocation names no symbol");
    }
    const auto& symbol = symbols[relocation.symbol];
    if (symbol.section == 0 || symbol.section >= elf.sections.size()) return;
    image.pointers[start + relocation.offset] = image.sections[symbol.section].address +
                                                symbol.value +
                                                static_cast<std::uint64_t>(relocation.addend);
  });
}

void read_object_pointers(const Elf& elf, HostImage& image) {
  const auto symbols = object_symbols(elf);
  for (const auto& table : elf.sections) {
    if (table.type == elf::kRela && contains_wrappers(elf, table.info)) {
      add_object_pointers(elf, table, symbols, image);
    }
  }
}

/// Reads the pointers in wrappers, from the relocations that add the load address to a pointer.
void read_linked_pointers(const Elf& elf, HostImage& image) {
  std::map<std::uint64_t, std::uint64_t> wrappers;
  for (const auto& section : elf.sections) {
    if (section.name == kWrapperSection) wrappers.emplace(section.address, section.size);
  }
  const auto in_wrappers = [&](std::uint64_t address) {
    const auto after = wrappers.upper_bound(address);
    if (after == wrappers.begin()) return false;
    const auto& [start, size] = *std::prev(after);
    return address - start < size;
  };
  if (wrappers.empty()) return;
  for (const auto& table : elf.sections) {
    if (table.type != elf::kRela) continue;
    for_each_relocation(table, [&](const Relocation& relocation) {
      if (!contains(kRelativeRelocations, relocation.type) || !in_wrappers(relocation.offset))
        return;
      image.pointers[relocation.offset] = static_cast<std::uint64_t>(relocation.addend);
    });
  }
}

/// Reads each wrapper's source file: local symbols follow the symbol of their file.
void read_units(const Elf& elf, HostImage& image) {
  const auto* table = symbol_table(elf, elf::kSymbolTable);
  if (table == nullptr) return;
  std::string unit;
  for (const auto& symbol : symbols_of(elf, *table)) {
    if (symbol.type == elf::kFileSymbol) unit = unit_of_file(symbol.name);
    const bool wrapper = symbol.section != 0 && contains_wrappers(elf, symbol.section);
    if (!wrapper || symbol.type == elf::kSectionSymbol) continue;
    const auto named = symbol.binding == elf::kLocalBinding ? unit : unit_of_wrapper(symbol.name);
    if (named.empty()) continue;
    const auto start = elf.type == elf::kObject ? image.sections[symbol.section].address : 0;
    image.units[start + symbol.value] = named;
  }
}

void read_imports(const Elf& elf, HostImage& image) {
  const auto wanted = elf.type == elf::kObject ? elf::kSymbolTable : elf::kDynamicSymbols;
  const auto* table = symbol_table(elf, wanted);
  if (table == nullptr) return;
  for (const auto& symbol : symbols_of(elf, *table)) {
    if (symbol.section == 0 && !symbol.name.empty()) image.imports.push_back(symbol.name);
    const bool registers = symbol.name.substr(0, kRegistersUnit.size()) == kRegistersUnit;
    if (symbol.section != 0 && registers) image.defined_registrations.push_back(symbol.name);
  }
}

/// Records mangled functions by how they were linked.
void read_functions(const Elf& elf, HostImage& image) {
  const auto* table = symbol_table(elf, elf::kSymbolTable);
  if (table == nullptr) table = symbol_table(elf, elf::kDynamicSymbols);
  if (table == nullptr) return;
  for (const auto& symbol : symbols_of(elf, *table)) {
    const bool defined = symbol.section != 0 && symbol.type == elf::kFunctionSymbol;
    if (!defined || symbol.name.substr(0, 2) != "_Z") continue;
    if (symbol.binding == elf::kLocalBinding) image.local_functions.push_back(symbol.name);
    if (symbol.binding == elf::kWeakBinding || symbol.binding == elf::kUniqueBinding) {
      image.weak_functions.push_back(symbol.name);
    }
  }
}

void read_libraries(const Elf& elf, HostImage& image) {
  for (const auto& table : elf.sections) {
    if (table.type != elf::kDynamic || table.data.size() == 0) continue;
    if (table.link >= elf.sections.size()) {
      throw Unreadable(table.data.base(), "dynamic section names no string table");
    }
    NameReader names(elf.sections[table.link].data, elf.bytes);
    for (std::uint64_t at = 0; table.data.contains(at, kDynamicSize); at += kDynamicSize) {
      if (table.data.at<std::uint64_t>(at, "dynamic tag") != kNeeded) continue;
      const auto name = table.data.at<std::uint64_t>(at + 8, "library name");
      image.libraries.push_back(names.at(name, "library name"));
    }
  }
}

/// Adds the bytes that no section covers: code whose section headers a tool has removed, or that
/// was appended to the file.
void add_uncovered(const Elf& elf, Bytes file, HostImage& image) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> covered;
  for (const auto& section : elf.sections) {
    covered.emplace_back(section.data.base(), section.data.base() + section.data.size());
  }
  covered.emplace_back(file.base() + file.size(), file.base() + file.size());
  std::sort(covered.begin(), covered.end());
  auto end = file.base() + kHostHeaderSize;
  for (const auto& [begin, next] : covered) {
    if (begin > end) {
      HostSection gap;
      gap.data = file.slice(end - file.base(), begin - end, "bytes without a section");
      gap.searched = true;
      image.sections.push_back(gap);
    }
    end = std::max(end, next);
  }
}

}  // namespace

HostImage elf_host_image(Bytes file) {
  const Elf elf = parse_elf(file);
  HostImage image;
  image.format = format_of(elf, file);
  image.cpu = cpu_of(elf.machine);
  // UPX keeps an ELF header around a packed file, so nothing would be found in it.
  if (file.text().substr(0, 4096).find("UPX!") != std::string_view::npos) fail_as_packed(file);
  image.has_sections = elf.has_sections;
  image.sections.reserve(elf.sections.size());
  for (const auto& section : elf.sections) image.sections.push_back(host_section(elf, section));
  add_uncovered(elf, file, image);
  if (elf.type == elf::kObject) {
    image.lto = host_lto_of(elf);
    read_object_pointers(elf, image);
  } else {
    read_linked_pointers(elf, image);
    read_functions(elf, image);
  }
  read_units(elf, image);
  read_imports(elf, image);
  read_libraries(elf, image);
  return image;
}

}  // namespace archgrid::fatbin
