// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_COVERAGE_FIX_HPP
#define ARCHGRID_COVERAGE_FIX_HPP

#include <archgrid/coverage/verdict.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace archgrid::coverage {

/// What to do about verdicts on the kernels of one file that are not accepted.
class Fixes {
 public:
  /// `toolkit` is said to build the file. Keeps references to the others.
  Fixes(const fatbin::File& file, const Coverage& coverage, std::optional<Version> toolkit);

  /// One sentence.
  [[nodiscard]] std::string fix(const KernelRow& kernel, Device device,
                                const Decision& decision) const;

 private:
  const std::string& path_;
  const Coverage& coverage_;
  std::optional<Version> toolkit_;
  std::vector<std::optional<Version>> recorded_;    ///< by module: the newest of its images
  std::set<std::pair<std::size_t, int>> compiled_;  ///< modules, and archs of their machine code
};

}  // namespace archgrid::coverage

#endif
