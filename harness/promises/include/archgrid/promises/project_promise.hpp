// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds promises for an audit in a pyproject.toml.
#ifndef ARCHGRID_PROMISES_PROJECT_PROMISE_HPP
#define ARCHGRID_PROMISES_PROJECT_PROMISE_HPP

#include <archgrid/coverage.hpp>
#include <optional>
#include <string>
#include <vector>

namespace archgrid::promises {

struct ProjectPromise {
  std::optional<coverage::Matrix> matrix;  ///< unset: no pyproject.toml has a promise
  bool is_table = false;                   ///< [tool.archgrid] itself, not its matrix file
  std::vector<coverage::Note> notes;       ///< the promise's origin, and files that were not used
  std::vector<std::string> inputs;         ///< files that were read, or may be
  std::vector<std::string> wheels;         ///< FILEs that a discovered promise covers
};

/// The part of the command line that decides which promise applies.
struct PromiseQuery {
  std::vector<std::string> files;
  std::string matrix;          ///< a matrix file or a pyproject.toml; empty: none is named
  bool names_devices = false;  ///< the command line names GPUs
};

/// Returns the promise of the pyproject.toml that `query.matrix` names. If the command line makes
/// no promise, returns the promise of the project to which every file belongs as a wheel, from a
/// pyproject.toml in the folder of the wheel or the one above; a folder among the files represents
/// the wheels in it. Throws PromiseError if only some of the wheels have such a project, if they
/// have different ones, or if a promise cannot be attributed to a project.
ProjectPromise find_project_promise(const PromiseQuery& query);

/// Throws PromiseError for a file outside the wheels that the promise covers: a folder may contain
/// other files.
void expect_in_wheels(const ProjectPromise& promise, const std::vector<fatbin::File>& files);

}  // namespace archgrid::promises

#endif
