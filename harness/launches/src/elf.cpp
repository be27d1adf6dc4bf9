// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "binary.hpp"
#include "elf_format.hpp"

namespace archgrid::launches {
namespace {

constexpr std::uint64_t kMaxText = std::uint64_t{512} << 20;
constexpr std::size_t kMaxSymbolName = 4096;
constexpr std::size_t kMaxSectionName = 256;

bool is_position_independent(const elf::FileHeader& header) {
  return std::memcmp(header.identification.data(), elf::kBegin.data(), elf::kBegin.size()) == 0 &&
         header.machine == elf::kMachineX86_64 && header.type == elf::kSharedObject &&
         header.section_size == sizeof(elf::SectionHeader);
}

Section section_of(std::string_view bytes, const elf::SectionHeader& header) {
  Section section;
  if (header.type != elf::kNoBytes) {
    section.bytes = part_of(bytes, header.offset, header.size);
  }
  section.address = header.address;
  section.type = header.type;
  section.link = header.link;
  section.is_loaded = (header.flags & elf::kLoaded) != 0;
  section.is_constant = (header.flags & (elf::kWritable | elf::kExecutable)) == 0;
  section.is_executable = (header.flags & elf::kExecutable) != 0;
  return section;
}

/// Reads all sections. Those of a readable file do not overlap, which bounds the work for them.
bool read_sections(std::string_view bytes, const elf::FileHeader& file,
                   std::vector<Section>& sections) {
  std::uint64_t rest = bytes.size();
  std::vector<std::uint32_t> names;
  for (std::uint64_t index = 0; index < file.section_count; ++index) {
    const auto header = value_at<elf::SectionHeader>(
        bytes, file.sections_offset + index * sizeof(elf::SectionHeader));
    if (!header) return false;
    sections.push_back(section_of(bytes, *header));
    if (sections.back().bytes.size() > rest) return false;
    rest -= sections.back().bytes.size();
    names.push_back(header->name);
  }
  if (file.names_section >= sections.size()) return false;
  const auto all_names = sections[file.names_section].bytes;
  for (std::size_t index = 0; index < sections.size(); ++index) {
    sections[index].name = text_at(all_names, names[index], kMaxSectionName);
  }
  return true;
}

/// Sections that do not wrap around the end of the address space.
void sort_by_address(Binary& binary) {
  for (const auto& section : binary.sections) {
    if (section.is_loaded && !section.bytes.empty() &&
        section.address <= UINT64_MAX - section.bytes.size()) {
      binary.by_address.push_back(&section);
    }
  }
  std::stable_sort(
      binary.by_address.begin(), binary.by_address.end(),
      [](const Section* left, const Section* right) { return left->address < right->address; });
}

Symbol symbol_of(const elf::SymbolEntry& entry, std::string_view names) {
  Symbol symbol;
  symbol.name = text_at(names, entry.name, kMaxSymbolName);
  symbol.address = entry.section == elf::kUndefined ? 0 : entry.value;
  symbol.is_function = entry.type() == elf::kFunction;
  return symbol;
}

void read_symbols(Binary& binary, const Section& table) {
  if (table.link >= binary.sections.size()) return;
  const auto names = binary.sections[table.link].bytes;
  const auto count = table.bytes.size() / sizeof(elf::SymbolEntry);
  for (std::size_t index = 0; index < count; ++index) {
    const auto entry = value_at<elf::SymbolEntry>(table.bytes, index * sizeof(elf::SymbolEntry));
    auto symbol = symbol_of(*entry, names);
    symbol.is_dynamic = table.type == elf::kDynamicSymbols;
    binary.symbols.push_back(symbol);
  }
}

}  // namespace

bool is_readable_elf(std::string_view bytes) {
  const auto header = value_at<elf::FileHeader>(bytes, 0);
  return header && is_position_independent(*header);
}

bool read_elf(std::string_view bytes, Binary& binary) {
  if (!is_readable_elf(bytes)) return false;
  const auto header = value_at<elf::FileHeader>(bytes, 0);
  if (!read_sections(bytes, *header, binary.sections)) return false;
  sort_by_address(binary);
  binary.text = binary.find(".text");
  if (binary.text == nullptr || binary.text->bytes.empty() ||
      binary.text->bytes.size() > kMaxText ||
      binary.text->address > UINT64_MAX - binary.text->bytes.size()) {
    return false;
  }
  for (const auto type : {elf::kDynamicSymbols, elf::kSymbols}) {
    const auto table = std::find_if(binary.sections.begin(), binary.sections.end(),
                                    [&](const Section& section) { return section.type == type; });
    if (table != binary.sections.end()) read_symbols(binary, *table);
  }
  return true;
}

}  // namespace archgrid::launches
