// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Tests every variant of the matrix product on the CPU: index arithmetic, pipelines and the numbers
// of each device's tensor cores. tests/gpu has the same cases for GPUs.
#include <archgrid/cpu_emulator.hpp>

#include "../../gpu/gemm_cases.hpp"

namespace archgrid::gemm {
namespace {

struct Tested {
  const Variant* variant;
  int device;
};

void PrintTo(const Tested& tested, std::ostream* out) {
  *out << tested.variant->name << " on " << tested.device;
}

// The sources are compiled for one architecture; each device from it on rounds in its own way.
std::vector<Tested> all_variants(const std::vector<int>& devices) {
  std::vector<Tested> all;
  for (const Variant& variant : variants()) {
    for (const int device : devices) {
      if (variant.launch != nullptr && variant.first_device <= device)
        all.push_back({&variant, device});
    }
  }
  return all;
}

std::string test_name(const ::testing::TestParamInfo<Tested>& tested) {
  return tested.param.variant->name + std::string("_on_") + std::to_string(tested.param.device);
}

class GemmOnTheHost : public ::testing::TestWithParam<Tested> {
 protected:
  void SetUp() override { cpu_emulator::set_device(GetParam().device); }
  void TearDown() override {
    cpu_emulator::set_device(90);
    cpu_emulator::set_options({});
  }
};

constexpr int kArch = __CUDA_ARCH__ / 10;

class EveryCase : public GemmOnTheHost {};
INSTANTIATE_TEST_SUITE_P(Gemm, EveryCase, ::testing::ValuesIn(all_variants({kArch})), test_name);

TEST_P(EveryCase, IsComputed) {
  for (const Case& c : cases_around(*GetParam().variant)) {
    EXPECT_TRUE(computes(*GetParam().variant, c));
  }
}

TEST_P(EveryCase, ReadsNeitherANorBWhereAlphaOrKIs0) {
  for (const Case& c : cases_without_operands(*GetParam().variant))
    ASSERT_TRUE(computes(*GetParam().variant, c));
}

TEST_P(EveryCase, IsComputedWhateverTheOrderOfThreads) {
  for (const cpu_emulator::Order order :
       {cpu_emulator::Order::descending, cpu_emulator::Order::shuffled}) {
    cpu_emulator::Options chosen;
    chosen.order = order;
    cpu_emulator::set_options(chosen);
    const Variant& variant = *GetParam().variant;
    Case c{variant.tile_m + 1, variant.tile_n + 1, 3 * variant.tile_k + 1};
    c.b = Layout::column;
    EXPECT_TRUE(computes(variant, c));
  }
}

class EveryDevice : public GemmOnTheHost {};
INSTANTIATE_TEST_SUITE_P(Gemm, EveryDevice,
                         ::testing::ValuesIn(kArch < 80 ? all_variants({75})
                                                        : all_variants({80, 86, 89, 100, 120})),
                         test_name);

TEST_P(EveryDevice, StaysWithinTheBound) {
  for (const int k : {16, 333, 2000}) {
    Case c{19, 21, k};
    c.values = Values::reals;
    c.is_wide_output = true;
    EXPECT_TRUE(computes(*GetParam().variant, c));
    c.values = Values::integers;
    EXPECT_TRUE(computes(*GetParam().variant, c));
  }
}

}  // namespace
}  // namespace archgrid::gemm
