// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <algorithm>
#include <archgrid/gtest/number_type.hpp>
#include <archgrid/gtest/numbers.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

namespace archgrid {
namespace {

constexpr FloatFormat kHalf = NumberType<__half>::format;
constexpr FloatFormat kBfloat16 = NumberType<__nv_bfloat16>::format;
constexpr FloatFormat kE4m3 = NumberType<__nv_fp8_e4m3>::format;
constexpr FloatFormat kE5m2 = NumberType<__nv_fp8_e5m2>::format;

TEST(SmallFloats, HaveTheirValues) {
  EXPECT_EQ(decode(0x3C00, kHalf), 1.0);
  EXPECT_EQ(decode(0xC500, kHalf), -5.0);
  EXPECT_EQ(decode(0x7BFF, kHalf), 65504.0);
  EXPECT_EQ(decode(0x0001, kHalf), std::ldexp(1.0, NumberType<__half>::min_exponent));
  EXPECT_EQ(decode(0x7C00, kHalf), HUGE_VAL);
  EXPECT_EQ(decode(0x3F80, kBfloat16), 1.0);
  EXPECT_EQ(decode(0x0001, kBfloat16), std::ldexp(1.0, NumberType<__nv_bfloat16>::min_exponent));
  EXPECT_EQ(decode(0xFF80, kBfloat16), -HUGE_VAL);
  EXPECT_EQ(decode(0x7E, kE4m3), 448.0);
  EXPECT_EQ(decode(0x01, kE4m3), std::ldexp(1.0, NumberType<__nv_fp8_e4m3>::min_exponent));
  EXPECT_EQ(decode(0x78, kE4m3), 256.0) << "the largest exponent is of numbers too";
  EXPECT_EQ(decode(0x7B, kE5m2), 57344.0);
  EXPECT_EQ(decode(0x01, kE5m2), std::ldexp(1.0, NumberType<__nv_fp8_e5m2>::min_exponent));
  EXPECT_EQ(decode(0x7C, kE5m2), HUGE_VAL);
  EXPECT_TRUE(std::isnan(decode(0x7C01, kHalf)));
  EXPECT_TRUE(std::isnan(decode(0xFF, kE4m3)));
  EXPECT_TRUE(std::isnan(decode(0x7D, kE5m2)));
}

TEST(SmallFloats, RoundToNearestAndTiesToEven) {
  EXPECT_EQ(encode(1.0 + 1.0 / 2048, kHalf), 0x3C00u);
  EXPECT_EQ(encode(1.0 + 3.0 / 2048, kHalf), 0x3C02u);
  EXPECT_EQ(encode(1.0 + 1.0 / 2048 + 1e-9, kHalf), 0x3C01u);
  EXPECT_EQ(encode(-2.0 + 1e-6, kHalf), 0xC000u) << "the carry goes to the exponent";
  EXPECT_EQ(encode(std::ldexp(1.0, -25), kHalf), 0x0000u);
  EXPECT_EQ(encode(std::ldexp(1.5, -25), kHalf), 0x0001u);
  EXPECT_EQ(encode(-0.0, kHalf), 0x8000u);
}

TEST(SmallFloats, OverflowAsTheToolkitsTypesDo) {
  EXPECT_EQ(encode(65519.0, kHalf), 0x7BFFu);
  EXPECT_EQ(encode(65520.0, kHalf), 0x7C00u);
  EXPECT_EQ(encode(-1e300, kBfloat16), 0xFF80u);
  EXPECT_EQ(encode(1e300, kE4m3), 0x7Eu);
  EXPECT_EQ(encode(-HUGE_VAL, kE5m2), 0xFBu);
  EXPECT_EQ(encode(std::nan(""), kHalf), 0x7FFFu);
  EXPECT_EQ(encode(std::nan(""), kE4m3), 0x7Fu);
}

TEST(SmallFloats, SurviveDecodingAndEncoding) {
  for (const FloatFormat& format : {kHalf, kBfloat16, kE4m3, kE5m2}) {
    const std::uint32_t count = 2u << (format.exponent_bits + format.fraction_bits);
    for (std::uint32_t bits = 0; bits < count; ++bits) {
      const double value = decode(bits, format);
      if (!std::isfinite(value)) continue;
      ASSERT_EQ(encode(value, format), bits) << format.exponent_bits;
    }
  }
}

TEST(Numbers, AreOfTheirKindAndRepeatable) {
  const std::vector<float> integers = small_integers(1000, 1);
  EXPECT_EQ(*std::min_element(integers.begin(), integers.end()), -4.0f);
  EXPECT_EQ(*std::max_element(integers.begin(), integers.end()), 4.0f);
  EXPECT_EQ(integers, small_integers(1000, 1));
  EXPECT_NE(integers, small_integers(1000, 2));
  const std::vector<float> reals = uniform(1000, 1);
  EXPECT_LT(*std::min_element(reals.begin(), reals.end()), -0.9f);
  EXPECT_GT(*std::max_element(reals.begin(), reals.end()), 0.9f);
  EXPECT_TRUE(std::all_of(reals.begin(), reals.end(), [](float x) { return x >= -1 && x < 1; }));
  const std::vector<double> near = normal<double>(100000, 1);
  const double mean = std::accumulate(near.begin(), near.end(), 0.0) / 100000;
  const double square = std::inner_product(near.begin(), near.end(), near.begin(), 0.0) / 100000;
  EXPECT_NEAR(mean, 0.0, 0.02);
  EXPECT_NEAR(square, 1.0, 0.02);
}

// The numbers must never change, on any machine.
TEST(Numbers, AreTheSameEverywhere) {
  RandomBits bits(0);
  EXPECT_EQ(bits.next(), 0xE220A8397B1DCDAFu) << "the first of SplitMix64 from 0";
  EXPECT_EQ(small_integers<int>(6, 7), (std::vector<int>{-1, 2, -4, 2, 3, -1}));
  EXPECT_EQ(uniform<double>(2, 7),
            (std::vector<double>{-0.22034050321745702, -0.9664234109436878}));
  EXPECT_EQ(normal<double>(2, 7), (std::vector<double>{0.23760749446228147, -1.8387014248874038}));
}

TEST(Numbers, AreOfEveryType) {
  const std::vector<unsigned> natural = small_integers<unsigned>(1000, 1);
  EXPECT_EQ(*std::max_element(natural.begin(), natural.end()), 4u);
  const std::vector<std::int8_t> any = uniform<std::int8_t>(10000, 1);
  EXPECT_EQ(*std::min_element(any.begin(), any.end()), -128);
  EXPECT_EQ(*std::max_element(any.begin(), any.end()), 127);
  const std::vector<float> rounded = normal<float>(100, 3);
  const std::vector<double> exact = normal<double>(100, 3);
  for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(rounded[i], static_cast<float>(exact[i]));
}

}  // namespace
}  // namespace archgrid
