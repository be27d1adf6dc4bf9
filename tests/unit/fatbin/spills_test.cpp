// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "spills.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <regex>

#include "samples.hpp"

namespace archgrid::fatbin {
namespace {

struct Said {
  std::uint32_t stack = 0;
  std::uint32_t stores = 0;
  std::uint32_t loads = 0;
  std::uint32_t registers = 0;
};

std::uint32_t number(const std::string& text) {
  return static_cast<std::uint32_t>(std::stoul(text));
}

/// Returns the output of `ptxas -v`, by kernel.
std::map<std::string, Said> said_by_ptxas(const std::string& path) {
  static const std::regex kPattern(
      "Function properties for (\\S+)\\s+(\\d+) bytes stack frame, (\\d+) bytes spill stores, "
      "(\\d+) bytes spill loads\\s+ptxas info\\s+: Used (\\d+) registers");
  const auto text = tests::contents_of(path);
  std::map<std::string, Said> said;
  for (std::sregex_iterator match(text.begin(), text.end(), kPattern), end; match != end; ++match) {
    said[(*match)[1]] = {number((*match)[2]), number((*match)[3]), number((*match)[4]),
                         number((*match)[5])};
  }
  return said;
}

class Spilled : public ::testing::TestWithParam<std::string> {};

TEST_P(Spilled, IsWhatPtxasSays) {
  const auto path = tests::sample_path(GetParam(), "spills.cubin");
  const auto said = said_by_ptxas(path + ".txt");
  const auto file = read(path);
  ASSERT_EQ(tests::complaints(file), "");
  ASSERT_EQ(file.images.at(0).kernels.size(), said.size());
  std::size_t spilling = 0;
  for (const auto& kernel : file.images[0].kernels) {
    ASSERT_EQ(said.count(kernel.name), 1U) << kernel.name;
    const auto& expected = said.at(kernel.name);
    EXPECT_EQ(kernel.registers, expected.registers) << kernel.name;
    EXPECT_EQ(kernel.stack, expected.stack) << kernel.name;
    if (!tests::is_13(GetParam())) {
      EXPECT_FALSE(kernel.spill_stores) << kernel.name;
      EXPECT_FALSE(kernel.spill_loads) << kernel.name;
      continue;
    }
    EXPECT_EQ(kernel.spill_stores, expected.stores) << kernel.name;
    EXPECT_EQ(kernel.spill_loads, expected.loads) << kernel.name;
    spilling += expected.stores != 0 ? 1 : 0;
  }
  EXPECT_GE(spilling, tests::is_13(GetParam()) ? 2U : 0U);
}

TEST_P(Spilled, LaunchBoundsAreRead) {
  for (const auto* name : {"spills.cubin", "spills.ptx"}) {
    const auto file = read(tests::sample_path(GetParam(), name));
    ASSERT_EQ(tests::complaints(file), "");
    std::size_t bounded = 0;
    for (const auto& kernel : file.images.at(0).kernels) {
      EXPECT_FALSE(kernel.required_threads);
      if (kernel.max_threads) ++bounded;
      if (kernel.name != "_Z7boundedPi") continue;
      EXPECT_EQ(kernel.max_threads, (BlockDim{256, 1, 1})) << name;
    }
    EXPECT_EQ(bounded, 1U) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Toolkit, Spilled, ::testing::ValuesIn(tests::toolkits()),
                         [](const auto& test) {
                           auto name = test.param;
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

TEST(AddSpills, AnAnnotationThatPointsNowhereMakesThemUncertain) {
  const std::string code(32, '\0');
  const std::string beyond("\1\0\0\0\x20\0\0\0", 8);
  const std::string no_access("\1\0\0\0\0\0\0\0", 8);
  const std::string other_type("\2\0\0\0\x20\0\0\0", 8);
  for (const auto& annotations : {beyond, no_access}) {
    Spills spills;
    add_spills(Bytes(annotations), Bytes(code), spills);
    EXPECT_FALSE(spills.certain);
  }
  Spills spills;
  add_spills(Bytes(other_type), Bytes(code), spills);
  EXPECT_TRUE(spills.certain);
}

}  // namespace
}  // namespace archgrid::fatbin
