// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Selects the image that a device loads, and judges the launch of its kernels.
#ifndef ARCHGRID_COVERAGE_IMAGE_SELECTOR_HPP
#define ARCHGRID_COVERAGE_IMAGE_SELECTOR_HPP

#include <archgrid/coverage/table.hpp>
#include <archgrid/coverage/verdict.hpp>
#include <archgrid/fatbin.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace archgrid::coverage {

/// Names of kernels that store to memory: `surely`, or `maybe` if some calls could not be followed.
struct Working {
  std::set<std::string, std::less<>> surely;
  std::set<std::string, std::less<>> maybe;
};

/// Returns these kernels of a file, which must have been read with Detail::everything.
Working working_in(const fatbin::File& file);

/// The verdicts on the kernels of one file.
class ImageSelector {
 public:
  /// Keeps a reference: `file` must outlive this object. `elsewhere`: kernels of builds of the file
  /// for other architectures, which count as bodies of this file's kernels.
  explicit ImageSelector(const fatbin::File& file, const Working* elsewhere = nullptr);
  ~ImageSelector();

  [[nodiscard]] const std::vector<KernelRow>& kernels() const;

  /// Judges a kernel. A null `driver` reads every PTX ISA.
  [[nodiscard]] LaunchPrediction predict(const KernelRow& row, ComputeCapability device,
                                         const Driver* driver) const;

  [[nodiscard]] Verdict verdict(const KernelRow& row, ComputeCapability device,
                                const Driver* driver) const;

  /// Returns the source file of a module, or of its relocatable object that contains the kernel;
  /// empty if the file does not record it.
  [[nodiscard]] const std::string& unit_of(const KernelRow& row, std::size_t module) const;

  /// Reports whether the device surely loads machine code of the module, even if it lacks the
  /// kernel.
  [[nodiscard]] bool takes_machine_code(std::size_t module, ComputeCapability device) const;

  /// Reports whether host code contains the kernel's name as a string.
  [[nodiscard]] bool is_named_by_host(const KernelRow& row) const;

  /// Returns the kernel in the module's machine code that the device loads, or in its PTX that the
  /// driver compiles; null for none.
  [[nodiscard]] const fatbin::Kernel* taken_kernel(const KernelRow& row, std::size_t module,
                                                   ComputeCapability device) const;

  /// Reports whether the module has a body of the kernel that works, for a newer arch than `taken`
  /// and no newer than the device.
  [[nodiscard]] bool works_for_newer_arch(const KernelRow& row, std::size_t module,
                                          fatbin::Arch taken, ComputeCapability device) const;

  /// Reports whether a linked module lacks the kernel's code for the device because the object with
  /// the kernel has none.
  [[nodiscard]] bool is_of_part_without_code(const KernelRow& row, std::size_t module,
                                             ComputeCapability device) const;

  /// Returns a function or variable that an image of the module uses without a definition; empty if
  /// there is none.
  [[nodiscard]] std::string undefined_in(std::size_t module) const;

  /// Returns the images that `device` loads for the kernel: one per registered module with the
  /// kernel, or the one of the deciding module if host code picks. If no machine code is sure to
  /// load: all images that may serve, and each object's input to a link at load time.
  [[nodiscard]] std::vector<const fatbin::Image*> taken_images(const KernelRow& row,
                                                               ComputeCapability device,
                                                               const Driver* driver) const;

 private:
  struct Impl;
  std::unique_ptr<const Impl> impl_;
};

}  // namespace archgrid::coverage

#endif
