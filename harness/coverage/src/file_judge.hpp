// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Judges one file by its own evidence.
#ifndef ARCHGRID_COVERAGE_FILE_JUDGE_HPP
#define ARCHGRID_COVERAGE_FILE_JUDGE_HPP

#include <archgrid/coverage/audit.hpp>
#include <cstddef>
#include <memory>
#include <vector>

#include "judge.hpp"

namespace archgrid::coverage {

/// A judge of one file, for a package or a promise. Devices are indices into Audit::devices.
class FileJudge {
 public:
  /// Keeps references to all arguments but the last. `audit` is a part of `result`, with its rows.
  /// `guard` answers about host code and may be empty.
  FileJudge(FileAudit& audit, const ImageSelector& selector, const Request& request, Audit& result,
            HostGuard guard);
  ~FileJudge();
  FileJudge(const FileJudge&) = delete;
  FileJudge& operator=(const FileJudge&) = delete;

  /// Judges the kernels that lack devices which most kernels of the file have.
  void judge_kernels();

  /// Finds launches that fail on a device that the file does not ship.
  void judge_failures(std::size_t at);

  /// Judges the file on a device that it does not ship. `unexplained` is the rule if no other
  /// evidence explains the gap.
  void judge_file(std::size_t at, Rule unexplained);

  /// Moves breaches of promises that are not strict to the suspects if evidence excuses them.
  void set_apart(std::vector<Breach>& breaches);

  /// Adds one finding per defect, and one per reason for suspect kernels.
  void report();

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace archgrid::coverage

#endif
