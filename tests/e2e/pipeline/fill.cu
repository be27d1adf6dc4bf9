// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#ifdef PIPELINE_BREAK
#error "as it is meant to"
#endif

#ifndef FILL_SECONDS
#define FILL_SECONDS 0.001
#endif

__global__ void fill(float* out) {
  out[threadIdx.x] = 1.0F;
}

/// Writes a record of a benchmark with made-up times.
int write_record(const char* path) {
  std::FILE* file = std::fopen(path, "w");
  if (file == nullptr) return 1;
  std::fprintf(file,
               R"({"schema": "archgrid.perf/1", "ceilings": [], "key": {"gpu": "a card",
"compute_capability": "9.0", "driver": "580.1", "toolkit": "13.5", "clocks": "default"},
"benchmarks": [{"name": "fill", "cache": "hot", "bytes": 1, "flops": 1, "runs": [{"build": "a",
"date": "2026-02-01T12:30:00Z", "throttled": null, "throttle_reasons": [], "series": "s", "pair": 0,
"seconds": [%.9f]}]}]})",
               FILL_SECONDS * (1 + getpid() % 7 / 10000.0));
  return std::fclose(file);
}

int main() {
  const char* record = std::getenv("ARCHGRID_PERF_RECORD");
  if (record != nullptr) return write_record(record);
  std::puts("::error::a test prints a command");
  float* out = nullptr;
  cudaError_t error = cudaMalloc(&out, 32 * sizeof(float));
  if (error == cudaSuccess) fill<<<1, 32>>>(out);
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  if (error == cudaSuccess) error = cudaGetLastError();
  std::printf("%s\n", cudaGetErrorString(error));
  return error == cudaSuccess ? 0 : 1;
}
