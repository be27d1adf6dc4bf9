// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// How long work on a GPU takes. A timing is measured and shown; nothing here judges it.
#ifndef ARCHGRID_PERF_HPP
#define ARCHGRID_PERF_HPP

#include <cuda_runtime_api.h>

#include <archgrid/perf/record.hpp>
#include <archgrid/statistics.hpp>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace archgrid::perf {

struct Options {
  /// Before the first sample, at most this long, and until samples get neither faster nor slower:
  /// the first launch loads the kernel, and clocks take their time to rise.
  double most_warm_up_seconds = 1;
  int fewest_samples = 21;
  /// More are taken until the median is known this well (uncertainty_of_median()), or that many
  /// seconds have passed.
  double uncertainty = 0.005;
  double most_seconds = 3;
  /// A sample repeats the launch until it takes about this long, or a hundred times what the host
  /// takes to launch, 20 ms at most: an event's clock ticks in half microseconds, and the first
  /// launch of a sample is waited for. Cold, a sample is one launch, which is given while the cache
  /// is still flushed.
  double sample_seconds = 200e-6;
  /// Cold: before each launch twice the size of the L2 cache is written.
  Cache cache = Cache::hot;
};

/// A timing with all that is known of how it was taken. Without samples it measured nothing.
struct Measurement : Timing {
  Run run;
  Cache cache = Cache::hot;
};

/// Launches work in a stream and returns the launch's error.
using Launch = std::function<cudaError_t(cudaStream_t)>;

/// Times a launch with CUDA events in a stream of its own, which the launch must use, and asks NVML
/// meanwhile, where there is one. What the host takes to launch is told apart, in
/// `run.launch_overhead_seconds`: a kernel that is shorter than that was not what was timed. Where
/// the GPU's clock stands still there are no samples. Throws archgrid::CudaError as soon as a call
/// or a launch fails, whatever the launch returns, and where an error was left before: a launch
/// that did nothing would be the fastest of all. Throws std::invalid_argument where kernels go to a
/// default stream, or one still works when the stream is done.
Measurement time(const Launch& launch, const Options& options = {});

/// What copying within device memory reaches on the current device, in bytes per second that are
/// read or written: the ceiling of work that memory bounds. Measured once a device. Throws
/// archgrid::CudaError. `per_second` is 0 where the GPU was throttled, or its clock stood still.
Ceiling memory_ceiling();

/// So much that whoever reads it from end to end finds next to nothing of the last time in the L2
/// cache of the current device. Throws archgrid::CudaError.
std::size_t bytes_beyond_cache();

/// What a kernel of yours reaches that does nothing but such arithmetic, for report(): `flops` in
/// the fastest of some launches. Measured once a device and name; the launches are not counted as
/// the test's. Throws and is 0 as memory_ceiling().
Ceiling flops_ceiling(const std::string& name, double flops, const Launch& launch);

/// Prints "archgrid: perf: <name>: " and text_of(measurement, work), what share of each ceiling
/// that is, and what the launch takes of the host; records properties_of() of them as properties
/// <name>/<property> of the current test. Of a run without samples, and of one that was throttled,
/// it prints NO_DATA with the reason instead, and records none.
///
/// `ceilings` are what the work could reach besides: fp32_ceiling() and the like
/// (archgrid/perf/arithmetic.hpp), or your own. Where the work tells its bytes, memory_ceiling() is
/// measured too.
///
/// Adds the run and its ceilings to the record that ARCHGRID_PERF_RECORD names, if it does: a file
/// of archgrid.perf/1, for this GPU, driver and toolkit, and for the clock policy that
/// ARCHGRID_CLOCKS names ("locked 1980 MHz"; unset: "default"); in a folder, a file of this
/// process's own. Throws std::runtime_error where that cannot be written.
void report(const std::string& name, const Measurement& measurement, const Work& work,
            std::vector<Ceiling> ceilings = {});

}  // namespace archgrid::perf

#endif
