// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// What a product should be, and how far from it a right result can lie.
#pragma once

#include <vector>

#include "gemm/problem.h"

namespace archgrid::gemm {

// C as it should be after a product, batch by batch, row by row, without gaps.
struct Reference {
  std::vector<double> value;
  // How far a result can lie from it; see reference.cpp for how it is derived.
  std::vector<double> bound;
};

// How a variant multiplies and adds up, as far as the bound depends on it.
struct Arithmetic {
  int splits = 1;              // parts of K
  bool is_tf32 = false;        // 10 bits of each element's fraction are kept
  bool keeps_13_bits = false;  // of the fraction of sums: 8-bit numbers on devices 8.9
};

// Computes the product in double precision on the CPU; s8's sums wrap around as the device's do.
// The pointers of the problem must point to host memory; A and B are read where alpha is not 0, C
// where beta is not, which is never written.
Reference reference(const Problem& problem, const Arithmetic& arithmetic = {});

// The value of element `index` of an array of `type`.
double element(const void* data, Type type, long long index);

}  // namespace archgrid::gemm
