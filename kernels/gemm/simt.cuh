// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// GEMM with ordinary multiply-adds. K-tiles of A and B are [k][mn] in shared memory, so that a
// thread reads its elements of one k in vectors. Each thread keeps ThreadM x ThreadN sums in
// registers.
#pragma once

#include "gemm/combine.h"
#include "gemm/epilogue.cuh"
#include "ptx/cp_async.cuh"
#include "ptx/occupancy.cuh"

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
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
  static constexpr int blocks = 1;  // copies go through registers there
#else
  static constexpr int blocks = ptx::resident_blocks(threads, Registers);
#endif
  // One vector of padding, so that elements of adjacent k fall into different banks.
  static constexpr int pitch_a = TileM + vector;
  static constexpr int pitch_b = TileN + vector;
  static constexpr int stage_elements = TileK * (pitch_a + pitch_b);
  static constexpr int shared_bytes = Stages * stage_elements * static_cast<int>(sizeof(T));
  static_assert(ThreadM % vector == 0 && ThreadN % vector == 0, "threads read whole vectors");
  static_assert(TileM % ThreadM == 0 && TileN % ThreadN == 0, "threads cover the tile");
};

// Copies a thread's share of each k-tile of `TileMN` rows of A or columns of B to k_tile[k][mn],
// with `mn` the index along M or N. Each instruction of the mainloop that does not multiply costs
// one that does. Nearly all k-tiles are whole, so they have code of their own for each of the three
// layouts of an operand.
template <class S, int TileMN, int Pitch>
class KTileLoader {
  using T = typename S::Element;
  static constexpr int bytes = static_cast<int>(sizeof(T));
  // If the operand is MN-major and aligned, threads copy vectors along M or N, and step along K.
  static constexpr int vectors_per_k = TileMN / S::vector;
  static constexpr int vector_k_step = S::threads / vectors_per_k;
  // Otherwise threads copy single elements. If the operand is K-major, as many threads as 32 bytes
  // have elements share a row or column, and step along M or N. If not, they step along K.
  static constexpr int k_width = 32 / bytes;
  static constexpr int mn_step = S::threads / k_width;
  static constexpr int k_step = S::threads / TileMN;
  static_assert(S::threads % vectors_per_k == 0 && S::tile_k % vector_k_step == 0, "vectors");
  static_assert(S::threads % k_width == 0 && TileMN % mn_step == 0, "steps along M or N");
  static_assert(S::tile_k % k_width == 0, "steps along K");
  static_assert(S::threads % TileMN == 0 && S::tile_k % k_step == 0, "rows of k");

 public:
  __device__ __forceinline__ KTileLoader(const Operand& operand, int batch, int first_mn,
                                         int extent_mn, int first_k)
      : operand_(operand), left_mn_(extent_mn - first_mn), to_(k() * Pitch + mn()) {
    const long long across = is_k_major() ? first_mn + mn() : first_k + k();
    const long long along = is_k_major() ? first_k + k() : first_mn + mn();
    from_ = static_cast<const T*>(operand.data) + batch * operand.batch_stride +
            across * operand.stride + along;
  }

  // Begins to copy the next k-tile. `left` elements of K remain; elements beyond the matrix become
  // zero.
  __device__ __forceinline__ void load(T* k_tile, int left) {
    T* const to = k_tile + to_;
    const long long stride = operand_.stride;
    if (left_mn_ < TileMN || left < S::tile_k) {
      load_edge(to, left);
      from_ += is_k_major() ? S::tile_k : S::tile_k * stride;
    } else if (in_vectors()) {
#pragma unroll
      for (int k = 0; k < S::tile_k; k += vector_k_step)
        ptx::cp_async<16>(to + k * Pitch, from_ + k * stride, 16);
      from_ += S::tile_k * stride;
    } else if (is_k_major()) {
#pragma unroll
      for (int l = 0; l < TileMN; l += mn_step) {
#pragma unroll
        for (int k = 0; k < S::tile_k; k += k_width)
          ptx::cp_async<bytes>(to + k * Pitch + l, from_ + l * stride + k, bytes);
      }
      from_ += S::tile_k;
    } else {
#pragma unroll
      for (int k = 0; k < S::tile_k; k += k_step)
        ptx::cp_async<bytes>(to + k * Pitch, from_ + k * stride, bytes);
      from_ += S::tile_k * stride;
    }
  }

 private:
  __device__ __forceinline__ bool is_k_major() const {
    return operand_.is_k_major;
  }
  __device__ __forceinline__ bool in_vectors() const {
    return !operand_.is_k_major && operand_.is_aligned;
  }

  // Returns the index along M or N, and k() that along K, of this thread's first copy.
  __device__ __forceinline__ int mn() const {
    const int thread = static_cast<int>(threadIdx.x);
    if (in_vectors()) return thread % vectors_per_k * S::vector;
    return is_k_major() ? thread / k_width : thread % TileMN;
  }
  __device__ __forceinline__ int k() const {
    const int thread = static_cast<int>(threadIdx.x);
    if (in_vectors()) return thread / vectors_per_k;
    return is_k_major() ? thread % k_width : thread / TileMN;
  }

