// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the code that devices execute.
#ifndef ARCHGRID_COVERAGE_CODE_FINDER_HPP
#define ARCHGRID_COVERAGE_CODE_FINDER_HPP

#include <archgrid/coverage/image_selector.hpp>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace archgrid::coverage {

/// Code of a kernel that a device executes.
struct KernelCode {
  std::string arch;      ///< "sm_90a", or "compute_90" for PTX
  std::string identity;  ///< Kernel::identity; empty if unknown

  friend bool operator<(const KernelCode& left, const KernelCode& right) {
    return std::tie(left.arch, left.identity) < std::tie(right.arch, right.identity);
  }
  friend bool operator==(const KernelCode& left, const KernelCode& right) {
    return left.arch == right.arch && left.identity == right.identity;
  }
};

/// Returns a hash of all code that the device executes of a file's kernels, for any driver; empty
/// if it executes none, or if some code has no identity.
std::string code_hash_of(const ImageSelector& selector, ComputeCapability device);

/// The code of a file's kernels, by device.
class CodeFinder {
 public:
  /// Keeps a reference.
  explicit CodeFinder(const ImageSelector& selector) : selector_(selector) {}

  /// Returns the different code that a launch of the kernel on the device may execute: more than
  /// one if modules differ. Empty if the device has none. A null `driver` reads every PTX ISA.
  std::vector<KernelCode> code_of(const KernelRow& row, ComputeCapability device,
                                  const Driver* driver);

 private:
  using KernelsByName = std::unordered_map<std::string_view, const fatbin::Kernel*>;

  const fatbin::Kernel* find(const fatbin::Image& image, const std::string& name);

  const ImageSelector& selector_;
  std::unordered_map<const fatbin::Image*, KernelsByName> kernels_;
};

}  // namespace archgrid::coverage

#endif
