// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <algorithm>
#include <archgrid/cuda_error.hpp>
#include <archgrid/perf.hpp>
#include <archgrid/stream.hpp>
#include <cmath>
#include <iostream>
#include <string>
#include <vector>

namespace archgrid::perf {
namespace {

constexpr int kMostRepetitions = 10000;

class Stopwatch {
 public:
  explicit Stopwatch(const Launch& launch) : launch_(launch) {}

  /// Seconds that a launch takes on average over some that follow each other.
  double measure(int repetitions) {
    begin_.record(stream_);
    for (int i = 0; i < repetitions; ++i) throw_on_error("the launch", launch_(stream_.get()));
    end_.record(stream_);
    return end_.seconds_since(begin_) / repetitions;
  }

 private:
  const Launch& launch_;
  Stream stream_;
  Event begin_;
  Event end_;
};

int repetitions_for(double wanted, double seconds) {
  if (seconds <= 0) return kMostRepetitions;
  return static_cast<int>(std::clamp(std::ceil(wanted / seconds), 1.0, double{kMostRepetitions}));
}

}  // namespace

Timing time(const Launch& launch, const Options& options) {
  // The stopwatch's stream does not wait for what the default stream still does.
  throw_on_error("cudaDeviceSynchronize before the first launch", cudaDeviceSynchronize());
  Stopwatch stopwatch(launch);
  stopwatch.measure(std::max(options.warm_ups, 1));
  const int repetitions = repetitions_for(options.sample_seconds, stopwatch.measure(1));
  std::vector<double> seconds;
  for (int i = 0; i < options.samples; ++i) seconds.push_back(stopwatch.measure(repetitions));
  return summarise(seconds);
}

void report(const std::string& name, const Timing& timing, const Work& work) {
  std::cout << "archgrid: perf: " << name << ": " << text_of(timing, work) << std::endl;
  for (const Property& property : properties_of(timing, work)) {
    ::testing::Test::RecordProperty(name + "/" + property.name, std::to_string(property.value));
  }
}

}  // namespace archgrid::perf
