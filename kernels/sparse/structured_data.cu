// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Prunes matrices to 2:4, checks them, and stores two of each four elements. Elements are handled
// as bits: without the sign, these have the order of the magnitudes.
#include <algorithm>

#include "ptx/launch.cuh"
#include "sparse/find_first.cuh"
#include "sparse/structured.h"

namespace archgrid::sparse {
__device__ __forceinline__ int magnitude(unsigned short bits) {
  return bits & 0x7fff;
}
__device__ __forceinline__ int magnitude(signed char number) {
  return number < 0 ? -number : number;
}

template <class T>
struct RowsArguments {
  int rows;
  int k;
  const T* data;
  long long row_stride;
  long long k_stride;
};

// Four adjacent elements of a row, zero beyond its end.
template <class T>
struct Four {
  T element[4];
};
template <class T>
__device__ __forceinline__ Four<T> four_at(const RowsArguments<T>& from, int row, int k) {
  Four<T> four = {};
  const T* const first = from.data + row * from.row_stride + k * from.k_stride;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    if (k + i < from.k) four.element[i] = first[i * from.k_stride];
  }
  return four;
}

// The indices of the two elements of the largest magnitude, the first ones if equal, in increasing
// order.
struct Two {
  int first;
  int second;
};
template <class T>
__device__ __forceinline__ Two largest_two(const Four<T>& four) {
  // The rank of each element: how many others come before it.
  int place[4] = {};
#pragma unroll
  for (int i = 0; i < 4; ++i) {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const int own = magnitude(four.element[i]);
      const int other = magnitude(four.element[j]);
      if (other > own || (other == own && j < i)) ++place[i];
    }
  }
  const int first = place[0] < 2 ? 0 : place[1] < 2 ? 1 : 2;
  const int second = place[3] < 2 ? 3 : place[2] < 2 ? 2 : 1;
  return {first, second};
}

template <class T>
__device__ __forceinline__ bool is_2_4(const Four<T>& four) {
  int others = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i) others += magnitude(four.element[i]) != 0;
  return others <= 2;
}

// The place of work item `i` of rows * parts. Consecutive items are adjacent in memory.
struct Place {
  int row;
  int part;
};
template <class T>
__device__ __forceinline__ Place place_of(const RowsArguments<T>& from, long long i, int parts) {
  const bool is_by_rows = from.k_stride == 1;
  const int divisor = is_by_rows ? parts : from.rows;
  int quotient;
  int remainder;
  // A division of 64 bits takes several times as long.
  if (i >> 32 == 0) {
    const auto narrow = static_cast<unsigned>(i);
    quotient = static_cast<int>(narrow / static_cast<unsigned>(divisor));
    remainder = static_cast<int>(narrow % static_cast<unsigned>(divisor));
  } else {
    quotient = static_cast<int>(i / divisor);
    remainder = static_cast<int>(i % divisor);
  }
  return is_by_rows ? Place{quotient, remainder} : Place{remainder, quotient};
}

template <class T>
__global__ void __launch_bounds__(grid_stride_threads)
    prune_2_4(RowsArguments<T> from, T* to, long long row_stride, long long k_stride) {
  const int fours = (from.k + 3) / 4;
  const long long all = static_cast<long long>(from.rows) * fours;
  const long long step = static_cast<long long>(gridDim.x) * grid_stride_threads;
  for (long long i = static_cast<long long>(blockIdx.x) * grid_stride_threads + threadIdx.x;
       i < all; i += step) {
    const Place place = place_of(from, i, fours);
    const int k = place.part * 4;
    const Four<T> four = four_at(from, place.row, k);
    const Two kept = largest_two(four);
    T* const first = to + place.row * row_stride + k * k_stride;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const bool is_kept = j == kept.first || j == kept.second;
      if (k + j < from.k) first[j * k_stride] = is_kept ? four.element[j] : T(0);
    }
  }
}

// Returns the number of a four with too many nonzero elements, or `not_found`. Fours are numbered
// row by row.
template <class T>
__device__ __forceinline__ unsigned long long invalid_four(const Four<T>& four, int row, int k,
                                                           int fours) {
  return is_2_4(four)
             ? not_found
             : static_cast<unsigned long long>(static_cast<long long>(row) * fours + k / 4);
}

