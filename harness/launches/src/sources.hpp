// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_LAUNCHES_SOURCES_HPP
#define ARCHGRID_LAUNCHES_SOURCES_HPP

#include "evaluate.hpp"
#include "knowledge.hpp"

namespace archgrid::launches {

/// Evaluates the functions that query the compute capability, and their callers, on a GPU. Finds
/// where they keep it.
Knowledge collect_knowledge(const Program& program, Gpu gpu);

}  // namespace archgrid::launches

#endif
