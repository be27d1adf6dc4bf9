// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_CLI_GAPS_HPP
#define ARCHGRID_CLI_GAPS_HPP

#include <archgrid/coverage.hpp>
#include <vector>

#include "tree.hpp"

namespace archgrid::cli {

/// Adds a remark for each toolkit and promised device with kernels that none of the cells which
/// serve the device holds, though others do. For trees of single cells: each is judged for what it
/// holds, and nobody else would miss these kernels.
void note_gaps(const std::vector<BuiltCell>& cells, const coverage::Matrix& matrix,
               std::vector<coverage::Audit>& audits);

}  // namespace archgrid::cli

#endif
