// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares the lists of architectures of a project with each other, or with its promise.
#ifndef ARCHGRID_PROJECT_LINT_HPP
#define ARCHGRID_PROJECT_LINT_HPP

#include <archgrid/coverage.hpp>
#include <archgrid/project/arch_lists.hpp>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace archgrid::project {

struct JudgedList {
  ArchList list;
  std::vector<coverage::ComputeCapability> lacks;     ///< promised, or in another list; ascending
  std::vector<coverage::ComputeCapability> only_ptx;  ///< those of `lacks` for which it names PTX
  std::vector<fatbin::Arch> unable;  ///< that the toolkit of the file cannot compile for
  std::optional<LateArchs> late;     ///< the first part of the list without effect
};

struct Lint {
  std::vector<JudgedList> lists;
  std::vector<UnreadArchs> unread;  ///< no faults, but what agrees is not all
  /// The first list that serves a GPU which another lacks; empty with promises.
  std::map<coverage::ComputeCapability, std::size_t> served_by;
  bool is_promised = false;  ///< compared with promises

  /// Returns the number of lists that lack a GPU, have an arch that their toolkit lacks, or have no
  /// effect.
  [[nodiscard]] std::size_t faults() const;
};

/// Returns the lists with what each lacks, in lines of at most `columns`, and the verdict.
/// `promise`: the file of the promises.
std::string lint_text(const Lint& lint, std::string_view promise, std::size_t columns);

/// Returns an archgrid.lint/1 document.
std::string lint_json(const Lint& lint);

/// Compares lists with the promises. Without any, compares them with each other, by the GPUs of
/// boards for which they have machine code.
Lint lint(ProjectArchs archs, const std::vector<coverage::Promise>& promises);

}  // namespace archgrid::project

#endif
