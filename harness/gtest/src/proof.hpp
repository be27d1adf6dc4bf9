// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Proves that every kernel of this program has code for the GPU: before the first test, and for
// libraries that tests load, after they are loaded.
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

/// Adds ArchCoverage.EveryKernelIsServed, which always exists so that ctest has a test of the
/// kernels. It fails if a proof found a failure.
void add_test_of_every_kernel();

class Proof {
 public:
  /// Proves for the GPU of the record, which must be set, and a driver version in the encoding of
  /// the CUDA API. Keeps references to `check` and `record`.
  Proof(const KernelCheck& check, int driver_version, Record& record);

  /// Judges the kernels of all loaded files, and compares those of the executable with the runtime.
  /// Prints the findings, adds them to the record, and adds a failing test for each failure.
  void prove();

  /// Judges the kernels of files that were loaded since. As it is too late for tests of their own,
  /// a failure fails the running test. May be called from any thread.
  void judge_loaded_by(const std::string& test);

  /// Runs `action` while no other thread changes the record.
  template <class Action>
  void while_unchanged(const Action& action) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    action();
  }

  /// Resets the state of a test; call it when a test starts.
  void forget_test();

  /// Returns the failing tests of kernels, by name.
  [[nodiscard]] const std::map<std::string, TestOutcome>& failing_tests() const { return tests_; }

  /// Returns what the GPU executed of kernels of the executable, by their host functions, each with
  /// the test that launched it. Empty if the CUDA runtime loads other code than predicted.
  [[nodiscard]] ExecutedCode executed(
      const std::map<const void*, std::string>& test_by_function) const;

  /// Reports whether all launches are observed: no file launches kernels unobserved.
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
  mutable std::mutex mutex_;  ///< guards state that tests change
  LoadedFilesWatch loaded_files_;
  std::string executable_;
  bool hides_launches_ = false;  ///< the test has loaded a file that is already unloaded
  std::map<std::string, TestOutcome> tests_;
};

}  // namespace archgrid::gtest

#endif
