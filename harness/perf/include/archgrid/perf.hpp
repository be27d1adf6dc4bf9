// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// How long work on a GPU takes. A timing is measured and shown; nothing here judges it.
#ifndef ARCHGRID_PERF_HPP
#define ARCHGRID_PERF_HPP

#include <cuda_runtime_api.h>

#include <archgrid/perf/record.hpp>
#include <archgrid/statistics.hpp>
#include <functional>
#include <string>

namespace archgrid::perf {

struct Options {
  int warm_ups = 3;  ///< launches before the first sample: the first one loads the kernel
  int samples = 21;
  /// A sample repeats the launch until it takes about this long, because an event's clock ticks in
  /// half microseconds. Cold, a sample is one launch.
  double sample_seconds = 200e-6;
  /// Cold: before each launch twice the size of the L2 cache is written.
  Cache cache = Cache::hot;
};

/// A timing with all that is known of how it was taken.
struct Measurement : Timing {
  Run run;
  Cache cache = Cache::hot;
};

/// Launches work in a stream and returns the launch's error.
using Launch = std::function<cudaError_t(cudaStream_t)>;

/// Times a launch with CUDA events in a stream of its own, and asks NVML meanwhile, where there is
/// one. Throws archgrid::CudaError as soon as a call or a launch fails: a launch that did nothing
/// would be the fastest of all.
Measurement time(const Launch& launch, const Options& options = {});

/// Prints "archgrid: perf: <name>: " and text_of(measurement, work), records properties_of() of
/// them as properties <name>/<property> of the current test, and adds them to the record that
/// ARCHGRID_PERF_RECORD names, if it does: a file of archgrid.perf/1, for this GPU, driver and
/// toolkit, and for the clock policy that ARCHGRID_CLOCKS names ("locked 1980 MHz"; unset:
/// "default"). Throws std::runtime_error where that cannot be written.
void report(const std::string& name, const Measurement& measurement, const Work& work);

}  // namespace archgrid::perf

#endif
