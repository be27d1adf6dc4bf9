// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Products by ordinary multiply-adds. Slices of A and B pass through shared memory with the lines
// of both side by side, [k][line], so that a thread reads what it needs of one k in vectors; each
// thread keeps ThreadM x ThreadN sums in registers.
#pragma once

#include "gemm/combine.h"
#include "gemm/store.cuh"
#include "ptx/copy_async.cuh"

namespace archgrid::gemm {

template <class T, int TileM, int TileN, int TileK, int ThreadM, int ThreadN, int Stages,
          int Registers>
struct SimtShape {
  using Element = T;
  static constexpr int tile_m = TileM;
  static constexpr int tile_n = TileN;
  static constexpr int tile_k = TileK;
  static constexpr int thread_m = ThreadM;
  static constexpr int thread_n = ThreadN;
  static constexpr int stages = Stages;
  static constexpr int vector = 16 / static_cast<int>(sizeof(T));
  static constexpr int threads_m = TileM / ThreadM;
  static constexpr int threads_n = TileN / ThreadN;
  static constexpr int threads = threads_m * threads_n;
  static constexpr int blocks = resident_blocks(threads, Registers);
  // A vector more than a line's elements: those of neighbouring k fall into other banks.
  static constexpr int pitch_a = TileM + vector;
  static constexpr int pitch_b = TileN + vector;
  static constexpr int stage_elements = TileK * (pitch_a + pitch_b);
  static constexpr int shared_bytes = Stages * stage_elements * static_cast<int>(sizeof(T));
  static_assert(ThreadM % vector == 0 && ThreadN % vector == 0, "threads read whole vectors");
  static_assert(TileM % ThreadM == 0 && TileN % ThreadN == 0, "threads cover the tile");
};

// Begins to copy the slice [first_k, end_k) of `Lines` lines to slice[k][line]; zeros for what
// there is not.
template <class S, int Lines, int Pitch>
__device__ __forceinline__ void load_slice(typename S::Element* slice, const Operand& operand,
                                           int batch, int first_line, int lines, int first_k,
                                           int end_k) {
  using T = typename S::Element;
  constexpr int bytes = static_cast<int>(sizeof(T));
  const T* const data = static_cast<const T*>(operand.data) + batch * operand.batch_stride;
  const int thread = static_cast<int>(threadIdx.x);
  if (!operand.is_k_contiguous && operand.is_aligned) {
#pragma unroll
    for (int i = thread; i < Lines / S::vector * S::tile_k; i += S::threads) {
      const int line = i % (Lines / S::vector) * S::vector;
      const int k = i / (Lines / S::vector);
      const int left = lines - first_line - line;
      const int there = first_k + k < end_k && left > 0 ? (left < S::vector ? left : S::vector) : 0;
      const T* const from =
          there > 0 ? data + (first_k + k) * operand.stride + first_line + line : data;
      ptx::copy_async<16>(slice + k * Pitch + line, from, there * bytes);
    }
    return;
  }
#pragma unroll 2
  for (int i = thread; i < Lines * S::tile_k; i += S::threads) {
    const int line = operand.is_k_contiguous ? i / S::tile_k : i % Lines;
    const int k = operand.is_k_contiguous ? i % S::tile_k : i / Lines;
    const bool is_there = first_k + k < end_k && first_line + line < lines;
    const long long across = operand.is_k_contiguous ? first_line + line : first_k + k;
    const long long along = operand.is_k_contiguous ? first_k + k : first_line + line;
    const T* const from = is_there ? data + across * operand.stride + along : data;
    ptx::copy_async<bytes>(slice + k * Pitch + line, from, is_there ? bytes : 0);
  }
}

// The elements of a thread, in vectors that lie `Threads` vectors apart.
template <class S, int Count, int Threads>
__device__ __forceinline__ void read_vectors(typename S::Element (&values)[Count],
                                             const typename S::Element* line, int thread) {
  using T = typename S::Element;
  struct alignas(16) Vector {
    T element[S::vector];
  };
#pragma unroll
  for (int i = 0; i < Count / S::vector; ++i) {
    const Vector vector =
        *reinterpret_cast<const Vector*>(line + (i * Threads + thread) * S::vector);
#pragma unroll
    for (int j = 0; j < S::vector; ++j) values[i * S::vector + j] = vector.element[j];
  }
}

template <class S>
__global__ void __launch_bounds__(S::threads, S::blocks)
    simt_tile(Arguments<typename S::Element> args) {
  using T = typename S::Element;
  static_assert(shared_memory_holds(S::blocks, S::shared_bytes), "as many as the registers do");
  T* const shared = ptx::dynamic_shared<T>();
  const Work work = work_of_block(args, S::tile_m, S::tile_n);
  const int thread_m = static_cast<int>(threadIdx.x) / S::threads_n;
  const int thread_n = static_cast<int>(threadIdx.x) % S::threads_n;
  const int slices = (work.end_k - work.first_k + S::tile_k - 1) / S::tile_k;

  const auto load = [&](int slice) {
    if (slice < slices) {
      T* const a = shared + slice % S::stages * S::stage_elements;
      const int k = work.first_k + slice * S::tile_k;
      load_slice<S, S::tile_m, S::pitch_a>(a, args.a, work.batch, work.row, args.m, k, work.end_k);
      load_slice<S, S::tile_n, S::pitch_b>(a + S::tile_k * S::pitch_a, args.b, work.batch,
                                           work.column, args.n, k, work.end_k);
    }
    ptx::commit_copies();
  };

#pragma unroll
  for (int slice = 0; slice < S::stages - 1; ++slice) load(slice);

  T sum[S::thread_m][S::thread_n] = {};
  for (int slice = 0; slice < slices; ++slice) {
    ptx::wait_copies<S::stages - 2>();
    // All threads' copies have arrived, and none reads the stage any more that is filled next.
    __syncthreads();
    load(slice + S::stages - 1);
    const T* const a = shared + slice % S::stages * S::stage_elements;
    const T* const b = a + S::tile_k * S::pitch_a;
#pragma unroll
    for (int k = 0; k < S::tile_k; ++k) {
      T of_a[S::thread_m];
      T of_b[S::thread_n];
      read_vectors<S, S::thread_m, S::threads_m>(of_a, a + k * S::pitch_a, thread_m);
      read_vectors<S, S::thread_n, S::threads_n>(of_b, b + k * S::pitch_b, thread_n);
#pragma unroll
      for (int i = 0; i < S::thread_m; ++i) {
#pragma unroll
        for (int j = 0; j < S::thread_n; ++j) sum[i][j] = fma(of_a[i], of_b[j], sum[i][j]);
      }
    }
  }
  ptx::wait_copies<0>();

  // A row of each thread at a time, where the slices were.
  static_assert(S::threads_m * S::pitch_b <= S::stages * S::stage_elements, "the strip fits");
#pragma unroll
  for (int i = 0; i < S::thread_m; ++i) {
    __syncthreads();
#pragma unroll
    for (int j = 0; j < S::thread_n; ++j) {
      shared[thread_m * S::pitch_b + (j / S::vector * S::threads_n + thread_n) * S::vector +
             j % S::vector] = sum[i][j];
    }
    __syncthreads();
    const int row = work.row + i / S::vector * S::threads_m * S::vector + i % S::vector;
    store_strip<S::threads_m, S::tile_n, S::pitch_b, S::threads>(
        args, work, shared, row, S::vector, work.column, static_cast<int>(threadIdx.x));
  }
}

template <class S>
cudaError_t launch_simt(const Problem& problem, int splits, void* partials, cudaStream_t stream) {
  using T = typename S::Element;
  const Arguments<T> args =
      arguments_of<T>(problem, S::tile_m, S::tile_n, S::tile_k, splits, partials);
  return launch_product(simt_tile<S>, args, S::threads, S::shared_bytes, stream);
}

}  // namespace archgrid::gemm
