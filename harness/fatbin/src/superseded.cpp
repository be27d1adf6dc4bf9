// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <archgrid/fatbin.hpp>
#include <map>
#include <set>
#include <tuple>

namespace archgrid::fatbin {

std::vector<bool> superseded_ptx(const std::vector<Image>& images) {
  using Source = std::tuple<std::size_t, int, char>;  // module and arch of PTX
  std::set<Source> compiled;
  std::map<std::pair<std::size_t, int>, std::size_t> of_one_number;
  for (const auto& image : images) {
    if (image.kind == Kind::ptx) ++of_one_number[{image.module, image.arch.number}];
    if (image.kind != Kind::sass || !image.error.empty() || !image.compiled_from) continue;
    compiled.insert({image.module, image.compiled_from->number, image.compiled_from->suffix});
  }
  std::vector<bool> superseded(images.size());
  for (std::size_t index = 0; index < images.size(); ++index) {
    const auto& image = images[index];
    if (image.kind != Kind::ptx || image.obfuscated) continue;
    // With two PTX images for one number, the machine code may come from either.
    const bool alone = of_one_number[{image.module, image.arch.number}] == 1;
    superseded[index] =
        alone && compiled.count({image.module, image.arch.number, image.arch.suffix}) != 0;
  }
  return superseded;
}

}  // namespace archgrid::fatbin
