// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <algorithm>
#include <archgrid/cuda_error.hpp>
#include <archgrid/device.hpp>
#include <archgrid/perf.hpp>
#include <archgrid/perf/sampling.hpp>
#include <archgrid/stream.hpp>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "monitor.hpp"
#include "outcomes.hpp"

namespace archgrid::perf {
namespace {

constexpr int kMostRepetitions = 10000;

// The queue of a stream takes more than these without waiting for the GPU.
constexpr int kTimedLaunches = 64;

// What gets no faster by more than that is warm.
constexpr double kSteady = 0.01;

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

int current_device() {
  int device = 0;
  throw_on_error("cudaGetDevice", cudaGetDevice(&device));
  return device;
}

std::size_t bytes_of_l2() {
  int bytes = 0;
  throw_on_error("cudaDeviceGetAttribute",
                 cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, current_device()));
  return static_cast<std::size_t>(std::max(bytes, 1 << 20));
}

class Memory {
 public:
  explicit Memory(std::size_t bytes) : bytes_(bytes) {
    throw_on_error("cudaMalloc for a benchmark", cudaMalloc(&memory_, bytes));
  }
  ~Memory() { static_cast<void>(cudaFree(memory_)); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  [[nodiscard]] void* get() const { return memory_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_;
  void* memory_ = nullptr;
};

/// Writes so much device memory that nothing of before is left in the L2 cache.
class Flush {
 public:
  Flush() : memory_(2 * bytes_of_l2()) {}

  void run(const Stream& stream) const {
    throw_on_error("cudaMemsetAsync",
                   cudaMemsetAsync(memory_.get(), 0, memory_.bytes(), stream.get()));
  }

 private:
  Memory memory_;
};

class Stopwatch {
 public:
  Stopwatch(const Launch& launch, Cache cache) : launch_(launch) {
    if (cache == Cache::cold) flush_.emplace();
  }

  /// Seconds that a launch takes on average over some that follow each other. `meanwhile` is done
  /// while the GPU works.
  template <class Action>
  double measure(int repetitions, const Action& meanwhile) {
    if (flush_) flush_->run(stream_);
    begin_.record(stream_);
    const auto begin = Clock::now();
    const int timed = std::min(repetitions, kTimedLaunches);
    for (int i = 0; i < timed; ++i) throw_on_error("the launch", launch_(stream_.get()));
    host_seconds_.push_back(seconds_since(begin) / timed);
    for (int i = timed; i < repetitions; ++i) throw_on_error("the launch", launch_(stream_.get()));
    end_.record(stream_);
    meanwhile();
    return end_.seconds_since(begin_) / repetitions;
  }

  double measure(int repetitions) {
    return measure(repetitions, [] {});
  }

  /// Of the host, for a launch, in the median of all that was measured.
  [[nodiscard]] double host_seconds() const {
    auto sorted = host_seconds_;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    return *middle;
  }

 private:
  const Launch& launch_;
  Stream stream_;
  Event begin_;
  Event end_;
  std::optional<Flush> flush_;
  std::vector<double> host_seconds_;
};

void warm_up(Stopwatch& stopwatch, int repetitions, double most_seconds) {
  const auto begin = Clock::now();
  std::vector<double> seconds;
  while (seconds_since(begin) < most_seconds && !is_steady(seconds, kSteady)) {
    seconds.push_back(stopwatch.measure(repetitions));
  }
}

bool is_enough(const std::vector<double>& seconds, double passed, const Options& options) {
  if (static_cast<int>(seconds.size()) < std::max(options.fewest_samples, 1)) return false;
  if (passed >= options.most_seconds) return true;
  const auto uncertainty = uncertainty_of_median(seconds);
  return uncertainty && *uncertainty <= options.uncertainty;
}

int repetitions_for(double wanted, double seconds) {
  if (seconds <= 0) return kMostRepetitions;
  return static_cast<int>(std::clamp(std::ceil(wanted / seconds), 1.0, double{kMostRepetitions}));
}

std::string pci_bus_id() {
  int device = 0;
  char text[32] = "";
  const bool known = cudaGetDevice(&device) == cudaSuccess &&
                     cudaDeviceGetPCIBusId(text, sizeof text, device) == cudaSuccess;
  static_cast<void>(cudaGetLastError());
  return known ? text : "";
}

std::string variable(const char* name, const char* otherwise) {
  const char* const value = std::getenv(name);
  return value == nullptr || *value == '\0' ? otherwise : value;
}

Key key_of_this_machine() {
  cudaDeviceProp properties{};
  throw_on_error("cudaGetDeviceProperties", cudaGetDeviceProperties(&properties, current_device()));
  int driver = 0;
  throw_on_error("cudaDriverGetVersion", cudaDriverGetVersion(&driver));
  Key key;
  key.gpu = properties.name;
  key.compute_capability = device::text_of({properties.major, properties.minor});
  key.driver = Monitor(pci_bus_id()).driver();
  if (key.driver.empty()) key.driver = device::driver_release();
  if (key.driver.empty()) key.driver = "CUDA " + device::text_of_version(driver);
  key.toolkit = device::text_of_version(CUDART_VERSION);
  key.clocks = variable("ARCHGRID_CLOCKS", "default");
  return key;
}

/// Where ARCHGRID_PERF_RECORD says; in a folder a file of this process.
std::string record_path() {
  const std::string named = variable("ARCHGRID_PERF_RECORD", "");
  if (named.empty() || named.back() != '/') return named;
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  return gtest::own_file_in(named, error ? "perf" : program.string());
}

/// The program's record, written anew with each benchmark, so that what was measured before a
/// crash is kept.
void keep(const Benchmark& benchmark) {
  static const std::string path = record_path();
  if (path.empty()) return;
  static Record record;
  if (record.benchmarks.empty()) {
    record.key = key_of_this_machine();
    record.ceilings = {memory_ceiling()};
  }
  const auto known =
      std::find_if(record.benchmarks.begin(), record.benchmarks.end(), [&](const Benchmark& other) {
        return other.name == benchmark.name && other.cache == benchmark.cache;
      });
  if (known == record.benchmarks.end()) {
    record.benchmarks.push_back(benchmark);
  } else {
    known->runs.insert(known->runs.end(), benchmark.runs.begin(), benchmark.runs.end());
  }
  save(record, path);
}

}  // namespace

Measurement time(const Launch& launch, const Options& options) {
  // The stopwatch's stream does not wait for what the default stream still does.
  throw_on_error("cudaDeviceSynchronize before the first launch", cudaDeviceSynchronize());
  Monitor monitor(pci_bus_id());
  Measurement result;
  result.cache = options.cache;
  result.run.build = variable("ARCHGRID_CELL", "unnamed");
  result.run.date = text_of_date(std::time(nullptr));
  Stopwatch stopwatch(launch, options.cache);
  stopwatch.measure(1);
  const int repetitions = options.cache == Cache::cold
                              ? 1
                              : repetitions_for(options.sample_seconds, stopwatch.measure(1));
  warm_up(stopwatch, repetitions, options.most_warm_up_seconds);
  auto& seconds = result.run.seconds;
  for (const auto begin = Clock::now(); !is_enough(seconds, seconds_since(begin), options);) {
    seconds.push_back(stopwatch.measure(repetitions, [&] { monitor.look(); }));
  }
  result.run.launch_overhead_seconds = stopwatch.host_seconds();
  monitor.describe(result.run);
  static_cast<Timing&>(result) = summarise(seconds);
  return result;
}

Ceiling memory_ceiling() {
  static const Ceiling ceiling = [] {
    constexpr std::size_t kTimesTheCache = 4;
    const Memory from(kTimesTheCache * bytes_of_l2());
    const Memory to(from.bytes());
    const Launch copy = [&](cudaStream_t stream) {
      return cudaMemcpyAsync(to.get(), from.get(), from.bytes(), cudaMemcpyDeviceToDevice, stream);
    };
    Options options;
    options.most_seconds = 0.2;
    options.most_warm_up_seconds = 0.1;
    options.fewest_samples = 5;
    const auto copied = time(copy, options);
    return Ceiling{"device memory", "B/s",
                   2.0 * static_cast<double>(from.bytes()) / copied.minimum};
  }();
  return ceiling;
}

namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// ", 61 % of what a copy reaches, launch 3.10 us"
std::string text_of_limits(const Measurement& measurement, const Work& work) {
  std::string text;
  if (work.bytes > 0) {
    const double share = work.bytes / measurement.median / memory_ceiling().per_second;
    text += ", " + std::to_string(std::lround(100 * share)) + " % of what a copy reaches";
  }
  const auto host = measurement.run.launch_overhead_seconds.value_or(0);
  text += ", launch " + text_of_seconds(host);
  const bool hidden = measurement.cache == Cache::hot && host >= measurement.median;
  return hidden ? text + ": as long as the work, so launches were timed" : text;
}

}  // namespace

void report(const std::string& name, const Measurement& measurement, const Work& work) {
  std::cout << "archgrid: perf: " << name << ": ";
  if (measurement.run.throttled.value_or(false)) {
    std::cout << "NO_DATA: the GPU was throttled (" << joined(measurement.run.throttle_reasons)
              << ")" << std::endl;
  } else {
    std::cout << text_of(measurement, work) << text_of_limits(measurement, work) << std::endl;
    for (const Property& property : properties_of(measurement, work)) {
      ::testing::Test::RecordProperty(name + "/" + property.name, std::to_string(property.value));
    }
  }
  keep({name, measurement.cache, work, {measurement.run}});
}

}  // namespace archgrid::perf
