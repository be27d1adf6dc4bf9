// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Compares archgrid's conversions of the toolkit's number types with those of the toolkit's
// headers.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <archgrid/gtest.hpp>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace {

using archgrid::NumberType;

template <class T>
class ToolkitNumbers : public ::testing::Test {};
using Types = ::testing::Types<__half, __nv_bfloat16, __nv_fp8_e4m3, __nv_fp8_e5m2>;
TYPED_TEST_SUITE(ToolkitNumbers, Types);

template <class T>
std::uint32_t bits_of(const T& number) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, static_cast<const void*>(&number), sizeof number);
  return bits;
}

template <class T>
T number_of(std::uint32_t bits) {
  T number;
  std::memcpy(static_cast<void*>(&number), &bits, sizeof number);
  return number;
}

TYPED_TEST(ToolkitNumbers, HaveTheValueThatTheToolkitGivesThem) {
  for (std::uint32_t bits = 0; bits < 1u << (8 * sizeof(TypeParam)); ++bits) {
    const auto number = number_of<TypeParam>(bits);
    const auto want = static_cast<double>(static_cast<float>(number));
    const double got = NumberType<TypeParam>::to_double(number);
    ASSERT_TRUE(got == want || (std::isnan(got) && std::isnan(want))) << bits << ": " << got;
  }
}

TYPED_TEST(ToolkitNumbers, AreRoundedAsTheToolkitRoundsThem) {
  std::vector<float> values = {0.0f, -0.0f, HUGE_VALF, -HUGE_VALF, std::nanf(""), 65519.0f};
  archgrid::RandomBits bits(archgrid::seed());
  for (int i = 0; i < 200000; ++i) {
    const auto random = static_cast<std::uint32_t>(bits.next());
    values.push_back(number_of<float>(random));
    // Around the exponents of the small types, and half-way between their numbers.
    values.push_back(std::ldexp(number_of<float>((random & 0x807FF000u) | 0x3F800000u),
                                static_cast<int>(bits.next() % 48) - 30));
  }
  for (const float value : values) {
    const auto got = NumberType<TypeParam>::from_double(static_cast<double>(value));
    const TypeParam want(value);
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(static_cast<float>(got)));
      continue;
    }
    ASSERT_EQ(bits_of(got), bits_of(want)) << value;
  }
}

TYPED_TEST(ToolkitNumbers, AreComparedAndGenerated) {
  const auto integers = archgrid::small_integers<TypeParam>(1000, archgrid::seed());
  EXPECT_TRUE(archgrid::equal(integers, archgrid::small_integers<int>(1000, archgrid::seed())));
  const auto reals = archgrid::uniform<TypeParam>(1000, archgrid::seed());
  const std::vector<double> zeros(1000, 0.0);
  EXPECT_TRUE(archgrid::within(reals, zeros, 1.0));
  EXPECT_FALSE(archgrid::within(reals, zeros, 0.4));
  EXPECT_FALSE(archgrid::equal(reals, zeros));
  const auto normals = archgrid::normal<TypeParam>(1000, archgrid::seed());
  EXPECT_TRUE(archgrid::within(normals, archgrid::normal<double>(1000, archgrid::seed()), 0.5));
  const archgrid::DeviceBuffer<TypeParam> poison(3);
  EXPECT_FALSE(archgrid::within(poison, std::vector<float>(3, 1.0f), 0.5));
  EXPECT_TRUE(std::isnan(NumberType<TypeParam>::to_double(poison.to_host()[0])));
}

}  // namespace
