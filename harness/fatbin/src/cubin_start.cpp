// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "cubin_start.hpp"

#include <algorithm>
#include <unordered_set>

#include "cubin.hpp"
#include "elf.hpp"

namespace archgrid::fatbin {
namespace {

constexpr std::uint64_t kElfHeader = 64;
constexpr std::uint64_t kSymbolSize = 24;
constexpr std::string_view kParameters = ".nv.constant0.";
constexpr std::uint32_t kLastSymbolType = 13;
constexpr std::uint32_t kLastBinding = 2;
constexpr std::uint16_t kFirstReservedSection = 0xff00;

// So many symbols whose names all begin where names begin are no accident.
constexpr std::size_t kFewestSymbols = 3;
// Made-up cubins have many gaps; those of compilers were seen with up to five.
constexpr std::size_t kMostGaps = 16;

/// Zeros between names, or before and after them: the names of one table are one zero apart, apart
/// from a few that the compiler has taken out.
struct Gap {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;  ///< where the next byte that is not zero lies
};

/// The next gap from `at` on.
std::optional<Gap> find_gap(std::string_view text, std::uint64_t at) {
  const auto begin = text.find(std::string_view("\0\0", 2), at);
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
  auto at = section_names.find(kParameters);
  while (at != std::string_view::npos) {
    const bool begins = at == 0 || section_names[at - 1] == '\0';
    const auto name = at + kParameters.size();
    const auto end = std::min(section_names.find('\0', name), section_names.size());
    if (begins) names.insert(section_names.substr(name, end - name));
    at = section_names.find(kParameters, end);
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

/// A guess at where the names of symbols begin and where the symbols do.
struct Layout {
  std::uint64_t names = 0;
  std::uint64_t symbols = 0;
};

class SymbolReader {
 public:
  SymbolReader(Bytes bytes, Layout layout)
      : bytes_(bytes), layout_(layout), sections_(bytes.at<std::uint16_t>(60, "section count")) {}

  /// The kernels among the symbols; nothing if these go on beyond the bytes, or are none. Where
  /// they end is not recorded before the section table: where one makes no sense.
  [[nodiscard]] std::optional<std::vector<CubinStart::Kernel>> read() const {
    std::vector<CubinStart::Kernel> kernels;
    std::size_t named = 0;
    for (auto at = layout_.symbols; bytes_.holds(at, kSymbolSize); at += kSymbolSize) {
      const auto symbol = symbol_at(bytes_, at);
      if (!makes_sense(symbol)) {
        if (named < kFewestSymbols) return std::nullopt;
        return kernels;
      }
      if (is_kernel(symbol)) kernels.push_back({name_of(symbol), symbol.size});
      if (symbol.name != 0) ++named;
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] bool makes_sense(const RawSymbol& symbol) const {
    const bool known = symbol.type <= kLastSymbolType && symbol.binding <= kLastBinding;
    const bool placed = symbol.section < sections_ || symbol.section >= kFirstReservedSection;
    const auto name = layout_.names + symbol.name;
    const bool named =
        symbol.name == 0 || (name < layout_.symbols && bytes_.text()[name - 1] == '\0');
    return known && placed && named;
  }

  static bool is_kernel(const RawSymbol& symbol) {
    return symbol.type == elf::kFunctionSymbol && (symbol.other & kEntryFunction) != 0 &&
           symbol.section != 0;
  }

  [[nodiscard]] std::string_view name_of(const RawSymbol& symbol) const {
    const auto begin = layout_.names + symbol.name;
    return bytes_.text().substr(begin, bytes_.text().find('\0', begin) - begin);
  }

  Bytes bytes_;
  Layout layout_;
  std::uint16_t sections_;
};

bool agree(const std::vector<CubinStart::Kernel>& kernels, const Names& names) {
  Names found;
  for (const auto& kernel : kernels) found.insert(kernel.name);
  return found == names && found.size() == kernels.size();
}

/// The kernels, if the symbols and the names of sections tell the same of them.
std::optional<std::vector<CubinStart::Kernel>> read_kernels(Bytes bytes, Layout layout) {
  auto kernels = SymbolReader(bytes, layout).read();
  if (!kernels) return std::nullopt;
  // Where there are none, no name at all may speak of one, wherever the names of sections end.
  const auto end = kernels->empty() ? layout.symbols : layout.names;
  const auto names = kernels_with_parameters(bytes.text().substr(kElfHeader, end - kElfHeader));
  if (!agree(*kernels, names)) return std::nullopt;
  return kernels;
}

}  // namespace

std::optional<CubinStart> read_cubin_start(std::string_view text) {
  if (text.size() < kElfHeader || !is_elf(text)) return std::nullopt;
  const Bytes bytes(text);
  std::vector<std::uint64_t> names;  // where those of symbols may begin
  for (auto gap = find_gap(text, kElfHeader); gap && names.size() < kMostGaps;
       gap = find_gap(text, gap->end)) {
    if (const auto symbols = symbols_at(*gap)) {
      for (const auto begin : names) {
        auto kernels = read_kernels(bytes, {begin, *symbols});
        if (kernels) return CubinStart{arch_number(bytes), std::move(*kernels)};
      }
    }
    names.push_back(gap->end - 1);
  }
  return std::nullopt;
}

}  // namespace archgrid::fatbin
