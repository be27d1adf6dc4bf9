// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Runs one step of a recommender, so that all of its kernels are linked: one bag with one index is
// assigned to one device and looked up in a table with one row.
#include <cstdint>

#include "sparse/bucketize.h"
#include "sparse/embedding.h"

namespace {

using archgrid::sparse::Bucketize;
using archgrid::sparse::EmbeddingLookup;

// Arrays of one element each, in device memory.
struct Step {
  std::int64_t length, index, rows;
  std::int64_t new_length, new_index;
  const float* table;
  float row, pooled;
  alignas(8) unsigned char workspace[4096];
};

Bucketize sharing_out(Step* on_device) {
  Bucketize problem;
  problem.features = problem.bags = 1;
  problem.count = 1;
  problem.lengths = &on_device->length;
  problem.indices = &on_device->index;
  problem.block_sizes = &on_device->rows;
  problem.new_lengths = &on_device->new_length;
  problem.new_indices = &on_device->new_index;
  return problem;
}

EmbeddingLookup lookup(Step* on_device) {
  EmbeddingLookup problem;
  problem.features = problem.bags = problem.width = 1;
  problem.count = 1;
  problem.lengths = &on_device->new_length;
  problem.indices = &on_device->new_index;
  problem.tables = &on_device->table;
  problem.rows = &on_device->rows;
  problem.pooled = &on_device->pooled;
  return problem;
}

}  // namespace

int main() {
  void* memory = nullptr;
  if (cudaMalloc(&memory, sizeof(Step)) != cudaSuccess) return 1;
  auto* const on_device = static_cast<Step*>(memory);
  Step step{};
  step.length = step.rows = 1;
  step.table = &on_device->row;
  step.row = 2.5f;
  cudaMemcpy(on_device, &step, sizeof step, cudaMemcpyHostToDevice);
  const Bucketize shared_out = sharing_out(on_device);
  const EmbeddingLookup looked_up = lookup(on_device);
  if (workspace_bytes(shared_out) > sizeof step.workspace ||
      workspace_bytes(looked_up) > sizeof step.workspace ||
      bucketize(shared_out, on_device->workspace, sizeof step.workspace, nullptr) != cudaSuccess ||
      look_up(looked_up, on_device->workspace, sizeof step.workspace, nullptr) != cudaSuccess) {
    return 1;
  }
  const cudaError_t error = cudaMemcpy(&step, on_device, sizeof step, cudaMemcpyDeviceToHost);
  cudaFree(on_device);
  return error == cudaSuccess && step.pooled == 2.5f ? 0 : 1;
}
