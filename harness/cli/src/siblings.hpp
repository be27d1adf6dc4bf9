// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_CLI_SIBLINGS_HPP
#define ARCHGRID_CLI_SIBLINGS_HPP

#include <archgrid/coverage.hpp>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tree.hpp"

namespace archgrid::cli {

/// Kernels whose bodies do nothing in a file of one cell and work in the same file of another cell
/// of its toolkit: by cell and path of the file where they do nothing. A fat file shows that by
/// itself; of cells with one architecture none does. Reads the files where they work once more.
/// `root`: of the tree. Throws as read_inputs().
std::map<std::string, std::map<std::string, coverage::Working>> working_in_siblings(
    const std::filesystem::path& root, const std::vector<BuiltCell>& cells,
    const std::vector<coverage::Audit>& audits);

}  // namespace archgrid::cli

#endif
