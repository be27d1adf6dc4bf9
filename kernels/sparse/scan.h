// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Running sums on a GPU.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "sparse/integers.h"

namespace archgrid::sparse {

// Device memory, in bytes, that a scan of so many elements needs. 0 for a number that is not taken.
std::size_t scan_workspace_bytes(long long count);

// Begins sums[i] = in[0] + ... + in[i - 1] for i from 0 to `count`, which makes count + 1 sums, of
// 64 bits each. `sums` may be `in` where that has 64 bits. All is in device memory; the workspace
// begins at a multiple of 8 bytes. Returns cudaErrorInvalidValue where there is a
// mistake_in_scan(), else the error of a launch.
cudaError_t exclusive_scan(const void* in, Integer type, long long count, std::int64_t* sums,
                           void* workspace, std::size_t workspace_bytes, cudaStream_t stream);
// Returns why exclusive_scan() does not take those, or an empty string: a negative count, one above
// 2^41, null pointers, arrays that begin within an element, too small a workspace.
std::string mistake_in_scan(const void* in, Integer type, long long count, const std::int64_t* sums,
                            const void* workspace, std::size_t workspace_bytes);

}  // namespace archgrid::sparse
