// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_LAUNCHES_WALK_HPP
#define ARCHGRID_LAUNCHES_WALK_HPP

#include <vector>

#include "calls.hpp"

namespace archgrid::launches {

/// Reports whether any path leads from a root to a stub of a kernel, whatever the GPU is.
bool has_path(const Program& program, const std::vector<Registration>& kernel);

/// Looks for a path from a root to a stub of a kernel on one GPU.
Launch walk(const Program& program, Calls& calls, const std::vector<Registration>& kernel);

}  // namespace archgrid::launches

#endif
