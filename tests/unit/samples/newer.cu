// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// A unit that no GPU before 8.0 supports: cp.async.
__global__ void copies(const float* from, float* to) {
  __shared__ __align__(16) float kept[4];
  const auto place = static_cast<unsigned>(__cvta_generic_to_shared(kept));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(place), "l"(from) : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  to[threadIdx.x] = kept[threadIdx.x % 4];
}

void launch_copies(const float* from, float* to) {
  copies<<<1, 32>>>(from, to);
}
