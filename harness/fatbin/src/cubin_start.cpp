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

constexpr std::uint64_t kElfHeader = 64;
constexpr std::uint64_t kSymbolSize = 24;
constexpr std::uint64_t kSectionHeader = 64;
constexpr std::uint64_t kProgramHeader = 56;
constexpr std::string_view kSymbolTable(".symtab\0", 8);
constexpr std::string_view kParameters = ".nv.constant0.";
constexpr std::uint32_t kLastSymbolType = 13;
constexpr std::uint32_t kLastBinding = 2;
constexpr std::uint16_t kFirstReservedSection = 0xff00;

// So many symbols whose names all begin where names begin are no accident.
constexpr std::size_t kFewestSymbols = 3;
using FirstNames = std::array<std::uint32_t, kFewestSymbols>;

// In made-up cubins names and symbols may begin anywhere. In those of compilers up to three gaps
// are wide enough for symbols to begin behind them, and the first try is right.
constexpr std::size_t kMostWideGaps = 64;
constexpr std::size_t kMostTries = 16;

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
  if (second < gap.begin + 1 + kSymbolSize) return std::nullopt;
  return second - kSymbolSize;
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

struct RawSymbol {
  std::uint32_t name = 0;
  std::uint32_t type = 0;
  std::uint32_t binding = 0;
  std::uint8_t other = 0;
  std::uint16_t section = 0;
  std::uint64_t size = 0;
};

RawSymbol symbol_at(Bytes bytes, std::uint64_t at) {
  const auto info = bytes.at<std::uint8_t>(at + 4, "symbol info");
  return {bytes.at<std::uint32_t>(at, "symbol name"),
          info & 0xfU,
          static_cast<std::uint32_t>(info >> 4),
          bytes.at<std::uint8_t>(at + 5, "symbol other"),
          bytes.at<std::uint16_t>(at + 6, "symbol section"),
          bytes.at<std::uint64_t>(at + 16, "symbol size")};
}

/// Of a RawSymbol or a Symbol.
template <typename AnySymbol>
bool is_kernel(const AnySymbol& symbol) {
  return symbol.type == elf::kFunctionSymbol && (symbol.other & kEntryFunction) != 0 &&
         symbol.section != 0;
}

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
    for (auto at = begin_; bytes_.holds(at, kSymbolSize); at += kSymbolSize) {
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

  /// The kernels among them, with the names that begin at `names`; nothing if they go on beyond the
  /// bytes.
  [[nodiscard]] std::optional<std::vector<CubinStart::Kernel>> kernels(std::uint64_t names) const {
    std::vector<CubinStart::Kernel> kernels;
    for (auto at = begin_; bytes_.holds(at, kSymbolSize); at += kSymbolSize) {
      const auto symbol = symbol_at(bytes_, at);
      const bool named = symbol.name == 0 || is_name(names + symbol.name);
      if (!named || !makes_sense(symbol)) return kernels;
      if (is_kernel(symbol)) kernels.push_back({name_at(names + symbol.name), symbol.size});
    }
    return std::nullopt;
  }

  [[nodiscard]] std::uint64_t begin() const { return begin_; }

 private:
  [[nodiscard]] bool makes_sense(const RawSymbol& symbol) const {
    const bool known = symbol.type <= kLastSymbolType && symbol.binding <= kLastBinding;
    return known && (symbol.section < sections_ || symbol.section >= kFirstReservedSection);
  }

  [[nodiscard]] std::string_view name_at(std::uint64_t at) const {
    return bytes_.text().substr(at, bytes_.text().find('\0', at) - at);
  }

  Bytes bytes_;
  std::uint64_t begin_;
  std::uint16_t sections_;
};

bool agree(const std::vector<CubinStart::Kernel>& kernels, const Names& names) {
  Names found;
  for (const auto& kernel : kernels) found.insert(kernel.name);
  return found == names && found.size() == kernels.size();
}

