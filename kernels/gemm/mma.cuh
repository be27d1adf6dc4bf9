// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Products by tensor cores (mma.sync), for elements of 1, 2 and 4 bytes.
//
// A slice of an operand is 64 bytes of K of each line. Its 16-byte chunks lie in shared memory in
// one of two forms, swizzled so that the eight rows that ldmatrix reads at once fall into different
// banks:
//   lines    [line][k]: 4 chunks a line. ldmatrix gives the registers of every type, whatever its
//   size. columns  [k][line]: for elements of 2 bytes, which ldmatrix.trans can turn.
// Elements that do not lie so in global memory are put together one by one.
#pragma once

#include "gemm/combine.h"
#include "gemm/store.cuh"
#include "ptx/copy_async.cuh"
#include "ptx/mma.cuh"

namespace archgrid::gemm {

enum class Form { lines, columns };

template <class Number>
struct MmaTypes {
  using Sum = float;
  using Storage = unsigned char;
};
template <>
struct MmaTypes<ptx::F16> {
  using Sum = float;
  using Storage = unsigned short;
};
template <>
struct MmaTypes<ptx::Bf16> {
  using Sum = float;
  using Storage = unsigned short;
};
template <>
struct MmaTypes<ptx::Tf32> {
  using Sum = float;
  using Storage = unsigned;
};
template <>
struct MmaTypes<ptx::S8> {
  using Sum = int;
  using Storage = unsigned char;
};

template <class N, int TileM, int TileN, int WarpsM, int WarpsN, int Stages, int Registers,
          Form FormA, Form FormB>
struct MmaShape {
  using Number = N;
  using Sum = typename MmaTypes<N>::Sum;
  using Storage = typename MmaTypes<N>::Storage;  // of an element, whatever it means
  static constexpr Form form_a = FormA;
  static constexpr Form form_b = FormB;
  static constexpr int bytes = static_cast<int>(sizeof(Storage));
  static constexpr int line_bytes = 64;
  static constexpr int tile_m = TileM;
  static constexpr int tile_n = TileN;
  static constexpr int tile_k = line_bytes / bytes;
  static constexpr int chunk = 16 / bytes;  // elements
  static constexpr int stages = Stages;
  static constexpr int warps_n = WarpsN;
  static constexpr int threads = 32 * WarpsM * WarpsN;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
  static constexpr int blocks = 1;  // shared memory of 7.5 holds no more of the large ones
#else
  static constexpr int blocks = resident_blocks(threads, Registers);
#endif
  static constexpr int mmas_m = TileM / WarpsM / 16;
  static constexpr int mmas_n = TileN / WarpsN / 8;
  static constexpr int steps = line_bytes / 32;  // each of 32 bytes of K
  // Numbers that are converted first take registers; see LargeMma.
  static constexpr int unrolled_steps = bytes == 1 && std::is_same<Sum, float>::value ? 1 : steps;
  static constexpr int stage_bytes = (TileM + TileN) * line_bytes;
  static constexpr int shared_bytes = Stages * stage_bytes;
  static_assert(mmas_n % 2 == 0, "B's registers are loaded for two products at once");
  static_assert((FormA == Form::lines && FormB == Form::lines) || bytes == 2,
                "ldmatrix.trans turns elements of two bytes");
};

// Where a chunk lies in a slice of an operand, in bytes. Lines: chunk `c` of `line`; two lines fill
// the 128 bytes of all banks. Columns: the chunk of eight lines that begins with line 8 * `c`, at
// `k`.
__device__ __forceinline__ int offset_in_lines(int line, int c) {
  return line * 64 + ((c ^ (line >> 1 & 3)) << 4);
}
template <int Lines>
__device__ __forceinline__ int offset_in_columns(int k, int c) {
  return k * Lines * 2 + ((c ^ (k & 7)) << 4);
}

// Puts a chunk together whose elements get(0), get(1), ... gives.
template <class S, class Get>
__device__ __forceinline__ void store_chunk(unsigned char* shared, Get get) {
  unsigned words[4] = {};
#pragma unroll
  for (int i = 0; i < S::chunk; ++i) {
    words[i * S::bytes / 4] |= static_cast<unsigned>(get(i)) << (i * S::bytes % 4 * 8);
  }
  *reinterpret_cast<uint4*>(shared) = make_uint4(words[0], words[1], words[2], words[3]);
}

template <class T>
struct Chunk {
  unsigned char* to;
  const T* from;
  int there;  // elements that are within the matrix; the others become zero
};

// Chunk `i` of the slice. Neighbours in the order of `i` are neighbours in global memory, by_rows
// of chunks or by lines.
template <class S, Form F, int Lines>
__device__ __forceinline__ Chunk<typename S::Storage> chunk_of_slice(
    int i, bool by_rows, unsigned char* slice, const Operand& operand,
    const typename S::Storage* data, int first_line, int lines, int first_k, int end_k) {
  constexpr int chunks_a_row = F == Form::lines ? 4 : Lines / 8;
  const int c = by_rows ? i % chunks_a_row : i / Lines;
  const int row = by_rows ? i / chunks_a_row : i % Lines;
  const int line = first_line + (F == Form::lines ? row : c * 8);
  const int k = first_k + (F == Form::lines ? c * S::chunk : row);
  const int left = F == Form::lines ? end_k - k : lines - line;
  const bool is_there = k < end_k && line < lines;
  const long long across = operand.is_k_contiguous ? line : k;
  const long long along = operand.is_k_contiguous ? k : line;
  return {slice + (F == Form::lines ? offset_in_lines(row, c) : offset_in_columns<Lines>(row, c)),
          is_there ? data + across * operand.stride + along : data,
          is_there ? (left < S::chunk ? left : S::chunk) : 0};
}

// Begins to copy the slice [first_k, end_k) of `Lines` lines; zeros for what there is not.
template <class S, Form F, int Lines>
__device__ __forceinline__ void load_slice(unsigned char* slice, const Operand& operand, int batch,
                                           int first_line, int lines, int first_k, int end_k) {
  using T = typename S::Storage;
  const T* const data = static_cast<const T*>(operand.data) + batch * operand.batch_stride;
  const int thread = static_cast<int>(threadIdx.x);
  constexpr int chunks = Lines * 4;
  const bool is_along = operand.is_k_contiguous == (F == Form::lines);
  if (is_along && operand.is_aligned) {
#pragma unroll 1
    for (int i = thread; i < chunks; i += S::threads) {
      const Chunk<T> chunk = chunk_of_slice<S, F, Lines>(i, true, slice, operand, data, first_line,
                                                         lines, first_k, end_k);
      ptx::copy_async<16>(chunk.to, chunk.from, chunk.there * S::bytes);
    }
    return;
  }
  const bool by_rows = F == Form::columns || is_along;
  const long long step = is_along ? 1 : operand.stride;
#pragma unroll 1
  for (int i = thread; i < chunks; i += S::threads) {
    const Chunk<T> chunk = chunk_of_slice<S, F, Lines>(i, by_rows, slice, operand, data, first_line,
                                                       lines, first_k, end_k);
    store_chunk<S>(chunk.to, [&](int j) { return j < chunk.there ? chunk.from[j * step] : T(0); });
  }
}

// What a thread copies of each slice. Whole slices whose chunks lie in global memory as they are,
// which nearly all are, take no tests and no arithmetic but the next address: that goes on beside
// the products, and must not take longer.
template <class S, Form F, int Lines>
class SliceLoader {
  using T = typename S::Storage;
  static constexpr int chunks_a_row = F == Form::lines ? 4 : Lines / 8;
  static constexpr int rows = F == Form::lines ? Lines : S::tile_k;
  static constexpr int row_bytes = F == Form::lines ? 64 : Lines * 2;
  static constexpr int row_step = S::threads / chunks_a_row;
  static_assert(S::threads % chunks_a_row == 0 && rows % row_step == 0, "whole rows of chunks");
  static_assert(row_step % 8 == 0, "a thread's chunks are swizzled alike");

