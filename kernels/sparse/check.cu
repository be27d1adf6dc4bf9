// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Validates sparse matrices on the device. The offsets come first. They delimit majors: rows,
// columns, or rows of blocks. The entries of all majors before the first invalid one are
// contiguous, so they are checked one by one, whatever the lengths of majors. If an entry's index
// (its minor) does not increase, a search in the offsets finds out whether the entry begins a
// major. The device finds numbers; the host writes the messages.
#include <cstdint>
#include <string>
#include <utility>

#include "ptx/launch.cuh"
#include "sparse/check.h"
#include "sparse/find_first.cuh"
#include "sparse/validate.h"

namespace archgrid::sparse {

// The findings of the kernels.
struct FoundInMatrix {
  unsigned long long major;    // the first major with invalid offsets
  unsigned long long entry;    // the first entry with an invalid index, before that major
  unsigned long long padding;  // the first nonzero element of blocks beyond the matrix
  // The first error: its major, with begin and end; the index of its entry or block, and of the
  // one before in the same major, or -1.
  long long its_major;
  long long begin, end;
  long long minor, before;
};
static_assert(sizeof(FoundInMatrix) <= check_bytes, "as the header says");

template <class T>
struct CompressedArguments {
  long long majors, minors, entries;
  const T* offsets;
  const T* minor;  // of each entry
};

template <class T>
__global__ void __launch_bounds__(grid_stride_threads)
    check_offsets(CompressedArguments<T> m, FoundInMatrix* found) {
  const long long step = static_cast<long long>(gridDim.x) * grid_stride_threads;
  for (long long major = static_cast<long long>(blockIdx.x) * grid_stride_threads + threadIdx.x;
       major < m.majors; major += step) {
    const long long begin = m.offsets[major];
    const long long end = m.offsets[major + 1];
    if ((major == 0 && begin != 0) || begin < 0 || end < begin || end > m.entries ||
        (major == m.majors - 1 && end != m.entries)) {
      record_first(&found->major, major);
    }
  }
}

// Returns the last of the first `majors` majors that begins at or before `entry`.
template <class T>
__device__ long long major_of(const CompressedArguments<T>& m, long long majors, long long entry) {
  long long low = 0;
  long long high = majors;
  while (high - low > 1) {
    const long long middle = low + (high - low) / 2;
    (m.offsets[middle] <= entry ? low : high) = middle;
  }
  return low;
}

template <class T>
__device__ __forceinline__ long long valid_majors(const CompressedArguments<T>& m,
                                                  const FoundInMatrix& found) {
  return found.major == not_found ? m.majors : static_cast<long long>(found.major);
}

template <class T>
__global__ void __launch_bounds__(grid_stride_threads)
    check_indices(CompressedArguments<T> m, FoundInMatrix* found) {
  const long long step = static_cast<long long>(gridDim.x) * grid_stride_threads;
  const long long majors = valid_majors(m, *found);
  const long long entries = majors == 0 ? 0 : static_cast<long long>(m.offsets[majors]);
  for (long long i = static_cast<long long>(blockIdx.x) * grid_stride_threads + threadIdx.x;
       i < entries; i += step) {
    const long long minor = m.minor[i];
    const bool is_valid = minor >= 0 && minor < m.minors;
    const bool is_after =
        i == 0 || minor > m.minor[i - 1] || m.offsets[major_of(m, majors, i)] == i;
    if (!is_valid || !is_after) record_first(&found->entry, i);
  }
}

template <class T>
__global__ void check_coordinates(long long rows, long long columns, long long entries,
                                  const T* row, const T* column, FoundInMatrix* found) {
  const long long step = static_cast<long long>(gridDim.x) * grid_stride_threads;
  for (long long i = static_cast<long long>(blockIdx.x) * grid_stride_threads + threadIdx.x;
       i < entries; i += step) {
    if (row[i] < 0 || row[i] >= rows || column[i] < 0 || column[i] >= columns)
      record_first(&found->entry, i);
  }
}

// Values as bits. All bits of a zero but the sign are zero.
template <class Bits>
struct BlocksArguments {
  long long rows, columns;  // of elements
  int block_rows, block_columns;
  const Bits* value;
};

// Finds nonzero elements beyond the matrix, with one warp per block. Skips blocks that lie wholly
// within the matrix.
template <class T, class Bits>
__global__ void __launch_bounds__(grid_stride_threads)
    check_padding(CompressedArguments<T> m, BlocksArguments<Bits> b, FoundInMatrix* found) {
  if (found->major != not_found || found->entry != not_found) return;
  const long long last_major_begin = m.offsets[m.majors - 1];
  const int rows_left = static_cast<int>(b.rows - (m.majors - 1) * b.block_rows);
  const int columns_left = static_cast<int>(b.columns - (m.minors - 1) * b.block_columns);
  const int elements = b.block_rows * b.block_columns;
  const long long step = static_cast<long long>(gridDim.x) * (grid_stride_threads / 32);
  for (long long i =
           static_cast<long long>(blockIdx.x) * (grid_stride_threads / 32) + threadIdx.x / 32;
       i < m.entries; i += step) {
    const int rows = i < last_major_begin ? b.block_rows : rows_left;
    const int columns = m.minor[i] < m.minors - 1 ? b.block_columns : columns_left;
    if (rows == b.block_rows && columns == b.block_columns) continue;
    const Bits* const value = b.value + i * elements;
    for (int e = static_cast<int>(threadIdx.x) % 32; e < elements; e += 32) {
      const bool is_within = e / b.block_columns < rows && e % b.block_columns < columns;
      if (!is_within && static_cast<Bits>(value[e] << 1) != 0) {
        record_first(&found->padding, i * elements + e);
        break;
      }
    }
  }
}

// Collects the numbers for the message. Runs as one thread.
template <class T>
__global__ void describe_compressed(CompressedArguments<T> m, long long elements,
                                    FoundInMatrix* found) {
  const unsigned long long padding = found->padding;
  if (found->entry == not_found && found->major == not_found && padding == not_found) return;
  if (found->entry != not_found || found->major == not_found) {
    const long long i = found->entry != not_found ? static_cast<long long>(found->entry)
                                                  : static_cast<long long>(padding) / elements;
    found->its_major = major_of(m, valid_majors(m, *found), i);
    found->minor = m.minor[i];
    found->before = i > m.offsets[found->its_major] ? static_cast<long long>(m.minor[i - 1]) : -1;
  } else {
    found->its_major = static_cast<long long>(found->major);
  }
  found->begin = m.offsets[found->its_major];
  found->end = m.offsets[found->its_major + 1];
}

template <class T>
__global__ void describe_coordinates(const T* row, const T* column, FoundInMatrix* found) {
  if (found->entry == not_found) return;
  found->its_major = row[found->entry];
  found->minor = column[found->entry];
}

namespace {

// A matrix in any compressed format. Its index arrays have one type.
struct CompressedMatrix {
  const AxisNames& names;
  Index majors, minors, entries;
  Integer index_type;
  const void* offsets;
  const void* minor;
};

cudaError_t refused(std::string reason, FormatError* format_error) {
  if (format_error == nullptr) return cudaErrorInvalidValue;
  *format_error = {std::move(reason), -1, -1};
  return *format_error ? cudaErrorInvalidValue : cudaSuccess;
}

std::string validate_extents(Index rows, Index columns, Index entries, const char* entries_name) {
  return first_of({validate_extent("rows", rows, gemm::max_elements),
                   validate_extent("columns", columns, gemm::max_elements),
                   validate_extent(entries_name, entries, gemm::max_elements)});
}

cudaError_t begin_with_nothing(FoundInMatrix* found, cudaStream_t stream) {
  return cudaMemsetAsync(found, 0xff, sizeof *found, stream);
}

cudaError_t wait_for(const FoundInMatrix* on_device, FoundInMatrix* found, cudaStream_t stream) {
  const cudaError_t error =
      cudaMemcpyAsync(found, on_device, sizeof *found, cudaMemcpyDeviceToHost, stream);
  return error == cudaSuccess ? cudaStreamSynchronize(stream) : error;
}

template <class T>
cudaError_t begin_compressed(const CompressedArguments<T>& m, FoundInMatrix* found,
                             cudaStream_t stream) {
  cudaError_t error = begin_with_nothing(found, stream);
  if (error == cudaSuccess) {
    error = ptx::launch(check_offsets<T>, grid_stride_blocks(m.majors), dim3(grid_stride_threads),
                        0, stream, m, found);
  }
  if (error != cudaSuccess || m.entries == 0) return error;
  return ptx::launch(check_indices<T>, grid_stride_blocks(m.entries), dim3(grid_stride_threads), 0,
                     stream, m, found);
}

template <class T, class Bits>
cudaError_t begin_padding(const CompressedArguments<T>& m, const BsrOnDevice& a,
                          FoundInMatrix* found, cudaStream_t stream) {
  const BlocksArguments<Bits> blocks{a.rows, a.columns, a.block_rows, a.block_columns,
                                     static_cast<const Bits*>(a.value)};
  return ptx::launch(check_padding<T, Bits>, grid_stride_blocks(m.entries * 32),
                     dim3(grid_stride_threads), 0, stream, m, blocks, found);
}

template <class T>
cudaError_t begin_padding(const CompressedArguments<T>& m, const BsrOnDevice& a,
                          FoundInMatrix* found, cudaStream_t stream) {
  const bool has_none = a.rows % a.block_rows == 0 && a.columns % a.block_columns == 0;
  if (has_none || a.value == nullptr || a.blocks == 0) return cudaSuccess;
  switch (a.type) {
    case Number::f16:
      return begin_padding<T, std::uint16_t>(m, a, found, stream);
    case Number::f32:
      return begin_padding<T, std::uint32_t>(m, a, found, stream);
    case Number::f64:
      return begin_padding<T, std::uint64_t>(m, a, found, stream);
  }
  return cudaErrorInvalidValue;
}

FormatError error_of(const CompressedMatrix& m, const FoundInMatrix& found, Index elements) {
  if (found.entry != not_found) {
    return validate_index(m.names, found.its_major, static_cast<Index>(found.entry), found.minor,
                          m.minors, found.before);
  }
  if (found.major != not_found) {
    return validate_offsets(m.names, found.its_major, found.begin, found.end,
                            found.its_major == m.majors - 1, m.entries);
  }
  if (found.padding == not_found) return {};
  const auto element = static_cast<Index>(found.padding);
  return padding_error(found.its_major, element / elements, element % elements);
}

template <class T>
cudaError_t find_in_compressed(const CompressedMatrix& m, const BsrOnDevice* blocks,
                               FoundInMatrix* on_device, FormatError* format_error,
                               cudaStream_t stream) {
  const CompressedArguments<T> arguments{m.majors, m.minors, m.entries,
                                         static_cast<const T*>(m.offsets),
                                         static_cast<const T*>(m.minor)};
  const Index elements = blocks == nullptr ? 1 : blocks->block_rows * Index{blocks->block_columns};
  cudaError_t error = begin_compressed(arguments, on_device, stream);
  if (error == cudaSuccess && blocks != nullptr)
    error = begin_padding(arguments, *blocks, on_device, stream);
  if (error == cudaSuccess) {
    error = ptx::launch(describe_compressed<T>, dim3(1), dim3(1), 0, stream, arguments, elements,
                        on_device);
  }
  FoundInMatrix found{};
  if (error == cudaSuccess) error = wait_for(on_device, &found, stream);
  if (error == cudaSuccess) *format_error = error_of(m, found, elements);
  return error;
}

// Checks a matrix without majors, which has only one offset.
cudaError_t find_in_empty(const CompressedMatrix& m, FormatError* format_error,
                          cudaStream_t stream) {
  std::int64_t first = 0;
  if (m.offsets != nullptr) {
    std::int32_t narrow = 0;
    const bool is_narrow = m.index_type == Integer::i32;
    cudaError_t error = cudaMemcpyAsync(is_narrow ? static_cast<void*>(&narrow) : &first, m.offsets,
                                        bytes_of(m.index_type), cudaMemcpyDeviceToHost, stream);
    if (error == cudaSuccess) error = cudaStreamSynchronize(stream);
    if (error != cudaSuccess) return error;
    if (is_narrow) first = narrow;
  }
  *format_error = validate_empty(m.names, first, m.entries);
  return cudaSuccess;
}

cudaError_t find(const CompressedMatrix& m, const BsrOnDevice* blocks, void* workspace,
                 std::size_t workspace_bytes, FormatError* format_error, cudaStream_t stream) {
  const std::size_t bytes = bytes_of(m.index_type);
  const cudaError_t refusal = refused(
      first_of(
          {validate_array("offsets", m.offsets, m.majors, bytes),
           validate_array(blocks == nullptr ? m.names.minor : "column", m.minor, m.entries, bytes),
           validate_workspace(workspace, workspace_bytes, check_bytes)}),
      format_error);
  if (refusal != cudaSuccess) return refusal;
  if (m.majors == 0) return find_in_empty(m, format_error, stream);
  auto* const found = static_cast<FoundInMatrix*>(workspace);
  return m.index_type == Integer::i32
             ? find_in_compressed<std::int32_t>(m, blocks, found, format_error, stream)
             : find_in_compressed<std::int64_t>(m, blocks, found, format_error, stream);
}

template <class T>
cudaError_t find_in_coordinates(const CooOnDevice& m, FoundInMatrix* on_device,
                                FormatError* format_error, cudaStream_t stream) {
  const auto* const row = static_cast<const T*>(m.row);
  const auto* const column = static_cast<const T*>(m.column);
  cudaError_t error = begin_with_nothing(on_device, stream);
  if (error == cudaSuccess) {
    error =
        ptx::launch(check_coordinates<T>, grid_stride_blocks(m.entries), dim3(grid_stride_threads),
                    0, stream, m.rows, m.columns, m.entries, row, column, on_device);
  }
  if (error == cudaSuccess) {
    error =
        ptx::launch(describe_coordinates<T>, dim3(1), dim3(1), 0, stream, row, column, on_device);
  }
  FoundInMatrix found{};
  if (error == cudaSuccess) error = wait_for(on_device, &found, stream);
  if (error != cudaSuccess || found.entry == not_found) return error;
  *format_error = validate_coordinates(m.rows, m.columns, found.its_major, found.minor,
                                       static_cast<Index>(found.entry));
  return cudaSuccess;
}

Index blocks_of(Index extent, Index block) {
  return extent / block + (extent % block == 0 ? 0 : 1);
}

}  // namespace

cudaError_t check(const CooOnDevice& m, void* workspace, std::size_t workspace_bytes,
                  FormatError* format_error, cudaStream_t stream) {
  const std::size_t bytes = bytes_of(m.index_type);
  const cudaError_t refusal =
      refused(first_of({validate_extents(m.rows, m.columns, m.entries, "entries"),
                        validate_array("row", m.row, m.entries, bytes),
                        validate_array("column", m.column, m.entries, bytes),
                        validate_workspace(workspace, workspace_bytes, check_bytes)}),
              format_error);
  if (refusal != cudaSuccess || m.entries == 0) return refusal;
  auto* const found = static_cast<FoundInMatrix*>(workspace);
  return m.index_type == Integer::i32
             ? find_in_coordinates<std::int32_t>(m, found, format_error, stream)
             : find_in_coordinates<std::int64_t>(m, found, format_error, stream);
}

cudaError_t check(const CsrOnDevice& m, void* workspace, std::size_t workspace_bytes,
                  FormatError* format_error, cudaStream_t stream) {
  const cudaError_t refusal =
      refused(validate_extents(m.rows, m.columns, m.entries, "entries"), format_error);
  if (refusal != cudaSuccess) return refusal;
  return find({names_in_csr, m.rows, m.columns, m.entries, m.index_type, m.offsets, m.column},
              nullptr, workspace, workspace_bytes, format_error, stream);
}

cudaError_t check(const CscOnDevice& m, void* workspace, std::size_t workspace_bytes,
                  FormatError* format_error, cudaStream_t stream) {
  const cudaError_t refusal =
      refused(validate_extents(m.rows, m.columns, m.entries, "entries"), format_error);
  if (refusal != cudaSuccess) return refusal;
  return find({names_in_csc, m.columns, m.rows, m.entries, m.index_type, m.offsets, m.row}, nullptr,
              workspace, workspace_bytes, format_error, stream);
}

cudaError_t check(const BsrOnDevice& m, void* workspace, std::size_t workspace_bytes,
                  FormatError* format_error, cudaStream_t stream) {
  const Index values = m.value == nullptr ? 0 : m.blocks;
  const cudaError_t refusal = refused(
      first_of(
          {validate_extents(m.rows, m.columns, m.blocks, "blocks"),
           validate_block(m.block_rows, m.block_columns),
           validate_array("value", m.value, values, static_cast<std::size_t>(bytes_of(m.type)))}),
      format_error);
  if (refusal != cudaSuccess) return refusal;
  return find({names_in_bsr, blocks_of(m.rows, m.block_rows), blocks_of(m.columns, m.block_columns),
               m.blocks, m.index_type, m.offsets, m.column},
              &m, workspace, workspace_bytes, format_error, stream);
}

}  // namespace archgrid::sparse
