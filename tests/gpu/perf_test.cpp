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

#include "gemm/gemm.h"
#include "gemm/reference.h"
#include "matrices.hpp"
#include "sparse/reference.h"
#include "sparse/spmv.h"

namespace archgrid {
namespace {

/// Whether those rows are right whose reference is cheap enough to compute: the first, the last and
/// some between.
::testing::AssertionResult has_right_rows(const gemm::Problem& device, const std::vector<float>& a,
                                          const std::vector<float>& b,
                                          const std::vector<float>& c) {
  for (int row : {0, 1, device.m / 3, device.m / 2 + 1, device.m - 1}) {
    gemm::Problem one = device;
    one.m = 1;
    one.a = a.data() + static_cast<std::ptrdiff_t>(row) * device.lda;
    one.b = b.data();
    const auto begin = c.begin() + static_cast<std::ptrdiff_t>(row) * device.ldc;
    const auto result = equal({begin, begin + device.n}, gemm::reference(one).value);
    if (!result) return ::testing::AssertionFailure() << "row " << row << " " << result.message();
  }
  return ::testing::AssertionSuccess();
}

using GemmLaunch = cudaError_t (*)(const gemm::Problem&, cudaStream_t);

void measure_gemm(const std::string& name, GemmLaunch launch, int size) {
  const std::size_t elements = static_cast<std::size_t>(size) * static_cast<std::size_t>(size);
  const std::vector<float> a = small_integers(elements, 1);
  const std::vector<float> b = small_integers(elements, 2);
  const DeviceBuffer<float> device_a(a);
  const DeviceBuffer<float> device_b(b);
  const DeviceBuffer<float> device_c(elements);
  const gemm::Problem problem{
      size, size, size, 1.0f, device_a.data(), size, device_b.data(), size, 0.0f, device_c.data(),
      size};
  const perf::Measurement timing =
      perf::time([&](cudaStream_t stream) { return launch(problem, stream); });
  ASSERT_TRUE(has_right_rows(problem, a, b, device_c.to_host()));
  const double cube = static_cast<double>(size) * size * size;
  perf::report(name + "/" + std::to_string(size), timing,
               {3.0 * sizeof(float) * static_cast<double>(elements), 2.0 * cube},
               {perf::fp32_ceiling()});
}

TEST(GemmPerf, Tile64x64) {
  measure_gemm("gemm.tile_64x64", gemm::tile_64x64, 1024);
}
TEST(GemmPerf, Tile128x128) {
  measure_gemm("gemm.tile_128x128", gemm::tile_128x128, 2048);
}

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
