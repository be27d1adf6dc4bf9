// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <algorithm>
#include <archgrid/cuda_error.hpp>
#include <archgrid/device.hpp>
#include <archgrid/perf.hpp>
#include <archgrid/stream.hpp>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <optional>
#include <string>

#include "monitor.hpp"

namespace archgrid::perf {
namespace {

constexpr int kMostRepetitions = 10000;

/// Writes so much device memory that nothing of before is left in the L2 cache.
class Flush {
 public:
  Flush() {
    int device = 0;
    int bytes = 0;
    throw_on_error("cudaGetDevice", cudaGetDevice(&device));
    throw_on_error("cudaDeviceGetAttribute",
                   cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device));
    size_ = 2 * static_cast<std::size_t>(std::max(bytes, 1 << 20));
    throw_on_error("cudaMalloc of twice the L2 cache", cudaMalloc(&memory_, size_));
  }
  ~Flush() { static_cast<void>(cudaFree(memory_)); }
  Flush(const Flush&) = delete;
  Flush& operator=(const Flush&) = delete;

  void run(const Stream& stream) const {
    throw_on_error("cudaMemsetAsync", cudaMemsetAsync(memory_, 0, size_, stream.get()));
  }

 private:
  void* memory_ = nullptr;
  std::size_t size_ = 0;
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
    for (int i = 0; i < repetitions; ++i) throw_on_error("the launch", launch_(stream_.get()));
    end_.record(stream_);
    meanwhile();
    return end_.seconds_since(begin_) / repetitions;
  }

  double measure(int repetitions) {
    return measure(repetitions, [] {});
  }

 private:
  const Launch& launch_;
  Stream stream_;
  Event begin_;
  Event end_;
  std::optional<Flush> flush_;
};

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
  int device = 0;
  cudaDeviceProp properties{};
  throw_on_error("cudaGetDevice", cudaGetDevice(&device));
  throw_on_error("cudaGetDeviceProperties", cudaGetDeviceProperties(&properties, device));
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

/// The program's record, written anew with each benchmark, so that what was measured before a
/// crash is kept.
void keep(const Benchmark& benchmark) {
  const std::string path = variable("ARCHGRID_PERF_RECORD", "");
  if (path.empty()) return;
  static Record record;
  if (record.benchmarks.empty()) record.key = key_of_this_machine();
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
  stopwatch.measure(std::max(options.warm_ups, 1));
  const int repetitions = options.cache == Cache::cold
                              ? 1
                              : repetitions_for(options.sample_seconds, stopwatch.measure(1));
  for (int i = 0; i < options.samples; ++i) {
    result.run.seconds.push_back(stopwatch.measure(repetitions, [&] { monitor.look(); }));
  }
  monitor.describe(result.run);
  static_cast<Timing&>(result) = summarise(result.run.seconds);
  return result;
}

void report(const std::string& name, const Measurement& measurement, const Work& work) {
  std::cout << "archgrid: perf: " << name << ": " << text_of(measurement, work) << std::endl;
  for (const Property& property : properties_of(measurement, work)) {
    ::testing::Test::RecordProperty(name + "/" + property.name, std::to_string(property.value));
  }
  keep({name, measurement.cache, work, {measurement.run}});
}

}  // namespace archgrid::perf
