// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Matrix products on a GPU: variants for each type and GPU generation, and the choice among them.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>
#include <vector>

#include "gemm/problem.h"

namespace archgrid::gemm {

// A row of variants.inc: one kernel, or one per layout. Each thread block computes a tile of C.
struct Variant {
  const char* name;
  const char* source;  // its file in kernels/gemm, without .cu
  Type input;
  bool is_tf32;
  int tile_m, tile_n, tile_k;
  int stages;  // k-tiles of A and B in flight or in use at the same time
  int threads;
  int registers;              // maximum per thread
  int first_device;           // major * 10 + minor
  const char* first_toolkit;  // the first CUDA that compiles it
  const char* instruction;    // its main SASS instruction, such as "FFMA" or "HMMA"

  // Launches the products with K cut into `splits` parts, whose sums go to `partials` unless splits
  // is 1. Null if this build omits the variant.
  cudaError_t (*launch)(const Problem&, int splits, void* partials, cudaStream_t);
  // Returns cudaSuccess if the current device can run it.
  cudaError_t (*is_loadable)();
};

// Returns all rows, including those that this build omits.
const std::vector<Variant>& variants();
// Returns the row with that name, or null.
const Variant* find_variant(const std::string& name);

// The variant that computes a product, and the reason. If none can, `variant` is null, and `reason`
// says what each variant lacks, or why the problem is invalid (validate()).
struct Choice {
  const Variant* variant = nullptr;
  int splits = 1;
  std::string reason;
};

struct Device {
  int capability = 0;  // major * 10 + minor
  int multiprocessors = 1;
};
// Writes the current device to `device`. Returns the runtime's error.
cudaError_t current_device(Device* device);

// Picks a variant for a device, which need not be present, among those that the binary has for it
// according to `has`. The other overloads use the current device and the running binary.
Choice choose(const Problem& problem, std::size_t workspace_bytes, const Device& device,
              bool (*has)(const Variant&));

// Picks a variant for the current device. Considers the variants for the problem's types that the
// device and the binary support, and picks the largest tile that leaves no multiprocessor idle. If
// `workspace_bytes` allow it, cuts K into as many parts as keep all multiprocessors busy.
Choice choose(const Problem& problem, std::size_t workspace_bytes);
// Picks the parts of K for one variant. Refuses a variant for other types, and one that the device
// or the binary does not support.
Choice choose(const Problem& problem, std::size_t workspace_bytes, const Variant& forced);

// Returns the bytes of device memory with which choose() cuts K into the best number of parts: 0 if
// it would not cut K, or if the extents are invalid (validate_extents()). The problem's matrices
// need not exist yet.
std::size_t useful_workspace(const Problem& problem);

struct Options {
  const Variant* variant = nullptr;  // null: choose() picks
  int splits = 0;                    // parts of K; 0: choose() picks
  // Device memory for the product's use until it is done, aligned to 8 bytes.
  void* workspace = nullptr;
  std::size_t workspace_bytes = 0;
  cudaStream_t stream = nullptr;
};

// Launches the product. Writes the choice to `choice` if given. Returns
//   cudaSuccess              if it was launched, or if C has no elements;
//   cudaErrorInvalidValue    if the problem is invalid (validate()), if there are more tiles than
//                            a grid holds, if the workspace is misaligned or too small for the
//                            splits, or if there are more than 1024 splits;
//   cudaErrorNotSupported    if no variant, or not the requested one, can compute it on this device
//                            with this binary;
//   the launch's own error otherwise.
// choice->reason explains cudaErrorInvalidValue and cudaErrorNotSupported.
cudaError_t gemm(const Problem& problem, const Options& options = {}, Choice* choice = nullptr);

}  // namespace archgrid::gemm
