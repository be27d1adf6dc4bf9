// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// The arguments of the kernels of both variants, and iteration along a row of blocks. K is the
// concatenation of the columns of its blocks.
#pragma once

#include "sparse/spmv.cuh"
#include "sparse/strided_matrix.cuh"

namespace archgrid::sparse {

template <class Value>
struct BsrmmArguments {
  using Sum = typename SumOf<Value>::Type;
  long long rows;
  long long columns;
  long long n;
  int block_rows;
  int block_columns;
  int tiles_per_block_row;
  bool has_wide_indices;
  const void* offsets;
  const void* column;
  const Value* value;
  StridedMatrix<const Value> b;
  Sum alpha;
  Sum beta;
  StridedMatrix<Sum> c;

  __device__ __forceinline__ long long index(const void* from, long long i) const {
    return has_wide_indices ? static_cast<const long long*>(from)[i]
                            : static_cast<const int*>(from)[i];
  }
};

template <class Value>
__device__ __forceinline__ void store(const BsrmmArguments<Value>& args, long long row,
                                      long long column, typename SumOf<Value>::Type sum) {
  store_scaled(args.c.at(row, column), args.alpha, sum, args.beta);
}

// The tile of C that a thread block computes.
struct BsrmmTile {
  long long block_row;
  int first_row;  // within the row of blocks
  long long first_column;
};

template <class Value>
__device__ __forceinline__ BsrmmTile tile_of_block(const BsrmmArguments<Value>& args, int tile_m,
                                                   int tile_n) {
  return {static_cast<long long>(blockIdx.x) / args.tiles_per_block_row,
          static_cast<int>(blockIdx.x) % args.tiles_per_block_row * tile_m,
          static_cast<long long>(blockIdx.y) * tile_n};
}

// A position in K: a block, and one of its columns.
template <class Value>
class BlockRowIterator {
 public:
  __device__ __forceinline__ BlockRowIterator(const BsrmmArguments<Value>& args,
                                              long long block_row)
      : args_(args),
        block_(args.index(args.offsets, block_row)),
        end_(args.index(args.offsets, block_row + 1)) {
    read_column();
  }

  __device__ __forceinline__ long long blocks_left() const { return end_ - block_; }
  __device__ __forceinline__ bool is_valid() const { return block_ < end_; }
  // Returns the row of B for this position.
  __device__ __forceinline__ long long k() const { return first_k_ + inner_; }
  // Returns row `row` of the block, from this column on.
  __device__ __forceinline__ const Value* values(int row) const {
    return args_.value + (block_ * args_.block_rows + row) * args_.block_columns + inner_;
  }
  __device__ __forceinline__ void advance(int columns) {
    inner_ += columns;
    if (inner_ < args_.block_columns) return;
    do {
      inner_ -= args_.block_columns;
      ++block_;
    } while (inner_ >= args_.block_columns);
    read_column();
  }

 private:
  __device__ __forceinline__ void read_column() {
    first_k_ = block_ < end_ ? args_.index(args_.column, block_) * args_.block_columns : 0;
  }

  const BsrmmArguments<Value>& args_;
  long long block_;
  long long end_;
  long long first_k_ = 0;
  int inner_ = 0;
};

template <class Value>
BsrmmArguments<Value> arguments_of(const Bsrmm& p, int tile_m) {
  using Sum = typename SumOf<Value>::Type;
  return {p.a.rows,
          p.a.columns,
          p.n,
          p.a.block_rows,
          p.a.block_columns,
          (p.a.block_rows + tile_m - 1) / tile_m,
          p.a.index_type == Integer::i64,
          p.a.offsets,
          p.a.column,
          static_cast<const Value*>(p.a.value),
          strided_matrix<const Value>(p.b),
          static_cast<Sum>(p.alpha),
          static_cast<Sum>(p.beta),
          strided_matrix<Sum>(p.c)};
}

// Launches a thread block for each tile of C.
template <class Value>
cudaError_t launch_tiles(void (*kernel)(BsrmmArguments<Value>), const Bsrmm& p, int tile_m,
                         int tile_n, int threads, int shared_bytes, cudaStream_t stream) {
  if (p.a.rows == 0 || p.n == 0) return cudaSuccess;
  if (ignores_operands(p.alpha, p.a.type))
    return scale(p.c, p.a.rows, p.n, p.a.type, p.beta, stream);
  const BsrmmArguments<Value> args = arguments_of<Value>(p, tile_m);
  const long long block_rows = (p.a.rows + p.a.block_rows - 1) / p.a.block_rows;
  const dim3 grid(static_cast<unsigned>(block_rows * args.tiles_per_block_row),
                  static_cast<unsigned>((p.n + tile_n - 1) / tile_n));
  return ptx::launch(kernel, grid, dim3(static_cast<unsigned>(threads)),
                     static_cast<std::size_t>(shared_bytes), stream, args);
}

}  // namespace archgrid::sparse
