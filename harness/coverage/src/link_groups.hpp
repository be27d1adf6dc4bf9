// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The relocatable objects of device-linked modules.
#ifndef ARCHGRID_COVERAGE_LINK_GROUPS_HPP
#define ARCHGRID_COVERAGE_LINK_GROUPS_HPP

#include <archgrid/fatbin.hpp>
#include <cstddef>
#include <vector>

#include "image_choice.hpp"
#include "kernel_index.hpp"

namespace archgrid::coverage {

struct LinkGroups {
  std::vector<std::vector<std::size_t>> parts;  ///< by module: objects of a linked module
  std::vector<std::size_t> parts_of_all;        ///< possible objects of every linked module
  std::vector<bool> is_part;                    ///< by module
  std::vector<bool> is_of_some_link;            ///< by module: an object of an unknown link
};

/// Assigns the objects of a file to its linked modules. `images` are those of each module.
LinkGroups link_groups_of(const fatbin::File& file, const std::vector<ModuleImages>& images,
                          const KernelIndex& kernels);

bool has_parts(const LinkGroups& links, const fatbin::Module& module);

/// Returns the known and possible objects of a linked module, ascending; nothing for other modules.
std::vector<std::size_t> parts_of(const LinkGroups& links, const fatbin::Module& module);

}  // namespace archgrid::coverage

#endif
