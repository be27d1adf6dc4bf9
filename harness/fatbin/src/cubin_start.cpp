// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "cubin_start.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <unordered_set>

#include "cubin.hpp"
#include "elf.hpp"
#include "find_text.hpp"

namespace archgrid::fatbin {
namespace {

constexpr std::size_t kCubinHeaderSize = 64;
constexpr std::uint64_t kCubinSymbolSize = 24;
constexpr std::uint64_t kSectionHeader = 64;
constexpr std::uint64_t kProgramHeader = 56;
// The compiler's first three sections have these names, in this order.
constexpr std::string_view kFirstNames("\0.shstrtab\0.strtab\0.symtab\0", 27);
constexpr std::uint16_t kNamesSection = 1;
constexpr std::string_view kParameters = ".nv.constant0.";
// Prefixes of sections that relocate a kernel's calls; the kernel's name follows.
constexpr std::string_view kRelocations = ".rela.text.";
constexpr std::string_view kOldRelocations = ".rel.text.";
// The bank of addresses; CUDA 13 calls functions that the driver provides through it.
constexpr std::string_view kAddresses = ".nv.constant4";
constexpr std::uint32_t kLastSymbolType = 13;
constexpr std::uint32_t kLastBinding = 2;
constexpr std::uint16_t kFirstReservedSection = 0xff00;
// nvlink stores equal section names once: for the code and the .nv.info of a device function that
// several units contain.
constexpr std::size_t kSectionsOfFunction = 2;

// This many symbols whose names all begin at the start of a name are no accident.
constexpr std::size_t kFewestSymbols = 3;
using FirstNames = std::array<std::uint32_t, kFewestSymbols>;

// Limits for crafted cubins, in which names and symbols may begin anywhere. In those of compilers
// at most three gaps are wide enough to precede symbols, and the first try is right.
constexpr std::size_t kMaxWideGaps = 64;
constexpr std::size_t kMaxTries = 16;
// Compilers remove up to 738 names from one table (NCCL).
constexpr std::size_t kMaxPlaces = 4096;

/// Several zeros between names, or before and after them. The names of one table are one zero
/// apart, except where the compiler has removed some.
struct Gap {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;  ///< offset of the next byte that is not zero
};

/// Returns the next gap from `at` on.
std::optional<Gap> find_gap(std::string_view text, std::uint64_t at) {
  const auto begin = find_text(text, std::string_view("\0\0", 2), at);
  if (begin == std::string_view::npos) return std::nullopt;
  const auto end = text.find_first_not_of('\0', begin);
  if (end == std::string_view::npos) return std::nullopt;
  return Gap{begin, end};
}

/// Returns where symbols may begin in a gap; nothing if it is too narrow. The first symbol is null:
/// 24 zeros at a multiple of 8 bytes. The second begins with the offset of its name.
std::optional<std::uint64_t> symbols_at(const Gap& gap) {
  const auto second = gap.end / 8 * 8;
  if (second < gap.begin + 1 + kCubinSymbolSize) return std::nullopt;
  return second - kCubinSymbolSize;
}

using Names = std::unordered_set<std::string_view>;

/// Reports whether the compiler may keep this name although it omits the section. Each prefix is
/// tested separately, so that its length is a compile-time constant.
bool is_optional(std::string_view name) {
  return begins_with(name, ".nv.shared.") || begins_with(name, ".rel") ||
         begins_with(name, ".nv.prototype") || begins_with(name, ".symtab_shndx");
}

/// Calls `visit` with the names in a table, which zeros separate.
template <typename Visit>
void visit_names(std::string_view table, const Visit& visit) {
  std::size_t begin = 0;
  const auto end_at = [&](std::size_t end) {
    if (end > begin) visit(table.substr(begin, end - begin));
    begin = end + 1;
  };
  std::size_t at = 0;
  for (; at + kVector <= table.size(); at += kVector) {
    for (auto zeros = bits_of(load(table.data() + at) == Vector{}); zeros != 0;
         zeros &= zeros - 1) {
      end_at(at + static_cast<unsigned>(__builtin_ctz(zeros)));
    }
  }
  for (; at < table.size(); ++at) {
    if (table[at] == '\0') end_at(at);
  }
  end_at(table.size());
}

struct SectionNames {
  std::size_t all = 0;
  std::size_t required = 0;                 ///< those that are not is_optional()
  Names kernels;                            ///< that have a section for their parameters
  std::vector<std::string_view> relocated;  ///< functions that have relocations of their own
  bool addresses = false;                   ///< there is a bank of addresses
};

/// Names occur twice if another tool has changed the cubin after ptxas.
SectionNames section_names_in(std::string_view table) {
  SectionNames names;
  visit_names(table, [&](std::string_view name) {
    ++names.all;
    if (!is_optional(name)) ++names.required;
    if (begins_with(name, kParameters)) {
      names.kernels.insert(name.substr(kParameters.size()));
    } else if (begins_with(name, kAddresses)) {
      names.addresses = true;
    } else if (begins_with(name, kRelocations)) {
      names.relocated.push_back(name.substr(kRelocations.size()));
    } else if (begins_with(name, kOldRelocations)) {
      names.relocated.push_back(name.substr(kOldRelocations.size()));
    }
  });
  return names;
}

/// Reports whether a cubin with this many sections may have the section names in a table: one for
/// each section, except for `repeated` device functions, and no others but those of omitted
/// sections. A table of names that another one has replaced mostly has names for another number of
/// sections.
bool may_name(std::string_view table, const SectionNames& names, std::size_t sections,
              std::size_t repeated) {
  if (sections > names.all + kSectionsOfFunction * repeated) return false;
  if (names.required <= sections) return true;
  Names distinct;
  visit_names(table, [&](std::string_view name) {
    if (!is_optional(name)) distinct.insert(name);
  });
  return distinct.size() <= sections;
}

/// Finds the bytes of a vector that neither names nor the zeros between them have.
Matches odd_bytes(Vector bytes) {
  const auto numbers = Matches(bytes);
  return ((numbers > Matches{}) & (numbers < Matches(filled_with(32)))) |
         (bytes == filled_with(127));
}

/// Reports whether the bytes are only names and zeros: symbols, notes and code have other bytes.
bool contains_only_names(std::string_view bytes) {
  constexpr std::size_t kVectors = 4;
  const auto odd = [](auto byte) { return ((byte - 1U) < 31U) | (byte == 127U); };
  std::size_t at = 0;
  for (; at + kVectors * kVector <= bytes.size(); at += kVectors * kVector) {
    Matches found = {};
    for (std::size_t vector = 0; vector < kVectors; ++vector) {
      found |= odd_bytes(load(bytes.data() + at + vector * kVector));
    }
    if (any(found)) return false;
  }
  return std::none_of(bytes.begin() + static_cast<std::ptrdiff_t>(at), bytes.end(),
                      [&](char c) { return odd(static_cast<unsigned char>(c)); });
}

/// A symbol as it lies in the file.
struct StoredSymbol {
  std::uint32_t name = 0;
  std::uint8_t info = 0;
  std::uint8_t other = 0;
  std::uint16_t section = 0;
  std::uint64_t value = 0;
  std::uint64_t size = 0;
};
static_assert(sizeof(StoredSymbol) == kCubinSymbolSize);

struct RawSymbol : StoredSymbol {
  std::uint32_t type = 0;
  std::uint32_t binding = 0;
};

/// Returns the symbol at an offset from which on the bytes contain one.
RawSymbol symbol_at(Bytes bytes, std::uint64_t at) {
  StoredSymbol stored;
  std::memcpy(&stored, bytes.text().data() + at, sizeof(stored));
  return {stored, stored.info & 0xfU, static_cast<std::uint32_t>(stored.info >> 4)};
}

/// Reports whether a RawSymbol or a Symbol is a kernel.
template <typename AnySymbol>
bool is_kernel(const AnySymbol& symbol) {
  return symbol.type == elf::kFunctionSymbol && (symbol.other & kEntryFunction) != 0 &&
         symbol.section != 0;
}

/// The functions that symbols name.
struct Functions {
  std::vector<CubinStart::Kernel> kernels;
  std::size_t repeated = 0;  ///< device functions with the name of an earlier one
  bool reports = false;      ///< some symbol names_report()
  bool variables = false;    ///< CubinStart::variables
};

/// Symbols that seem to begin at an offset. Their end is recorded only in the section table, so
/// they end before the first invalid one.
class Symbols {
 public:
  Symbols(Bytes bytes, std::uint64_t begin)
      : bytes_(bytes), begin_(begin), sections_(bytes.at<std::uint16_t>(60, "section count")) {}

