// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "other_packages.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>

namespace archgrid::coverage {
namespace {

struct Library {
  std::string_view name;  ///< without "lib" and the extension
  std::string_view package;
};

/// CUDA libraries of packages whose kernels other packages call.
constexpr std::array kLibraries = {Library{"c10_cuda", "torch"}, Library{"torch_cuda", "torch"},
                                   Library{"torch_cuda_cpp", "torch"},
                                   Library{"torch_cuda_cu", "torch"},
                                   Library{"torch_cuda_linalg", "torch"}};

/// Returns the package of the library "a/libtorch_cuda.so.2" or "torch_cuda.dll"; empty for others.
std::string_view owner_of(std::string_view path) {
  auto name = path.substr(path.find_last_of("/!") + 1);
  name = name.substr(0, name.find('.'));
  if (name.substr(0, 3) == "lib") name.remove_prefix(3);
  const auto* const found =
      std::find_if(kLibraries.begin(), kLibraries.end(),
                   [name](const Library& library) { return library.name == name; });
  return found == kLibraries.end() ? std::string_view() : found->package;
}

}  // namespace

void note_other_packages(const Claims& claims, Audit& result) {
  std::map<std::string_view, std::set<std::string>> needed;  // pinned versions, by package
  std::set<std::string_view> audited = {""};
  for (const auto& each : result.files) {
    audited.insert(owner_of(each.file.path));
    const auto* claim = find_claim(claims, each.file.path);
    for (const auto& library : each.file.needed) {
      const auto package = owner_of(library);
      auto& versions = needed[package];
      if (claim == nullptr) continue;
      const auto pin = claim->pins.find(std::string(package));
      if (pin != claim->pins.end()) versions.insert(pin->second);
    }
  }
  for (const auto& [package, versions] : needed) {
    if (audited.count(package) != 0) continue;
    Facts facts = {{"package", std::string(package)}};
    if (versions.size() == 1) facts["version"] = *versions.begin();
    result.notes.push_back({"needs-other-package", "", std::move(facts)});
  }
}

}  // namespace archgrid::coverage
