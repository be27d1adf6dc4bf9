// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_COVERAGE_FIX_HPP
#define ARCHGRID_COVERAGE_FIX_HPP

#include <archgrid/coverage/arch_plan.hpp>
#include <archgrid/coverage/audit.hpp>
#include <archgrid/coverage/image_selector.hpp>
#include <archgrid/coverage/remedy.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace archgrid::coverage {

/// Remedies for unaccepted verdicts on the kernels of one file.
class Fixes {
 public:
  /// `toolkit` builds the file, in a cell of `cell_archs` (empty: in no cell), and fixes name
  /// `options`. Keeps references to `file` and `selector`.
  Fixes(const fatbin::File& file, const ImageSelector& selector, std::optional<Version> toolkit,
        Options options, std::vector<std::string> cell_archs = {});

  /// Returns the remedy for a verdict that `wanted` does not accept.
  [[nodiscard]] Remedy remedy(const Wanted& wanted, const LaunchPrediction& prediction) const;

 private:
  /// The archs of a module, the lowest priority first, without duplicates.
  struct Compiled {
    std::vector<fatbin::Arch> sass;
    std::vector<fatbin::Arch> ptx;
  };
  static std::vector<Compiled> compiled_in(const fatbin::File& file);
  /// Returns the arch of the cell whose code gives the device an accepted verdict; of several, the
  /// preferred one.
  [[nodiscard]] std::optional<CellArch> cell_arch_for(const Wanted& wanted) const;
  /// Reports whether the verdict is about PTX, and the module has code for a newer arch that is no
  /// newer than the device.
  [[nodiscard]] bool is_older_ptx(const LaunchPrediction& prediction,
                                  ComputeCapability device) const;

  const ImageSelector& selector_;
  std::optional<Version> toolkit_;
  Options options_;
  std::vector<std::string> cell_archs_;
  std::vector<std::optional<Version>> recorded_;  ///< by module: the newest toolkit of its images
  std::vector<Compiled> compiled_;                ///< by module
  std::vector<bool> linked_;                      ///< by module: linked by the device linker
  std::vector<bool> damaged_;                     ///< by module: an image could not be read
};

}  // namespace archgrid::coverage

#endif
