// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// A file as its kernels are judged: images by module, kernels by number, objects of links.
#ifndef ARCHGRID_COVERAGE_FILE_INDEX_HPP
#define ARCHGRID_COVERAGE_FILE_INDEX_HPP

#include <archgrid/coverage/image_selector.hpp>
#include <map>
#include <string_view>
#include <vector>

#include "image_choice.hpp"
#include "kernel_index.hpp"
#include "link_groups.hpp"

namespace archgrid::coverage {

struct FileIndex {
  const fatbin::File& file;
  std::vector<ModuleImages> images;  ///< by module
  KernelIndex kernels;
  LinkGroups links;
  /// Images that use a function or variable without a definition, and the first of these names.
  std::map<const fatbin::Image*, std::string_view> undefined;
};

/// Keeps a reference to the file. `elsewhere` may be null.
FileIndex index_file(const fatbin::File& file, const Working* elsewhere);

}  // namespace archgrid::coverage

#endif