 public:
  __device__ __forceinline__ SliceLoader(const Operand& operand, int batch, int first_line,
                                         int lines, int first_k, int end_k)
      : operand_(operand),
        batch_(batch),
        first_line_(first_line),
        lines_(lines),
        k_(first_k),
        end_k_(end_k) {
    const int c = static_cast<int>(threadIdx.x) % chunks_a_row;
    const int row = static_cast<int>(threadIdx.x) / chunks_a_row;
    const int line = first_line + (F == Form::lines ? row : c * 8);
    const int k = first_k + (F == Form::lines ? c * S::chunk : row);
    to_ = F == Form::lines ? offset_in_lines(row, c) : offset_in_columns<Lines>(row, c);
    from_ = static_cast<const T*>(operand.data) + batch * operand.batch_stride +
            (F == Form::lines ? line * operand.stride + k : k * operand.stride + line);
  }

  // Begins to copy the next slice.
  __device__ __forceinline__ void load(unsigned char* slice) {
    const bool is_along = operand_.is_k_contiguous == (F == Form::lines);
    const bool is_whole = lines_ - first_line_ >= Lines && end_k_ - k_ >= S::tile_k;
    if (is_along && operand_.is_aligned && is_whole) {
#pragma unroll
      for (int row = 0; row < rows; row += row_step)
        ptx::copy_async<16>(slice + to_ + row * row_bytes, from_ + row * operand_.stride, 16);
    } else {
      load_slice<S, F, Lines>(slice, operand_, batch_, first_line_, lines_, k_, end_k_);
    }
    from_ += F == Form::lines ? S::tile_k : S::tile_k * operand_.stride;
    k_ += S::tile_k;
  }

