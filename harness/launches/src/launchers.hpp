// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_LAUNCHES_LAUNCHERS_HPP
#define ARCHGRID_LAUNCHES_LAUNCHERS_HPP

#include "evaluate.hpp"
#include "program.hpp"

namespace archgrid::launches {

/// Marks the functions that stubs call to launch their kernels.
void mark_launchers(Program& program);

/// Reports whether a call may launch a kernel whose address is in an object that it gets, such as a
/// description of the launch. Containers, which keep the object, do not.
bool may_launch_from_object(const Program& program, const Callee& callee, Budget& budget);

}  // namespace archgrid::launches

#endif
