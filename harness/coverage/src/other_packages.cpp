// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "other_packages.hpp"

#include <algorithm>
#include <array>
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
std::string_view package_of(std::string_view path) {
  auto name = path.substr(path.find_last_of("/!") + 1);
  name = name.substr(0, name.find('.'));
  if (name.substr(0, 3) == "lib") name.remove_prefix(3);
  const auto* const found =
      std::find_if(kLibraries.begin(), kLibraries.end(),
                   [name](const Library& library) { return library.name == name; });
  return found == kLibraries.end() ? std::string_view() : found->package;
}

}  // namespace

void note_other_packages(Audit& result) {
  std::set<std::string_view> needed;
  std::set<std::string_view> audited = {""};
  for (const auto& each : result.files) {
    audited.insert(package_of(each.file.path));
    for (const auto& library : each.file.needed) needed.insert(package_of(library));
  }
  for (const auto package : needed) {
    if (audited.count(package) != 0) continue;
    result.notes.push_back({"needs-other-package", "", {{"package", std::string(package)}}});
  }
}

}  // namespace archgrid::coverage
