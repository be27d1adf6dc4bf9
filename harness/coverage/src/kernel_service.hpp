// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The GPUs on which the kernels of a file work, as evidence about the other GPUs.
#ifndef ARCHGRID_COVERAGE_KERNEL_SERVICE_HPP
#define ARCHGRID_COVERAGE_KERNEL_SERVICE_HPP

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "defects.hpp"
#include "kernel_names.hpp"

namespace archgrid::coverage {

/// Answers about the kernels of one file, kept once they are known.
class KernelService {
 public:
  /// Keeps a reference to `file`.
  explicit KernelService(const FileContext& file);

  /// Returns the GPUs of the table that run the kernel.
  const std::vector<ComputeCapability>& served_by(std::size_t row);

  /// Returns the GPUs that names of the kernel, its source file in the module or the library say it
  /// is for.
  const std::vector<GpuRange>& gpus_named(std::size_t row, std::size_t module);

  /// Reports whether the kernel's name contains a type or an instruction that the GPU lacks.
  bool needs_newer_gpu(std::size_t row, ComputeCapability device);

  [[nodiscard]] bool works_in_generation(std::size_t row, ComputeCapability device) const;

  /// Reports whether a kernel works only on GPUs that are newer than `device` and have hardware
  /// that older GPUs lack.
  [[nodiscard]] bool works_on_new_hardware_alone(std::size_t row, ComputeCapability device);

  /// Returns the family_of() of the kernels that work on a device.
  const std::set<std::string>& working_families(std::size_t at);

  /// Reports whether another kernel of the module works exactly where this one does no work, and
  /// the reverse: host code picks one of the two by GPU.
  bool has_complement(std::size_t row);

 private:
  /// The devices on which a kernel works, and those on which its body does no work.
  struct Turns {
    DeviceMask works;
    DeviceMask refuses;
    friend bool operator<(const Turns& left, const Turns& right) {
      return std::make_pair(left.works.to_ullong(), left.refuses.to_ullong()) <
             std::make_pair(right.works.to_ullong(), right.refuses.to_ullong());
    }
  };

  [[nodiscard]] bool works(std::size_t row, std::size_t at) const;
  [[nodiscard]] Turns turns_of(std::size_t row) const;

  const FileContext& file_;
  std::map<std::size_t, int> first_devices_;                      ///< numbers of GPUs, by row
  std::map<std::size_t, std::vector<ComputeCapability>> served_;  ///< by row
  std::map<std::pair<std::size_t, std::size_t>, std::vector<GpuRange>>
      named_;                                                  ///< by row and module
  std::vector<std::optional<std::set<std::string>>> working_;  ///< by device
  std::map<std::size_t, std::set<Turns>> turns_;  ///< by module, of kernels with idle bodies
};

}  // namespace archgrid::coverage

#endif
