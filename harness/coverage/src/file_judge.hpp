// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Judges one file by the evidence that it offers.
#ifndef ARCHGRID_COVERAGE_FILE_JUDGE_HPP
#define ARCHGRID_COVERAGE_FILE_JUDGE_HPP

#include <archgrid/coverage/audit.hpp>
#include <cstddef>
#include <memory>
#include <vector>

#include "judge.hpp"

namespace archgrid::coverage {

/// Judges a file of a package, or of a promise. Devices are those of the audit, by index.
class FileJudge {
 public:
  /// Keeps references to all four. `audit` is a part of `result`, with its rows.
  FileJudge(FileAudit& audit, const Coverage& coverage, const Request& request, Audit& result);
  ~FileJudge();
  FileJudge(const FileJudge&) = delete;
  FileJudge& operator=(const FileJudge&) = delete;

  /// Judges the kernels that lack what most kernels of the file have.
  void judge_kernels();

  /// Finds launches that fail on a device that the file does not ship.
  void judge_failures(std::size_t at);

  /// Judges the file on a device that it does not ship. `unexplained` is the rule where nothing
  /// else explains that.
  void judge_file(std::size_t at, Rule unexplained);

  /// Moves breaches of promises that are not strict to the suspects where evidence excuses them.
  void set_apart(std::vector<Breach>& breaches);

  /// Adds a finding for each defect, and one for all kernels that are suspect for one reason.
  void report();

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace archgrid::coverage

#endif
