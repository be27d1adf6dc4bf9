// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Times work that a fake runtime really does: writing memory.
#include <archgrid/gtest.hpp>
#include <archgrid/perf.hpp>
#include <archgrid/perf/arithmetic.hpp>

cudaError_t launch_first(int* out);

namespace {

using namespace archgrid;

void measure(const char* name, perf::Cache cache) {
  launches_no_kernel();
  const DeviceBuffer<int> buffer(1000);
  perf::Options options;
  options.min_samples = 5;
  options.max_seconds = 0;
  options.cache = cache;
  const auto launch = [&](cudaStream_t stream) {
    return cudaMemsetAsync(buffer.data(), 0, buffer.bytes(), stream);
  };
  const perf::Measurement measurement = perf::time(launch, options);
  EXPECT_EQ(buffer.to_host(), std::vector<int>(1000));
  perf::report(name, measurement, {4000, 0});
}

TEST(Timed, Hot) {
  measure("set", perf::Cache::hot);
}

TEST(Timed, Cold) {
  measure("set", perf::Cache::cold);
}

TEST(Timed, InTheDefaultStream) {
  const perf::Launch launch = [](cudaStream_t) { return launch_first(nullptr); };
  EXPECT_THROW(perf::time(launch), std::invalid_argument);
}

// A separate suite, which a scenario runs in its own process.
TEST(TimedBadly, AfterAnError) {
  launches_no_kernel();
  static_cast<void>(cudaSetDevice(99));
  const perf::Launch launch = [](cudaStream_t) { return cudaSuccess; };
  EXPECT_THROW(perf::time(launch), CudaError);
  static_cast<void>(cudaGetLastError());
}

TEST(TimedBadly, ALaunchThatFailsAndReturnsSuccess) {
  launches_no_kernel();
  const perf::Launch launch = [](cudaStream_t) {
    static_cast<void>(cudaSetDevice(99));
    return cudaSuccess;
  };
  EXPECT_THROW(perf::time(launch), CudaError);
  static_cast<void>(cudaGetLastError());
}

// Launches of archgrid itself, which measure a ceiling, do not count as the test's.
TEST(Timed, AgainstACeiling) {
  perf::Options options;
  options.min_samples = 5;
  options.max_seconds = 0;
  const perf::Launch idle = [](cudaStream_t) { return cudaSuccess; };
  perf::report("idle", perf::time(idle, options), {0, 1e6}, {perf::fp32_ceiling()});
}

}  // namespace
