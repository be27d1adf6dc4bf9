// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Records which kernels this program launched, for evidence of what ran on a GPU. Like launches.hpp
// it observes the runtime's API in the program, not in shared libraries.
#ifndef ARCHGRID_CUDA_LAUNCHED_HPP
#define ARCHGRID_CUDA_LAUNCHED_HPP

#include <cuda_runtime_api.h>

#include <vector>

namespace archgrid {

/// Records that a launch returned success. `kernel`: the host function, or its handle from
/// cudaGetKernel(). Leaves out launches into a stream that is captured: what a graph has may never
/// run.
void note_launched(const void* kernel, cudaStream_t stream);

/// Records which kernel a handle stands for.
void note_handle(const void* handle, const void* function);

/// Returns the host functions of the kernels that were recorded since the last call, in any thread.
std::vector<const void*> take_launched();

}  // namespace archgrid

#endif
