// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "loaders.hpp"

#include <algorithm>
#include <archgrid/fatbin.hpp>
#include <array>

namespace archgrid::fatbin {
namespace {

constexpr std::size_t kLongest = NamedLoaders::kAround / 2;
constexpr std::size_t kMaxNames = 64;
// Characters of functions and libraries; "%d" stands for a version.
constexpr std::string_view kCharacters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.%";

// Strings of each program that the CUDA runtime is linked into, as it looks up the driver's
// functions by name. The last two identify it (measured on libcudart_static of 11.8 to 13.5 and on
// cudart64_12.dll).
constexpr std::array<const char*, 7> kNamesOfRuntime = {
    "cudaLibraryLoadData",   "cudaLibraryLoadFromFile", "cuLibraryLoadData",
    "cuLibraryLoadFromFile", "cuModuleLoadData",        "cuModuleLoad",
    "cuModuleLoadFatBinary"};

bool starts_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

bool loads_code(std::string_view function) {
  constexpr std::array<std::string_view, 6> kStarts = {"cuModuleLoad",        "cuLibraryLoad",
                                                       "cudaLibraryLoad",     "cuLinkCreate",
                                                       "nvrtcCompileProgram", "nvJitLinkCreate"};
  return std::any_of(kStarts.begin(), kStarts.end(),
                     [&](std::string_view start) { return starts_with(function, start); });
}

/// Matches "libnvrtc.so.12", "nvrtc64_120_0.dll", "libnvJitLink.so.13", "nvJitLink_130_0.dll", and
/// names from tools that repair wheels: "libnvrtc-672ee683.so.12".
bool compiles_code(std::string_view library) {
  if (starts_with(library, "lib")) library.remove_prefix(3);
  const auto name = library.substr(0, library.find_first_of("-_."));
  const bool known = name == "nvrtc" || name == "nvrtc64" || name == "nvJitLink";
  const bool file = library.find(".so") != std::string_view::npos ||
                    library.find(".dll") != std::string_view::npos;
  return known && file && !starts_with(library, "nvrtc-builtins");
}

}  // namespace

std::vector<std::string> imported_loaders(const HostImage& image) {
  std::set<std::string> names;
  for (const auto function : image.imports) {
    if (loads_code(function)) names.insert(printable(std::string(function)));
  }
  for (const auto library : image.libraries) {
    if (compiles_code(library)) names.insert(printable(std::string(library)));
  }
  return {names.begin(), names.end()};
}

void NamedLoaders::add(std::string_view text, std::size_t at) {
  mentions_nvrtc_ = mentions_nvrtc_ || starts_with(text.substr(at), "nvrtc");
  const auto earliest = at - std::min(at, kLongest);
  const auto other = text.substr(earliest, at - earliest).find_last_not_of(kCharacters);
  const auto begin = other == std::string_view::npos ? earliest : earliest + other + 1;
  const auto longest = text.substr(begin, kLongest + 1);
  const auto end = longest.find_first_not_of(kCharacters);
  if (end == std::string_view::npos || longest[end] != '\0') return;
  const auto name = longest.substr(0, end);
  if (names_.size() < kMaxNames && (loads_code(name) || compiles_code(name))) {
    names_.emplace(name);
  }
}

std::vector<std::string> NamedLoaders::take(const std::vector<std::string>& imported) {
  const bool contains_runtime =
      names_.count(kNamesOfRuntime[5]) != 0 && names_.count(kNamesOfRuntime[6]) != 0;
  if (contains_runtime) {
    for (const auto* name : kNamesOfRuntime) names_.erase(name);
  }
  for (const auto& name : imported) names_.erase(name);
  return {names_.begin(), names_.end()};
}

}  // namespace archgrid::fatbin
