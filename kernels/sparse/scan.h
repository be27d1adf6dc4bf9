// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Exclusive prefix sums on a GPU.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "sparse/integers.h"

namespace archgrid::sparse {

// Returns the device memory that a scan of `count` elements needs, in bytes, or 0 if `count` is
// invalid.
std::size_t scan_workspace_bytes(long long count);

// Launches sums[i] = in[0] + ... + in[i - 1] for i from 0 to `count`: count + 1 sums of 64 bits
// each. `sums` may be `in` if that has 64 bits. All arrays are in device memory. The workspace must
// be aligned to 8 bytes. Returns cudaErrorInvalidValue if an argument is invalid
// (validate_exclusive_scan()), otherwise the error of a launch.
cudaError_t exclusive_scan(const void* in, Integer type, long long count, std::int64_t* sums,
                           void* workspace, std::size_t workspace_bytes, cudaStream_t stream);
// Returns why exclusive_scan() refuses its arguments, or an empty string: a negative count, a count
// above 2^41, null pointers, misaligned arrays, too small a workspace.
std::string validate_exclusive_scan(const void* in, Integer type, long long count,
                                    const std::int64_t* sums, const void* workspace,
                                    std::size_t workspace_bytes);

}  // namespace archgrid::sparse
