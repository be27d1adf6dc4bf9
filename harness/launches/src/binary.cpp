// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "binary.hpp"

#include <algorithm>

namespace archgrid::launches {

std::string_view part_of(std::string_view bytes, std::uint64_t offset, std::uint64_t size) {
  if (offset > bytes.size() || bytes.size() - offset < size) return {};
  return bytes.substr(offset, size);
}

std::string_view text_at(std::string_view bytes, std::uint64_t offset, std::size_t limit) {
  if (offset >= bytes.size()) return {};
  const auto rest = bytes.substr(offset, limit);
  return rest.substr(0, rest.find('\0'));
}

const Section* Binary::section_at(std::uint64_t address) const {
  const auto after = std::upper_bound(
      by_address.begin(), by_address.end(), address,
      [](std::uint64_t value, const Section* section) { return value < section->address; });
  if (after == by_address.begin()) return nullptr;
  const auto* section = *std::prev(after);
  return address - section->address < section->bytes.size() ? section : nullptr;
}

std::string_view Binary::at(std::uint64_t address) const {
  const auto* section = section_at(address);
  return section == nullptr ? std::string_view()
                            : section->bytes.substr(address - section->address);
}

std::optional<std::uint64_t> Binary::constant_at(std::uint64_t address, unsigned bytes) const {
  const auto* section = section_at(address);
  if (section == nullptr || !section->is_constant || bytes > sizeof(std::uint64_t)) {
    return std::nullopt;
  }
  const auto content = part_of(section->bytes, address - section->address, bytes);
  if (content.empty()) return std::nullopt;
  std::uint64_t value = 0;
  std::memcpy(&value, content.data(), content.size());
  return value;
}

std::string_view Binary::code_of(const Function& function) const {
  return part_of(text->bytes, function.begin - text->address, function.end - function.begin);
}

const Section* Binary::find(std::string_view name) const {
  const auto found = std::find_if(sections.begin(), sections.end(),
                                  [&](const Section& section) { return section.name == name; });
  return found == sections.end() ? nullptr : &*found;
}

bool Binary::is_code(std::uint64_t address) const {
  return address - text->address < text->bytes.size();
}

std::uint32_t Binary::function_at(std::uint64_t address) const {
  const auto after = std::upper_bound(
      functions.begin(), functions.end(), address,
      [](std::uint64_t value, const Function& function) { return value < function.begin; });
  if (after == functions.begin() || address >= std::prev(after)->end) return kNone;
  return static_cast<std::uint32_t>(after - functions.begin() - 1);
}

std::uint32_t Binary::function_from(std::uint64_t address) const {
  const auto index = function_at(address);
  return index != kNone && functions[index].begin == address ? index : kNone;
}

Callee Binary::callee_of(std::uint64_t address) const {
  const auto entry = plt.find(address);
  return entry == plt.end() ? Callee{address, kNone} : entry->second;
}

std::span<const std::uint32_t> Binary::pointers_to(std::uint64_t target) const {
  const auto is_before = [&](std::uint32_t index) { return pointers[index].target < target; };
  const auto is_at = [&](std::uint32_t index) { return pointers[index].target == target; };
  const auto first = std::partition_point(by_target.begin(), by_target.end(), is_before);
  return {first, std::partition_point(first, by_target.end(), is_at)};
}

std::optional<Callee> Binary::slot_at(std::uint64_t address) const {
  const auto slot = slots.find(address);
  if (slot == slots.end()) return std::nullopt;
  return slot->second;
}

}  // namespace archgrid::launches
