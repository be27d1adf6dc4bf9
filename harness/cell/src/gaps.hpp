// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_CELL_GAPS_HPP
#define ARCHGRID_CELL_GAPS_HPP

#include <archgrid/cell/tree.hpp>
#include <archgrid/coverage.hpp>
#include <vector>

namespace archgrid::cell {

/// Adds a note for each toolkit and promised device with kernels that no cell serving the device
/// has, but other cells do. For trees of single cells: each is judged only for its own kernels, so
/// no other check reports them.
void note_gaps(const std::vector<BuiltCell>& cells, const coverage::Matrix& matrix,
               std::vector<coverage::Audit>& audits);

}  // namespace archgrid::cell

#endif
