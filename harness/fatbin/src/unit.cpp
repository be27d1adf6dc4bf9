// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <archgrid/fatbin.hpp>

#include "host_image.hpp"

namespace archgrid::fatbin {
namespace {

// No system allows longer names. Several wrappers may name one file, and each stores a copy.
constexpr std::size_t kLongestFileName = 255;

}  // namespace

std::string unit_of_file(std::string_view name) {
  constexpr std::string_view kEnding = ".cudafe1.cpp";
  const auto folder = name.find_last_of("/\\");
  if (folder != std::string_view::npos) name.remove_prefix(folder + 1);
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

std::string unit_of_registration(const std::string& symbol) {
  const auto name = std::string_view(symbol).substr(std::min(kRegistersUnit.size(), symbol.size()));
  const auto unit = unit_of_wrapper("__fatbinwrap_" + std::string(name));
  return printable(unit.empty() ? symbol : unit);
}

}  // namespace archgrid::fatbin
