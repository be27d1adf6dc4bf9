// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "cubin_start.hpp"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "cubin.hpp"
#include "elf.hpp"
#include "find_text.hpp"

namespace archgrid::fatbin {
namespace {

constexpr std::uint64_t kCubinHeaderSize = 64;
constexpr std::uint64_t kCubinSymbolSize = 24;
constexpr std::uint64_t kSectionHeader = 64;
constexpr std::uint64_t kProgramHeader = 56;
// The compiler names its first three sections so, and keeps them in this order.
constexpr std::string_view kFirstNames("\0.shstrtab\0.strtab\0.symtab\0", 27);
constexpr std::uint16_t kNamesSection = 1;
constexpr std::string_view kParameters = ".nv.constant0.";
// Begin the name of a section that relocates the calls of a kernel, which the rest names.
constexpr std::array<std::string_view, 2> kRelocations = {".rel.text.", ".rela.text."};
// The bank of addresses, by which CUDA 13 calls functions that the driver brings.
constexpr std::string_view kAddresses = ".nv.constant4";
constexpr std::uint32_t kLastSymbolType = 13;
constexpr std::uint32_t kLastBinding = 2;
constexpr std::uint16_t kFirstReservedSection = 0xff00;
// nvlink names sections of equal names once: the code and the .nv.info of a device function that
// several units brought.
constexpr std::size_t kSectionsOfFunction = 2;

// So many symbols whose names all begin where names begin are no accident.
constexpr std::size_t kFewestSymbols = 3;
using FirstNames = std::array<std::uint32_t, kFewestSymbols>;

// In made-up cubins names and symbols may begin anywhere. In those of compilers up to three gaps
// are wide enough for symbols to begin behind them, and the first try is right.
constexpr std::size_t kMostWideGaps = 64;
constexpr std::size_t kMostTries = 16;
// Compilers take out up to 738 names of one table (NCCL).
constexpr std::size_t kMostPlaces = 4096;

/// Zeros between names, or before and after them: the names of one table are one zero apart, apart
/// from a few that the compiler has taken out.
struct Gap {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;  ///< where the next byte that is not zero lies
};

/// The next gap from `at` on.
std::optional<Gap> find_gap(std::string_view text, std::uint64_t at) {
  const auto begin = find_text(text, std::string_view("\0\0", 2), at);
  if (begin == std::string_view::npos) return std::nullopt;
  const auto end = text.find_first_not_of('\0', begin);
  if (end == std::string_view::npos) return std::nullopt;
  return Gap{begin, end};
}

/// Symbols begin with a null one, which is 24 zeros, at a multiple of 8 bytes; the next has a name,
/// whose offset comes first. Nothing where the gap is too narrow for that.
std::optional<std::uint64_t> symbols_at(const Gap& gap) {
  const auto second = gap.end / 8 * 8;
  if (second < gap.begin + 1 + kCubinSymbolSize) return std::nullopt;
  return second - kCubinSymbolSize;
}

using Names = std::unordered_set<std::string_view>;

/// The kernels for whose parameters there is a section. Names come twice where a tool has been at
/// the cubin after ptxas.
Names kernels_with_parameters(std::string_view section_names) {
  Names names;
  auto at = find_text(section_names, kParameters, 0);
  while (at != std::string_view::npos) {
    const bool begins = at == 0 || section_names[at - 1] == '\0';
    const auto name = at + kParameters.size();
    const auto end = std::min(section_names.find('\0', name), section_names.size());
    if (begins) names.insert(section_names.substr(name, end - name));
    at = find_text(section_names, kParameters, end);
  }
  return names;
}

/// Reports whether the compiler keeps such a name although it leaves the section out. Each prefix
/// for itself, so that its length is known when this is compiled.
bool is_optional(std::string_view name) {
  return begins_with(name, ".nv.shared.") || begins_with(name, ".rel") ||
         begins_with(name, ".nv.prototype") || begins_with(name, ".symtab_shndx");
}

/// Calls `visit` with the names in a table, which zeros separate.
template <typename Visit>
void visit_names(std::string_view table, const Visit& visit) {
  for (std::size_t at = 0; at < table.size();) {
    const auto end = std::min(table.find('\0', at), table.size());
    if (end > at) visit(table.substr(at, end - at));
    at = end + 1;
  }
}

/// Whether a cubin of so many sections may have these names of sections: one for each, those of
/// `repeated` device functions excepted, and no more but for those of sections that were left out.
/// A table of names that another one has replaced mostly names another number of sections.
bool may_name(std::string_view section_names, std::size_t sections, std::size_t repeated) {
  std::size_t all = 0;
  std::size_t required = 0;
  visit_names(section_names, [&](std::string_view name) {
    ++all;
    if (!is_optional(name)) ++required;
  });
  if (sections > all + kSectionsOfFunction * repeated) return false;
  if (required <= sections) return true;
  Names distinct;
  visit_names(section_names, [&](std::string_view name) {
    if (!is_optional(name)) distinct.insert(name);
  });
  return distinct.size() <= sections;
}

/// Whether there are but names and zeros in the bytes: symbols, notes and code have other bytes.
bool holds_only_names(std::string_view bytes) {
  const auto odd = [](auto byte) { return ((byte - 1U) < 31U) | (byte == 127U); };
  std::size_t at = 0;
  for (; at + kVector <= bytes.size(); at += kVector) {
    const auto vector = load(bytes.data() + at);
    const Matches low = (vector - std::uint8_t{1}) < filled_with(31);
    if (any(low | (vector == filled_with(127)))) return false;
  }
  return std::none_of(bytes.begin() + static_cast<std::ptrdiff_t>(at), bytes.end(),
                      [&](char c) { return odd(static_cast<unsigned char>(c)); });
}

struct RawSymbol {
  std::uint32_t name = 0;
  std::uint32_t type = 0;
  std::uint32_t binding = 0;
  std::uint8_t other = 0;
  std::uint16_t section = 0;
  std::uint64_t value = 0;
  std::uint64_t size = 0;
};

RawSymbol symbol_at(Bytes bytes, std::uint64_t at) {
  const auto info = bytes.at<std::uint8_t>(at + 4, "symbol info");
  return {bytes.at<std::uint32_t>(at, "symbol name"),
          info & 0xfU,
          static_cast<std::uint32_t>(info >> 4),
          bytes.at<std::uint8_t>(at + 5, "symbol other"),
          bytes.at<std::uint16_t>(at + 6, "symbol section"),
          bytes.at<std::uint64_t>(at + 8, "symbol value"),
          bytes.at<std::uint64_t>(at + 16, "symbol size")};
}

/// Of a RawSymbol or a Symbol.
template <typename AnySymbol>
bool is_kernel(const AnySymbol& symbol) {
  return symbol.type == elf::kFunctionSymbol && (symbol.other & kEntryFunction) != 0 &&
         symbol.section != 0;
}

/// The functions that symbols name.
struct Functions {
  std::vector<CubinStart::Kernel> kernels;
  std::size_t repeated = 0;  ///< how many of the others have a name that one before them has
  bool reports = false;      ///< a symbol names_report()
  bool variables = false;    ///< CubinStart::variables
};

/// Symbols that seem to begin somewhere. Where they end is not recorded before the section table:
/// where one makes no sense.
class Symbols {
 public:
  Symbols(Bytes bytes, std::uint64_t begin)
      : bytes_(bytes), begin_(begin), sections_(bytes.at<std::uint16_t>(60, "section count")) {}

