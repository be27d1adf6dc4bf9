// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes sentences about the cells of a matrix tree and the files in them.
#ifndef ARCHGRID_WORDS_CELL_TEXT_HPP
#define ARCHGRID_WORDS_CELL_TEXT_HPP

#include <archgrid/coverage.hpp>
#include <string>

namespace archgrid::report {

/// Returns "the cell keeps no promise: it was never built".
std::string not_built_text(const coverage::Facts& facts);

/// Returns "build it again: cmake --build build/matrix --target cu130-sm90".
std::string not_built_fix(const coverage::Finding& finding);

/// Returns why a file that may ship is not audited, or is audited although it may be older than its
/// sources.
std::string unaudited_text(const coverage::Facts& facts);

/// Returns "not built, so not audited: a, b, c and 17 more".
std::string targets_text(const coverage::Facts& facts);

/// Returns "CUDA 13.0: no cell that serves 9.0 holds 3 of 24 kernels, the first k of cu130-sm80".
std::string other_cells_text(const coverage::Facts& facts);

}  // namespace archgrid::report

#endif
