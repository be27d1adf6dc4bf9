// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The proof that every kernel of this program has code for the GPU: before the first test, and of
// what tests load, when they have.
#ifndef ARCHGRID_GTEST_PROOF_HPP
#define ARCHGRID_GTEST_PROOF_HPP

#include <archgrid/device.hpp>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "kernel_check.hpp"
#include "loaded_files.hpp"
#include "outcomes.hpp"

namespace archgrid::gtest {

/// Adds ArchCoverage.EveryKernelIsServed, which always is there, so that ctest has a test of the
/// kernels. It fails where a proof has found a failure.
void add_test_of_every_kernel();

class Proof {
 public:
  /// For the GPU of the record, which must be known, and a driver as the CUDA API counts. Keeps
  /// references to both.
  Proof(const KernelCheck& check, int driver_version, Record& record);

  /// Judges the kernels of all that is loaded and asks the runtime for those of the executable.
  /// Says what it found, notes it in the record, and adds a failing test for each failure.
  void prove();

  /// Judges the kernels of what was loaded since. It comes too late for tests of its own: it fails
  /// the one that runs. From any thread.
  void judge_loaded_by(const std::string& test);

  /// Does something while no other thread changes the record.
  template <class Action>
  void while_unchanged(const Action& action) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    action();
  }

  /// To be called when a test starts.
  void forget_test();

  /// The tests of the kernels that fail, by name.
  [[nodiscard]] const std::map<std::string, TestOutcome>& failing_tests() const { return tests_; }

  /// Whether all launches are seen: no file launches kernels unseen.
  [[nodiscard]] bool counts_launches() const;

 private:
  [[nodiscard]] KernelReport judge(const std::vector<std::string>& files) const;
  KernelReport judge_fresh(const std::string& test);
  void add_failure(const KernelFailure& failure);
  void compare_with_runtime(const KernelReport& report);
  void add_disagreements(const std::vector<std::string>& disagreements);
  void add_uncounted(const KernelReport& report, const LoadedFiles& loaded);
  void add_uncounted(const std::string& file);
  void say_uncounted() const;
  void fail_with_the_first();

  const KernelCheck& check_;
  const device::Capability gpu_;
  const int driver_version_;
  Record& record_;
  mutable std::mutex mutex_;  ///< of what tests change
  LoadedFilesWatch loaded_files_;
  std::string executable_;
  bool hides_launches_ = false;  ///< the test has loaded what is gone again
  std::map<std::string, TestOutcome> tests_;
};

}  // namespace archgrid::gtest

#endif