/// The kernels, if the symbols and the names of sections tell the same of them.
std::optional<std::vector<CubinStart::Kernel>> read_kernels(Bytes bytes, const Symbols& symbols,
                                                            std::uint64_t names_at) {
  auto kernels = symbols.kernels(names_at);
  if (!kernels) return std::nullopt;
  // Where there are none, no name at all may speak of one, wherever the names of sections end.
  const auto end = kernels->empty() ? symbols.begin() : names_at;
  const auto section_names = bytes.text().substr(kElfHeader, end - kElfHeader);
  if (section_names.find(kSymbolTable) == std::string_view::npos) return std::nullopt;
  const auto names = kernels_with_parameters(section_names);
  if (!agree(*kernels, names)) return std::nullopt;
  return kernels;
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

CubinStart start_of(Bytes bytes, std::uint64_t symbols_at,
                    std::vector<CubinStart::Kernel> kernels) {
  CubinStart start;
  start.arch = arch_number(bytes);
  start.suffix = header_suffix(bytes, start.arch);
  start.kernels = std::move(kernels);
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
std::optional<std::vector<CubinStart::Kernel>> find_kernels(
    Bytes bytes, std::uint64_t symbols_at, const std::vector<std::uint64_t>& places,
    std::size_t& tries) {
  const Symbols symbols(bytes, symbols_at);
  const auto first = symbols.first_names();
  if (!first) return std::nullopt;
  for (const auto place : places) {
    const bool fits = std::all_of(first->begin(), first->end(),
                                  [&](auto name) { return symbols.is_name(place + name); });
    if (!fits) continue;
    if (auto kernels = read_kernels(bytes, symbols, place)) return kernels;
    if (++tries == kMostTries) return std::nullopt;
  }
  return std::nullopt;
}

/// Where the section table comes first, as assemblers other than ptxas write it. It says where the
/// symbols are; notes lie behind the code.
std::optional<CubinStart> read_listed(Bytes bytes, std::uint64_t size) {
  const auto cubin = parse_elf_start(bytes, size);
  const auto* table = symbol_table(cubin, elf::kSymbolTable);
  const bool told = cubin.machine == elf::kMachineCuda && table != nullptr && !table->beyond;
  if (!told) return std::nullopt;
  CubinStart start;
  start.arch = arch_number(bytes);
  start.suffix = header_suffix(bytes, start.arch);
  start.toolkit = header_toolkit(bytes);
  for (const auto& symbol : symbols_of(cubin, *table)) {
    if (!is_kernel(symbol)) continue;
    if (symbol.section >= cubin.sections.size()) return std::nullopt;
    const auto whole_section = cubin.sections[symbol.section].size;
    start.kernels.push_back({symbol.name, symbol.size != 0 ? symbol.size : whole_section});
  }
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

/// Whether section table and program headers lie behind the bytes, and in the cubin.
bool tables_follow(Bytes start, std::uint64_t size) {
  const auto sections = start.at<std::uint64_t>(40, "section table offset");
  const auto segments = start.at<std::uint64_t>(32, "program header offset");
  const std::uint64_t section_count = start.at<std::uint16_t>(60, "section count");
  const std::uint64_t segment_count = start.at<std::uint16_t>(56, "program header count");
  const auto fits = [&](std::uint64_t at, std::uint64_t bytes) {
    return bytes <= size && at <= size - bytes;
  };
  return sections >= start.size() && fits(sections, section_count * kSectionHeader) &&
         fits(segments, segment_count * kProgramHeader);
}

}  // namespace

std::optional<CubinStart> read_cubin_start(std::string_view text, std::uint64_t size) {
  if (text.size() < kElfHeader || !is_elf(text)) return std::nullopt;
  const Bytes bytes(text);
  if (lists_first(bytes)) return try_listed(bytes, size);
  if (!tables_follow(bytes, size)) return std::nullopt;
  std::vector<std::uint64_t> names;  // where those of symbols may begin
  std::size_t wide = 0;
  std::size_t tries = 0;
  for (auto gap = find_gap(text, kElfHeader); gap; gap = find_gap(text, gap->end)) {
    if (const auto symbols = symbols_at(*gap)) {
      if (auto kernels = find_kernels(bytes, *symbols, names, tries)) {
        return start_of(bytes, *symbols, std::move(*kernels));
      }
      if (++wide == kMostWideGaps || tries == kMostTries) break;
    }
    names.push_back(gap->end - 1);
  }
  return std::nullopt;
}

std::uint64_t likely_start(std::string_view text) {
  constexpr std::size_t kSample = 4 * 1024;  // of the names that are nearest to those to come
  if (text.size() <= kElfHeader) return 0;
  const std::uint64_t sections = Bytes(text).at<std::uint16_t>(60, "section count");
  const auto sample =
      text.substr(std::max(kElfHeader, text.size() - std::min(text.size(), kSample)));
  const auto names = std::count(sample.begin(), sample.end(), '\0');
  const auto length = sample.size() / (static_cast<std::uint64_t>(names) + 1);
  // A section's name, a symbol's, a symbol; and the notes behind them.
  const auto likely = kElfHeader + sections * (2 * length + kSymbolSize);
  return likely + likely / 8;
}

}  // namespace archgrid::fatbin
