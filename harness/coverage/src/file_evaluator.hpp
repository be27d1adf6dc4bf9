// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Judges one file by its own evidence.
#ifndef ARCHGRID_COVERAGE_FILE_EVALUATOR_HPP
#define ARCHGRID_COVERAGE_FILE_EVALUATOR_HPP

#include <archgrid/coverage/audit.hpp>
#include <cstddef>
#include <map>
#include <set>
#include <vector>

#include "defects.hpp"
#include "file_evidence.hpp"
#include "gap_rules.hpp"
#include "kernel_service.hpp"
#include "promise_evaluator.hpp"

namespace archgrid::coverage {

/// The evaluator of one file, for a package or a promise. Devices are indices into Audit::devices.
class FileEvaluator {
 public:
  /// Keeps references to all arguments but the last. `audit` is a part of `result`, with its rows.
  /// `guard` answers about host code and may be empty.
  FileEvaluator(FileAudit& audit, const ImageSelector& selector, const Request& request,
                Audit& result, HostGuard guard);
  FileEvaluator(const FileEvaluator&) = delete;
  FileEvaluator& operator=(const FileEvaluator&) = delete;

  /// Returns the kernels whose bodies do no work on a device, by index. Leaves out those for other
  /// GPUs, as evidence says, and those that an ignore or the baseline covers.
  const std::set<std::size_t>& unexplained_refusals(std::size_t at);

  /// Makes bodies that do no work errors: all on the devices of `all`, where none works, and those
  /// of unexplained_refusals() among the `launched` kernels on the devices of `unexplained`.
  void expect_work(DeviceMask all, DeviceMask unexplained, std::set<std::size_t> launched);

  /// Finds the kernels that lack devices which most kernels of the file have.
  void find_lacking_kernels();

  /// Finds launches that fail on a device that the file does not ship.
  void find_failures(std::size_t at);

  /// Finds the kernels that lack a device that the file does not ship. `unexplained` is the rule if
  /// no other evidence explains the gap.
  void find_lacking_device(std::size_t at, Rule unexplained);

  /// Moves breaches of promises that are not strict to the suspects if evidence explains them.
  void set_apart(std::vector<Breach>& breaches);

  /// Adds one finding per defect, and one per reason for suspect kernels.
  void report();

 private:
  [[nodiscard]] bool lacks(std::size_t row, std::size_t at) const;
  void add(const Gap& gap, const Defect& defect);
  void add_refusal(const Gap& gap);
  [[nodiscard]] bool is_expected_to_work(const Gap& gap);

  FileContext file_;
  HostGuard guard_;
  FileEvidence evidence_;
  KernelService service_;
  GapRules rules_;
  FileDefects defects_;
  DeviceMask works_nowhere_;  ///< devices on which no body works
  DeviceMask works_in_part_;  ///< devices on which unexplained refusals are errors
  std::set<std::size_t> launched_;
  std::map<std::size_t, std::set<std::size_t>> unexplained_;  ///< rows, by device
};

}  // namespace archgrid::coverage

#endif
