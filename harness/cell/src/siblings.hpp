// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_CELL_SIBLINGS_HPP
#define ARCHGRID_CELL_SIBLINGS_HPP

#include <archgrid/cell/tree_audit.hpp>
#include <archgrid/coverage.hpp>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace archgrid::cell {

/// Returns kernels with idle bodies in a file of one cell that work in the same file of another
/// cell of its toolkit, by cell and path of the file with the idle bodies. A fat file shows this by
/// itself, but cells of one architecture do not. Reads the files with working bodies again. `root`:
/// of the tree.
std::map<std::string, std::map<std::string, coverage::Working>> working_in_siblings(
    const std::filesystem::path& root, const std::vector<BuiltCell>& cells,
    const std::vector<coverage::Audit>& audits, const Reader& read);

}  // namespace archgrid::cell

#endif
