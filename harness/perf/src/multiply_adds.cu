// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernels that only multiply and add, to measure the ceiling of this arithmetic. A separate file,
// because it is the only device code that archgrid adds to a program.
#include "multiply_adds.hpp"

namespace archgrid::perf {

/// Independent sums per thread: with all threads of a multiprocessor, many times the number that
/// hides the latency of a multiply-add.
constexpr int kSums = 8;
/// Rounds between two branches; branches are then 1 % of the instructions.
constexpr int kUnrolled = 32;
constexpr int kRounds = 4096;
constexpr int kThreads = 256;

template <class Number>
__global__ void multiply_adds(Number factor, Number* result) {
  Number sums[kSums];
  for (int i = 0; i < kSums; ++i) sums[i] = static_cast<Number>(threadIdx.x + i);
#pragma unroll 1
  for (int round = 0; round < kRounds; round += kUnrolled) {
#pragma unroll
    for (int i = 0; i < kUnrolled * kSums; ++i) {
      sums[i % kSums] = fma(sums[i % kSums], factor, factor);
    }
  }
  Number sum = 0;
  for (int i = 0; i < kSums; ++i) sum += sums[i];
  // Never true for a factor of 0.5, but the compiler does not know the factor: it would remove
  // unused sums.
  if (sum == factor) *result = sum;
}

namespace {

template <class Number>
cudaError_t launch(int blocks, cudaStream_t stream) {
  multiply_adds<Number><<<blocks, kThreads, 0, stream>>>(Number(0.5), nullptr);
  return cudaGetLastError();
}

}  // namespace

const double kFlopsOfMultiplyAddBlock = 2.0 * kSums * kRounds * kThreads;

cudaError_t launch_multiply_adds_fp32(int blocks, cudaStream_t stream) {
  return launch<float>(blocks, stream);
}

cudaError_t launch_multiply_adds_fp64(int blocks, cudaStream_t stream) {
  return launch<double>(blocks, stream);
}

cudaError_t count_blocks_fp32(int* of_multiprocessor) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(of_multiprocessor, multiply_adds<float>,
                                                       kThreads, 0);
}

cudaError_t count_blocks_fp64(int* of_multiprocessor) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(of_multiprocessor, multiply_adds<double>,
                                                       kThreads, 0);
}

}  // namespace archgrid::perf
