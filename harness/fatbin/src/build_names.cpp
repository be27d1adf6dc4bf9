// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <archgrid/fatbin.hpp>

namespace archgrid::fatbin {
namespace {

bool is_decimal(char c) {
  return c >= '0' && c <= '9';
}

constexpr std::size_t kHash = 8;

bool is_hash(const std::string& name, std::size_t begin) {
  if (name.size() - begin < kHash) return false;
  return std::all_of(name.begin() + static_cast<std::ptrdiff_t>(begin),
                     name.begin() + static_cast<std::ptrdiff_t>(begin + kHash),
                     [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

/// Replaces the hashes that nvcc puts into names with internal linkage:
/// _ZN39_GLOBAL__N__0cd80813_9_sample_cu_... or __nv_static_28__0cd80813_9_sample_cu_...
void hide_hashes(std::string& name) {
  const bool internal = name.find("_GLOBAL__N__") != std::string::npos ||
                        name.find("_INTERNAL_") != std::string::npos ||
                        name.rfind("__nv_static_", 0) == 0;
  for (std::size_t at = 0; internal && at < name.size(); ++at) {
    if (name[at] == '_' && is_hash(name, at + 1)) name.replace(at + 1, kHash, "#");
  }
}

/// Replaces CCCL's namespaces, which depend on its version and the archs of the build:
/// _ZN3cub21CUB_300102_SM_800_900... and _ZN6thrust23THRUST_200200_500_600_NS...
void hide_version(std::string& name, std::string_view library) {
  for (auto at = name.find(library); at != std::string::npos; at = name.find(library, at + 1)) {
    std::size_t begin = at;
    while (begin > 0 && is_decimal(name[begin - 1])) --begin;
    const auto version = at + library.size();
    if (begin == at || at - begin > 3 || version >= name.size() || !is_decimal(name[version]))
      continue;
    const auto length = std::stoul(name.substr(begin, at - begin));
    if (length > library.size() && length <= name.size() - at)
      name.replace(begin, at - begin + length, "#");
  }
}

}  // namespace

std::string without_build(std::string_view mangled) {
  std::string name(mangled);
  hide_hashes(name);
  hide_version(name, "CUB_");
  hide_version(name, "THRUST_");
  return name;
}

}  // namespace archgrid::fatbin
