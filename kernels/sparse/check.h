// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Validates sparse matrices in device memory, on the device. Reports the same errors, in the same
// words, as validate() of formats.h on the host.
#pragma once

#include <cuda_runtime_api.h>

#include "sparse/bsrmm.h"
#include "sparse/formats.h"

namespace archgrid::sparse {

// The places of entries, in any order, in device memory.
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

// The device memory that a check needs, in bytes. It must be aligned to 8 bytes.
constexpr std::size_t check_bytes = 64;

// Finds the first error in the order of rows (CSC: columns; COO: entries), and of entries within
// a row. For BSR, also finds the first nonzero element beyond the matrix, unless `value` is null.
// Ignores other values. Reads nothing outside the arrays, whatever the offsets are. Waits for the
// stream.
//
// Returns cudaErrorInvalidValue, with the reason in `format_error`, for a matrix that cannot be
// checked: negative or absurd extents, null pointers to non-empty arrays, misaligned arrays, a
// workspace of less than check_bytes. Otherwise returns the error of the runtime.
cudaError_t check(const CooOnDevice& matrix, void* workspace, std::size_t workspace_bytes,
                  FormatError* format_error, cudaStream_t stream);
cudaError_t check(const CsrOnDevice& matrix, void* workspace, std::size_t workspace_bytes,
                  FormatError* format_error, cudaStream_t stream);
cudaError_t check(const CscOnDevice& matrix, void* workspace, std::size_t workspace_bytes,
                  FormatError* format_error, cudaStream_t stream);
cudaError_t check(const BsrOnDevice& matrix, void* workspace, std::size_t workspace_bytes,
                  FormatError* format_error, cudaStream_t stream);

}  // namespace archgrid::sparse
