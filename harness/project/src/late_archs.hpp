// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_PROJECT_LATE_ARCHS_HPP
#define ARCHGRID_PROJECT_LATE_ARCHS_HPP

#include <archgrid/project/arch_lists.hpp>
#include <string_view>
#include <vector>

namespace archgrid::project {

/// Returns the late lists of a CMake file. `policies`: the file with cmake_minimum_required() if
/// the file has none. Before 3.18 (CMP0104) CMake sets no default, so that no list is late.
std::vector<LateArchs> late_archs_in(std::string_view path, std::string_view text,
                                     std::string_view policies);

}  // namespace archgrid::project

#endif
