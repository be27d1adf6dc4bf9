// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Judges one module of a file for one kernel and device.
#ifndef ARCHGRID_COVERAGE_MODULE_EVALUATOR_HPP
#define ARCHGRID_COVERAGE_MODULE_EVALUATOR_HPP

#include <archgrid/coverage/verdict.hpp>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "file_index.hpp"

namespace archgrid::coverage {

/// A launch of a kernel on a device.
struct Launch {
  std::optional<std::size_t> kernel;  ///< number of the name; unset if no image contains it
  ComputeCapability device;
  const Driver* driver;  ///< null: it reads every PTX ISA
};

/// The evaluator of modules. Keeps answers that many kernels share; threads may use it together.
class ModuleEvaluator {
 public:
  /// Keeps a reference to `index`.
  explicit ModuleEvaluator(const FileIndex& index);
  ~ModuleEvaluator();

  [[nodiscard]] LaunchPrediction evaluate(const Launch& launch, std::size_t module) const;

  /// Reports whether the device surely loads machine code of the module, even if it lacks the
  /// kernel.
  [[nodiscard]] bool takes_machine_code(std::size_t module, ComputeCapability device) const;

 private:
  struct OnDevice;
  struct Details;

  [[nodiscard]] const Candidates* known_candidates(ComputeCapability device,
                                                   std::size_t module) const;
  [[nodiscard]] Candidates candidates_of(const Launch& launch, std::size_t module) const;
  [[nodiscard]] LaunchPrediction evaluate_images(const Launch& launch, std::size_t module) const;
  [[nodiscard]] LaunchPrediction evaluate_link(const Launch& launch, std::size_t module) const;
  [[nodiscard]] LaunchPrediction relink(const Launch& launch, std::size_t part) const;
  [[nodiscard]] LaunchPrediction evaluate_chosen(const Launch& launch, const fatbin::Image& chosen,
                                                 LaunchPrediction good) const;
  [[nodiscard]] bool is_idle_unlike_others(const fatbin::Kernel& kernel, std::size_t number) const;
  [[nodiscard]] LaunchPrediction evaluate_lacking(const Launch& launch,
                                                  const fatbin::Image& chosen) const;
  [[nodiscard]] std::string object_name(std::size_t part) const;
  [[nodiscard]] LaunchPrediction compile(const Launch& launch, const fatbin::Image& ptx) const;
  [[nodiscard]] Reason reason(Why why, const fatbin::Image* image = nullptr,
                              const std::string& text = {}, const std::string& object = {},
                              const Driver* driver = nullptr) const;

  const FileIndex& index_;
  /// By place in the table of architectures; computed at the first launch on the device.
  std::unique_ptr<OnDevice[]> on_device_;
  std::unique_ptr<Details> details_;
};

}  // namespace archgrid::coverage

#endif
