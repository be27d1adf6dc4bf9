// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// How a ceiling is measured.
#ifndef ARCHGRID_PERF_CEILING_HPP
#define ARCHGRID_PERF_CEILING_HPP

#include <archgrid/perf.hpp>
#include <stdexcept>

namespace archgrid::perf {

/// The fastest of some launches that do `work` each: its `per_second` is what one of them does.
/// Throws CudaError, and std::runtime_error where the GPU's clock stands still.
inline Ceiling ceiling_of(Ceiling work, const Launch& launch) {
  Options options;
  options.most_seconds = 0.2;
  options.most_warm_up_seconds = 0.1;
  options.fewest_samples = 5;
  const auto measured = time(launch, options);
  if (measured.samples == 0) {
    throw std::runtime_error("the ceiling of " + work.name +
                             " cannot be measured: the GPU's clock stood still");
  }
  work.per_second /= measured.minimum;
  return work;
}

}  // namespace archgrid::perf

#endif
