// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares what GPUs execute in two builds of a file.
#ifndef ARCHGRID_COVERAGE_CODE_DIFF_HPP
#define ARCHGRID_COVERAGE_CODE_DIFF_HPP

#include <archgrid/coverage/code_finder.hpp>
#include <archgrid/coverage/diff.hpp>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace archgrid::coverage {

/// The identities of kernels on the GPUs that execute them.
class CodeComparison {
 public:
  /// Keeps references to all arguments.
  CodeComparison(const ImageSelector& before, const ImageSelector& after,
                 const DiffRequest& request);

  /// Compares a kernel on each device that runs it on both sides and whose code has an identity.
  void add(const KernelRow& before, const KernelRow& after);

  /// Returns what was compared; devices with equal results together.
  [[nodiscard]] std::vector<CodeChange> result() const;

  /// Counts the kernels of which a device runs code without an identity.
  [[nodiscard]] std::size_t unknown() const { return unknown_.size(); }

 private:
  CodeFinder before_;
  CodeFinder after_;
  const DiffRequest& request_;
  std::map<ComputeCapability, std::pair<std::size_t, std::vector<std::string>>> compared_;
  std::set<std::string> unknown_;
};

}  // namespace archgrid::coverage

#endif
