// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Running sums on a GPU.
#pragma once

#include <cuda_runtime_api.h>

#include "sparse/integers.h"

namespace archgrid::sparse {

// Device memory, in bytes, that a scan of so many elements needs.
std::size_t scan_workspace_bytes(long long count);

// Begins sums[i] = in[0] + ... + in[i - 1] for i from 0 to `count`, which makes count + 1 sums, of
// 64 bits each. `sums` may be `in` where that has 64 bits. All is in device memory; the workspace
// begins at a multiple of 8 bytes. Returns cudaErrorInvalidValue for a negative count, a count of
// more than 2^41 and null pointers, else the error of a launch.
cudaError_t exclusive_scan(const void* in, Integer type, long long count, std::int64_t* sums,
                           void* workspace, cudaStream_t stream);

}  // namespace archgrid::sparse
