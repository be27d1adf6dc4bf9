// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// The expected result of a product, and the error bound of a correct one.
#pragma once

#include <vector>

#include "gemm/problem.h"

namespace archgrid::gemm {

// The expected C after a product, batch by batch, row by row, without gaps.
struct Reference {
  std::vector<double> value;
  // The largest error of a correct result. reference.cpp derives it.
  std::vector<double> bound;
};

// The properties of a variant's arithmetic that the bound depends on.
struct Arithmetic {
  int splits = 1;              // parts of K
  bool is_tf32 = false;        // 10 bits of each element's fraction are kept
  bool keeps_13_bits = false;  // of the fraction of sums: 8-bit numbers on devices 8.9
};

// Computes the product in double precision on the CPU. Sums of s8 wrap around as on the device. The
// pointers of the problem must point to host memory. A and B are read if alpha is not 0, C if beta
// is not 0. C is never written.
Reference reference(const Problem& problem, const Arithmetic& arithmetic = {});

// Returns the value of element `index` of an array of `type`.
double element(const void* data, Type type, long long index);

}  // namespace archgrid::gemm
