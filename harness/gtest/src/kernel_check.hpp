// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks that every kernel of this process has code for the selected GPU.
#ifndef ARCHGRID_GTEST_KERNEL_CHECK_HPP
#define ARCHGRID_GTEST_KERNEL_CHECK_HPP

#include <archgrid/coverage.hpp>
#include <archgrid/device.hpp>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "outcomes.hpp"
#include "settings.hpp"

namespace archgrid::gtest {

/// A broken promise, or something that hides whether a promise is kept.
struct KernelFailure {
  std::string name;                          ///< the kernel, or the unreadable file
  std::optional<coverage::Verdict> verdict;  ///< verdict of the kernel
  std::string text;                          ///< kernel, device, cell and fix
};

struct KernelReport {
  std::vector<coverage::Served> verdicts;  ///< verdicts of all kernels
  std::size_t ignored = 0;                 ///< number of findings that the matrix file ignores
  std::vector<KernelFailure> failures;
};

class KernelCheck {
 public:
  /// Reads the promises of the settings' matrix file for their toolkit. Throws UsageError with the
  /// name of the file if that fails.
  explicit KernelCheck(const Settings& settings);

  /// Reports whether a kernel may be compiled from PTX: always in a cell of PTX alone, otherwise as
  /// promised for the requested device, or for any device if none is requested.
  bool accepts_jit() const;

  /// Returns why the matrix file skips a test on that GPU: the place in the file, and the reason.
  /// Empty if it does not.
  std::string skip_reason(const std::string& test, device::Capability gpu) const;

  /// Returns why these tests are not for this GPU although no other was requested: the cell's one
  /// arch does not serve it in an accepted way or, in a cell of several archs, nothing is promised
  /// for it. Empty if they are.
  std::string not_for(device::Capability gpu) const;

  /// Judges every kernel of the files. `driver_version` is in the encoding of the CUDA API.
  KernelReport judge(const std::vector<std::string>& files, device::Capability gpu,
                     int driver_version) const;

  /// Returns what the GPU executes of kernels of a file, given with the test that launched each.
  /// Leaves out kernels whose code has no identity, and those of which several modules have
  /// different code.
  ExecutedCode executed(const std::string& file,
                        const std::map<std::string, std::string>& test_by_kernel,
                        device::Capability gpu, int driver_version) const;

 private:
  bool is_promised(coverage::ComputeCapability device) const;
  coverage::Verdicts accepted_on(coverage::ComputeCapability device) const;
  std::string not_served(coverage::ComputeCapability device) const;
  std::string told(const coverage::Served& served, coverage::ComputeCapability device) const;

  Settings settings_;
  coverage::Matrix matrix_;
  coverage::Request request_;  ///< everything except the driver
};

}  // namespace archgrid::gtest

#endif