// Lowers `first` to the smallest number of all threads, whatever their order.
__device__ __forceinline__ void warp_atomic_min(unsigned long long* first, unsigned long long own) {
  for (int distance = 16; distance > 0; distance /= 2) {
    const auto other = __shfl_down_sync(ptx::all_lanes, own, static_cast<unsigned>(distance));
    if (other < own) own = other;
  }
  if (threadIdx.x % 32 == 0 && own != not_found) atomicMin(first, own);
}

template <class T>
__global__ void __launch_bounds__(grid_stride_threads)
    check_2_4(RowsArguments<T> from, unsigned long long* first) {
  unsigned long long own = not_found;
  const int fours = (from.k + 3) / 4;
  const long long all = static_cast<long long>(from.rows) * fours;
  const long long step = static_cast<long long>(gridDim.x) * grid_stride_threads;
  for (long long i = static_cast<long long>(blockIdx.x) * grid_stride_threads + threadIdx.x;
       i < all; i += step) {
    const Place place = place_of(from, i, fours);
    const auto number =
        invalid_four(four_at(from, place.row, place.part * 4), place.row, place.part * 4, fours);
    if (number < own) own = number;
  }
  warp_atomic_min(first, own);
}

// Compresses a matrix. Each thread stores four fours: 16 bits of metadata.
template <class T>
__global__ void __launch_bounds__(grid_stride_threads)
    compress_2_4(RowsArguments<T> from, int padded_k, T* value, unsigned short* metadata,
                 unsigned long long* first) {
  constexpr int columns = 16;
  unsigned long long own = not_found;
  const int fours = (from.k + 3) / 4;
  const int parts = padded_k / columns;
  const long long all = static_cast<long long>(from.rows) * parts;
  const long long step = static_cast<long long>(gridDim.x) * grid_stride_threads;
  for (long long i = static_cast<long long>(blockIdx.x) * grid_stride_threads + threadIdx.x;
       i < all; i += step) {
    const Place place = place_of(from, i, parts);
    unsigned indices = 0;
    T* const to = value + (static_cast<long long>(place.row) * parts + place.part) * (columns / 2);
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const int k = place.part * columns + j * 4;
      const Four<T> four = four_at(from, place.row, k);
      const auto number = invalid_four(four, place.row, k, fours);
      if (number < own) own = number;
      const Two kept = largest_two(four);
      indices |= static_cast<unsigned>(kept.first | kept.second << 2) << (j * 4);
      T first_value = four.element[0];
      T second_value = four.element[1];
#pragma unroll
      for (int e = 1; e < 4; ++e) {
        if (kept.first == e) first_value = four.element[e];
        if (kept.second == e) second_value = four.element[e];
      }
      to[j * 2] = first_value;
      to[j * 2 + 1] = second_value;
    }
    metadata[static_cast<long long>(place.row) * parts + place.part] =
        static_cast<unsigned short>(indices);
  }
  warp_atomic_min(first, own);
}

