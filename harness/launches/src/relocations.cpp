// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "binary.hpp"
#include "elf_format.hpp"

namespace archgrid::launches {
namespace {

/// Reads the relocations of one file.
class Relocations {
 public:
  explicit Relocations(Binary& binary) : binary_(binary) {
    for (std::size_t index = 0; index < binary.sections.size(); ++index) {
      if (binary.sections[index].type == elf::kDynamicSymbols) dynamic_ = index;
    }
    for (const auto& symbol : binary.symbols) {
      if (symbol.is_dynamic) symbols_.push_back(&symbol);
    }
  }

  void read(const Section& section) {
    if (section.type == elf::kPackedRelocations) return read_packed(section.bytes);
    if (section.type != elf::kRelocations || section.link != dynamic_) return;
    const auto count = section.bytes.size() / sizeof(elf::Relocation);
    for (std::size_t index = 0; index < count; ++index) {
      apply(*value_at<elf::Relocation>(section.bytes, index * sizeof(elf::Relocation)));
    }
  }

  void finish() {
    add_slots_of_got();
    std::stable_sort(
        binary_.pointers.begin(), binary_.pointers.end(),
        [](const Pointer& left, const Pointer& right) { return left.slot < right.slot; });
    sort_by_target();
  }

 private:
  void sort_by_target() {
    auto& order = binary_.by_target;
    const auto& pointers = binary_.pointers;
    order.resize(pointers.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t left, std::uint32_t right) {
      return pointers[left].target < pointers[right].target;
    });
  }

  void apply(const elf::Relocation& entry) {
    const auto addend = static_cast<std::uint64_t>(entry.addend);
    const auto type = entry.type();
    if (type == elf::kRelative) return add_pointer(entry.offset, addend);
    if (type != elf::kGlobalData && type != elf::kJumpSlot && type != elf::kAbsolute) return;
    const auto index = entry.symbol();
    if (index >= symbols_.size()) return;
    const auto& symbol = *symbols_[index];
    if (symbol.address == 0) {
      binary_.slots[entry.offset] = {0, import_of(symbol.name)};
    } else if (type == elf::kAbsolute) {
      add_pointer(entry.offset, symbol.address + addend);
    } else {
      binary_.slots[entry.offset] = {symbol.address + addend, kNone};
    }
  }

  /// Reads relative relocations that are packed into addresses and bitmaps.
  void read_packed(std::string_view bytes) {
    std::uint64_t next = 0;
    for (std::uint64_t offset = 0; offset + 8 <= bytes.size(); offset += 8) {
      const auto entry = *value_at<std::uint64_t>(bytes, offset);
      if ((entry & 1) == 0) {
        if (entry < next) return;  // entries of linkers ascend, which bounds their number
        add_packed(entry);
        next = entry + 8;
        continue;
      }
      for (unsigned bit = 1; bit < 64; ++bit) {
        if ((entry >> bit & 1) != 0) add_packed(next + std::uint64_t{8} * (bit - 1));
      }
      next += std::uint64_t{8} * 63;
    }
  }

  void add_packed(std::uint64_t slot) {
    if (const auto target = value_at<std::uint64_t>(binary_.at(slot), 0)) {
      add_pointer(slot, *target);
    }
  }

  void add_pointer(std::uint64_t slot, std::uint64_t target) {
    if (binary_.is_code(target)) binary_.pointers.push_back({slot, target});
  }

  std::uint32_t import_of(std::string_view name) {
    const auto [place, is_new] =
        imports_.emplace(name, static_cast<std::uint32_t>(binary_.imports.size()));
    if (is_new) binary_.imports.push_back({name, role_of(name)});
    return place->second;
  }

  /// Adds pointers to hidden functions in the GOT, through which code calls them.
  void add_slots_of_got() {
    const auto* got = binary_.find(".got");
    if (got == nullptr) return;
    for (const auto& pointer : binary_.pointers) {
      if (pointer.slot - got->address < got->bytes.size()) {
        binary_.slots[pointer.slot] = {pointer.target, kNone};
      }
    }
  }

  Binary& binary_;
  std::size_t dynamic_ = 0;
  std::vector<const Symbol*> symbols_;
  std::unordered_map<std::string_view, std::uint32_t> imports_;
};

/// Returns where an entry with a jump at `jump` begins: before `endbr64` and the prefix `bnd`.
std::size_t begin_of_entry(std::string_view bytes, std::size_t jump) {
  if (jump >= 1 && bytes[jump - 1] == '\xf2') --jump;
  if (jump >= 4 && bytes.substr(jump - 4, 4) == "\xf3\x0f\x1e\xfa") jump -= 4;
  return jump;
}

void read_linkage_table(Binary& binary, const Section& section) {
  constexpr std::string_view kJump = "\xff\x25";
  auto at = section.bytes.find(kJump);
  for (; at != std::string_view::npos; at = section.bytes.find(kJump, at + 1)) {
    const auto relative = value_at<std::int32_t>(section.bytes, at + 2);
    if (!relative) return;
    const auto slot =
        section.address + at + 6 + static_cast<std::uint64_t>(std::int64_t{*relative});
    if (const auto callee = binary.slot_at(slot)) {
      binary.plt[section.address + begin_of_entry(section.bytes, at)] = *callee;
    }
  }
}

}  // namespace

void read_relocations(Binary& binary) {
  Relocations relocations(binary);
  for (const auto& section : binary.sections) relocations.read(section);
  relocations.finish();
  for (const auto& section : binary.sections) {
    if (section.name.starts_with(".plt")) read_linkage_table(binary, section);
  }
}

}  // namespace archgrid::launches
