// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include <archgrid/gtest.hpp>
#include <string>
#include <vector>

#include "gemm_cases.hpp"

namespace archgrid::gemm {
namespace {

// Returns the variants in this build. Its configuration has reported those that it omits.
std::vector<const Variant*> built_variants() {
  std::vector<const Variant*> built;
  for (const Variant& variant : variants()) {
    if (variant.launch != nullptr) built.push_back(&variant);
  }
  return built;
}

class Gemm : public ::testing::TestWithParam<const Variant*> {
 protected:
  void SetUp() override {
    Device device;
    ASSERT_EQ(current_device(&device), cudaSuccess);
    if (device.capability < GetParam()->first_device) {
      GTEST_SKIP() << GetParam()->name << " needs a device from " << GetParam()->first_device / 10
                   << "." << GetParam()->first_device % 10 << " on";
    }
  }
};

INSTANTIATE_TEST_SUITE_P(Variants, Gemm, ::testing::ValuesIn(built_variants()),
                         [](const auto& tested) { return tested.param->name; });

TEST_P(Gemm, ComputesEveryCase) {
  for (const Case& c : cases_around(*GetParam())) {
    const auto result = computes(*GetParam(), c);
    EXPECT_TRUE(result);
    if (!result) break;  // one failure is enough
  }
}

TEST_P(Gemm, ReadsNeitherANorBWhereAlphaOrKIs0) {
  for (const Case& c : cases_without_operands(*GetParam())) ASSERT_TRUE(computes(*GetParam(), c));
}

TEST_P(Gemm, ComputesLargeMatrices) {
  for (const Values values : {Values::integers, Values::reals}) {
    Case c{517, 389, 261};
    c.values = values;
    ASSERT_TRUE(computes(*GetParam(), c));
    c.b = Layout::column;
    c.beta = values == Values::integers ? 2 : 0;
    ASSERT_TRUE(computes(*GetParam(), c));
  }
}

TEST(GemmAnyVariant, RefusesWhatItCannotCompute) {
  launches_no_kernel();
  Problem p;
  p.m = p.n = p.k = 4;
  Choice choice;
  EXPECT_EQ(gemm(p, {}, &choice), cudaErrorInvalidValue);
  EXPECT_EQ(choice.reason, "A's leading dimension is 0, and its rows have 4 elements");
  p.a.leading = p.b.leading = p.c.leading = 4;
  static float shared[32] = {};
  p.a.data = p.b.data = shared;
  p.c.data = shared + 15;
  EXPECT_EQ(gemm(p, {}, &choice), cudaErrorInvalidValue);
  EXPECT_EQ(choice.reason, "C and A share memory: C is written while A is read");
  p.m = 0;
  static const float somewhere[16] = {};
  p.b.data = somewhere;
  EXPECT_EQ(gemm(p, {}, &choice), cudaSuccess) << "there is nothing to do: " << choice.reason;
}

}  // namespace
}  // namespace archgrid::gemm
