// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "host.hpp"

#include <algorithm>
#include <archgrid/mapped_file.hpp>
#include <array>
#include <iterator>
#include <map>
#include <set>

#include "container.hpp"

namespace archgrid::fatbin {
namespace {

constexpr std::string_view kWrapperSection = ".nvFatBinSegment";
constexpr std::string_view kFatbinSection = ".nv_fatbin";
constexpr std::string_view kRelocatableSection = "__nv_relfatbin";
constexpr std::uint64_t kWrapperSize = 24;
constexpr std::uint32_t kWrapperMagic = 0x466243b1;
constexpr std::uint32_t kLinkedWrapper = 2;

// No system allows longer ones. Several wrappers may name one file, and each keeps a copy.
constexpr std::size_t kLongestFileName = 255;

// R_X86_64_64, R_AARCH64_ABS64 in objects; R_X86_64_RELATIVE, R_AARCH64_RELATIVE in linked files.
constexpr std::array<std::uint32_t, 2> kAbsoluteRelocations = {1, 257};
constexpr std::array<std::uint32_t, 2> kRelativeRelocations = {8, 1027};

template <typename List>
bool holds(const List& list, std::uint32_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

bool is_searched(const Section& section) {
  const bool code = (section.flags & elf::kExecutable) != 0;
  const bool table = section.type == elf::kSymbolTable || section.type == elf::kDynamicSymbols ||
                     section.type == elf::kRela || section.type == elf::kNote;
  return !code && !table && section.data.size() >= 16;
}

bool holds_only_containers(std::string_view section) {
  return section == kFatbinSection || section == kRelocatableSection;
}

/// Searches data sections for containers, each byte of the file once.
class Search {
 public:
  Search(const Elf& elf, ContainerReader& reader) : elf_(elf), reader_(reader) {}

  /// To be called in the order of the file.
  void add(const Section& section) {
    const Bytes data = unseen_part(section);
    if (data.size() != section.data.size() && elf_.has_sections) {
      reader_.note(section.data.base(), fmt::format("section {} lies over another one",
                                                    section.name.substr(0, kLongestFileName)));
    }
    search(data, section.name);
  }

 private:
  Bytes unseen_part(const Section& section) {
    const auto begin = section.data.base();
    const auto seen = std::min(std::max(seen_, begin) - begin, section.data.size());
    seen_ = std::max(seen_, begin + section.data.size());
    return section.data.slice(seen, section.data.size() - seen, "section");
  }

  void search(Bytes data, std::string_view section) {
    const auto text = data.text();
    const bool exclusive = holds_only_containers(section);
    std::uint64_t at = 0;
    while (at < text.size()) {
      const auto hit = next_container(text, at);
      const auto end = std::min(hit, text.size());
      if (exclusive) expect_padding(data.slice(at, end - at, "section"));
      if (hit == std::string_view::npos) return;
      at = hit + reader_.read(data.slice(hit, text.size() - hit, "fat binary"), section);
    }
  }

  /// Takes the memory of what it has looked through back: of large data that may be all there is.
  static std::size_t next_container(std::string_view text, std::size_t at) {
    constexpr std::size_t kStep = std::size_t{4} << 20;
    constexpr auto kOverlap = kContainerMagic.size() - 1;
    for (; at < text.size(); at += kStep) {
      const auto part = text.substr(at, kStep + kOverlap);
      auto hit = part.find(kContainerMagic);
      while (hit != std::string_view::npos && !is_container(text.substr(at + hit))) {
        hit = part.find(kContainerMagic, hit + 1);
      }
      if (hit != std::string_view::npos) return at + hit;
      release(part);
    }
    return std::string_view::npos;
  }

  void expect_padding(Bytes gap) {
    const auto odd = gap.text().find_first_not_of('\0');
    if (odd == std::string_view::npos) return;
    reader_.note(gap.base() + odd, "a fat binary (magic 0xba55ed50, version 1) expected here");
  }

  const Elf& elf_;
  ContainerReader& reader_;
  std::uint64_t seen_ = 0;  ///< everything searched ends before
};

std::vector<const Section*> searched_sections(const Elf& elf) {
  std::vector<const Section*> sections;
  for (const auto& section : elf.sections) {
    if (is_searched(section)) sections.push_back(&section);
  }
  std::stable_sort(sections.begin(), sections.end(), [](const auto* left, const auto* right) {
    return left->data.base() < right->data.base();
  });
  return sections;
}

/// Loaded sections by address.
std::map<std::uint64_t, const Section*> by_address(const Elf& elf) {
  std::map<std::uint64_t, const Section*> sections;
  for (const auto& section : elf.sections) {
    if (section.address == 0 || section.data.size() == 0) continue;
    sections.emplace(section.address, &section);
  }
  return sections;
}

/// Symbols of an object, which has one table of them; of linked files none are needed.
std::vector<Symbol> object_symbols(const Elf& elf) {
  const auto* table = symbol_table(elf, elf::kSymbolTable);
  if (elf.type != elf::kObject || table == nullptr) return {};
  return symbols_of(elf, *table);
}

/// Answers where the pointers of registration wrappers lead.
class Pointers {
 public:
  explicit Pointers(const Elf& elf)
      : elf_(elf), sections_(by_address(elf)), symbols_(object_symbols(elf)) {
    for (const auto& table : elf.sections) {
      if (table.type != elf::kRela) continue;
      if (elf.type == elf::kObject) {
        if (table.info < elf.sections.size() && elf.sections[table.info].name == kWrapperSection) {
          add_object(table);
        }
      } else {
        add_linked(table);
      }
    }
  }

  /// File offset of what the pointer at `at` of `section` leads to.
  [[nodiscard]] std::optional<std::uint64_t> target(const Section& section,
                                                    std::uint64_t at) const {
    if (elf_.type == elf::kObject) {
      const auto found = offsets_.find({&section, at});
      if (found == offsets_.end()) return std::nullopt;
      return found->second;
    }
    const auto relocated = addresses_.find(section.address + at);
    const auto address = relocated != addresses_.end()
                             ? relocated->second
                             : section.data.at<std::uint64_t>(at, "fat binary pointer");
    return offset_of(address);
  }

 private:
  void add_object(const Section& table) {
    const auto& target = elf_.sections[table.info];
    if (table.link >= elf_.sections.size() || elf_.sections[table.link].type != elf::kSymbolTable) {
      throw Unreadable(table.data.base(), "relocations name no symbol table");
    }
    for (const auto& relocation : relocations_of(table)) {
      if (!holds(kAbsoluteRelocations, relocation.type)) continue;
      if (relocation.symbol >= symbols_.size()) {
        throw Unreadable(table.data.base(), "relocation names no symbol");
      }
      const auto& symbol = symbols_[relocation.symbol];
      if (symbol.section == 0 || symbol.section >= elf_.sections.size()) continue;
      offsets_[{&target, relocation.offset}] = elf_.sections[symbol.section].data.base() +
                                               symbol.value +
                                               static_cast<std::uint64_t>(relocation.addend);
    }
  }

  void add_linked(const Section& table) {
    for (const auto& relocation : relocations_of(table)) {
      if (!holds(kRelativeRelocations, relocation.type)) continue;
      addresses_[relocation.offset] = static_cast<std::uint64_t>(relocation.addend);
    }
  }

  [[nodiscard]] std::optional<std::uint64_t> offset_of(std::uint64_t address) const {
    const auto after = sections_.upper_bound(address);
    if (after == sections_.begin()) return std::nullopt;
    const auto& [start, section] = *std::prev(after);
    if (address - start >= section->data.size()) return std::nullopt;
    return section->data.base() + (address - start);
  }

  const Elf& elf_;
  std::map<std::uint64_t, const Section*> sections_;
  std::vector<Symbol> symbols_;
  std::map<std::pair<const Section*, std::uint64_t>, std::uint64_t> offsets_;
  std::map<std::uint64_t, std::uint64_t> addresses_;
};

/// "gemm.cu" from nvcc's temporary "tmpxft_000015f2_00000000-6_gemm.cudafe1.cpp".
std::string unit_name(std::string_view name) {
  constexpr std::string_view kEnding = ".cudafe1.cpp";
  if (name.size() > kLongestFileName || name.substr(0, 7) != "tmpxft_" ||
      name.size() < kEnding.size() || name.substr(name.size() - kEnding.size()) != kEnding) {
    return {};
  }
  name.remove_suffix(kEnding.size());
  const auto dash = name.find('-');
  const auto begin = dash == std::string_view::npos ? dash : name.find('_', dash);
  if (begin == std::string_view::npos) return {};
  name.remove_prefix(begin + 1);
  // With several architectures nvcc adds the one it compiled the host side for: "gemm.compute_90".
  const auto arch = name.rfind(".compute_");
  return std::string(name.substr(0, arch)) + ".cu";
}

/// "gemm.cu" from the wrapper of a relocatable unit, "__fatbinwrap_5ea3_7_gemm_cu_9f07": 7 is the
/// length of what follows.
std::string unit_of_wrapper(std::string_view name) {
  constexpr std::string_view kStart = "__fatbinwrap_";
  if (name.size() > kLongestFileName + kStart.size() || name.substr(0, kStart.size()) != kStart)
    return {};
  name.remove_prefix(std::min(name.find('_', kStart.size()), name.size() - 1) + 1);
  std::size_t length = 0;
  while (!name.empty() && name[0] >= '0' && name[0] <= '9' && length < name.size()) {
    length = length * 10 + static_cast<std::size_t>(name[0] - '0');
    name.remove_prefix(1);
  }
  if (length < 4 || name.size() < length + 1 || name.substr(length - 2, 3) != "_cu") return {};
  return std::string(name.substr(1, length - 3)) + ".cu";
}

/// Which source file each wrapper came from: local symbols follow the symbol of their file.
std::map<std::uint64_t, std::string> units_by_wrapper(const Elf& elf) {
  std::map<std::uint64_t, std::string> units;
  const auto* table = symbol_table(elf, elf::kSymbolTable);
  if (table == nullptr) return units;
  std::string unit;
  for (const auto& symbol : symbols_of(elf, *table)) {
    if (symbol.type == elf::kFileSymbol) unit = unit_name(symbol.name);
    const bool in_wrappers = symbol.section != 0 && symbol.section < elf.sections.size() &&
                             elf.sections[symbol.section].name == kWrapperSection;
    if (!in_wrappers || symbol.type == elf::kSectionSymbol) continue;
    const auto named = symbol.binding == elf::kLocalBinding ? unit : unit_of_wrapper(symbol.name);
    if (named.empty()) continue;
    const auto start = elf.type == elf::kObject ? 0 : elf.sections[symbol.section].address;
    units[elf.sections[symbol.section].data.base() + symbol.value - start] = named;
  }
  return units;
}

using ModulesByOffset = std::map<std::uint64_t, Module*>;

ModulesByOffset modules_by_offset(File& file) {
  ModulesByOffset modules;
  for (auto& module : file.modules) modules.emplace(module.offset, &module);
  return modules;
}

void read_wrappers(const Section& section, const Pointers& pointers,
                   const std::map<std::uint64_t, std::string>& units,
                   const ModulesByOffset& modules, File& file) {
  for (std::uint64_t at = 0; at < section.data.size(); at += kWrapperSize) {
    const auto where = section.data.base() + at;
    const auto magic = section.data.at<std::uint32_t>(at, "registration wrapper");
    if (magic != kWrapperMagic) {
      section.data.fail(at, fmt::format("registration wrapper expected here (magic 0x466243b1), "
                                        "found {:#x}",
                                        magic));
    }
    const auto version = section.data.at<std::uint32_t>(at + 4, "wrapper version");
    const auto target = pointers.target(section, at + 8);
    const auto found = target ? modules.find(*target) : modules.end();
    if (found == modules.end()) {
      file.dangling.push_back(where);
      continue;
    }
    Module& module = *found->second;
    module.registered = true;
    module.linked = version == kLinkedWrapper;
    const auto unit = units.find(where);
    if (unit != units.end()) module.unit = unit->second;
  }
}

void mark_registered(const Elf& elf, File& file) {
  if (!elf.has_sections) {
    // Without sections the wrappers cannot be told from other data: assume the strict rule.
    for (auto& module : file.modules) module.registered = true;
    return;
  }
  const Pointers pointers(elf);
  const auto units = units_by_wrapper(elf);
  const auto modules = modules_by_offset(file);
  for (const auto& section : elf.sections) {
    if (section.name == kWrapperSection) read_wrappers(section, pointers, units, modules, file);
  }
}

bool loads_code(std::string_view symbol) {
  constexpr std::array<std::string_view, 4> kPrefixes = {"cuModuleLoad", "cuLibraryLoad",
                                                         "nvrtcCompileProgram", "nvJitLinkCreate"};
  return std::any_of(kPrefixes.begin(), kPrefixes.end(), [&](std::string_view prefix) {
    return symbol.substr(0, prefix.size()) == prefix;
  });
}

std::vector<std::string> imported_loaders(const Elf& elf) {
  std::set<std::string> names;
  const auto wanted = elf.type == elf::kObject ? elf::kSymbolTable : elf::kDynamicSymbols;
  const auto* table = symbol_table(elf, wanted);
  if (table == nullptr) return {};
  for (const auto& symbol : symbols_of(elf, *table)) {
    if (symbol.section == 0 && loads_code(symbol.name)) names.emplace(symbol.name);
  }
  return {names.begin(), names.end()};
}

}  // namespace

void read_host(const Elf& elf, Detail detail, File& file) {
  ContainerReader reader(file, detail);
  Search search(elf, reader);
  for (const auto* section : searched_sections(elf)) search.add(*section);
  reader.close();
  for (auto& module : file.modules) module.relocatable = module.section == kRelocatableSection;
  mark_registered(elf, file);
  file.loaders = imported_loaders(elf);
}

}  // namespace archgrid::fatbin
