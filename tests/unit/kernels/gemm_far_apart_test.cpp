// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Tests dense products on the CPU, with rows and batches that lie beyond 2^32 elements.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "far_apart.hpp"

namespace archgrid::gemm {
namespace {

using Far = far_apart::Matrix;

std::vector<const Variant*> variants_that_run() {
  std::vector<const Variant*> all;
  for (const Variant& variant : variants()) {
    if (variant.launch != nullptr) all.push_back(&variant);
  }
  return all;
}

// Returns a case with a whole tile in each direction, several whole k-tiles, and edges. The four
// aligned cases, and the four unaligned ones, combine each operand along K and across K with the
// other along K and across K. Kernels swap A and B if C is column-major.
Case case_of(const Variant& variant, int layouts, bool is_aligned) {
  const bool is_a_turned = layouts % 2 != 0;
  const bool is_b_turned = layouts / 2 != 0;
  const bool is_c_turned = (is_a_turned != is_b_turned) == is_aligned;
  const bool is_batch = is_a_turned == is_b_turned;
  Case c{variant.tile_m + (is_batch ? 0 : 9), variant.tile_n + 5, 2 * variant.tile_k + 5};
  c.a = is_a_turned ? Layout::column : Layout::row;
  c.b = is_b_turned ? Layout::column : Layout::row;
  c.c = is_c_turned ? Layout::column : Layout::row;
  c.offset = is_aligned ? 0 : 1;
  c.batches = is_batch ? 2 : 1;
  return c;
}

Problem problem_of(const Variant& variant, const Case& c) {
  Problem p;
  p.m = c.m;
  p.n = c.n;
  p.k = c.k;
  p.batches = c.batches;
  p.input = variant.input;
  p.output = output_of(variant.input, c.is_wide_output);
  p.allow_tf32 = variant.is_tf32;
  p.beta = c.beta;
  return p;
}

template <class Pointer>
Matrix<Pointer> view(const Far& matrix, Layout layout) {
  return {matrix.data(), layout, matrix.leading(), matrix.batch_stride()};
}

double expected(const Case& c, int batch, int row, int column) {
  double sum = c.beta == 0 ? 0 : c.beta * far_apart::number(3, batch, row, column);
  for (int k = 0; k < c.k; ++k)
    sum += far_apart::number(1, batch, row, k) * far_apart::number(2, batch, k, column);
  return sum;
}

::testing::AssertionResult is_computed(const Variant& variant, const Case& c) {
  Problem p = problem_of(variant, c);
  const bool is_aligned = c.offset == 0;
  Far a = Far::of_lines(p.input, c.a, c.m, c.k, is_aligned, c.batches);
  Far b = Far::of_lines(p.input, c.b, c.k, c.n, is_aligned, c.batches);
  Far out = Far::of_lines(p.output, c.c, c.m, c.n, is_aligned, c.batches);
  a.fill(1);
  b.fill(2);
  if (c.beta != 0) out.fill(3);
  p.a = view<const void*>(a, c.a);
  p.b = view<const void*>(b, c.b);
  p.c = view<void*>(out, c.c);
  std::vector<double> workspace(static_cast<std::size_t>(c.m * c.n * c.batches * c.splits));
  Options options;
  options.variant = &variant;
  options.splits = c.splits;
  options.workspace = workspace.data();
  options.workspace_bytes = workspace.size() * sizeof(double);
  Choice choice;
  const cudaError_t error = gemm(p, options, &choice);
  if (error != cudaSuccess)
    return ::testing::AssertionFailure() << cudaGetErrorName(error) << ": " << choice.reason;
  return far_apart::matches(out, p.output, [&](int batch, int row, int column) {
    return expected(c, batch, row, column);
  });
}

class FarApart : public ::testing::TestWithParam<const Variant*> {};
INSTANTIATE_TEST_SUITE_P(Gemm, FarApart, ::testing::ValuesIn(variants_that_run()),
                         [](const auto& tested) { return std::string(tested.param->name); });

TEST_P(FarApart, LinesAndBatchesAreReadAndWritten) {
  for (int layouts = 0; layouts < 4; ++layouts) {
    for (const bool is_aligned : {false, true}) {
      Case c = case_of(*GetParam(), layouts, is_aligned);
      c.beta = is_aligned ? 0 : 2;
      c.is_wide_output = layouts % 2 == 0;
      EXPECT_TRUE(is_computed(*GetParam(), c)) << described(c);
    }
  }
}

TEST_P(FarApart, PartsOfKAreAddedUp) {
  Case c = case_of(*GetParam(), 0, true);
  c.splits = 2;
  c.beta = 1;
  EXPECT_TRUE(is_computed(*GetParam(), c)) << described(c);
}

}  // namespace
}  // namespace archgrid::gemm
