// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "host.hpp"

#include <algorithm>
#include <array>
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

// A damaged or made-up file may hold a bad fat binary every 16 bytes.
constexpr std::size_t kMostErrors = 64;

/// Keeps the first errors and counts the others.
class ErrorLimit {
 public:
  explicit ErrorLimit(File& file) : file_(file), most_(file.errors.size() + kMostErrors) {}

  void apply() {
    if (file_.errors.size() <= most_) return;
    if (more_ == 0) first_ = file_.errors[most_].offset;
    more_ += file_.errors.size() - most_;
    file_.errors.erase(file_.errors.begin() + static_cast<std::ptrdiff_t>(most_),
                       file_.errors.end());
  }

  void close() {
    if (more_ == 0) return;
    file_.errors.push_back(
        {first_, fmt::format("here and later {} more places could not be read", more_)});
  }

 private:
  File& file_;
  std::size_t most_;
  std::size_t more_ = 0;
  std::uint64_t first_ = 0;
};

void expect_padding(Bytes gap, File& file) {
  const auto odd = gap.text().find_first_not_of('\0');
  if (odd == std::string_view::npos) return;
  file.errors.push_back(
      {gap.base() + odd, "a fat binary (magic 0xba55ed50, version 1) expected here"});
}

void scan_section(const Section& section, File& file, ErrorLimit& limit) {
  const auto text = section.data.text();
  const bool exclusive = holds_only_containers(section.name);
  std::uint64_t at = 0;
  while (at < text.size()) {
    auto hit = text.find(kContainerMagic, at);
    while (hit != std::string_view::npos && !is_container(text.substr(hit))) {
      hit = text.find(kContainerMagic, hit + 1);
    }
    const auto end = std::min(hit, text.size());
    if (exclusive) expect_padding(section.data.slice(at, end - at, "section"), file);
    limit.apply();
    if (hit == std::string_view::npos) return;
    const auto rest = section.data.slice(hit, text.size() - hit, "fat binary");
    at = hit + read_container(rest, std::string(section.name), file);
    limit.apply();
  }
}

/// Answers where the pointers of registration wrappers lead.
class Pointers {
 public:
  explicit Pointers(const Elf& elf) : elf_(elf) {
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
    if (table.link >= elf_.sections.size()) {
      throw Unreadable(table.data.base(), "relocations name no symbol table");
    }
    const auto symbols = symbols_of(elf_, elf_.sections[table.link]);
    for (const auto& relocation : relocations_of(table)) {
      if (!holds(kAbsoluteRelocations, relocation.type)) continue;
      if (relocation.symbol >= symbols.size()) {
        throw Unreadable(table.data.base(), "relocation names no symbol");
      }
      const auto& symbol = symbols[relocation.symbol];
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
    for (const auto& section : elf_.sections) {
      if (section.address == 0 || address < section.address) continue;
      const auto inside = address - section.address;
      if (inside < section.data.size()) return section.data.base() + inside;
    }
    return std::nullopt;
  }

  const Elf& elf_;
  std::map<std::pair<const Section*, std::uint64_t>, std::uint64_t> offsets_;
  std::map<std::uint64_t, std::uint64_t> addresses_;
};

/// "gemm.cu" from nvcc's temporary "tmpxft_000015f2_00000000-6_gemm.cudafe1.cpp".
std::string unit_name(std::string_view name) {
  constexpr std::string_view kEnding = ".cudafe1.cpp";
  if (name.substr(0, 7) != "tmpxft_" || name.size() < kEnding.size() ||
      name.substr(name.size() - kEnding.size()) != kEnding) {
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
  if (name.substr(0, kStart.size()) != kStart) return {};
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
  for (const auto& table : elf.sections) {
    if (table.type != elf::kSymbolTable) continue;
    std::string unit;
    for (const auto& symbol : symbols_of(elf, table)) {
      if (symbol.type == elf::kFileSymbol) unit = unit_name(symbol.name);
      const bool in_wrappers = symbol.section != 0 && symbol.section < elf.sections.size() &&
                               elf.sections[symbol.section].name == kWrapperSection;
      if (!in_wrappers || symbol.type == elf::kSectionSymbol) continue;
      const auto named = symbol.binding == elf::kLocalBinding ? unit : unit_of_wrapper(symbol.name);
      if (named.empty()) continue;
      const auto start = elf.type == elf::kObject ? 0 : elf.sections[symbol.section].address;
      units[elf.sections[symbol.section].data.base() + symbol.value - start] = named;
    }
  }
  return units;
}

Module* module_at(File& file, std::uint64_t offset) {
  for (auto& module : file.modules) {
    if (module.offset == offset) return &module;
  }
  return nullptr;
}

void read_wrappers(const Section& section, const Pointers& pointers,
                   const std::map<std::uint64_t, std::string>& units, File& file) {
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
    Module* module = target ? module_at(file, *target) : nullptr;
    if (module == nullptr) {
      file.dangling.push_back(where);
      continue;
    }
    module->registered = true;
    module->linked = version == kLinkedWrapper;
    const auto unit = units.find(where);
    if (unit != units.end()) module->unit = unit->second;
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
  for (const auto& section : elf.sections) {
    if (section.name == kWrapperSection) read_wrappers(section, pointers, units, file);
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
  for (const auto& table : elf.sections) {
    if (table.type != wanted) continue;
    for (const auto& symbol : symbols_of(elf, table)) {
      if (symbol.section == 0 && loads_code(symbol.name)) names.emplace(symbol.name);
    }
  }
  return {names.begin(), names.end()};
}

}  // namespace

void read_host(const Elf& elf, File& file) {
  ErrorLimit limit(file);
  for (const auto& section : elf.sections) {
    if (is_searched(section)) scan_section(section, file, limit);
  }
  limit.close();
  for (auto& module : file.modules) module.relocatable = module.section == kRelocatableSection;
  mark_registered(elf, file);
  file.loaders = imported_loaders(elf);
}

}  // namespace archgrid::fatbin
