// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "gemm/combine.h"
#include "gemm/epilogue.cuh"

namespace archgrid::gemm {
namespace {

constexpr int combine_threads = 256;
constexpr long long max_blocks = 1 << 16;

}  // namespace

template <class Sum>
__global__ void __launch_bounds__(combine_threads) combine_splits(Arguments<Sum> args) {
  const long long elements_per_product = static_cast<long long>(args.m) * args.n;
  const long long elements = args.batches * elements_per_product;
  const long long step = static_cast<long long>(gridDim.x) * combine_threads;
  for (long long i = static_cast<long long>(blockIdx.x) * combine_threads + threadIdx.x;
       i < elements; i += step) {
    Sum sum[1] = {};
    for (int split = 0; split < args.splits; ++split) {
      sum[0] = multiply_add(Sum(1), args.partials[split * elements + i], sum[0]);
    }
    const long long element = i % elements_per_product;
    apply_epilogue(args, static_cast<int>(i / elements_per_product),
                   static_cast<int>(element / args.n), static_cast<int>(element % args.n), sum);
  }
}

namespace {

template <class Sum>
cudaError_t launch(const Arguments<Sum>& args, cudaStream_t stream) {
  const long long elements = static_cast<long long>(args.batches) * args.m * args.n;
  const long long wanted = elements / combine_threads + (elements % combine_threads != 0);
  const auto blocks = static_cast<unsigned>(wanted < max_blocks ? wanted : max_blocks);
  return ptx::launch(combine_splits<Sum>, dim3(blocks), dim3(combine_threads), 0, stream, args);
}

}  // namespace

cudaError_t combine(const Arguments<float>& args, cudaStream_t stream) {
  return launch(args, stream);
}
cudaError_t combine(const Arguments<double>& args, cudaStream_t stream) {
  return launch(args, stream);
}
cudaError_t combine(const Arguments<int>& args, cudaStream_t stream) {
  return launch(args, stream);
}

}  // namespace archgrid::gemm
