// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// How fast the kernels are. Each timing is of work whose result the same test checks before it
// reports the time: a launch that computes nothing would be the fastest. No test judges a time.
#include <archgrid/gtest.hpp>
#include <archgrid/perf.hpp>
#include <archgrid/perf/arithmetic.hpp>
#include <cstddef>
#include <string>
#include <vector>

#include "matrices.hpp"
#include "sparse/reference.h"
#include "sparse/spmv.h"

namespace archgrid {
namespace {

using SpmvLaunch = cudaError_t (*)(const sparse::Problem&, cudaStream_t);

void measure_spmv(const std::string& name, SpmvLaunch launch, int rows, int row_length) {
  const sparse::HostCsr matrix = sparse::with_row_lengths(
      std::vector<int>(static_cast<std::size_t>(rows), row_length), rows, small_integers);
  const std::vector<float> x = small_integers(static_cast<std::size_t>(rows), 5);
  const sparse::DeviceCsr device_matrix(matrix);
  const DeviceBuffer<float> device_x(x);
  const DeviceBuffer<float> device_y(static_cast<std::size_t>(rows));
  const sparse::Problem problem{device_matrix.view(), 1.0f, device_x.data(), 0.0f, device_y.data()};
  const perf::Measurement timing =
      perf::time([&](cudaStream_t stream) { return launch(problem, stream); });
  const sparse::Problem on_host{matrix.view(), 1.0f, x.data(), 0.0f, nullptr};
  ASSERT_TRUE(equal(device_y.to_host(), sparse::reference(on_host).value));
  const double entries = static_cast<double>(rows) * row_length;
  perf::report(name, timing, {entries * 8 + static_cast<double>(rows) * 12, 2 * entries},
               {perf::fp32_ceiling()});
}

TEST(SpmvPerf, RowPerThreadShortRows) {
  measure_spmv("spmv.row_per_thread", sparse::row_per_thread, 1 << 19, 4);
}
TEST(SpmvPerf, RowPerWarpLongRows) {
  measure_spmv("spmv.row_per_warp", sparse::row_per_warp, 1 << 15, 256);
}

}  // namespace
}  // namespace archgrid
