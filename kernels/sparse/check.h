// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// What is wrong with a sparse matrix in device memory, found there: the same, in the same words, as
// mistake_in() of formats.h finds on the host.
#pragma once

#include <cuda_runtime_api.h>

#include "sparse/bsrmm.h"
#include "sparse/formats.h"

namespace archgrid::sparse {

// The places of entries one by one, in any order, in device memory.
struct CooOnDevice {
  Index rows = 0;
  Index columns = 0;
  Index entries = 0;
  Integer index_type = Integer::i32;
  const void* row = nullptr;     // [entries]
  const void* column = nullptr;  // [entries]
};

// The places of entries in compressed columns, in device memory.
struct CscOnDevice {
  Index rows = 0;
  Index columns = 0;
  Index entries = 0;
  Integer index_type = Integer::i32;
  const void* offsets = nullptr;  // [columns + 1]
  const void* row = nullptr;      // [entries]
};

// Device memory, in bytes, that a check needs; it begins at a multiple of 8.
constexpr std::size_t check_bytes = 64;

// Finds the first mistake, by rows (of Csc by columns, of Coo by entries) and within a row by
// entries; of blocks also the first element that is beyond the matrix and not zero, unless a.value
// is null. Other values are not looked at. Reads nothing that the matrix does not have, whatever
// its offsets say. Waits for the stream.
//
// Returns cudaErrorInvalidValue, and says why as the mistake, for what cannot be looked at:
// negative or absurd extents, null pointers to what is not empty, arrays that begin within an
// element, a workspace of less than check_bytes; else the error of what it calls.
cudaError_t check(const CooOnDevice& matrix, void* workspace, std::size_t workspace_bytes,
                  Mistake* mistake, cudaStream_t stream);
cudaError_t check(const CsrOnDevice& matrix, void* workspace, std::size_t workspace_bytes,
                  Mistake* mistake, cudaStream_t stream);
cudaError_t check(const CscOnDevice& matrix, void* workspace, std::size_t workspace_bytes,
                  Mistake* mistake, cudaStream_t stream);
cudaError_t check(const BsrOnDevice& matrix, void* workspace, std::size_t workspace_bytes,
                  Mistake* mistake, cudaStream_t stream);

}  // namespace archgrid::sparse
