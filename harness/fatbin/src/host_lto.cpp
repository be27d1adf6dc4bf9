// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "host_lto.hpp"

#include <algorithm>
#include <array>

namespace archgrid::fatbin {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kLtoSection = ".gnu.lto_";
constexpr std::string_view kLtoSymbols = ".gnu.lto_.symtab.";  // never compressed: linkers read it
constexpr std::string_view kRegistersKernel = "__cudaRegisterFunction";
// The registration wrapper of a whole unit, and of a relocatable one (nvcc 11.8 to 13.5).
constexpr std::array<std::string_view, 2> kWrappers = {"__fatDeviceText", "__fatbinwrap_"};
constexpr std::array<std::string_view, 3> kHostTargets = {"x86_64-", "aarch64-", "arm64-"};

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

template <typename Parts>
bool contains_any(std::string_view text, const Parts& parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view part) { return contains(text, part); });
}

bool has_slim_marker(const Elf& elf) {
  const auto* table = symbol_table(elf, elf::kSymbolTable);
  if (table == nullptr) return false;
  const auto symbols = symbols_of(elf, *table);
  return std::any_of(symbols.begin(), symbols.end(),
                     [](const Symbol& symbol) { return symbol.name == "__gnu_lto_slim"; });
}

}  // namespace

HostLto host_lto_of(const Elf& elf) {
  bool has_lto = false;
  bool has_wrapper = false;
  bool registers = false;
  for (const auto& section : elf.sections) {
    if (section.name.substr(0, kLtoSection.size()) != kLtoSection) continue;
    has_lto = true;
    has_wrapper = has_wrapper || contains_any(section.name, kWrappers);
    registers = registers || (section.name.substr(0, kLtoSymbols.size()) == kLtoSymbols &&
                              contains(section.data.text(), kRegistersKernel));
  }
  // With -ffat-lto-objects machine code is there, too.
  if (!has_lto || !has_slim_marker(elf)) return HostLto::none;
  return has_wrapper && registers ? HostLto::kernels : HostLto::opaque;
}

bool is_bitcode(std::string_view bytes) {
  const auto magic = bytes.substr(0, 4);
  return magic == "BC\xc0\xde"sv || magic == "\xde\xc0\x17\x0b"sv;
}

HostLto host_lto_of_bitcode(std::string_view bytes) {
  if (contains_any(bytes, kWrappers) && contains(bytes, kRegistersKernel)) return HostLto::kernels;
  return contains_any(bytes, kHostTargets) ? HostLto::opaque : HostLto::none;
}

}  // namespace archgrid::fatbin
