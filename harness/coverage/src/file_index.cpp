// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "file_index.hpp"

#include <set>
#include <utility>

namespace archgrid::coverage {
namespace {

std::vector<ModuleImages> images_by_module(const fatbin::File& file) {
  std::vector<ModuleImages> images(file.modules.size());
  for (const auto& image : file.images) images.at(image.module).push_back(&image);
  return images;
}

// Host code may link images that it picks at run time. Registered images are never linked.
std::map<const fatbin::Image*, std::string_view> undefined_in(const fatbin::File& file) {
  std::set<std::string_view> defined;
  for (const auto& image : file.images) {
    if (!file.modules[image.module].registered) {
      defined.insert(image.defined.begin(), image.defined.end());
    }
  }
  std::map<const fatbin::Image*, std::string_view> undefined;
  for (const auto& image : file.images) {
    const auto& module = file.modules[image.module];
    if (module.relocatable) continue;
    for (const auto& name : image.undefined) {
      if (!module.registered && defined.count(name) != 0) continue;
      undefined.emplace(&image, name);
      break;
    }
  }
  return undefined;
}

}  // namespace

FileIndex index_file(const fatbin::File& file, const Working* elsewhere) {
  auto images = images_by_module(file);
  auto kernels = index_kernels(file, elsewhere);
  auto links = link_groups_of(file, images, kernels);
  return {file, std::move(images), std::move(kernels), std::move(links), undefined_in(file)};
}

}  // namespace archgrid::coverage