 private:
  const Operand& operand_;
  const T* from_;  // of this thread's first chunk of the next slice
  int to_;         // of that chunk, from a slice's begin
  int batch_, first_line_, lines_;
  int k_, end_k_;
};

// The registers of A for 16 rows from `row` on, and of B for 16 columns, in step `step` of a slice.
template <class S>
__device__ __forceinline__ void load_a(unsigned (&registers)[4], const unsigned char* slice,
                                       int row, int step) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  if (S::form_a == Form::lines) {
    const int line = row + lane % 16;
    ptx::load_matrices<false>(registers, slice + offset_in_lines(line, step * 2 + lane / 16));
  } else {
    const int k = step * 16 + lane / 16 * 8 + lane % 8;
    ptx::load_matrices<true>(registers,
                             slice + offset_in_columns<S::tile_m>(k, row / 8 + lane / 8 % 2));
  }
}
template <class S>
__device__ __forceinline__ void load_b(unsigned (&registers)[4], const unsigned char* slice,
                                       int column, int step) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  if (S::form_b == Form::lines) {
    const int line = column + lane / 16 * 8 + lane % 8;
    ptx::load_matrices<false>(registers, slice + offset_in_lines(line, step * 2 + lane / 8 % 2));
  } else {
    const int k = step * 16 + lane / 8 % 2 * 8 + lane % 8;
    ptx::load_matrices<true>(registers,
                             slice + offset_in_columns<S::tile_n>(k, column / 8 + lane / 16));
  }
}