  /// Where the names of the first named ones begin among all names; nothing if too few are named.
  [[nodiscard]] std::optional<FirstNames> first_names() const {
    FirstNames first = {};
    std::size_t named = 0;
    for (auto at = begin_; bytes_.holds(at, kCubinSymbolSize); at += kCubinSymbolSize) {
      const auto symbol = symbol_at(bytes_, at);
      if (!makes_sense(symbol)) return std::nullopt;
      if (symbol.name == 0) continue;
      first[named++] = symbol.name;
      if (named == first.size()) return first;
    }
    return std::nullopt;
  }

  /// Whether a name may begin there.
  [[nodiscard]] bool is_name(std::uint64_t at) const {
    return at < begin_ && bytes_.text()[at - 1] == '\0' && bytes_.text()[at] != '\0';
  }

  /// The functions among them, with the names that begin at `names`. Nothing if they go on beyond
  /// the bytes, or a kernel has no section of its own, as the compiler gives each.
  [[nodiscard]] std::optional<Functions> functions(std::uint64_t names) const {
    Functions functions;
    std::vector<bool> taken(sections_);
    std::unordered_set<std::uint32_t> others;
    for (auto at = begin_; bytes_.holds(at, kCubinSymbolSize); at += kCubinSymbolSize) {
      const auto symbol = symbol_at(bytes_, at);
      const bool named = symbol.name == 0 || is_name(names + symbol.name);
      if (!named || !makes_sense(symbol)) return functions;
      if (is_kernel(symbol)) {
        const bool alone =
            symbol.value == 0 && symbol.section < sections_ && !taken[symbol.section];
        if (!alone) return std::nullopt;
        taken[symbol.section] = true;
        functions.kernels.push_back({name_at(names + symbol.name), symbol.size, false});
      } else if (symbol.type == elf::kFunctionSymbol && symbol.section != 0) {
        if (!others.insert(symbol.name).second) ++functions.repeated;
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

  [[nodiscard]] std::string_view name_at(std::uint64_t at) const {
    return bytes_.text().substr(at, bytes_.text().find('\0', at) - at);
  }

  Bytes bytes_;
  std::uint64_t begin_;
  std::uint16_t sections_;
};

/// Marks the kernels that may call a function that the cubin names but does not hold: those with
/// relocations of their own, and all where there is a bank of addresses.
void mark_callers(std::vector<CubinStart::Kernel>& kernels, std::string_view section_names) {
  Names callers;
  bool all = false;
  visit_names(section_names, [&](std::string_view name) {
    all = all || begins_with(name, kAddresses);
    for (const auto prefix : kRelocations) {
      if (begins_with(name, prefix)) callers.insert(name.substr(prefix.size()));
    }
  });
  for (auto& kernel : kernels) kernel.may_report = all || callers.count(kernel.name) != 0;
}

bool names_variables(std::string_view section_names) {
  bool found = false;
  visit_names(section_names,
              [&](std::string_view name) { found = found || holds_variables(name); });
  return found;
}

bool agree(const std::vector<CubinStart::Kernel>& kernels, const Names& names) {
  Names found;
  for (const auto& kernel : kernels) found.insert(kernel.name);
  return found == names && found.size() == kernels.size();
}

/// The kernels, if the symbols, the names of sections and their number tell the same of them.
std::optional<Functions> read_kernels(Bytes bytes, const Symbols& symbols, std::uint64_t names_at) {
  auto functions = symbols.functions(names_at);
  if (!functions) return std::nullopt;
  const auto section_names = bytes.text().substr(kCubinHeaderSize, names_at - kCubinHeaderSize);
  const std::size_t sections = bytes.at<std::uint16_t>(60, "section count");
  if (!may_name(section_names, sections - 1, functions->repeated)) return std::nullopt;
  const auto tables = bytes.text().substr(kCubinHeaderSize, symbols.begin() - kCubinHeaderSize);
  if (!holds_only_names(tables)) return std::nullopt;
  // Where there are no kernels, no name at all may speak of one, wherever those of sections end.
  const auto names = kernels_with_parameters(functions->kernels.empty() ? tables : section_names);
  if (!agree(functions->kernels, names)) return std::nullopt;
  if (functions->reports) mark_callers(functions->kernels, section_names);
  if (functions->kernels.empty()) functions->variables = names_variables(tables);
  return functions;
}

/// What notes tell, behind the symbols. Empty where they lie further behind.
struct Origin {
  std::string toolkit;
  std::optional<int> source;  ///< number of the arch whose PTX was compiled
};

/// By the text of the tool's own note.
std::string noted_release(Bytes bytes, std::uint64_t symbols_at) {
  const auto at = find_text(bytes.text(), "Cuda compilation tools, release ", symbols_at);
  if (at == std::string_view::npos) return {};
  const auto text = bytes.text().substr(at);
  // Else the bytes end within it.
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
  if (!bytes.holds(content + kNoteToolkit, 2)) return {};
  return {toolkit_text(bytes.at<std::uint16_t>(content + kNoteToolkit, "toolkit version")),
          bytes.at<std::uint16_t>(content + kNoteSource, "virtual arch")};
}

/// What the tool that wrote the cubin was told, behind the symbols; empty if that lies further
/// behind.
std::string_view find_options(Bytes bytes, std::uint64_t symbols_at) {
  constexpr std::string_view kNote("\xd0\x07\0\0NVIDIA Corp\0", 16);
  constexpr std::uint64_t kOptionsOffset = 20;
  constexpr std::uint64_t kTexts = 24;
  const auto note = find_text(bytes.text(), kNote, symbols_at);
  if (note == std::string_view::npos) return {};
  const auto content = note + kNote.size();
  if (!bytes.holds(content, kTexts)) return {};
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

/// The kernels by symbols that begin there, and whose names begin in one of the places. Counts in
/// `tries` how often all was read in vain.
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
    if (++tries == kMostTries) return std::nullopt;
  }
  return std::nullopt;
}

/// Where the section table comes first, as assemblers other than ptxas write it. It says where the
/// symbols are; notes lie behind the code. Nothing where reading the whole would refuse it.
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
      [](const auto& section) { return holds_variables(section.name) && section.size != 0; });
  return start;
}

/// Nothing where a table or what it leads to is not among the bytes, or makes no sense.
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

/// Whether the cubin ends as compilers end it, behind the bytes: with the section table, and then
/// the program headers. What adds tables to a cubin seldom moves both.
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

/// Whether the names of sections come first, and are those of a compiler's sections.
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
  std::vector<std::uint64_t> names;  // where those of symbols may begin
  std::size_t wide = 0;
  std::size_t tries = 0;
  for (auto gap = find_gap(text, kCubinHeaderSize); gap; gap = find_gap(text, gap->end)) {
    if (const auto symbols = symbols_at(*gap)) {
      if (auto found = find_kernels(bytes, *symbols, names, tries)) {
        return start_of(bytes, *symbols, std::move(*found));
      }
      if (++wide == kMostWideGaps || tries == kMostTries) break;
    }
    if (names.size() == kMostPlaces) break;
    names.push_back(gap->end - 1);
  }
  return std::nullopt;
}

std::uint64_t likely_start(std::string_view text) {
  constexpr std::size_t kSample = 4 * 1024;  // of the names that are nearest to those to come
  if (text.size() <= kCubinHeaderSize) return 0;
  const std::uint64_t sections = Bytes(text).at<std::uint16_t>(60, "section count");
  const auto sample =
      text.substr(std::max(kCubinHeaderSize, text.size() - std::min(text.size(), kSample)));
  const auto names = std::count(sample.begin(), sample.end(), '\0');
  const auto length = sample.size() / (static_cast<std::uint64_t>(names) + 1);
  // A section's name, a symbol's, a symbol; and the notes behind them.
  const auto likely = kCubinHeaderSize + sections * (2 * length + kCubinSymbolSize);
  return likely + likely / 8;
}

}  // namespace archgrid::fatbin