  /// Returns the offsets of the first names of symbols; nothing if too few have names.
  [[nodiscard]] std::optional<FirstNames> first_names() const {
    FirstNames first = {};
    std::size_t named = 0;
    for (auto at = begin_; bytes_.contains(at, kCubinSymbolSize); at += kCubinSymbolSize) {
      const auto symbol = symbol_at(bytes_, at);
      if (!makes_sense(symbol)) return std::nullopt;
      if (symbol.name == 0) continue;
      first[named++] = symbol.name;
      if (named == first.size()) return first;
    }
    return std::nullopt;
  }

  /// Reports whether a name may begin at `at`.
  [[nodiscard]] bool is_name(std::uint64_t at) const {
    return at < begin_ && bytes_.text()[at - 1] == '\0' && bytes_.text()[at] != '\0';
  }

  /// Returns the functions among the symbols, whose names begin at `names`. Nothing if the symbols
  /// continue beyond the bytes, or a kernel does not have a section of its own, as compilers give
  /// each.
  [[nodiscard]] std::optional<Functions> functions(std::uint64_t names) const {
    Functions functions;
    std::vector<bool> taken(sections_);
    std::vector<std::uint32_t> others;  // names of device functions
    for (auto at = begin_; bytes_.contains(at, kCubinSymbolSize); at += kCubinSymbolSize) {
      const auto symbol = symbol_at(bytes_, at);
      const bool named = symbol.name == 0 || is_name(names + symbol.name);
      if (!named || !makes_sense(symbol)) {
        functions.repeated = count_repeated(std::move(others));
        return functions;
      }
      if (is_kernel(symbol)) {
        const bool alone =
            symbol.value == 0 && symbol.section < sections_ && !taken[symbol.section];
        if (!alone) return std::nullopt;
        taken[symbol.section] = true;
        functions.kernels.push_back({name_at(names + symbol.name), symbol.size, false});
      } else if (symbol.type == elf::kFunctionSymbol && symbol.section != 0) {
        others.push_back(symbol.name);
      } else if (names_report(symbol, names)) {
        functions.reports = true;
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] std::uint64_t begin() const { return begin_; }

 private:
  [[nodiscard]] bool makes_sense(const RawSymbol& symbol) const {
    const bool known = symbol.type <= kLastSymbolType && symbol.binding <= kLastBinding;
    return known && (symbol.section < sections_ || symbol.section >= kFirstReservedSection);
  }

  [[nodiscard]] bool names_report(const RawSymbol& symbol, std::uint64_t names) const {
    const bool external = symbol.type == elf::kFunctionSymbol && symbol.section == 0;
    return external && symbol.name != 0 && is_report(name_at(names + symbol.name));
  }

  static std::size_t count_repeated(std::vector<std::uint32_t> names) {
    std::sort(names.begin(), names.end());
    const auto distinct = std::unique(names.begin(), names.end());
    return static_cast<std::size_t>(names.end() - distinct);
  }

  [[nodiscard]] std::string_view name_at(std::uint64_t at) const {
    return bytes_.text().substr(at, bytes_.text().find('\0', at) - at);
  }

  Bytes bytes_;
  std::uint64_t begin_;
  std::uint16_t sections_;
};

/// Marks the kernels that may call a function that the cubin names but does not define: kernels
/// with relocations of their own, and all kernels if there is a bank of addresses.
void mark_callers(std::vector<CubinStart::Kernel>& kernels, const SectionNames& names) {
  const Names callers(names.relocated.begin(), names.relocated.end());
  for (auto& kernel : kernels) {
    kernel.may_report = names.addresses || callers.count(kernel.name) != 0;
  }
}

bool names_variables(std::string_view section_names) {
  bool found = false;
  visit_names(section_names,
              [&](std::string_view name) { found = found || contains_variables(name); });
  return found;
}

/// Reports whether the kernels have these names, each another one.
bool agree(const std::vector<CubinStart::Kernel>& kernels, Names names) {
  return std::all_of(kernels.begin(), kernels.end(),
                     [&](const auto& kernel) { return names.erase(kernel.name) != 0; }) &&
         names.empty();
}

/// Returns the kernels, if the symbols, the section names and the section count agree on them.
std::optional<Functions> read_kernels(Bytes bytes, const Symbols& symbols, std::uint64_t names_at) {
  auto functions = symbols.functions(names_at);
  if (!functions) return std::nullopt;
  const auto table = bytes.text().substr(kCubinHeaderSize, names_at - kCubinHeaderSize);
  auto names = section_names_in(table);
  const std::size_t sections = bytes.at<std::uint16_t>(60, "section count");
  if (!may_name(table, names, sections - 1, functions->repeated)) return std::nullopt;
  const auto tables = bytes.text().substr(kCubinHeaderSize, symbols.begin() - kCubinHeaderSize);
  if (!contains_only_names(tables)) return std::nullopt;
  // Without kernels, no name at all may belong to one, wherever the section names end.
  if (functions->kernels.empty()) names = section_names_in(tables);
  if (!agree(functions->kernels, std::move(names.kernels))) return std::nullopt;
  if (functions->reports) mark_callers(functions->kernels, names);
  if (functions->kernels.empty()) functions->variables = names_variables(tables);
  return functions;
}

/// The content of notes behind the symbols; empty if they lie beyond the bytes.
struct Origin {
  std::string toolkit;
  std::optional<int> source;  ///< number of the arch whose PTX was compiled
};

/// Returns the release in the text of the tool's own note.
std::string noted_release(Bytes bytes, std::uint64_t symbols_at) {
  const auto at = find_text(bytes.text(), "Cuda compilation tools, release ", symbols_at);
  if (at == std::string_view::npos) return {};
  const auto text = bytes.text().substr(at);
  // Without a zero, the bytes end within the text.
  return text.find('\0') == std::string_view::npos ? std::string() : release_of(text);
}

Origin origin_of(Bytes bytes, std::uint64_t symbols_at) {
  constexpr std::string_view kName(".note.nv.cuinfo\0", 16);
  constexpr std::string_view kNote("\xe8\x03\0\0NVIDIA Corp\0", 16);
  const bool named = bytes.text().substr(0, symbols_at).find(kName) != std::string_view::npos;
  if (!named) return {noted_release(bytes, symbols_at), std::nullopt};
  const auto note = find_text(bytes.text(), kNote, symbols_at);
  if (note == std::string_view::npos) return {};
  const auto content = note + kNote.size();
  if (!bytes.contains(content + kNoteToolkit, 2)) return {};
  return {toolkit_text(bytes.at<std::uint16_t>(content + kNoteToolkit, "toolkit version")),
          bytes.at<std::uint16_t>(content + kNoteSource, "virtual arch")};
}

/// Returns the options of the tool that wrote the cubin, from a note behind the symbols; empty if
/// it lies beyond the bytes.
std::string_view find_options(Bytes bytes, std::uint64_t symbols_at) {
  constexpr std::string_view kNote("\xd0\x07\0\0NVIDIA Corp\0", 16);
  constexpr std::uint64_t kOptionsOffset = 20;
  constexpr std::uint64_t kTexts = 24;
  const auto note = find_text(bytes.text(), kNote, symbols_at);
  if (note == std::string_view::npos) return {};
  const auto content = note + kNote.size();
  if (!bytes.contains(content, kTexts)) return {};
  const auto options =
      content + kTexts + bytes.at<std::uint32_t>(content + kOptionsOffset, "options offset");
  const auto end = bytes.text().find('\0', options);
  if (end == std::string_view::npos) return {};
  return bytes.text().substr(options, end - options);
}

CubinStart start_of(Bytes bytes, std::uint64_t symbols_at, Functions found) {
  CubinStart start;
  start.arch = arch_number(bytes);
  start.suffix = header_suffix(bytes, start.arch);
  start.kernels = std::move(found.kernels);
  start.variables = found.variables;
  start.toolkit = header_toolkit(bytes);
  if (!start.toolkit.empty() && start.suffix) return start;
  const auto options = find_options(bytes, symbols_at);
  if (!start.suffix) start.suffix = suffix_in(options);
  if (!start.toolkit.empty()) return start;
  auto origin = origin_of(bytes, symbols_at);
  start.toolkit = std::move(origin.toolkit);
  start.compiled_from = source_arch(origin.source, start.suffix, options);
  return start;
}

/// Returns the kernels from symbols that begin at `symbols_at`, with names that begin at one of
/// `places`. Counts failed attempts to read everything in `tries`.
std::optional<Functions> find_kernels(Bytes bytes, std::uint64_t symbols_at,
                                      const std::vector<std::uint64_t>& places,
                                      std::size_t& tries) {
  const Symbols symbols(bytes, symbols_at);
  const auto first = symbols.first_names();
  if (!first) return std::nullopt;
  for (const auto place : places) {
    const bool fits = std::all_of(first->begin(), first->end(),
                                  [&](auto name) { return symbols.is_name(place + name); });
    if (!fits) continue;
    if (auto found = read_kernels(bytes, symbols, place)) return found;
    if (++tries == kMaxTries) return std::nullopt;
  }
  return std::nullopt;
}

/// Reads a cubin whose section table comes first, as assemblers other than ptxas write it. The
/// table locates the symbols; notes lie behind the code. Nothing if reading the whole cubin would
/// fail.
std::optional<CubinStart> read_listed(Bytes bytes, std::uint64_t size) {
  const auto cubin = parse_elf_start(bytes, size);
  const auto* table = symbol_table(cubin, elf::kSymbolTable);
  const bool told = cubin.machine == elf::kMachineCuda && table != nullptr && !table->beyond;
  if (!told) return std::nullopt;
  CubinStart start;
  start.arch = arch_number(bytes);
  start.suffix = header_suffix(bytes, start.arch);
  start.toolkit = header_toolkit(bytes);
  std::uint64_t code = 0;
  const auto symbols = symbols_of(cubin, *table);
  const bool reports = std::any_of(symbols.begin(), symbols.end(),
                                   [](const auto& symbol) { return names_report(symbol); });
  for (const auto& symbol : symbols) {
    if (!is_kernel(symbol)) continue;
    if (symbol.section >= cubin.sections.size()) return std::nullopt;
    const auto whole = cubin.sections[symbol.section].size;
    if (symbol.size > whole || symbol.value > whole - symbol.size) return std::nullopt;
    start.kernels.push_back({symbol.name, symbol.size != 0 ? symbol.size : whole, reports});
    code += start.kernels.back().code;
    if (code > size) return std::nullopt;
  }
  start.variables = std::any_of(
      cubin.sections.begin(), cubin.sections.end(),
      [](const auto& section) { return contains_variables(section.name) && section.size != 0; });
  return start;
}

/// Calls read_listed(); returns nothing if a table, or what it refers to, is invalid or beyond the
/// bytes.
std::optional<CubinStart> try_listed(Bytes bytes, std::uint64_t size) {
  try {
    return read_listed(bytes, size);
  } catch (const Unreadable&) {
    return std::nullopt;
  }
}

bool lists_first(Bytes start) {
  const auto sections = start.at<std::uint64_t>(40, "section table offset");
  return sections != 0 && sections < start.size();
}

/// Reports whether the cubin ends, behind the bytes, as compilers write it: with the section table
/// and then the program headers. Tools that add tables to a cubin seldom move both.
bool ends_with_tables(Bytes start, std::uint64_t size) {
  const auto sections = start.at<std::uint64_t>(40, "section table offset");
  const auto segments = start.at<std::uint64_t>(32, "program header offset");
  const std::uint64_t section_bytes = start.at<std::uint16_t>(60, "section count") * kSectionHeader;
  const std::uint64_t segment_bytes =
      start.at<std::uint16_t>(56, "program header count") * kProgramHeader;
  const auto tables = section_bytes + segment_bytes;
  return section_bytes != 0 && tables <= size && sections == size - tables &&
         sections >= start.size() && (segment_bytes == 0 || segments == sections + section_bytes);
}

/// Reports whether the section names come first, and are those of a compiler.
bool begins_with_names(Bytes start) {
  return start.at<std::uint16_t>(62, "section name index") == kNamesSection &&
         start.text().substr(kCubinHeaderSize, kFirstNames.size()) == kFirstNames;
}

}  // namespace

std::optional<CubinStart> read_cubin_start(std::string_view text, std::uint64_t size) {
  if (text.size() < kCubinHeaderSize || !is_elf(text)) return std::nullopt;
  const Bytes bytes(text);
  if (lists_first(bytes)) return try_listed(bytes, size);
  if (!ends_with_tables(bytes, size) || !begins_with_names(bytes)) return std::nullopt;
  std::vector<std::uint64_t> names;  // possible starts of the symbols' names
  std::size_t wide = 0;
  std::size_t tries = 0;
  for (auto gap = find_gap(text, kCubinHeaderSize); gap; gap = find_gap(text, gap->end)) {
    if (const auto symbols = symbols_at(*gap)) {
      if (auto found = find_kernels(bytes, *symbols, names, tries)) {
        return start_of(bytes, *symbols, std::move(*found));
      }
      if (++wide == kMaxWideGaps || tries == kMaxTries) break;
    }
    if (names.size() == kMaxPlaces) break;
    names.push_back(gap->end - 1);
  }
  return std::nullopt;
}

std::uint64_t likely_start(std::string_view text) {
  constexpr std::size_t kSample = 4 * 1024;  // of the last names, as the next ones resemble them
  if (text.size() <= kCubinHeaderSize) return 0;
  const std::uint64_t sections = Bytes(text).at<std::uint16_t>(60, "section count");
  const auto sample =
      text.substr(std::max(kCubinHeaderSize, text.size() - std::min(text.size(), kSample)));
  const auto names = std::count(sample.begin(), sample.end(), '\0');
  const auto length = sample.size() / (static_cast<std::uint64_t>(names) + 1);
  // A section's name, a symbol's name and a symbol; and the notes behind them.
  const auto likely = kCubinHeaderSize + sections * (2 * length + kCubinSymbolSize);
  return likely + likely / 8;
}

}  // namespace archgrid::fatbin
