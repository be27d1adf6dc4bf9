// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "elf.hpp"

#include "bounds.hpp"

namespace archgrid::fatbin {
namespace {

constexpr std::uint64_t kHeaderSize = 64;
constexpr std::uint64_t kSectionHeaderSize = 64;
constexpr std::uint64_t kSegmentHeaderSize = 56;
constexpr std::uint64_t kSymbolSize = 24;
constexpr std::uint32_t kLoadedSegment = 1;
constexpr std::uint32_t kInterpreterSegment = 3;
constexpr std::uint32_t kExecutableSegment = 1;
constexpr std::uint16_t kExtendedIndex = 0xffff;
constexpr std::uint16_t kFirstReservedIndex = 0xff00;

bool is_within(std::uint64_t offset, std::uint64_t bytes, std::uint64_t size) {
  return offset <= size && bytes <= size - offset;
}

bool may_lack_bytes(std::uint16_t machine, std::uint32_t type) {
  return machine == elf::kMachineCuda && type > elf::kCudaInfo;
}

/// Reads a section of a file of `size` bytes. `file` may be only the first of them.
Section read_section(Bytes file, std::uint64_t size, std::uint64_t header, std::uint16_t machine) {
  Section section;
  section.type = file.at<std::uint32_t>(header + 4, "section type");
  section.flags = file.at<std::uint64_t>(header + 8, "section flags");
  section.address = file.at<std::uint64_t>(header + 16, "section address");
  const auto offset = file.at<std::uint64_t>(header + 24, "section offset");
  section.size = file.at<std::uint64_t>(header + 32, "section size");
  section.link = file.at<std::uint32_t>(header + 40, "section link");
  section.info = file.at<std::uint32_t>(header + 44, "section info");
  const bool within = is_within(offset, section.size, size);
  const bool absent = section.type == elf::kNoBits || section.type == 0 ||
                      (may_lack_bytes(machine, section.type) && !within);
  if (absent) return section;
  section.beyond = within && !file.contains(offset, section.size);
  if (!section.beyond) section.data = file.slice(offset, section.size, "section content");
  return section;
}

void read_sections(Bytes file, std::uint64_t table, Elf& result) {
  const auto header_size = file.at<std::uint16_t>(58, "section header size");
  if (header_size != kSectionHeaderSize) {
    file.fail(58, fmt::format("section header size is {}, expected 64", header_size));
  }
  std::uint64_t count = file.at<std::uint16_t>(60, "section count");
  std::uint64_t names = file.at<std::uint16_t>(62, "section name index");
  if (count == 0) count = file.at<std::uint64_t>(table + 32, "extended section count");
  if (names == kExtendedIndex) {
    names = file.at<std::uint32_t>(table + 40, "extended section name index");
  }
  if (count > file.size() / kSectionHeaderSize) {
    file.fail(60, fmt::format("{} sections are claimed, more than the data can hold", count));
  }
  file.require(table, count * kSectionHeaderSize, "section table");
  result.sections.reserve(count);
  HeldBytes held(result.bytes);
  for (std::uint64_t index = 0; index < count; ++index) {
    const auto header = table + index * kSectionHeaderSize;
    const auto section = read_section(file, result.bytes, header, result.machine);
    if (!may_lack_bytes(result.machine, section.type)) {
      held.add(section.beyond ? section.size : section.data.size(), section.data.base());
    }
    result.sections.push_back(section);
  }
  if (names >= count) file.fail(62, "section name index is beyond the section table");
  NameReader reader(result.sections[names].data, file.size());
  for (std::uint64_t index = 0; index < count; ++index) {
    const auto name = file.at<std::uint32_t>(table + index * kSectionHeaderSize, "section name");
    result.sections[index].name = reader.at(name, "section name");
  }
}

/// Reports whether a file of `size` bytes names an interpreter, which loads it. `file` may be only
/// the first bytes. Program headers lie at the very end of cubins, so their absence reveals a
/// truncated file.
bool check_segments(Bytes file, std::uint64_t size) {
  const auto table = file.at<std::uint64_t>(32, "program header offset");
  const auto header_size = file.at<std::uint16_t>(54, "program header size");
  const auto count = file.at<std::uint16_t>(56, "program header count");
  if (count == 0) return false;
  if (header_size != kSegmentHeaderSize) {
    file.fail(54, fmt::format("program header size is {}, expected 56", header_size));
  }
  const auto headers = count * kSegmentHeaderSize;
  if (is_within(table, headers, size) && !file.contains(table, headers)) return false;
  file.require(table, headers, "program headers");
  bool has_interpreter = false;
  for (std::uint16_t index = 0; index < count; ++index) {
    const auto type = file.at<std::uint32_t>(table + index * kSegmentHeaderSize, "segment type");
    has_interpreter = has_interpreter || type == kInterpreterSegment;
  }
  return has_interpreter;
}

// Reads segments as sections: a file whose section table was removed still runs.
void read_segments(Bytes file, Elf& result) {
  const auto table = file.at<std::uint64_t>(32, "program header offset");
  const auto count = file.at<std::uint16_t>(56, "program header count");
  for (std::uint16_t index = 0; index < count; ++index) {
    const auto header = table + index * kSegmentHeaderSize;
    if (file.at<std::uint32_t>(header, "segment type") != kLoadedSegment) continue;
    const auto flags = file.at<std::uint32_t>(header + 4, "segment flags");
    const auto offset = file.at<std::uint64_t>(header + 8, "segment offset");
    Section segment;
    segment.name = "segment";
    segment.type = elf::kProgramBits;
    segment.flags = (flags & kExecutableSegment) != 0 ? elf::kExecutable : 0;
    segment.address = file.at<std::uint64_t>(header + 16, "segment address");
    segment.size = file.at<std::uint64_t>(header + 32, "segment size");
    segment.data = file.slice(offset, segment.size, "segment content");
    result.sections.push_back(segment);
  }
}

/// Returns the section numbers that exceed the 16 bits of a symbol, by symbol.
Bytes extended_indices(const Elf& elf, const Section& table) {
  const auto index = static_cast<std::uint64_t>(&table - elf.sections.data());
  for (const auto& section : elf.sections) {
    if (section.type == elf::kExtendedIndices && section.link == index) return section.data;
  }
  return Bytes({}, table.data.base());
}

std::uint32_t section_of(std::uint16_t field, std::uint64_t symbol, Bytes extended) {
  if (field == kExtendedIndex) {
    return extended.at<std::uint32_t>(symbol * sizeof(std::uint32_t), "extended section index");
  }
  return field < kFirstReservedIndex ? field : elf::kNoSection;
}

}  // namespace

bool is_elf(std::string_view bytes) {
  return bytes.substr(0, 4) ==
         "\x7f"
         "ELF";
}

Elf parse_elf(Bytes bytes) {
  return parse_elf_start(bytes, bytes.size());
}

Elf parse_elf_start(Bytes file, std::uint64_t size) {
  file.require(0, kHeaderSize, "ELF header");
  const auto width = file.at<std::uint8_t>(4, "ELF class");
  const auto order = file.at<std::uint8_t>(5, "ELF byte order");
  if (width != 2 || order != 1) {
    file.fail(4, fmt::format("ELF class {} and byte order {} are not read: only 64-bit "
                             "little-endian files are",
                             width, order));
  }
  Elf result;
  result.bytes = size;
  result.os_abi = file.at<std::uint8_t>(7, "OS ABI");
  result.abi_version = file.at<std::uint8_t>(8, "ABI version");
  result.type = file.at<std::uint16_t>(16, "file type");
  result.machine = file.at<std::uint16_t>(18, "machine");
  result.version = file.at<std::uint32_t>(20, "version");
  result.flags = file.at<std::uint32_t>(48, "flags");
  const auto table = file.at<std::uint64_t>(40, "section table offset");
  result.has_interpreter = check_segments(file, size);
  result.has_sections = table != 0;
  if (result.has_sections) {
    read_sections(file, table, result);
  } else {
    read_segments(file, result);
  }
  return result;
}

const Section* symbol_table(const Elf& elf, std::uint32_t type) {
  const Section* found = nullptr;
  for (const auto& section : elf.sections) {
    if (section.type != type) continue;
    if (found != nullptr) {
      throw Unreadable(section.data.base(), "a second symbol table of the same kind");
    }
    found = &section;
  }
  return found;
}

std::vector<Symbol> symbols_of(const Elf& elf, const Section& table) {
  if (table.link >= elf.sections.size()) {
    throw Unreadable(table.data.base(), "symbol table names no string table");
  }
  NameReader names(elf.sections[table.link].data, elf.bytes);
  const Bytes extended = extended_indices(elf, table);
  std::vector<Symbol> symbols;
  symbols.reserve(table.data.size() / kSymbolSize);
  for (std::uint64_t at = 0; table.data.contains(at, kSymbolSize); at += kSymbolSize) {
    const auto info = table.data.at<std::uint8_t>(at + 4, "symbol info");
    Symbol symbol;
    symbol.name = names.at(table.data.at<std::uint32_t>(at, "symbol name"), "symbol name");
    symbol.type = info & 0xf;
    symbol.binding = static_cast<std::uint8_t>(info >> 4);
    symbol.other = table.data.at<std::uint8_t>(at + 5, "symbol other");
    symbol.section = section_of(table.data.at<std::uint16_t>(at + 6, "symbol section"),
                                at / kSymbolSize, extended);
    symbol.value = table.data.at<std::uint64_t>(at + 8, "symbol value");
    symbol.size = table.data.at<std::uint64_t>(at + 16, "symbol size");
    symbols.push_back(symbol);
  }
  return symbols;
}

}  // namespace archgrid::fatbin
