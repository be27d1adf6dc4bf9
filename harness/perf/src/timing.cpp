// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <archgrid/cuda/device_buffer.hpp>
#include <archgrid/cuda/error.hpp>
#include <archgrid/cuda/launches.hpp>
#include <archgrid/cuda/stream.hpp>
#include <archgrid/perf.hpp>
#include <archgrid/perf/sampling.hpp>
#include <chrono>
#include <cmath>
#include <ctime>
#include <optional>
#include <stdexcept>
#include <vector>

#include "gpu.hpp"
#include "monitor.hpp"

namespace archgrid::perf {
namespace {

constexpr int kMaxRepetitions = 10000;

// A stream's queue holds more launches than these without waiting for the GPU.
constexpr int kTimedLaunches = 64;

// Ratio of a hot sample to the host's time for a launch, which then is 1 % of the sample.
constexpr double kTimesALaunch = 100;
// Limit for a launch that waits for its work: it takes the host as long as the work.
constexpr double kLongestSample = 0.02;

// A warm-up ends when samples change by no more than this fraction.
constexpr double kSteady = 0.01;

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Writes enough device memory to evict the previous content of the L2 cache.
class Flush {
 public:
  Flush() : memory_(2 * bytes_of_l2()) {}

  void run(const Stream& stream) const {
    throw_on_error("cudaMemsetAsync",
                   cudaMemsetAsync(memory_.data(), 0, memory_.bytes(), stream.get()));
  }

 private:
  DeviceBuffer<char> memory_;
};

class Stopwatch {
 public:
  Stopwatch(const Launch& launch, Cache cache) : launch_(launch) {
    if (cache == Cache::cold) flush_.emplace();
  }

  /// Returns the average time in seconds of some consecutive launches. Calls `meanwhile` while the
  /// GPU works.
  template <class Action>
  double measure(int repetitions, const Action& meanwhile) {
    flush();
    begin_.record(stream_);
    const auto begin = Clock::now();
    const int timed = std::min(repetitions, kTimedLaunches);
    for (int i = 0; i < timed; ++i) throw_on_error("the launch", launch_(stream_.get()));
    host_seconds_.push_back(seconds_since(begin) / timed);
    for (int i = timed; i < repetitions; ++i) throw_on_error("the launch", launch_(stream_.get()));
    end_.record(stream_);
    meanwhile();
    // A failed launch that returns success would be the fastest.
    throw_on_error("the launch", cudaPeekAtLastError());
    return end_.seconds_since(begin_) / repetitions;
  }

  double measure(int repetitions) {
    return measure(repetitions, [] {});
  }

  void forget_host_seconds() { host_seconds_.clear(); }

  /// Makes the GPU flush for longer than the host's time for a launch, which hides the latter.
  void hide_launches() {
    if (!flush_) return;
    begin_.record(stream_);
    flush();
    end_.record(stream_);
    const double seconds = end_.seconds_since(begin_);
    if (seconds > 0)
      flushes_ = static_cast<int>(std::clamp(2 * host_seconds() / seconds, 1.0, 100.0));
  }

  /// Returns the median of the host's measured times for a launch.
  [[nodiscard]] double host_seconds() const {
    auto sorted = host_seconds_;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    return *middle;
  }

 private:
  void flush() const {
    for (int i = 0; flush_ && i < flushes_; ++i) flush_->run(stream_);
  }

  const Launch& launch_;
  int flushes_ = 1;
  Stream stream_;
  Event begin_;
  Event end_;
  std::optional<Flush> flush_;
  std::vector<double> host_seconds_;
};

/// Throws if the launch uses a default stream: the stopwatch would not measure such work. It
/// observes launches there; other work, and work of shared libraries, only while it still runs.
void expect_in_stream() {
  const bool elsewhere = cudaStreamQuery(cudaStreamLegacy) == cudaErrorNotReady ||
                         cudaStreamQuery(cudaStreamPerThread) == cudaErrorNotReady;
  if (!elsewhere && !launched_in_default_stream()) return;
  throw std::invalid_argument(
      "perf::time: the launch gives work to a default stream: use the stream that it is called "
      "with");
}

void warm_up(Stopwatch& stopwatch, int repetitions, double max_seconds) {
  const auto begin = Clock::now();
  std::vector<double> seconds;
  while (seconds_since(begin) < max_seconds && !is_steady(seconds, kSteady)) {
    seconds.push_back(stopwatch.measure(repetitions));
  }
}

bool is_enough(const std::vector<double>& seconds, double passed, const Options& options) {
  if (static_cast<int>(seconds.size()) < std::max(options.min_samples, 1)) return false;
  if (passed >= options.max_seconds) return true;
  const auto uncertainty = uncertainty_of_median(seconds);
  return uncertainty && *uncertainty <= options.uncertainty;
}

int repetitions_for(double wanted, double seconds) {
  if (seconds <= 0) return kMaxRepetitions;
  return static_cast<int>(std::clamp(std::ceil(wanted / seconds), 1.0, double{kMaxRepetitions}));
}

}  // namespace

Measurement time(const Launch& launch, const Options& options) {
  // The stopwatch's stream does not wait for earlier work in the default stream.
  throw_on_error("cudaDeviceSynchronize before the first launch", cudaDeviceSynchronize());
  throw_on_error("an error from before perf::time", cudaPeekAtLastError());
  Monitor monitor(pci_bus_id());
  Measurement result;
  result.cache = options.cache;
  result.run.build = variable("ARCHGRID_CELL", kUnnamedBuild);
  result.run.date = text_of_date(std::time(nullptr));
  Stopwatch stopwatch(launch, options.cache);
  stopwatch.measure(1);                     // loads the kernel
  const DefaultStreamWatch default_stream;  // the first launch may set up anything there
  expect_in_stream();
  stopwatch.forget_host_seconds();
  const double once = stopwatch.measure(1);
  stopwatch.hide_launches();
  // Only the first of several consecutive launches waits for the host.
  const double sample_seconds = std::max(
      options.sample_seconds, std::min(kTimesALaunch * stopwatch.host_seconds(), kLongestSample));
  const int repetitions = options.cache == Cache::cold ? 1 : repetitions_for(sample_seconds, once);
  warm_up(stopwatch, repetitions, options.max_warm_up_seconds);
  expect_in_stream();
  auto& seconds = result.run.seconds;
  for (const auto begin = Clock::now(); !is_enough(seconds, seconds_since(begin), options);) {
    const double sample = stopwatch.measure(repetitions, [&] { monitor.look(); });
    if (!(sample > 0)) {  // the clock stood still, and its earlier values are as wrong
      seconds.clear();
      break;
    }
    seconds.push_back(sample);
  }
  result.run.launch_overhead_seconds = stopwatch.host_seconds();
  monitor.describe(result.run);
  if (!seconds.empty()) static_cast<Timing&>(result) = summarise(seconds);
  return result;
}

}  // namespace archgrid::perf
