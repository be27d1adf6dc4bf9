// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Audits built cells against the promises of their matrix.
#ifndef ARCHGRID_CELL_TREE_AUDIT_HPP
#define ARCHGRID_CELL_TREE_AUDIT_HPP

#include <archgrid/cell/tree.hpp>
#include <archgrid/coverage.hpp>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace archgrid::cell {

/// A function that reads files, folders and archives.
using Reader = std::function<std::vector<fatbin::File>(const std::vector<std::string>& paths,
                                                       const fatbin::ReadOptions& reading)>;

/// Settings for all cells of an audit.
struct TreeRequest {
  std::string cell;                                  ///< the only one to audit; empty: all
  std::vector<coverage::ComputeCapability> devices;  ///< restricts the audit to these; empty: all
  /// The cells to report on; without: all. The others may be unbuilt; their bodies are known as
  /// those of siblings.
  std::optional<std::set<std::string>> due;
  std::optional<coverage::Driver> driver;
  std::optional<coverage::Baseline> baseline;
  bool strict = false;
  Reader read;
};

struct TreeAudit {
  std::vector<coverage::Audit> audits;
  std::vector<coverage::Finding> findings;  ///< of no single audit
  std::set<std::string> beside_fat;         ///< single cells beside fat ones
};

/// Audits the cells of a tree. If none is unbuilt and none is left out, also finds what no
/// cell alone shows: unused ignores, devices that no cell serves, kernels that only others have.
/// Throws TreeError if the plan audits nothing or not the cell of the request, and
/// promises::NothingPromised if nothing is promised for its devices.
TreeAudit audit_tree(const Tree& tree, const coverage::Matrix& matrix, const TreeRequest& request);

/// Adapts the fixes of an audit to the build of the cell.
void adapt_fixes(const BuiltCell& cell, coverage::Request& request);

/// Drops members of packages that the cell does not audit. An unreadable package drops only its own
/// error: members of a damaged package may be readable.
void drop_unaudited(const BuiltCell& cell, std::vector<fatbin::File>& files);

/// Marks findings in files that no command of the build names: they may be left over.
void mark_leftovers(const BuiltCell& cell, coverage::Audit& audit);

}  // namespace archgrid::cell

#endif
