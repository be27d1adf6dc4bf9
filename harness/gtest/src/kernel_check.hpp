// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether every kernel of this process has code for the GPU that was chosen.
#ifndef ARCHGRID_GTEST_KERNEL_CHECK_HPP
#define ARCHGRID_GTEST_KERNEL_CHECK_HPP

#include <archgrid/coverage.hpp>
#include <archgrid/device.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "settings.hpp"

namespace archgrid::gtest {

/// A broken promise, or what hides whether it is one.
struct KernelFailure {
  std::string name;                          ///< the kernel, or the file that could not be read
  std::optional<coverage::Verdict> verdict;  ///< of the kernel
  std::string text;                          ///< kernel, device, cell and fix
};

struct KernelReport {
  std::vector<coverage::Served> verdicts;  ///< of every kernel
  std::size_t forgiven = 0;                ///< findings that the matrix file ignores
  std::vector<KernelFailure> failures;
};

class KernelCheck {
 public:
  /// Reads the promises of the settings' matrix file for their toolkit. Throws UsageError if it
  /// cannot, which names the file.
  explicit KernelCheck(const Settings& settings);

  /// Whether a kernel may be compiled from PTX: everywhere in a cell of nothing but PTX, else as
  /// promised for the device that is asked for, or for any if none is.
  bool accepts_jit() const;

  /// Why the matrix file has a test skipped on that GPU: its place there, and the reason. Empty if
  /// it has not.
  std::string skip_reason(const std::string& test, device::Capability gpu) const;

  /// Why these tests are not for this GPU though no other was asked for: the cell's one arch does
  /// not serve it in a way that is accepted, or nothing is promised for it and the cell is not of
  /// one arch. Empty if they are.
  std::string not_for(device::Capability gpu) const;

  /// Judges every kernel of the files. `driver_version` as the CUDA API counts.
  KernelReport judge(const std::vector<std::string>& files, device::Capability gpu,
                     int driver_version) const;

 private:
  bool is_promised(coverage::Device device) const;
  coverage::Verdicts accepted_on(coverage::Device device) const;
  std::string not_served(coverage::Device device) const;
  std::string told(const coverage::Served& served, coverage::Device device) const;

  Settings settings_;
  coverage::Matrix matrix_;
  coverage::Request request_;  ///< all but the driver
};

}  // namespace archgrid::gtest

#endif