namespace {

template <class T, class Pointer>
RowsArguments<T> arguments_of(const DenseRows<Pointer>& m) {
  const bool is_row_major = m.elements.layout == Layout::row;
  return {m.rows, m.k, static_cast<const T*>(m.elements.data),
          is_row_major ? m.elements.leading : 1, is_row_major ? 1 : m.elements.leading};
}

template <class T>
cudaError_t prune_as(const DenseRows<const void*>& from, const DenseRows<void*>& to,
                     cudaStream_t stream) {
  const RowsArguments<T> written = arguments_of<T>(to);
  return ptx::launch(prune_2_4<T>, grid_stride_blocks(1ll * from.rows * ((from.k + 3) / 4)),
                     dim3(grid_stride_threads), 0, stream, arguments_of<T>(from),
                     static_cast<T*>(to.elements.data), written.row_stride, written.k_stride);
}

// Writes to `format_error` how many elements of the four with that number are nonzero.
template <class T>
cudaError_t describe(const RowsArguments<T>& from, unsigned long long number,
                     FormatError* format_error, cudaStream_t stream) {
  const auto fours = static_cast<unsigned long long>((from.k + 3) / 4);
  const auto row = static_cast<int>(number / fours);
  const auto k = static_cast<int>(number % fours) * 4;
  const int end = std::min(k + 4, from.k);
  T four[4] = {};
  cudaError_t error = cudaSuccess;
  for (int i = k; i < end && error == cudaSuccess; ++i) {
    error = cudaMemcpyAsync(four + (i - k), from.data + row * from.row_stride + i * from.k_stride,
                            sizeof(T), cudaMemcpyDeviceToHost, stream);
  }
  if (error == cudaSuccess) error = cudaStreamSynchronize(stream);
  if (error != cudaSuccess) return error;
  int others = 0;
  for (const T element : four) others += (sizeof(T) == 2 ? element & 0x7fff : element) != 0;
  *format_error = {std::to_string(others) + " of columns " + std::to_string(k) + " to " +
                       std::to_string(end - 1) + " are not zero, and 2:4 allows two",
                   row, -1};
  return cudaSuccess;
}

// Calls begin(first) to launch a kernel that lowers `first`, and describes the four with the
// resulting number.
template <class T, class Begin>
cudaError_t find_first_four(const RowsArguments<T>& from, void* workspace,
                            FormatError* format_error, cudaStream_t stream, Begin begin) {
  auto* const first = static_cast<unsigned long long*>(workspace);
  static_assert(sizeof *first == check_2_4_bytes, "as the header says");
  unsigned long long number = not_found;
  cudaError_t error = cudaMemsetAsync(first, 0xff, sizeof *first, stream);
  if (error == cudaSuccess) error = begin(first);
  if (error == cudaSuccess)
    error = cudaMemcpyAsync(&number, first, sizeof number, cudaMemcpyDeviceToHost, stream);
  if (error == cudaSuccess) error = cudaStreamSynchronize(stream);
  return error != cudaSuccess || number == not_found ? error
                                                     : describe(from, number, format_error, stream);
}

template <class T>
cudaError_t check_as(const DenseRows<const void*>& matrix, void* workspace,
                     FormatError* format_error, cudaStream_t stream) {
  const RowsArguments<T> from = arguments_of<T>(matrix);
  return find_first_four(from, workspace, format_error, stream, [&](unsigned long long* first) {
    return ptx::launch(check_2_4<T>, grid_stride_blocks(1ll * from.rows * ((from.k + 3) / 4)),
                       dim3(grid_stride_threads), 0, stream, from, first);
  });
}

template <class T>
cudaError_t compress_as(const DenseRows<const void*>& matrix, const Structured& to, void* workspace,
                        FormatError* format_error, cudaStream_t stream) {
  const RowsArguments<T> from = arguments_of<T>(matrix);
  const int padded = padded_k(to.type, to.k);
  return find_first_four(from, workspace, format_error, stream, [&](unsigned long long* first) {
    return ptx::launch(compress_2_4<T>, grid_stride_blocks(1ll * from.rows * (padded / 16)),
                       dim3(grid_stride_threads), 0, stream, from, padded,
                       static_cast<T*>(to.value), static_cast<unsigned short*>(to.metadata), first);
  });
}

}  // namespace

cudaError_t prune(const DenseRows<const void*>& from, const DenseRows<void*>& to,
                  cudaStream_t stream) {
  if (!validate_prune(from, to).empty()) return cudaErrorInvalidValue;
  if (from.rows == 0 || from.k == 0) return cudaSuccess;
  return from.type == gemm::Type::s8 ? prune_as<signed char>(from, to, stream)
                                     : prune_as<unsigned short>(from, to, stream);
}

cudaError_t check(const DenseRows<const void*>& matrix, void* workspace,
                  std::size_t workspace_bytes, FormatError* format_error, cudaStream_t stream) {
  if (format_error == nullptr) return cudaErrorInvalidValue;
  *format_error = {validate_check(matrix, workspace, workspace_bytes), -1, -1};
  if (*format_error) return cudaErrorInvalidValue;
  if (matrix.rows == 0 || matrix.k == 0) return cudaSuccess;
  return matrix.type == gemm::Type::s8
             ? check_as<signed char>(matrix, workspace, format_error, stream)
             : check_as<unsigned short>(matrix, workspace, format_error, stream);
}

cudaError_t compress(const DenseRows<const void*>& from, const Structured& to, void* workspace,
                     std::size_t workspace_bytes, FormatError* format_error, cudaStream_t stream) {
  if (format_error == nullptr) return cudaErrorInvalidValue;
  *format_error = {validate_compress(from, to, workspace, workspace_bytes), -1, -1};
  if (*format_error) return cudaErrorInvalidValue;
  if (from.rows == 0 || from.k == 0) return cudaSuccess;
  return from.type == gemm::Type::s8
             ? compress_as<signed char>(from, to, workspace, format_error, stream)
             : compress_as<unsigned short>(from, to, workspace, format_error, stream);
}

}  // namespace archgrid::sparse
