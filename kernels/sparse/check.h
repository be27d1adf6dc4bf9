// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// What is wrong with a sparse matrix in device memory, found there: the same as mistake_in(Csr)
// finds on the host.
#pragma once

#include <cuda_runtime_api.h>

#include "sparse/formats.h"
#include "sparse/integers.h"

namespace archgrid::sparse {

// Compressed rows in device memory, but for their values.
struct DevicePattern {
  Index rows = 0;
  Index columns = 0;
  Index entries = 0;
  Integer type = Integer::i32;    // of offsets and columns
  const void* offsets = nullptr;  // [rows + 1]
  const void* column = nullptr;   // [entries]
};

// Finds the first mistake, by rows and within a row by entries. Reads nothing that the pattern does
// not have, whatever its offsets say. Waits for the stream. `workspace` is 8 bytes of device
// memory, or more, at a multiple of 8. Returns cudaErrorInvalidValue for negative extents and for
// null pointers to what is not empty, else the error of what it calls.
cudaError_t check(const DevicePattern& pattern, void* workspace, Mistake* mistake,
                  cudaStream_t stream);

}  // namespace archgrid::sparse
