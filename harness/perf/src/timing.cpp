// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <algorithm>
#include <archgrid/device_buffer.hpp>
#include <archgrid/perf.hpp>
#include <cmath>
#include <iostream>
#include <string>
#include <vector>

namespace archgrid::perf {
namespace {

constexpr int kMostRepetitions = 10000;

class Stream {
 public:
  Stream() { throw_on_error("cudaStreamCreate", cudaStreamCreate(&stream_)); }
  ~Stream() { static_cast<void>(cudaStreamDestroy(stream_)); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  cudaStream_t get() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

class Event {
 public:
  Event() { throw_on_error("cudaEventCreate", cudaEventCreate(&event_)); }
  ~Event() { static_cast<void>(cudaEventDestroy(event_)); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  cudaEvent_t get() const { return event_; }
  void record(const Stream& stream) {
    throw_on_error("cudaEventRecord", cudaEventRecord(event_, stream.get()));
  }

 private:
  cudaEvent_t event_ = nullptr;
};

class Stopwatch {
 public:
  explicit Stopwatch(const Launch& launch) : launch_(launch) {}

  /// Seconds that a launch takes on average over some that follow each other.
  double measure(int repetitions) {
    begin_.record(stream_);
    for (int i = 0; i < repetitions; ++i) throw_on_error("the launch", launch_(stream_.get()));
    end_.record(stream_);
    throw_on_error("cudaEventSynchronize", cudaEventSynchronize(end_.get()));
    float milliseconds = 0;
    throw_on_error("cudaEventElapsedTime",
                   cudaEventElapsedTime(&milliseconds, begin_.get(), end_.get()));
    return static_cast<double>(milliseconds) / 1000 / repetitions;
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
