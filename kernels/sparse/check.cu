// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Validates sparse matrices on the device. Lines (rows, columns, or rows of blocks) come first. The
// entries of all lines before the first invalid one are contiguous, so they are checked one by one,
// whatever the lengths of lines. If an entry's place does not increase, a search in the offsets
// finds out whether the entry begins a line. The device finds numbers; the host writes the
// messages.
#include <cstdint>
#include <string>
#include <utility>

#include "ptx/launch.cuh"
#include "sparse/check.h"
#include "sparse/find_first.cuh"
#include "sparse/preconditions.h"

namespace archgrid::sparse {

// The findings of the kernels.
struct FoundInMatrix {
  unsigned long long line;    // the first line with invalid ends
  unsigned long long entry;   // the first entry with an invalid place, before that line
  unsigned long long beyond;  // the first nonzero element of blocks beyond the matrix
  // The first error: its line, with begin and end; the place of its entry or block, and of the
  // one before in the same line, or -1.
  long long its_line;
  long long begin, end;
  long long place, before;
};
static_assert(sizeof(FoundInMatrix) <= check_bytes, "as the header says");

template <class T>
struct LinesArguments {
  long long lines, places, entries;
  const T* offsets;
  const T* place;  // of each entry
};

template <class T>
__global__ void __launch_bounds__(grid_stride_threads)
    check_ends(LinesArguments<T> m, FoundInMatrix* found) {
  const long long step = static_cast<long long>(gridDim.x) * grid_stride_threads;
  for (long long line = static_cast<long long>(blockIdx.x) * grid_stride_threads + threadIdx.x;
       line < m.lines; line += step) {
    const long long begin = m.offsets[line];
    const long long end = m.offsets[line + 1];
    if ((line == 0 && begin != 0) || begin < 0 || end < begin || end > m.entries ||
        (line == m.lines - 1 && end != m.entries)) {
      record_first(&found->line, line);
    }
  }
}

// Returns the last of the first `lines` lines that begins at or before `entry`.
template <class T>
__device__ long long line_of(const LinesArguments<T>& m, long long lines, long long entry) {
  long long low = 0;
  long long high = lines;
  while (high - low > 1) {
    const long long middle = low + (high - low) / 2;
    (m.offsets[middle] <= entry ? low : high) = middle;
  }
  return low;
}

template <class T>
__device__ __forceinline__ long long lines_with_ends(const LinesArguments<T>& m,
                                                     const FoundInMatrix& found) {
  return found.line == not_found ? m.lines : static_cast<long long>(found.line);
}

template <class T>
__global__ void __launch_bounds__(grid_stride_threads)
    check_places(LinesArguments<T> m, FoundInMatrix* found) {
  const long long step = static_cast<long long>(gridDim.x) * grid_stride_threads;
  const long long lines = lines_with_ends(m, *found);
  const long long entries = lines == 0 ? 0 : static_cast<long long>(m.offsets[lines]);
  for (long long i = static_cast<long long>(blockIdx.x) * grid_stride_threads + threadIdx.x;
       i < entries; i += step) {
    const long long place = m.place[i];
    const bool is_there = place >= 0 && place < m.places;
    const bool is_after = i == 0 || place > m.place[i - 1] || m.offsets[line_of(m, lines, i)] == i;
    if (!is_there || !is_after) record_first(&found->entry, i);
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
    check_beyond(LinesArguments<T> m, BlocksArguments<Bits> b, FoundInMatrix* found) {
  if (found->line != not_found || found->entry != not_found) return;
  const long long last_line = m.offsets[m.lines - 1];
  const int rows_left = static_cast<int>(b.rows - (m.lines - 1) * b.block_rows);
  const int columns_left = static_cast<int>(b.columns - (m.places - 1) * b.block_columns);
  const int elements = b.block_rows * b.block_columns;
  const long long step = static_cast<long long>(gridDim.x) * (grid_stride_threads / 32);
  for (long long i =
           static_cast<long long>(blockIdx.x) * (grid_stride_threads / 32) + threadIdx.x / 32;
       i < m.entries; i += step) {
    const int rows = i < last_line ? b.block_rows : rows_left;
    const int columns = m.place[i] < m.places - 1 ? b.block_columns : columns_left;
    if (rows == b.block_rows && columns == b.block_columns) continue;
    const Bits* const value = b.value + i * elements;
    for (int e = static_cast<int>(threadIdx.x) % 32; e < elements; e += 32) {
      const bool is_within = e / b.block_columns < rows && e % b.block_columns < columns;
      if (!is_within && static_cast<Bits>(value[e] << 1) != 0) {
        record_first(&found->beyond, i * elements + e);
        break;
      }
    }
  }
}

// Collects the numbers for the message. Runs as one thread.
template <class T>
__global__ void describe_line(LinesArguments<T> m, long long elements, FoundInMatrix* found) {
  const unsigned long long beyond = found->beyond;
  if (found->entry == not_found && found->line == not_found && beyond == not_found) return;
  if (found->entry != not_found || found->line == not_found) {
    const long long i = found->entry != not_found ? static_cast<long long>(found->entry)
                                                  : static_cast<long long>(beyond) / elements;
    found->its_line = line_of(m, lines_with_ends(m, *found), i);
    found->place = m.place[i];
    found->before = i > m.offsets[found->its_line] ? static_cast<long long>(m.place[i - 1]) : -1;
  } else {
    found->its_line = static_cast<long long>(found->line);
  }
  found->begin = m.offsets[found->its_line];
  found->end = m.offsets[found->its_line + 1];
}

template <class T>
__global__ void describe_coordinates(const T* row, const T* column, FoundInMatrix* found) {
  if (found->entry == not_found) return;
  found->its_line = row[found->entry];
  found->place = column[found->entry];
}

namespace {

// A matrix in any compressed format. Its index arrays have one type.
struct CompressedLines {
  const LineNames& names;
  Index lines, places, entries;
  Integer index_type;
  const void* offsets;
  const void* place;
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
cudaError_t begin_lines(const LinesArguments<T>& m, FoundInMatrix* found, cudaStream_t stream) {
  cudaError_t error = begin_with_nothing(found, stream);
  if (error == cudaSuccess) {
    error = ptx::launch(check_ends<T>, grid_stride_blocks(m.lines), dim3(grid_stride_threads), 0,
                        stream, m, found);
  }
  if (error != cudaSuccess || m.entries == 0) return error;
  return ptx::launch(check_places<T>, grid_stride_blocks(m.entries), dim3(grid_stride_threads), 0,
                     stream, m, found);
}

template <class T, class Bits>
cudaError_t begin_beyond(const LinesArguments<T>& m, const BsrOnDevice& a, FoundInMatrix* found,
                         cudaStream_t stream) {
  const BlocksArguments<Bits> blocks{a.rows, a.columns, a.block_rows, a.block_columns,
                                     static_cast<const Bits*>(a.value)};
  return ptx::launch(check_beyond<T, Bits>, grid_stride_blocks(m.entries * 32),
                     dim3(grid_stride_threads), 0, stream, m, blocks, found);
}

template <class T>
cudaError_t begin_beyond(const LinesArguments<T>& m, const BsrOnDevice& a, FoundInMatrix* found,
                         cudaStream_t stream) {
  const bool has_none = a.rows % a.block_rows == 0 && a.columns % a.block_columns == 0;
  if (has_none || a.value == nullptr || a.blocks == 0) return cudaSuccess;
  switch (a.type) {
    case Number::f16:
      return begin_beyond<T, std::uint16_t>(m, a, found, stream);
    case Number::f32:
      return begin_beyond<T, std::uint32_t>(m, a, found, stream);
    case Number::f64:
      return begin_beyond<T, std::uint64_t>(m, a, found, stream);
  }
  return cudaErrorInvalidValue;
}

FormatError error_of(const CompressedLines& m, const FoundInMatrix& found, Index elements) {
  if (found.entry != not_found) {
    return validate_index(m.names, found.its_line, static_cast<Index>(found.entry), found.place,
                          m.places, found.before);
  }
  if (found.line != not_found) {
    return validate_offsets(m.names, found.its_line, found.begin, found.end,
                            found.its_line == m.lines - 1, m.entries);
  }
  if (found.beyond == not_found) return {};
  const auto element = static_cast<Index>(found.beyond);
  return padding_error(found.its_line, element / elements, element % elements);
}

template <class T>
cudaError_t find_in_lines(const CompressedLines& m, const BsrOnDevice* blocks,
                          FoundInMatrix* on_device, FormatError* format_error,
                          cudaStream_t stream) {
  const LinesArguments<T> arguments{m.lines, m.places, m.entries, static_cast<const T*>(m.offsets),
                                    static_cast<const T*>(m.place)};
  const Index elements = blocks == nullptr ? 1 : blocks->block_rows * Index{blocks->block_columns};
  cudaError_t error = begin_lines(arguments, on_device, stream);
  if (error == cudaSuccess && blocks != nullptr)
    error = begin_beyond(arguments, *blocks, on_device, stream);
  if (error == cudaSuccess) {
    error =
        ptx::launch(describe_line<T>, dim3(1), dim3(1), 0, stream, arguments, elements, on_device);
  }
  FoundInMatrix found{};
  if (error == cudaSuccess) error = wait_for(on_device, &found, stream);
  if (error == cudaSuccess) *format_error = error_of(m, found, elements);
  return error;
}

// Checks a matrix without lines, which has only one offset.
cudaError_t find_without_lines(const CompressedLines& m, FormatError* format_error,
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

cudaError_t find(const CompressedLines& m, const BsrOnDevice* blocks, void* workspace,
                 std::size_t workspace_bytes, FormatError* format_error, cudaStream_t stream) {
  const std::size_t bytes = bytes_of(m.index_type);
  const cudaError_t refusal = refused(
      first_of(
          {validate_array("offsets", m.offsets, m.lines, bytes),
           validate_array(blocks == nullptr ? m.names.place : "column", m.place, m.entries, bytes),
           validate_workspace(workspace, workspace_bytes, check_bytes)}),
      format_error);
  if (refusal != cudaSuccess) return refusal;
  if (m.lines == 0) return find_without_lines(m, format_error, stream);
  auto* const found = static_cast<FoundInMatrix*>(workspace);
  return m.index_type == Integer::i32
             ? find_in_lines<std::int32_t>(m, blocks, found, format_error, stream)
             : find_in_lines<std::int64_t>(m, blocks, found, format_error, stream);
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
  *format_error = validate_coordinates(m.rows, m.columns, found.its_line, found.place,
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
