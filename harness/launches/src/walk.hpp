// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_LAUNCHES_WALK_HPP
#define ARCHGRID_LAUNCHES_WALK_HPP

#include <unordered_set>
#include <vector>

#include "calls.hpp"

namespace archgrid::launches {

/// Reports whether any path leads from a root to a stub of a kernel, whatever the GPU is.
bool has_path(const Program& program, const std::vector<Registration>& kernel);

/// Looks for a path from a root to a stub of a kernel on one GPU.
Launch walk(const Program& program, Calls& calls, const std::vector<Registration>& kernel);

/// Finds the roots that use a stub of a kernel, themselves or through others, but do not launch it
/// on one GPU, within a limit. A check in an inner function, of one path, says less about others.
std::unordered_set<std::uint32_t> find_refused(const Program& program, Calls& calls,
                                               const std::vector<Registration>& kernel);

/// Reports whether one of `functions` launches a kernel on one GPU, within a limit.
bool is_launched_by_any(const Program& program, Calls& calls,
                        const std::vector<Registration>& kernel,
                        const std::unordered_set<std::uint32_t>& functions);

}  // namespace archgrid::launches

#endif
