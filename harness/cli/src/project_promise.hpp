// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Promises of an audit that stand in a pyproject.toml.
#ifndef ARCHGRID_CLI_PROJECT_PROMISE_HPP
#define ARCHGRID_CLI_PROJECT_PROMISE_HPP

#include <archgrid/coverage.hpp>
#include <optional>
#include <vector>

#include "commands.hpp"

namespace archgrid::cli {

struct ProjectPromise {
  std::optional<coverage::Matrix> matrix;  ///< empty: no pyproject.toml promises anything
  bool is_table = false;                   ///< [tool.archgrid] itself, no matrix file it names
  std::vector<coverage::Remark> remarks;   ///< its origin, and files that were not used
  std::vector<std::string> inputs;         ///< files that were read, or would be
  std::vector<std::string> wheels;         ///< that a promise nobody named is for, as FILEs
};

/// Returns the promise of the pyproject.toml that --matrix names. Without any promise on the
/// command line, returns the promise of the project that every FILE is a wheel of, from a
/// pyproject.toml in the folder of the wheel or the one above; a FILE that is a folder stands for
/// the wheels in it. Throws UsageError where only some of the wheels have such a project, where
/// several have different ones, and where a promise cannot be attributed to a project.
ProjectPromise find_project_promise(const AuditOptions& options);

/// Throws UsageError for a file that is in none of the wheels that the promise is for: in a folder
/// may be more than wheels.
void expect_in_wheels(const ProjectPromise& promise, const std::vector<fatbin::File>& files);

}  // namespace archgrid::cli

#endif
