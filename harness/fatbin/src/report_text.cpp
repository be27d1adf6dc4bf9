// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "report_text.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

namespace archgrid::fatbin {
namespace {

constexpr std::size_t kLongest = 400;

/// The target of a relocation.
struct Target {
  std::uint32_t symbol = 0;
  std::uint64_t addend = 0;
};

using Targets = std::map<std::uint64_t, Target>;  ///< by offset in a section

void add_targets(const Section& table, Targets& targets) {
  const std::uint64_t step = table.type == elf::kRel ? 16 : 24;
  for (std::uint64_t at = 0; table.data.holds(at, step); at += step) {
    Target target;
    target.symbol =
        static_cast<std::uint32_t>(table.data.at<std::uint64_t>(at + 8, "relocation info") >> 32);
    if (table.type == elf::kRela) {
      target.addend = table.data.at<std::uint64_t>(at + 16, "relocation addend");
    }
    targets[table.data.at<std::uint64_t>(at, "relocation offset")] = target;
  }
}

/// Returns the targets of a section's relocations.
Targets targets_in(const Elf& cubin, std::size_t section) {
  Targets targets;
  for (const auto& table : cubin.sections) {
    const bool relocates = table.type == elf::kRela || table.type == elf::kRel;
    if (relocates && table.info == section) add_targets(table, targets);
  }
  return targets;
}

std::size_t index_of(const Elf& cubin, std::string_view name) {
  const auto found = std::find_if(cubin.sections.begin(), cubin.sections.end(),
                                  [&](const Section& section) { return section.name == name; });
  return static_cast<std::size_t>(found - cubin.sections.begin());
}

/// Returns the targets whose addresses the code loads, in code order. CUDA 13 puts the addresses
/// into constant bank 4, earlier releases into instructions.
std::vector<Target> loaded_by(const Elf& cubin, const Symbol& kernel, Bytes code, int arch) {
  auto at_code = targets_in(cubin, kernel.section);
  at_code.erase(at_code.begin(), at_code.lower_bound(kernel.value));
  at_code.erase(at_code.lower_bound(kernel.value + code.size()), at_code.end());
  constexpr int kFirstWide = 70;
  constexpr std::uint64_t kInstruction = 16;
  constexpr std::uint64_t kBank = 4;
  constexpr std::uint64_t kLdcu = 0x1ac;  // from 10.0 on, with the offset elsewhere (nvdisasm -hex)
  const auto bank = index_of(cubin, ".nv.constant4");
  if (arch >= kFirstWide && bank < cubin.sections.size()) {
    const auto constants = targets_in(cubin, bank);
    for (std::uint64_t at = 0; code.holds(at, kInstruction); at += kInstruction) {
      const auto word = code.at<std::uint64_t>(at, "instruction");
      if (((word >> 54) & 0x1f) != kBank) continue;
      const bool is_uniform = (word & 0x1ff) == kLdcu;
      const auto constant = constants.find((word >> (is_uniform ? 37 : 38)) & 0xffff);
      if (constant != constants.end()) at_code.emplace(kernel.value + at, constant->second);
    }
  }
  std::vector<Target> loaded;
  for (const auto& [offset, target] : at_code) loaded.push_back(target);
  return loaded;
}

bool is_printed(char c) {
  return (c >= ' ' && c <= '~') || c == '\n' || c == '\t' || c == '\r';
}

/// Returns the string at an offset, on one line; empty where there is none.
std::string string_at(Bytes data, std::uint64_t offset) {
  if (offset >= data.size()) return {};
  const auto rest = data.text().substr(offset);
  const auto end = rest.find('\0');
  if (end == std::string_view::npos || end > kLongest) return {};
  const auto text = rest.substr(0, end);
  if (!std::all_of(text.begin(), text.end(), is_printed)) return {};
  std::string line;
  for (const char c : text) {
    const bool is_blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (is_blank && (line.empty() || line.back() == ' ')) continue;
    line += is_blank ? ' ' : c;
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

/// Reports whether a string of assert() is the name of the source file.
bool is_file(std::string_view text) {
  constexpr std::array<std::string_view, 8> kEnds = {".cu",  ".cuh", ".h",  ".hpp",
                                                     ".inl", ".inc", ".cc", ".cpp"};
  return text.find(' ') == std::string_view::npos &&
         std::any_of(kEnds.begin(), kEnds.end(), [&](std::string_view end) {
           return text.size() > end.size() && text.substr(text.size() - end.size()) == end;
         });
}

}  // namespace

std::string report_text(const Elf& cubin, const std::vector<Symbol>& symbols, const Symbol& kernel,
                        Bytes code, int arch) {
  const auto strings = index_of(cubin, ".nv.global.init");
  if (strings == cubin.sections.size()) return {};
  for (const auto& target : loaded_by(cubin, kernel, code, arch)) {
    if (target.symbol >= symbols.size()) continue;
    const auto& symbol = symbols[target.symbol];
    // The compiler's name for that of the function, __PRETTY_FUNCTION__.
    const bool is_function = symbol.name.substr(0, 10) == "__unnamed_";
    if (symbol.section != strings || is_function) continue;
    auto text = string_at(cubin.sections[strings].data, symbol.value + target.addend);
    if (!text.empty() && !is_file(text)) return text;
  }
  return {};
}

}  // namespace archgrid::fatbin
