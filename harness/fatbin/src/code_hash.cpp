// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "code_hash.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <unordered_map>
#include <utility>

#include "bytes.hpp"
#include "cubin.hpp"
#include "elf.hpp"

namespace archgrid::fatbin {
namespace {

// Decompressed bytes in one file. Images beyond them get no hashes.
constexpr std::uint64_t kMaxHashed = std::uint64_t{1} << 30;

using Images = std::vector<std::size_t>;  ///< by index

bool is_picked(const File& file, const Image& image) {
  return image.kind == Kind::sass && image.error.empty() && !file.modules[image.module].registered;
}

/// Returns images of different modules that contain machine code of one kernel for one arch.
std::set<std::size_t> images_with_twins(const File& file) {
  std::unordered_map<std::string_view, Images> images_of;
  for (std::size_t index = 0; index < file.images.size(); ++index) {
    const auto& image = file.images[index];
    if (!is_picked(file, image)) continue;
    for (const auto& kernel : image.kernels) images_of[kernel.name].push_back(index);
  }
  std::set<std::size_t> found;
  std::vector<std::pair<std::pair<int, char>, std::size_t>> by_arch;
  for (const auto& [name, indices] : images_of) {
    if (indices.size() < 2) continue;
    by_arch.clear();
    for (const auto index : indices) {
      const auto arch = file.images[index].arch;
      by_arch.push_back({{arch.number, arch.suffix}, index});
    }
    std::sort(by_arch.begin(), by_arch.end());
    for (std::size_t at = 1; at < by_arch.size(); ++at) {
      const auto& [arch, index] = by_arch[at];
      const auto& [other_arch, other] = by_arch[at - 1];
      if (arch != other_arch || file.images[index].module == file.images[other].module) continue;
      found.insert({index, other});
    }
  }
  return found;
}

/// Returns hashes by kernel name. Kernels of valid cubins do not overlap; in others some have no
/// hash.
std::unordered_map<std::string_view, std::uint64_t> hashes_in(const Elf& cubin) {
  std::unordered_map<std::string_view, std::uint64_t> hashes;
  const auto* table = symbol_table(cubin, elf::kSymbolTable);
  if (table == nullptr) return hashes;
  auto left = cubin.bytes;
  for (const auto& symbol : symbols_of(cubin, *table)) {
    const bool kernel = symbol.type == elf::kFunctionSymbol && (symbol.other & kEntryFunction) != 0;
    if (!kernel || symbol.section == 0 || symbol.section >= cubin.sections.size()) continue;
    const auto code = cubin.sections[symbol.section].data;
    if (symbol.size > left || !code.contains(symbol.value, symbol.size)) continue;
    left -= symbol.size;
    const auto text = code.text().substr(symbol.value, symbol.size);
    hashes.emplace(symbol.name, std::hash<std::string_view>()(text));
  }
  return hashes;
}

}  // namespace

void hash_code(std::string_view bytes, File& file) {
  std::uint64_t hashed = 0;
  for (const auto index : images_with_twins(file)) {
    auto& image = file.images[index];
    hashed += image.decompressed_bytes;
    if (hashed > kMaxHashed) return;
    const auto content = content_of(bytes, image);
    try {
      const auto hashes = hashes_in(parse_elf(Bytes(content)));
      for (auto& kernel : image.kernels) {
        const auto found = hashes.find(kernel.name);
        if (found != hashes.end()) kernel.code_hash = found->second;
      }
    } catch (const Unreadable&) {
      continue;  // damage beyond the part that was read before: no hash
    }
  }
}

}  // namespace archgrid::fatbin
