// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_CLI_TREE_HPP
#define ARCHGRID_CLI_TREE_HPP

#include <archgrid/coverage.hpp>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace archgrid::cli {

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
  std::string arch;                       ///< of a single cell; empty for a fat one
  std::vector<coverage::Device> devices;  ///< empty: those that `arch` serves
  std::vector<std::string> archs;         ///< as CMake spells them
  std::vector<std::filesystem::path> artifacts;
  std::set<std::string> handmade;  ///< artifacts that no target makes
  std::set<std::string> unnamed;   ///< of `handmade`: no command names them as its output
  std::vector<UnauditedFile> unaudited;
  std::vector<std::string> excluded;                     ///< targets that were not built
  coverage::Options options = coverage::Options::cmake;  ///< for its device code's compiler
  bool enforced = false;                                 ///< its archs replace those of the project
  std::string problem;  ///< why it cannot be audited; empty if the cell was built
  /// "built", "failed", "impossible", ..., from its state; empty if it was never built.
  std::string status;
};

struct Tree {
  std::filesystem::path matrix;
  std::set<std::string> ids;     ///< of all cells
  std::vector<BuiltCell> cells;  ///< those to be audited
};

/// Reports whether the cell `id` of the tree `root` is built with its current configuration.
bool is_built(const std::filesystem::path& root, const std::string& id);

/// Reads plan.json, matrix.json and cells/<id>.json below `root`. Throws UsageError.
Tree read_tree(const std::filesystem::path& root);

}  // namespace archgrid::cli

#endif
