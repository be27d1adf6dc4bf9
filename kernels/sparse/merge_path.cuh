// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Merge path: the rows and entries of a matrix are one list, each row after its entries. Pieces of
// equal length are equal work, whatever the lengths of rows.
#pragma once

#include <cuda_runtime.h>

namespace archgrid::sparse {

// Returns how many rows end among the first `diagonal` items of the list: where the merge path
// crosses that diagonal. `ends` has the ends of rows.
template <class End>
__device__ __forceinline__ long long merge_path_search(long long diagonal, const End* ends,
                                                       long long rows, long long entries) {
  long long first = diagonal > entries ? diagonal - entries : 0;
  long long last = diagonal < rows ? diagonal : rows;
  while (first < last) {
    const long long middle = (first + last) / 2;
    if (ends[middle] < diagonal - middle) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  return first;
}

// Returns the end of the segment of pieces with the same row as piece `begin`. All `pieces` pieces
// are in the order of their rows.
template <class RowOf>
__device__ __forceinline__ long long end_of_segment(RowOf row_of, long long begin,
                                                    long long pieces) {
  const long long row = row_of(begin);
  long long end = begin + 1;
  long long last = pieces;
  while (end < last) {
    const long long middle = (end + last) / 2;
    if (row_of(middle) == row) {
      end = middle + 1;
    } else {
      last = middle;
    }
  }
  return end;
}

}  // namespace archgrid::sparse
