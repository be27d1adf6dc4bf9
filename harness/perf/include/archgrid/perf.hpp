// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// How long work on a GPU takes. A timing is measured and shown; nothing here judges it.
#ifndef ARCHGRID_PERF_HPP
#define ARCHGRID_PERF_HPP

#include <cuda_runtime_api.h>

#include <archgrid/statistics.hpp>
#include <functional>
#include <string>

namespace archgrid::perf {

struct Options {
  int warm_ups = 3;  ///< launches before the first sample: the first one loads the kernel
  int samples = 21;
  /// A sample repeats the launch until it takes about this long, because an event's clock ticks in
  /// half microseconds.
  double sample_seconds = 200e-6;
};

/// Launches work in a stream and returns the launch's error.
using Launch = std::function<cudaError_t(cudaStream_t)>;

/// Times a launch with CUDA events in a stream of its own. Throws archgrid::CudaError as soon as a
/// call or a launch fails: a launch that did nothing would be the fastest of all.
Timing time(const Launch& launch, const Options& options = {});

/// Prints "archgrid: perf: <name>: " and text_of(timing, work), and records properties_of(timing,
/// work) as properties <name>/<property> of the current test.
void report(const std::string& name, const Timing& timing, const Work& work);

}  // namespace archgrid::perf

#endif
