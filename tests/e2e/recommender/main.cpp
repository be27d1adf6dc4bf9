// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// What a step of a recommender calls, so that all of its kernels are linked.
#include "sparse/bucketize.h"
#include "sparse/embedding.h"

int main() {
  const cudaError_t shared_out = archgrid::sparse::bucketize({}, nullptr, nullptr);
  const cudaError_t looked_up = archgrid::sparse::look_up({}, nullptr, nullptr);
  return shared_out == cudaSuccess && looked_up == cudaSuccess ? 0 : 1;
}
