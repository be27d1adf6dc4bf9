// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <elf.h>

#include <algorithm>

#include "binary.hpp"

namespace archgrid::launches {
namespace {

constexpr std::uint64_t kMaxText = std::uint64_t{512} << 20;
constexpr std::size_t kMaxSymbolName = 4096;
constexpr std::size_t kMaxSectionName = 256;

bool is_position_independent(const Elf64_Ehdr& header) {
  return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
         header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_ident[EI_DATA] == ELFDATA2LSB &&
         header.e_machine == EM_X86_64 && header.e_type == ET_DYN &&
         header.e_shentsize == sizeof(Elf64_Shdr);
}

Section section_of(std::string_view bytes, const Elf64_Shdr& header) {
  Section section;
  if (header.sh_type != SHT_NOBITS) {
    section.bytes = part_of(bytes, header.sh_offset, header.sh_size);
  }
  section.address = header.sh_addr;
  section.type = header.sh_type;
  section.link = header.sh_link;
  section.is_loaded = (header.sh_flags & SHF_ALLOC) != 0;
  section.is_constant = (header.sh_flags & (SHF_WRITE | SHF_EXECINSTR)) == 0;
  section.is_executable = (header.sh_flags & SHF_EXECINSTR) != 0;
  return section;
}

/// Reads all sections. Those of a readable file do not overlap, which bounds the work for them.
bool read_sections(std::string_view bytes, const Elf64_Ehdr& elf, std::vector<Section>& sections) {
  std::uint64_t rest = bytes.size();
  std::vector<std::uint32_t> names;
  for (std::uint64_t index = 0; index < elf.e_shnum; ++index) {
    const auto header = value_at<Elf64_Shdr>(bytes, elf.e_shoff + index * sizeof(Elf64_Shdr));
    if (!header) return false;
    sections.push_back(section_of(bytes, *header));
    if (sections.back().bytes.size() > rest) return false;
    rest -= sections.back().bytes.size();
    names.push_back(header->sh_name);
  }
  if (elf.e_shstrndx >= sections.size()) return false;
  const auto all_names = sections[elf.e_shstrndx].bytes;
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

Symbol symbol_of(const Elf64_Sym& entry, std::string_view names) {
  Symbol symbol;
  symbol.name = text_at(names, entry.st_name, kMaxSymbolName);
  symbol.address = entry.st_shndx == SHN_UNDEF ? 0 : entry.st_value;
  symbol.is_function = ELF64_ST_TYPE(entry.st_info) == STT_FUNC;
  return symbol;
}

void read_symbols(Binary& binary, const Section& table) {
  if (table.link >= binary.sections.size()) return;
  const auto names = binary.sections[table.link].bytes;
  const auto count = table.bytes.size() / sizeof(Elf64_Sym);
  for (std::size_t index = 0; index < count; ++index) {
    const auto entry = value_at<Elf64_Sym>(table.bytes, index * sizeof(Elf64_Sym));
    auto symbol = symbol_of(*entry, names);
    symbol.is_dynamic = table.type == SHT_DYNSYM;
    binary.symbols.push_back(symbol);
  }
}

}  // namespace

bool is_readable_elf(std::string_view bytes) {
  const auto header = value_at<Elf64_Ehdr>(bytes, 0);
  return header && is_position_independent(*header);
}

bool read_elf(std::string_view bytes, Binary& binary) {
  if (!is_readable_elf(bytes)) return false;
  const auto header = value_at<Elf64_Ehdr>(bytes, 0);
  if (!read_sections(bytes, *header, binary.sections)) return false;
  sort_by_address(binary);
  binary.text = binary.find(".text");
  if (binary.text == nullptr || binary.text->bytes.empty() ||
      binary.text->bytes.size() > kMaxText ||
      binary.text->address > UINT64_MAX - binary.text->bytes.size()) {
    return false;
  }
  for (const auto type : {SHT_DYNSYM, SHT_SYMTAB}) {
    const auto table = std::find_if(
        binary.sections.begin(), binary.sections.end(),
        [&](const Section& section) { return section.type == static_cast<unsigned>(type); });
    if (table != binary.sections.end()) read_symbols(binary, *table);
  }
  return true;
}

}  // namespace archgrid::launches
