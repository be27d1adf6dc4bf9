// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the build tree of a matrix: its plan, and the state of its cells.
#ifndef ARCHGRID_CELL_TREE_HPP
#define ARCHGRID_CELL_TREE_HPP

#include <archgrid/coverage.hpp>
#include <filesystem>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace archgrid::cell {

/// A tree that cannot be read, or files that do not follow their schemas. The message has the fix.
struct TreeError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The keyword of archgrid.cell/1 for a file that is audited although it may be older than its
/// sources.
constexpr std::string_view kLeftover = "leftover";

/// A file with device code that a cell does not audit, although it may ship.
struct UnauditedFile {
  std::filesystem::path path;
  std::string why;     ///< a keyword of archgrid.cell/1
  std::string reason;  ///< archgrid's own; may be empty
};

/// A cell of a build tree that the plan's audits name.
struct BuiltCell {
  std::string id;
  coverage::Version toolkit;
  std::string arch;                                  ///< of a single cell; empty for a fat one
  std::vector<coverage::ComputeCapability> devices;  ///< empty: those that `arch` serves
  std::vector<std::string> archs;                    ///< as CMake spells them
  std::vector<std::filesystem::path> artifacts;
  std::set<std::string> handmade;  ///< artifacts that no target makes
  std::set<std::string> unnamed;   ///< of `handmade`: no command names them as its output
  std::vector<UnauditedFile> unaudited;
  std::vector<std::string> excluded;                     ///< targets that were not built
  coverage::Options options = coverage::Options::cmake;  ///< for its device code's compiler
  bool enforced = false;                                 ///< its archs replace those of the project
  /// The facts of the finding "not-built": why it cannot be audited. Empty if the cell was built.
  coverage::Facts problem;
};

struct Tree {
  std::filesystem::path root;
  std::filesystem::path matrix;
  std::set<std::string> ids;     ///< of all cells
  std::vector<BuiltCell> cells;  ///< those to be audited
};

/// Reports whether the cell `id` of the tree `root` is built, with the inputs that the tree is
/// configured with.
bool is_built(const std::filesystem::path& root, const std::string& id);

/// Returns the matrix file of the tree `root`, as its plan names it, if it has changed since the
/// tree was configured with a copy of it; empty otherwise. The tree of a bundle is not configured.
/// Throws TreeError.
std::string changed_matrix(const std::filesystem::path& root);

/// Reads plan.json, matrix.json and cells/<id>.json below `root`. Throws TreeError.
Tree read_tree(const std::filesystem::path& root);

/// Returns the audited cell `id` of the tree `root`, or nothing if it cannot be read.
std::optional<BuiltCell> find_cell(const std::filesystem::path& root, const std::string& id);

}  // namespace archgrid::cell

#endif
