// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// How a ceiling is measured.
#ifndef ARCHGRID_PERF_CEILING_HPP
#define ARCHGRID_PERF_CEILING_HPP

#include <archgrid/perf.hpp>
#include <map>

#include "perf/src/gpu.hpp"

namespace archgrid::perf {

/// The fastest of some launches that do `work` each: its `per_second` is what one of them does. 0
/// per second where the GPU was throttled or its clock stood still. Throws CudaError.
inline Ceiling ceiling_of(Ceiling work, const Launch& launch) {
  Options options;
  options.most_seconds = 0.2;
  options.most_warm_up_seconds = 0.1;
  options.fewest_samples = 5;
  const auto measured = time(launch, options);
  const bool is_known = measured.samples > 0 && !measured.run.throttled.value_or(false);
  work.per_second = is_known ? work.per_second / measured.minimum : 0;
  return work;
}

/// What is known of the current device; else it is measured, and kept if that came to something.
template <class Measure>
Ceiling known_or_measured(std::map<int, Ceiling>& known, const Measure& measure) {
  const int device = current_device();
  const auto found = known.find(device);
  if (found != known.end()) return found->second;
  const Ceiling ceiling = measure();
  if (ceiling.per_second > 0) known.emplace(device, ceiling);
  return ceiling;
}

}  // namespace archgrid::perf

#endif
