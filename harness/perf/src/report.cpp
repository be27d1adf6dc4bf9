// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <archgrid/coverage/text_file.hpp>
#include <archgrid/cuda/error.hpp>
#include <archgrid/device.hpp>
#include <archgrid/perf.hpp>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "gpu.hpp"
#include "monitor.hpp"

namespace archgrid::perf {
namespace {

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

/// Returns the path that ARCHGRID_PERF_RECORD names; in a folder, a file of this process.
std::string record_path() {
  const std::string named = variable("ARCHGRID_PERF_RECORD", "");
  if (named.empty() || named.back() != '/') return named;
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  return coverage::own_file_in(named, error ? "perf" : program.string());
}

void add(const Benchmark& benchmark, Record& record) {
  const auto known =
      std::find_if(record.benchmarks.begin(), record.benchmarks.end(), [&](const Benchmark& other) {
        return other.name == benchmark.name && other.cache == benchmark.cache;
      });
  if (known == record.benchmarks.end()) {
    record.benchmarks.push_back(benchmark);
  } else {
    known->runs.insert(known->runs.end(), benchmark.runs.begin(), benchmark.runs.end());
  }
}

void add(const Ceiling& ceiling, Record& record) {
  const auto known = std::find_if(record.ceilings.begin(), record.ceilings.end(),
                                  [&](const Ceiling& other) { return other.name == ceiling.name; });
  const bool is_fresh = known == record.ceilings.end() && ceiling.per_second > 0;
  if (is_fresh) record.ceilings.push_back(ceiling);
}

/// Adds a benchmark to the program's record, and rewrites the file, so that results before a crash
/// are not lost.
void keep(const Benchmark& benchmark, const std::vector<Ceiling>& ceilings) {
  static const std::string path = record_path();
  if (path.empty()) return;
  static Record record;
  if (record.benchmarks.empty()) record.key = key_of_this_machine();
  for (const auto& ceiling : ceilings) add(ceiling, record);
  add(benchmark, record);
  save(record, path);
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// Returns why there is no data, or an empty string.
std::string why_no_data(const Measurement& measurement) {
  if (measurement.samples == 0) return "the GPU's clock stood still";
  if (!measurement.run.throttled.value_or(false)) return "";
  return "the GPU was throttled (" + joined(measurement.run.throttle_reasons) + ")";
}

/// Returns ", 61 % of device memory, 12 % of fp32".
std::string text_of_shares(const Measurement& measurement, const Work& work,
                           const std::vector<Ceiling>& ceilings) {
  std::string text;
  for (const auto& ceiling : ceilings) {
    if (ceiling.per_second <= 0) {
      text += ", ceiling of " + ceiling.name + " unknown";
      continue;
    }
    const double amount = ceiling.unit == "B/s" ? work.bytes : work.flops;
    const double share = amount / measurement.median / ceiling.per_second;
    text += ", " + std::to_string(std::lround(100 * share)) + " % of " + ceiling.name;
  }
  return text;
}

/// Returns ", launch 3.10 us".
std::string text_of_launch(const Measurement& measurement) {
  const auto host = measurement.run.launch_overhead_seconds.value_or(0);
  const std::string text = ", launch " + text_of_seconds(host);
  const bool hidden = measurement.cache == Cache::hot && host >= measurement.median;
  return hidden ? text + ": as long as the work, so launches were timed" : text;
}

}  // namespace

void report(const std::string& name, const Measurement& measurement, const Work& work,
            std::vector<Ceiling> ceilings) {
  std::cout << "archgrid: perf: " << name << ": ";
  const std::string no_data = why_no_data(measurement);
  if (!no_data.empty()) {
    std::cout << "NO_DATA: " << no_data << std::endl;
  } else {
    if (work.bytes > 0) ceilings.push_back(memory_ceiling());
    std::cout << text_of(measurement, work) << text_of_shares(measurement, work, ceilings)
              << text_of_launch(measurement) << std::endl;
    for (const Property& property : properties_of(measurement, work)) {
      ::testing::Test::RecordProperty(name + "/" + property.name, std::to_string(property.value));
    }
  }
  keep({name, measurement.cache, work, {measurement.run}}, ceilings);
}

}  // namespace archgrid::perf