template <class S>
__global__ void __launch_bounds__(S::threads, S::blocks) mma_tile(Arguments<typename S::Sum> args) {
  using Sum = typename S::Sum;
  static_assert(shared_memory_holds(S::blocks, S::shared_bytes), "as many as the registers do");
  unsigned char* const shared = ptx::dynamic_shared<unsigned char>();
  const Work work = work_of_block(args, S::tile_m, S::tile_n);
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int warp_row = warp / S::warps_n * S::mmas_m * 16;
  const int warp_column = warp % S::warps_n * S::mmas_n * 8;
  const int slices = (work.end_k - work.first_k + S::tile_k - 1) / S::tile_k;

  SliceLoader<S, S::form_a, S::tile_m> loader_a(args.a, work.batch, work.row, args.m, work.first_k,
                                                work.end_k);
  SliceLoader<S, S::form_b, S::tile_n> loader_b(args.b, work.batch, work.column, args.n,
                                                work.first_k, work.end_k);
  int loaded = 0;
  const auto load = [&](int stage) {
    if (loaded < slices) {
      unsigned char* const a = shared + stage * S::stage_bytes;
      loader_a.load(a);
      loader_b.load(a + S::tile_m * S::line_bytes);
      ++loaded;
    }
    ptx::commit_copies();
  };

#pragma unroll
  for (int stage = 0; stage < S::stages - 1; ++stage) load(stage);

  Sum sum[S::mmas_m][S::mmas_n][4] = {};
  int stage = 0;
  for (int slice = 0; slice < slices; ++slice) {
    ptx::wait_copies<S::stages - 2>();
    // All threads' copies have arrived, and none reads the stage any more that is filled next: the
    // one before this.
    __syncthreads();
    load(stage == 0 ? S::stages - 1 : stage - 1);
    const unsigned char* const a = shared + stage * S::stage_bytes;
    stage = stage == S::stages - 1 ? 0 : stage + 1;
    const unsigned char* const b = a + S::tile_m * S::line_bytes;
    constexpr int unrolled = S::unrolled_steps;
#pragma unroll(unrolled)
    for (int step = 0; step < S::steps; ++step) {
      unsigned of_a[S::mmas_m][4];
#pragma unroll
      for (int i = 0; i < S::mmas_m; ++i) load_a<S>(of_a[i], a, warp_row + i * 16, step);
#pragma unroll
      for (int j = 0; j < S::mmas_n; j += 2) {
        unsigned of_b[4];
        load_b<S>(of_b, b, warp_column + j * 8, step);
        const unsigned left[2] = {of_b[0], of_b[1]};
        const unsigned right[2] = {of_b[2], of_b[3]};
#pragma unroll
        for (int i = 0; i < S::mmas_m; ++i) {
          ptx::multiply_add(typename S::Number(), sum[i][j], of_a[i], left);
          ptx::multiply_add(typename S::Number(), sum[i][j + 1], of_a[i], right);
        }
      }
    }
  }
  ptx::wait_copies<0>();
  // No thread reads the slices any more: each warp has a strip of 16 rows in their place.
  __syncthreads();
  constexpr int columns = S::mmas_n * 8;
  constexpr int pitch = columns + 8;
  static_assert(S::threads / 32 * 16 * pitch * sizeof(Sum) <= S::shared_bytes, "the strips fit");
  Sum* const strip = reinterpret_cast<Sum*>(shared) + warp * 16 * pitch;
#pragma unroll
  for (int i = 0; i < S::mmas_m; ++i) {
#pragma unroll
    for (int j = 0; j < S::mmas_n; ++j) {
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        strip[(lane / 4 + e / 2 * 8) * pitch + j * 8 + lane % 4 * 2 + e % 2] = sum[i][j][e];
      }
    }
    __syncwarp();
    store_strip<16, columns, pitch, 32>(args, work, strip, work.row + warp_row + i * 16, 1,
                                        work.column + warp_column, lane);
    __syncwarp();
  }
}

// The shapes of the family: two warps share a row of the tile, four or two a column.
// Four warps share a tile, so that each multiplies 64 x 64 or 32 x 32 of it. With 255 registers a
// multiprocessor holds two blocks of the large tile. Devices that convert 8-bit floating-point
// numbers before they multiply need registers for that: there eight warps share it.
template <class Number>
constexpr int large_warps_m = sizeof(typename MmaTypes<Number>::Storage) == 1 &&
                                      std::is_same<typename MmaTypes<Number>::Sum, float>::value
                                  ? 4
                                  : 2;
template <class Number, Form A = Form::lines, Form B = Form::lines>
using LargeMma = MmaShape<Number, 128, 128, large_warps_m<Number>, 2, 3, 255, A, B>;
template <class Number, Form A = Form::lines, Form B = Form::lines>
using SmallMma = MmaShape<Number, 64, 64, 2, 2, 3, 168, A, B>;

template <class S>
cudaError_t launch_mma(const Arguments<typename S::Sum>& args, cudaStream_t stream) {
  return launch_product(mma_tile<S>, args, S::threads, S::shared_bytes, stream);
}

// For elements of 2 bytes, whose operands lie in shared memory as they do in global memory. The
// shape is one for each pair of forms.
template <template <Form, Form> class Shape>
cudaError_t launch_mma_of_any_form(const Problem& problem, int splits, void* partials,
                                   cudaStream_t stream) {
  using S = Shape<Form::lines, Form::lines>;
  const Arguments<float> args =
      arguments_of<float>(problem, S::tile_m, S::tile_n, S::tile_k, splits, partials);
  if (args.a.is_k_contiguous) {
    if (args.b.is_k_contiguous) return launch_mma<S>(args, stream);
    return launch_mma<Shape<Form::lines, Form::columns>>(args, stream);
  }
  if (args.b.is_k_contiguous) return launch_mma<Shape<Form::columns, Form::lines>>(args, stream);
  return launch_mma<Shape<Form::columns, Form::columns>>(args, stream);
}

template <class S>
cudaError_t launch_mma_of_lines(const Problem& problem, int splits, void* partials,
                                cudaStream_t stream) {
  return launch_mma<S>(
      arguments_of<typename S::Sum>(problem, S::tile_m, S::tile_n, S::tile_k, splits, partials),
      stream);
}

}  // namespace archgrid::gemm
