// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Runs every variant with all memory accesses checked: no races, no reads before a write or an
// arrival, nothing out of bounds or misaligned.
#include <archgrid/cpu_emulator.hpp>

#include "../../gpu/gemm_cases.hpp"

namespace archgrid::gemm {
namespace {

class GemmChecked : public ::testing::TestWithParam<const Variant*> {};

std::vector<const Variant*> all_variants() {
  std::vector<const Variant*> all;
  for (const Variant& variant : variants()) {
    if (variant.launch != nullptr) all.push_back(&variant);
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Variants, GemmChecked, ::testing::ValuesIn(all_variants()),
                         [](const auto& tested) { return tested.param->name; });

// Shapes of a tile or two, and enough k-tiles to refill each stage.
TEST_P(GemmChecked, DoesNothingThatItMustNot) {
  ASSERT_TRUE(cpu_emulator::checks_accesses());
  const Variant& variant = *GetParam();
  const int k = (variant.stages + 1) * variant.tile_k;
  for (const bool is_aligned : {true, false}) {
    for (const Layout layout : {Layout::row, Layout::column}) {
      Case c{variant.tile_m / 2, variant.tile_n / 2, is_aligned ? k : k - 3};
      c.a = layout;
      c.b = layout;
      c.offset = is_aligned ? 0 : 1;
      c.beta = 2;
      c.has_bias = true;
      EXPECT_TRUE(computes(variant, c));
    }
  }
  Case edges{variant.tile_m + 1, 3, variant.tile_k + 1};
  EXPECT_TRUE(computes(variant, edges));
  Case split{5, 7, 4 * variant.tile_k};
  split.splits = 2;
  split.batches = 2;
  EXPECT_TRUE(computes(variant, split));
}

TEST_P(GemmChecked, ReadsNeitherANorBWhereAlphaOrKIs0) {
  for (const Case& c : cases_without_operands(*GetParam())) {
    // Only null pointers, which no access may use.
    if (c.operands != Operands::null) continue;
    ASSERT_TRUE(computes(*GetParam(), c));
  }
}

}  // namespace
}  // namespace archgrid::gemm
