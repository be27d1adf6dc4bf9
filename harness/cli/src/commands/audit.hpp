// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_CLI_AUDIT_HPP
#define ARCHGRID_CLI_AUDIT_HPP

#include <set>
#include <string>

namespace archgrid::cli {

/// Audits the tree `root` like `archgrid audit --tree`, for one GPU or for all if `gpu` is empty.
/// Reports on the cells that are `due`. Throws promises::NothingPromised if there is no promise to
/// keep.
int audit_built_tree(const std::string& root, const std::string& gpu, std::set<std::string> due);

}  // namespace archgrid::cli

#endif
