// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Matrix products on a GPU: variants for each type and generation of devices, and what picks among
// them.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>
#include <vector>

#include "gemm/problem.h"

namespace archgrid::gemm {

// A row of variants.inc: one kernel, or one for each layout, that gives a thread block a tile of C.
struct Variant {
  const char* name;
  const char* source;  // the file in kernels/gemm that holds it, without .cu
  Type input;
  bool is_tf32;
  int tile_m, tile_n, tile_k;
  int stages;  // slices of A and B that are on their way or in use at the same time
  int threads;
  int registers;              // the most that a thread uses
  int first_device;           // major * 10 + minor
  const char* first_toolkit;  // the first CUDA that compiles it
  const char* instruction;    // what it is there for: "FFMA", "HMMA"; as in SASS

  // Begins the products with K cut into `splits` parts, whose sums go to `partials` unless splits
  // is 1. Null where this build left the variant out.
  cudaError_t (*launch)(const Problem&, int splits, void* partials, cudaStream_t);
  // cudaSuccess where the current device can run it.
  cudaError_t (*is_loadable)();
};

// All rows, those that this build left out among them.
const std::vector<Variant>& variants();
// The row of that name; null if there is none.
const Variant* find_variant(const std::string& name);

// What a product is computed by, and why. `variant` is null where none can, and `reason` then says
// what each lacks, or which mistake_in() the problem there is.
struct Choice {
  const Variant* variant = nullptr;
  int splits = 1;
  std::string reason;
};

struct Device {
  int capability = 0;  // major * 10 + minor
  int multiprocessors = 1;
};
// The current one. Returns the runtime's error.
cudaError_t current_device(Device* device);

// Picks for a device that need not be here, of the variants that `has` says are in the binary for
// it. The other choose() are this with the current device and the binary that runs.
Choice choose(const Problem& problem, std::size_t workspace_bytes, const Device& device,
              bool (*has)(const Variant&));

// Picks for the current device: of the variants for the problem's types that the device and the
// binary have, the one with the largest tile that leaves no multiprocessor idle, and, where
// `workspace_bytes` allow it, as many parts of K as keep all busy.
Choice choose(const Problem& problem, std::size_t workspace_bytes);
// The same among one variant. A variant for other types, one that the device lacks and one that the
// binary lacks are refused.
Choice choose(const Problem& problem, std::size_t workspace_bytes, const Variant& forced);

// Device memory with which choose() can cut K into as many parts as it likes; 0 where it would not,
// and where there is a mistake_in_extents() of the problem. Its matrices need not be there yet.
std::size_t useful_workspace(const Problem& problem);

struct Options {
  const Variant* variant = nullptr;  // none: whatever choose() picks
  int splits = 0;                    // of K; 0: whatever choose() picks
  // Device memory that is the product's until it is done, at a multiple of 8 bytes.
  void* workspace = nullptr;
  std::size_t workspace_bytes = 0;
  cudaStream_t stream = nullptr;
};

// Begins the product. `made_by`, if given, learns what it is computed by. Returns
//   cudaSuccess              when it has begun, or when C has no element;
//   cudaErrorInvalidValue    where there is a mistake_in() the problem, for more tiles than a grid
//                            holds, for a workspace too small for the splits, and for more than
//                            1024 of them;
//   cudaErrorNotSupported    where no variant, or not the one asked for, can compute it on this
//                            device with this binary;
//   the launch's own error otherwise.
// made_by->reason says why, of the two in the middle.
cudaError_t gemm(const Problem& problem, const Options& options = {}, Choice* made_by = nullptr);

}  // namespace archgrid::gemm
