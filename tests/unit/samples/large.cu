// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// A cubin that is long even when compressed: a reader needs only its start for the names and the
// sizes of its kernels.

/// Pseudo-random values. The compiler computes them much faster than it parses as many
/// initializers.
struct Table {
  unsigned long long values[32768];
  constexpr Table() : values() {
    unsigned long long state = 1;
    for (auto& value : values) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      value = state >> 16;
    }
  }
};

__device__ constexpr Table table;

__global__ void look_up(unsigned* p, int n) {
  unsigned sum = 0;
  for (int i = 0; i < n; ++i) sum = sum * 31 + table.values[(sum ^ p[i]) % 32768];
  *p = sum;
}