  __device__ __forceinline__ void load_edge(T* to, int left) const {
    const long long stride = operand_.stride;
    const int left_mn = left_mn_ - mn();
    left -= k();
    if (in_vectors()) {
      const int valid = left_mn < 0 ? 0 : left_mn < S::vector ? left_mn : S::vector;
#pragma unroll 1
      for (int k = 0; k < S::tile_k; k += vector_k_step)
        ptx::cp_async<16>(to + k * Pitch, from_ + k * stride, k < left ? valid * bytes : 0);
    } else if (is_k_major()) {
#pragma unroll 1
      for (int l = 0; l < TileMN; l += mn_step) {
#pragma unroll 1
        for (int k = 0; k < S::tile_k; k += k_width)
          ptx::cp_async<bytes>(to + k * Pitch + l, from_ + l * stride + k,
                               k < left && l < left_mn ? bytes : 0);
      }
    } else {
#pragma unroll 1
      for (int k = 0; k < S::tile_k; k += k_step)
        ptx::cp_async<bytes>(to + k * Pitch, from_ + k * stride,
                             k < left && left_mn > 0 ? bytes : 0);
    }
  }

  const Operand& operand_;  // in the constant bank: recomputing from it needs no registers
  const T* from_;           // source of this thread's first copy of the next k-tile
  int left_mn_;             // rows or columns from the tile's first on
  int to_;                  // destination of that copy, relative to the k-tile
};

// Reads the elements of a thread from `first` on, in vectors that lie `Threads` vectors apart.
template <class S, int Count, int Threads>
__device__ __forceinline__ void read_vectors(typename S::Element (&values)[Count],
                                             const typename S::Element* first) {
  using T = typename S::Element;
  struct alignas(16) Vector {
    T element[S::vector];
  };
#pragma unroll
  for (int i = 0; i < Count / S::vector; ++i) {
    const Vector vector = *reinterpret_cast<const Vector*>(first + i * Threads * S::vector);
#pragma unroll
    for (int j = 0; j < S::vector; ++j) values[i * S::vector + j] = vector.element[j];
  }
}

template <class S>
__global__ void __launch_bounds__(S::threads, S::blocks)
    simt_tile(Arguments<typename S::Element> args) {
  using T = typename S::Element;
  static_assert(ptx::fits_shared_memory(S::blocks, S::shared_bytes), "as many as the registers do");
  T* const shared = ptx::dynamic_shared<T>();
  const TileCoord tile = tile_of_block(args, S::tile_m, S::tile_n);
  // A warp has 4 x 8 threads of the tile: the closer to a square, the fewer vectors it reads.
  constexpr int warps_n = S::threads_n / 8;
  static_assert(S::threads_m % 4 == 0 && S::threads_n % 8 == 0, "warps cover the tile");
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int thread_m = warp / warps_n * 4 + lane / 8;
  const int thread_n = warp % warps_n * 8 + lane % 8;
  const int k_tiles = (tile.end_k - tile.first_k + S::tile_k - 1) / S::tile_k;

  KTileLoader<S, S::tile_m, S::pitch_a> loader_a(args.a, tile.batch, tile.row, args.m,
                                                 tile.first_k);
  KTileLoader<S, S::tile_n, S::pitch_b> loader_b(args.b, tile.batch, tile.column, args.n,
                                                 tile.first_k);
  int left = tile.end_k - tile.first_k;  // elements of K still to be loaded
  const auto load = [&](int stage) {
    if (left > 0) {
      T* const a = shared + stage * S::stage_elements;
      loader_a.load(a, left);
      loader_b.load(a + S::tile_k * S::pitch_a, left);
      left -= S::tile_k;
    }
    ptx::cp_async_commit_group();
  };

#pragma unroll
  for (int stage = 0; stage < S::stages - 1; ++stage) load(stage);

  T sum[S::thread_m][S::thread_n] = {};
  int stage = 0;
  for (int k_tile = 0; k_tile < k_tiles; ++k_tile) {
    ptx::cp_async_wait_group<S::stages - 2>();
    // Wait until the copies of all threads have arrived, and no thread reads the previous stage,
    // which is filled next.
    __syncthreads();
    load(stage == 0 ? S::stages - 1 : stage - 1);
    const T* a = shared + stage * S::stage_elements + thread_m * S::vector;
    const T* b = shared + stage * S::stage_elements + S::tile_k * S::pitch_a + thread_n * S::vector;
    stage = stage == S::stages - 1 ? 0 : stage + 1;
// More unrolling takes too many registers for two blocks per multiprocessor.
#pragma unroll 2
    for (int k = 0; k < S::tile_k; ++k, a += S::pitch_a, b += S::pitch_b) {
      T frag_a[S::thread_m];
      T frag_b[S::thread_n];
      read_vectors<S, S::thread_m, S::threads_m>(frag_a, a);
      read_vectors<S, S::thread_n, S::threads_n>(frag_b, b);
#pragma unroll
      for (int i = 0; i < S::thread_m; ++i) {
#pragma unroll
        for (int j = 0; j < S::thread_n; ++j) sum[i][j] = fma(frag_a[i], frag_b[j], sum[i][j]);
      }
    }
  }
  ptx::cp_async_wait_group<0>();

  // Store one row of each thread at a time, through the memory of the k-tiles. The loop is rolled,
  // with a uniform test that selects the sums of its row. Unrolled, the epilogue would be repeated
  // for each row.
  static_assert(S::threads_m * S::pitch_b <= S::stages * S::stage_elements, "the fragment fits");
#pragma unroll 1
  for (int row = 0; row < S::thread_m; ++row) {
    __syncthreads();
#pragma unroll
    for (int i = 0; i < S::thread_m; ++i) {
      if (i != row) continue;
#pragma unroll
      for (int j = 0; j < S::thread_n; ++j) {
        shared[thread_m * S::pitch_b + (j / S::vector * S::threads_n + thread_n) * S::vector +
               j % S::vector] = sum[i][j];
      }
    }
    __syncthreads();
    store_fragment<S::threads_m, S::tile_n, S::pitch_b, S::threads>(
        args, tile, shared, tile.row + row / S::vector * S::threads_m * S::vector + row % S::vector,
        S::vector, tile.column, static_cast<int>(threadIdx.x));
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
