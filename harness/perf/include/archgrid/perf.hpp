// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures how long work on a GPU takes, and prints it; nothing here judges the times.
#ifndef ARCHGRID_PERF_HPP
#define ARCHGRID_PERF_HPP

#include <cuda_runtime_api.h>

#include <archgrid/perf_records/record.hpp>
#include <archgrid/perf_records/statistics.hpp>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace archgrid::perf {

struct Options {
  /// Limit of the warm-up before the first sample, which ends as soon as samples get neither faster
  /// nor slower: the first launch loads the kernel, and clocks need time to rise.
  double max_warm_up_seconds = 1;
  int min_samples = 21;
  /// More samples are taken until the uncertainty of the median (uncertainty_of_median()) is at
  /// most `uncertainty`, or `max_seconds` have passed.
  double uncertainty = 0.005;
  double max_seconds = 3;
  /// Minimum duration of a sample, which repeats the launch: about this long, or a hundred times
  /// the host's time for a launch, 20 ms at most. An event's clock ticks in half microseconds, and
  /// the first launch of a sample includes the host's time. With a cold cache a sample is a single
  /// launch, issued while the cache is still being flushed.
  double sample_seconds = 200e-6;
  /// Cold: twice the size of the L2 cache is written before each launch.
  Cache cache = Cache::hot;
};

/// A timing with all known conditions of the measurement. Without samples it measured nothing.
struct Measurement : Timing {
  Run run;
  Cache cache = Cache::hot;
};

/// Launches work in a stream and returns the launch's error.
using Launch = std::function<cudaError_t(cudaStream_t)>;

/// Times a launch with CUDA events in a separate stream, which the launch must use, and queries
/// NVML meanwhile if available. Reports the host's time for a launch separately, in
/// `run.launch_overhead_seconds`: for a kernel shorter than that, the kernel is not what was timed.
/// There are no samples if the GPU's clock stands still. Throws archgrid::CudaError as soon as a
/// call or a launch fails, whatever the launch returns, and if an error was pending before: a
/// launch that did nothing would be the fastest of all. Throws std::invalid_argument if kernels go
/// to a default stream, or if a default stream still works when the stream is done.
Measurement time(const Launch& launch, const Options& options = {});

/// Returns the rate of copies within device memory on the current device, in bytes read or written
/// per second: the ceiling of memory-bound work. Measured once per device. Throws
/// archgrid::CudaError. `per_second` is 0 if the GPU was throttled, or its clock stood still.
Ceiling memory_ceiling();

/// Returns a size so large that reading it from end to end finds almost nothing of the previous
/// pass in the L2 cache of the current device. Throws archgrid::CudaError.
std::size_t bytes_beyond_cache();

/// Returns the rate of a kernel of yours that does nothing but the arithmetic `name`, for report():
/// `flops` in the fastest of some launches. Measured once per device and name; the launches do not
/// count as the test's. Throws, and returns 0, as memory_ceiling() does.
Ceiling flops_ceiling(const std::string& name, double flops, const Launch& launch);

/// Prints "archgrid: perf: <name>: " and text_of(measurement, work), the share of each ceiling, and
/// the host's time for a launch. Records properties_of() of them as properties <name>/<property> of
/// the current test. For a run that has no samples, or was throttled, it prints NO_DATA with the
/// reason instead, and records no properties.
///
/// `ceilings` are further limits of the work: fp32_ceiling() and the like
/// (archgrid/perf/arithmetic.hpp), or your own. If the work specifies its bytes, memory_ceiling()
/// is measured, too.
///
/// Adds the run and its ceilings to the record that ARCHGRID_PERF_RECORD names, if set: a file of
/// archgrid.perf/1 for this GPU, driver and toolkit, and for the clock policy that ARCHGRID_CLOCKS
/// names ("locked 1980 MHz"; unset: "default"). In a folder, each process writes its own file.
/// Throws std::runtime_error if the file cannot be written.
void report(const std::string& name, const Measurement& measurement, const Work& work,
            std::vector<Ceiling> ceilings = {});

}  // namespace archgrid::perf

#endif
