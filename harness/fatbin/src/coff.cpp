// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "coff.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "bounds.hpp"

namespace archgrid::fatbin {
namespace {

constexpr std::uint64_t kCoffSectionHeaderSize = 40;
constexpr std::uint64_t kObjectHeaderSize = 20;
constexpr std::uint64_t kBigHeaderSize = 56;
constexpr std::uint64_t kImportHeaderSize = 20;
constexpr std::uint64_t kRelocationSize = 10;
constexpr std::uint64_t kShortNameSize = 8;

constexpr std::uint16_t kMachineX86_64 = 0x8664;
constexpr std::uint16_t kMachineArm64 = 0xaa64;
// In place of the machine, 0 and 0xffff announce a longer header.
constexpr std::string_view kLongHeader("\0\0\xff\xff", 4);
constexpr std::string_view kBigObject(
    "\xc7\xa1\xba\xd1\xee\xba\xa9\x4b\xaf\x20\xfa\xf6\x6a\xa4\xdc\xb8", 16);

// IMAGE_REL_AMD64_ADDR64, IMAGE_REL_ARM64_ADDR64: the symbol is added to the value in place (0 in
// the wrappers of cudadevrt.lib, 12.9 and 13.5).
constexpr std::uint16_t kAddressX86_64 = 1;
constexpr std::uint16_t kAddressArm64 = 14;

// The names of imports have sections of their own, ".idata$6" in import libraries.
constexpr std::string_view kImportSection = ".idata";

constexpr std::uint8_t kExternal = 2;
constexpr std::uint8_t kStatic = 3;
constexpr std::uint8_t kFile = 103;

namespace flag {
constexpr std::uint32_t kCode = 0x20;
constexpr std::uint32_t kNoBytes = 0x80;
constexpr std::uint32_t kForLinker = 0x200 | 0x800;
constexpr std::uint32_t kManyRelocations = 0x01000000;
constexpr std::uint32_t kDiscarded = 0x02000000;
constexpr std::uint32_t kExecutable = 0x20000000;
}  // namespace flag

struct CoffSymbol {
  std::string_view name;
  std::string_view extra;  ///< the records that follow it; contain a file's name
  std::uint32_t value = 0;
  std::int32_t section = 0;  ///< from 1; 0: undefined; negative: in none
  std::uint8_t storage = 0;
};

/// Returns the table of long names. It follows the symbols, and its size includes its own four
/// bytes.
Bytes string_table(Bytes file, const CoffTables& tables) {
  if (tables.symbols_at == 0) return Bytes({}, file.size());
  const auto at = tables.symbols_at + std::uint64_t{tables.symbol_count} * tables.symbol_size;
  return file.slice(at, file.at<std::uint32_t>(at, "string table size"), "string table");
}

std::string_view until_zero(std::string_view text) {
  return text.substr(0, text.find('\0'));
}

/// Returns a section's name; "/123" is an offset in the table of long names.
std::string_view section_name(std::string_view field, Bytes header, NameReader& names) {
  const auto name = until_zero(field);
  if (name.substr(0, 1) != "/") return name;
  std::uint32_t offset = 0;
  const auto* end = name.data() + name.size();
  const auto [rest, error] = std::from_chars(name.data() + 1, end, offset);
  if (error != std::errc() || rest != end) header.fail(0, "a section's long name has no place");
  return names.at(offset, "section name");
}

bool has_long_names(Bytes file, const CoffTables& tables) {
  for (std::uint32_t index = 0; index < tables.section_count; ++index) {
    const auto at = tables.sections_at + index * kCoffSectionHeaderSize;
    if (file.at<char>(at, "section name") == '/') return true;
  }
  return false;
}

CoffSection read_section(Bytes file, Bytes header, NameReader& names) {
  CoffSection section;
  section.name = section_name(header.text().substr(0, kShortNameSize), header, names);
  section.virtual_size = header.at<std::uint32_t>(8, "section virtual size");
  section.address = header.at<std::uint32_t>(12, "section address");
  const auto size = header.at<std::uint32_t>(16, "section size");
  const auto offset = header.at<std::uint32_t>(20, "section offset");
  section.relocations_at = header.at<std::uint32_t>(24, "section relocations");
  section.relocation_count = header.at<std::uint16_t>(32, "section relocation count");
  section.flags = header.at<std::uint32_t>(36, "section flags");
  const bool absent = offset == 0 || (section.flags & flag::kNoBytes) != 0;
  if (!absent) section.data = file.slice(offset, size, "section content");
  return section;
}

std::vector<CoffSymbol> read_symbols(Bytes file, const CoffTables& tables) {
  std::vector<CoffSymbol> symbols;
  if (tables.symbols_at == 0) return symbols;
  const Bytes table = file.slice(
      tables.symbols_at, std::uint64_t{tables.symbol_count} * tables.symbol_size, "symbols");
  NameReader names(string_table(file, tables), file.size());
  const bool big = tables.symbol_size != 18;
  symbols.resize(tables.symbol_count);
  for (std::uint64_t index = 0; index < tables.symbol_count; ++index) {
    const Bytes record = table.slice(index * tables.symbol_size, tables.symbol_size, "symbol");
    auto& symbol = symbols[index];
    const bool is_long = record.at<std::uint32_t>(0, "symbol name") == 0;
    symbol.name = is_long ? names.at(record.at<std::uint32_t>(4, "symbol name"), "symbol name")
                          : until_zero(record.text().substr(0, kShortNameSize));
    symbol.value = record.at<std::uint32_t>(8, "symbol value");
    symbol.section = big ? record.at<std::int32_t>(12, "symbol section")
                         : record.at<std::int16_t>(12, "symbol section");
    symbol.storage = record.at<std::uint8_t>(tables.symbol_size - 2, "symbol storage");
    const auto extra = record.at<std::uint8_t>(tables.symbol_size - 1, "symbol records");
    symbol.extra = table
                       .slice((index + 1) * tables.symbol_size,
                              std::uint64_t{extra} * tables.symbol_size, "symbol records")
                       .text();
    index += extra;
  }
  return symbols;
}

/// An object: its machine, its sections and its symbols by number. Records that only extend the
/// symbol before them are empty.
struct CoffObject {
  std::uint16_t machine = 0;
  std::vector<CoffSection> sections;
  std::vector<CoffSymbol> symbols;
};

CoffObject read_object(Bytes file) {
  const bool big = file.text().substr(0, 4) == kLongHeader;
  CoffTables tables;
  CoffObject object;
  if (big) {
    object.machine = file.at<std::uint16_t>(6, "machine");
    tables.sections_at = kBigHeaderSize;
    tables.section_count = file.at<std::uint32_t>(44, "section count");
    tables.symbols_at = file.at<std::uint32_t>(48, "symbol table offset");
    tables.symbol_count = file.at<std::uint32_t>(52, "symbol count");
    tables.symbol_size = 20;
  } else {
    object.machine = file.at<std::uint16_t>(0, "machine");
    tables.sections_at = kObjectHeaderSize;
    tables.section_count = file.at<std::uint16_t>(2, "section count");
    tables.symbols_at = file.at<std::uint32_t>(8, "symbol table offset");
    tables.symbol_count = file.at<std::uint32_t>(12, "symbol count");
  }
  object.sections = read_coff_sections(file, tables);
  object.symbols = read_symbols(file, tables);
  return object;
}

const CoffSection* section_of(const CoffObject& object, const CoffSymbol& symbol) {
  if (symbol.section <= 0) return nullptr;
  const auto index = static_cast<std::size_t>(symbol.section) - 1;
  return index < object.sections.size() ? &object.sections[index] : nullptr;
}

/// Returns the relocations of a section. If 16 bits cannot count them, the first one contains the
/// count.
Bytes relocations_of(Bytes file, const CoffSection& section) {
  std::uint64_t count = section.relocation_count;
  if (count == 0xffff && (section.flags & flag::kManyRelocations) != 0) {
    count = file.at<std::uint32_t>(section.relocations_at, "relocation count");
  }
  return file.slice(section.relocations_at, count * kRelocationSize, "relocations");
}

void add_pointers(Bytes table, const CoffObject& object, const CoffSection& section,
                  HostImage& image) {
  const auto wanted = object.machine == kMachineX86_64 ? kAddressX86_64 : kAddressArm64;
  for (std::uint64_t at = 0; at < table.size(); at += kRelocationSize) {
    if (table.at<std::uint16_t>(at + 8, "relocation type") != wanted) continue;
    const auto index = table.at<std::uint32_t>(at + 4, "relocation symbol");
    if (index >= object.symbols.size()) table.fail(at, "relocation names no symbol");
    const auto& symbol = object.symbols[index];
    const auto* target = section_of(object, symbol);
    if (target == nullptr) continue;
    const auto place = table.at<std::uint32_t>(at, "relocation place");
    const auto addend = section.data.at<std::uint64_t>(place, "relocated pointer");
    image.pointers[section.data.base() + place] = target->data.base() + symbol.value + addend;
  }
}

void read_pointers(Bytes file, const CoffObject& object, HostImage& image) {
  HeldBytes held(file.size());
  for (const auto& section : object.sections) {
    if (section.name != kWrapperSection) continue;
    const Bytes table = relocations_of(file, section);
    held.add(table);
    add_pointers(table, object, section, image);
  }
}

/// Reads each wrapper's source file: static symbols follow the symbol of their file, which not
/// every compiler writes.
void read_units(const CoffObject& object, HostImage& image) {
  std::string unit;
  for (const auto& symbol : object.symbols) {
    if (symbol.storage == kFile) unit = unit_of_file(until_zero(symbol.extra));
    const auto* section = section_of(object, symbol);
    if (section == nullptr || section->name != kWrapperSection) continue;
    if (symbol.name == section->name) continue;
    const auto named = symbol.storage == kStatic ? unit : unit_of_wrapper(symbol.name);
    if (!named.empty()) image.units[section->data.base() + symbol.value] = named;
  }
}

/// Removes the prefix of names that code imports from a DLL: "__imp_cuModuleLoad".
std::string_view without_import_prefix(std::string_view name) {
  constexpr std::string_view kPrefix = "__imp_";
  return name.substr(0, kPrefix.size()) == kPrefix ? name.substr(kPrefix.size()) : name;
}

void read_imports(const CoffObject& object, HostImage& image) {
  for (const auto& symbol : object.symbols) {
    const bool undefined = symbol.storage == kExternal && symbol.section == 0 && symbol.value == 0;
    if (undefined) image.imports.push_back(without_import_prefix(symbol.name));
  }
}

bool is_machine(std::uint16_t machine) {
  return machine == kMachineX86_64 || machine == kMachineArm64;
}

/// Reports whether the object is a short import of an import library, which consists of two names:
/// the function and its DLL.
bool is_import(Bytes file) {
  return file.text().substr(0, 4) == kLongHeader &&
         file.at<std::uint16_t>(4, "header version") == 0;
}

void check_import(Bytes file) {
  file.require(kImportHeaderSize, file.at<std::uint32_t>(12, "import size"), "names of an import");
}

void check_long_header(Bytes file) {
  if (file.text().substr(0, 4) != kLongHeader) return;
  if (file.slice(12, kBigObject.size(), "class of the object").text() == kBigObject) return;
  file.fail(12,
            "the object holds code for the linker to compile (cl /GL), and its device code is "
            "not visible: compile it without /GL");
}

}  // namespace

std::vector<CoffSection> read_coff_sections(Bytes file, const CoffTables& tables) {
  file.require(tables.sections_at, tables.section_count * kCoffSectionHeaderSize, "section table");
  // Programs may refer to a symbol table that was stripped; only long names need it.
  NameReader names(has_long_names(file, tables) ? string_table(file, tables) : Bytes(),
                   file.size());
  HeldBytes held(file.size());
  std::vector<CoffSection> sections;
  sections.reserve(tables.section_count);
  for (std::uint32_t index = 0; index < tables.section_count; ++index) {
    const Bytes header = file.slice(tables.sections_at + index * kCoffSectionHeaderSize,
                                    kCoffSectionHeaderSize, "section header");
    sections.push_back(read_section(file, header, names));
    held.add(sections.back().data);
  }
  return sections;
}

HostSection coff_host_section(const CoffSection& section) {
  HostSection result;
  result.name = section.name;
  result.data = section.data;
  result.searched = (section.flags & (flag::kCode | flag::kExecutable)) == 0;
  const bool imports = section.name.substr(0, kImportSection.size()) == kImportSection;
  const bool kept = (section.flags & (flag::kForLinker | flag::kDiscarded)) == 0;
  result.is_text = result.searched && kept && !imports;
  return result;
}

bool is_coff_object(std::string_view bytes) {
  const Bytes file(bytes);
  if (!file.contains(0, kObjectHeaderSize)) return false;
  if (bytes.substr(0, 4) == kLongHeader) {
    return is_machine(file.at<std::uint16_t>(6, "machine"));
  }
  // Programs have a second header, objects do not.
  return is_machine(file.at<std::uint16_t>(0, "machine")) &&
         file.at<std::uint16_t>(16, "optional header size") == 0;
}

std::string_view cpu_of_coff(std::uint16_t machine) {
  if (machine == kMachineX86_64) return "x86-64";
  return machine == kMachineArm64 ? "aarch64" : "";
}

HostImage coff_host_image(Bytes file) {
  HostImage image;
  image.format = "object";
  if (is_import(file)) {
    check_import(file);
    return image;
  }
  check_long_header(file);
  const auto object = read_object(file);
  image.cpu = cpu_of_coff(object.machine);
  for (const auto& section : object.sections) {
    image.sections.push_back(coff_host_section(section));
    image.sections.back().address = section.data.base();
  }
  read_pointers(file, object, image);
  read_units(object, image);
  read_imports(object, image);
  return image;
}

}  // namespace archgrid::fatbin
