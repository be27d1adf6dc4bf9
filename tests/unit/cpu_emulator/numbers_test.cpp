// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <gtest/gtest.h>

#include <archgrid/cpu_emulator/rounding.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

namespace archgrid::cpu_emulator {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

template <class Number>
Number number_of(unsigned code);
template <>
__half number_of<__half>(unsigned code) {
  return __ushort_as_half(static_cast<unsigned short>(code));
}
template <>
__nv_bfloat16 number_of<__nv_bfloat16>(unsigned code) {
  return __ushort_as_bfloat16(static_cast<unsigned short>(code));
}

__half half_of(unsigned code) {
  return number_of<__half>(code);
}
__nv_bfloat16 bfloat_of(unsigned code) {
  return number_of<__nv_bfloat16>(code);
}

/// Tests of both 16-bit numbers.
template <class Number>
class SixteenBitsTest : public ::testing::Test {};
using Numbers = ::testing::Types<__half, __nv_bfloat16>;
TYPED_TEST_SUITE(SixteenBitsTest, Numbers);

template <class Number>
constexpr unsigned code_of_infinity = std::is_same_v<Number, __half> ? 0x7c00 : 0x7f80;

/// Returns some numbers of all kinds.
template <class Number>
std::vector<Number> some_numbers() {
  std::vector<Number> numbers;
  for (const unsigned sign : {0x0000U, 0x8000U}) {
    for (const unsigned code : {0x0000U, 0x0001U, 0x0002U, 0x007fU, 0x0080U, 0x03ffU, 0x0400U,
                                0x3c00U, 0x3f80U, 0x7bffU, 0x7c00U, 0x7f7fU, 0x7f80U, 0x7fffU}) {
      numbers.push_back(number_of<Number>(code | sign));
    }
    for (unsigned code = 0; code < 0x8000; code += 157) {
      numbers.push_back(number_of<Number>(code | sign));
    }
  }
  return numbers;
}

TYPED_TEST(SixteenBitsTest, IsPlainData) {
  static_assert(std::is_trivially_default_constructible_v<TypeParam>);
  static_assert(std::is_trivially_copyable_v<TypeParam>);
  static_assert(std::is_standard_layout_v<TypeParam>);
  static_assert(sizeof(TypeParam) == 2 && alignof(TypeParam) == 2);
  using Pair = decltype(__hadd2({TypeParam(), TypeParam()}, {TypeParam(), TypeParam()}));
  static_assert(std::is_trivially_default_constructible_v<Pair>);
  static_assert(std::is_trivially_copyable_v<Pair>);
  static_assert(sizeof(Pair) == 4 && alignof(Pair) == 4);
}

TYPED_TEST(SixteenBitsTest, KeepsEveryCodeByWayOfFloatAndDouble) {
  for (unsigned code = 0; code < 65536; ++code) {
    const auto number = number_of<TypeParam>(code);
    const bool nan = (code & 0x7fff) > code_of_infinity<TypeParam>;
    const unsigned expected = nan ? 0x7fff : code;
    ASSERT_EQ(__hisnan(number), nan);
    ASSERT_EQ(std::isnan(static_cast<float>(number)), nan);
    ASSERT_EQ(code_of(TypeParam(static_cast<float>(number))), expected);
    ASSERT_EQ(code_of(TypeParam(value_of(number))), expected);
  }
}

TYPED_TEST(SixteenBitsTest, GivesCodesTheirOrder) {
  for (unsigned code = 0; code < code_of_infinity<TypeParam>; ++code) {
    const auto number = number_of<TypeParam>(code);
    const auto next = number_of<TypeParam>(code + 1);
    ASSERT_LT(value_of(number), value_of(next));
    ASSERT_EQ(value_of(number_of<TypeParam>(code | 0x8000)), -value_of(number));
  }
}

/// Tests all pairs of finite neighbours: the tie between them goes to the even code, any other
/// number to the nearer neighbour, however close to the tie it is.
TYPED_TEST(SixteenBitsTest, RoundsToTheNearestAndTiesToEven) {
  for (unsigned code = 0; code + 1 < code_of_infinity<TypeParam>; ++code) {
    const double low = value_of(number_of<TypeParam>(code));
    const double high = value_of(number_of<TypeParam>(code + 1));
    const double tie = (low + high) / 2;
    for (const double sign : {1.0, -1.0}) {
      const unsigned bit = sign < 0 ? 0x8000 : 0;
      ASSERT_EQ(code_of(TypeParam(sign * tie)), (code + code % 2) | bit);
      ASSERT_EQ(code_of(TypeParam(sign * std::nextafter(tie, infinity))), (code + 1) | bit);
      ASSERT_EQ(code_of(TypeParam(sign * std::nextafter(tie, 0.0))), code | bit);
      ASSERT_EQ(code_of(TypeParam(sign * std::nextafter(low, infinity))), code | bit);
      ASSERT_EQ(code_of(TypeParam(sign * std::nextafter(high, 0.0))), (code + 1) | bit);
    }
    // All ties are exact in float, too, but not the doubles next to them.
    ASSERT_EQ(code_of(TypeParam(static_cast<float>(tie))), code + code % 2);
  }
}

TYPED_TEST(SixteenBitsTest, OverflowsFromHalfAStepAboveTheLargest) {
  const unsigned largest = code_of_infinity<TypeParam> - 1;
  const double top = value_of(number_of<TypeParam>(largest));
  const double end = top + (top - value_of(number_of<TypeParam>(largest - 1))) / 2;
  EXPECT_EQ(code_of(TypeParam(std::nextafter(end, 0.0))), largest);
  EXPECT_EQ(code_of(TypeParam(end)), largest + 1);
  EXPECT_EQ(code_of(TypeParam(-end)), (largest + 1) | 0x8000);
  EXPECT_EQ(code_of(TypeParam(std::numeric_limits<double>::max())), largest + 1);
  EXPECT_EQ(code_of(TypeParam(infinity)), largest + 1);
  EXPECT_EQ(code_of(TypeParam(-infinity)), (largest + 1) | 0x8000);
  EXPECT_EQ(__hisinf(TypeParam(infinity)), 1);
  EXPECT_EQ(__hisinf(TypeParam(-infinity)), -1);
  EXPECT_EQ(__hisinf(TypeParam(no_number)), 0);
}

TYPED_TEST(SixteenBitsTest, HasOneNaN) {
  for (const double nan : {no_number, -no_number}) {
    EXPECT_EQ(code_of(TypeParam(nan)), 0x7fff);
    EXPECT_EQ(code_of(TypeParam(static_cast<float>(nan))), 0x7fff);
  }
  const TypeParam zero = 0.0;
  const TypeParam large = infinity;
  EXPECT_EQ(code_of(zero / zero), 0x7fff);
  EXPECT_EQ(code_of(large - large), 0x7fff);
  EXPECT_EQ(code_of(zero * large), 0x7fff);
  EXPECT_EQ(code_of(__hfma(large, zero, zero)), 0x7fff);
  EXPECT_EQ(code_of(__hfma(large, large, -large)), 0x7fff);
  const auto other = number_of<TypeParam>(0xfff1);
  EXPECT_EQ(code_of(-other), 0x7fff);
  EXPECT_EQ(code_of(__habs(other)), 0x7fff);
  EXPECT_EQ(code_of(other + zero), 0x7fff);
}

/// Float has enough bits for one operation on numbers of up to 11 bits.
TYPED_TEST(SixteenBitsTest, ComputesWhatFloatComputesRounded) {
  for (const auto a : some_numbers<TypeParam>()) {
    for (const auto b : some_numbers<TypeParam>()) {
      const float x = a;
      const float y = b;
      ASSERT_EQ(code_of(a + b), code_of(TypeParam(x + y))) << x << " " << y;
      ASSERT_EQ(code_of(a - b), code_of(TypeParam(x - y))) << x << " " << y;
      ASSERT_EQ(code_of(a * b), code_of(TypeParam(x * y))) << x << " " << y;
      ASSERT_EQ(code_of(a / b), code_of(TypeParam(x / y))) << x << " " << y;
    }
  }
}

TYPED_TEST(SixteenBitsTest, FusesAsExactArithmeticDoes) {
  std::mt19937 random(1);
  std::uniform_int_distribution<unsigned> codes(0, 65535);
  for (int i = 0; i < 200'000; ++i) {
    const auto a = number_of<TypeParam>(codes(random));
    const auto b = number_of<TypeParam>(codes(random));
    // An addend of the product's size, which cancels part of it, or of any other size.
    const auto c = i % 2 == 0
                       ? number_of<TypeParam>(codes(random))
                       : number_of<TypeParam>((code_of(-(a * b)) + codes(random) % 5 - 2) & 0xffff);
    const auto result = __hfma(a, b, c);
    const double product = value_of(a) * value_of(b);
    if (!std::isfinite(product + value_of(c)) || __hisinf(result) != 0) {
      continue;
    }
    // The exact result is no further from `result` than from its neighbours. The differences are
    // exact, or so different that rounding does not matter.
    const auto distance = [&](int step) {
      const auto code = static_cast<unsigned>(code_of(result) + step);
      const auto neighbour = value_of(number_of<TypeParam>(code & 0xffff));
      return std::fabs((product - neighbour) + value_of(c));
    };
    if ((code_of(result) & 0x7fff) != 0 &&
        __hisinf(number_of<TypeParam>(code_of(result) + 1U)) == 0) {
      ASSERT_LE(distance(0), distance(1))
          << value_of(a) << " " << value_of(b) << " " << value_of(c);
      ASSERT_LE(distance(0), distance(-1));
    }
  }
}

TYPED_TEST(SixteenBitsTest, ComparesAsNumbersCompare) {
  for (const auto a : some_numbers<TypeParam>()) {
    for (const auto b : some_numbers<TypeParam>()) {
      const double x = value_of(a);
      const double y = value_of(b);
      const bool unordered = std::isnan(x) || std::isnan(y);
      ASSERT_EQ(a == b, x == y);
      ASSERT_EQ(a != b, x != y);
      ASSERT_EQ(a < b, x < y);
      ASSERT_EQ(a > b, x > y);
      ASSERT_EQ(a <= b, x <= y);
      ASSERT_EQ(a >= b, x >= y);
      ASSERT_EQ(__hne(a, b), !unordered && x != y);
      ASSERT_EQ(__hequ(a, b), unordered || x == y);
      ASSERT_EQ(__hltu(a, b), unordered || x < y);
    }
  }
}

TYPED_TEST(SixteenBitsTest, TakesTheLargerAndTheSmaller) {
  const TypeParam nan = no_number;
  const TypeParam zero = 0.0;
  const TypeParam negative_zero = -0.0;
  EXPECT_EQ(__hmax(TypeParam(2.0), TypeParam(3.0)), TypeParam(3.0));
  EXPECT_EQ(__hmin(TypeParam(2.0), TypeParam(3.0)), TypeParam(2.0));
  EXPECT_EQ(code_of(__hmax(negative_zero, zero)), code_of(zero));
  EXPECT_EQ(code_of(__hmax(zero, negative_zero)), code_of(zero));
  EXPECT_EQ(code_of(__hmin(negative_zero, zero)), code_of(negative_zero));
  EXPECT_EQ(code_of(__hmin(zero, negative_zero)), code_of(negative_zero));
  EXPECT_EQ(code_of(__hmax_nan(zero, negative_zero)), code_of(zero));
  EXPECT_EQ(code_of(__hmin_nan(zero, negative_zero)), code_of(negative_zero));
  EXPECT_EQ(__hmax(nan, TypeParam(-2.0)), TypeParam(-2.0));
  EXPECT_EQ(__hmin(TypeParam(-2.0), nan), TypeParam(-2.0));
  EXPECT_EQ(code_of(__hmax(nan, nan)), 0x7fff);
  EXPECT_EQ(code_of(__hmax_nan(nan, zero)), 0x7fff);
  EXPECT_EQ(code_of(__hmin_nan(zero, nan)), 0x7fff);
}

TYPED_TEST(SixteenBitsTest, SaturatesAndCutsOff) {
  const TypeParam two = 2.0;
  EXPECT_EQ(__hadd_sat(two, two), TypeParam(1.0));
  EXPECT_EQ(__hsub_sat(two, TypeParam(1.5)), TypeParam(0.5));
  EXPECT_EQ(code_of(__hmul_sat(two, -two)), 0x0000);
  EXPECT_EQ(code_of(__hfma_sat(TypeParam(no_number), two, two)), 0x0000);
  EXPECT_EQ(code_of(__hfma_relu(two, -two, TypeParam(1.0))), 0x0000);
  EXPECT_EQ(__hfma_relu(two, two, TypeParam(1.0)), TypeParam(5.0));
  EXPECT_EQ(code_of(__hfma_relu(TypeParam(no_number), two, two)), 0x7fff);
}

TYPED_TEST(SixteenBitsTest, ConvertsIntegersAndToThem) {
  EXPECT_EQ(static_cast<int>(TypeParam(-7.75)), -7);
  EXPECT_EQ(static_cast<unsigned>(TypeParam(-7.75)), 0U);
  EXPECT_EQ(static_cast<signed char>(TypeParam(300)), 127);
  EXPECT_EQ(static_cast<unsigned char>(TypeParam(300)), 255);
  EXPECT_EQ(static_cast<short>(TypeParam(-infinity)), -32768);
  EXPECT_EQ(static_cast<short>(TypeParam(32768)), 32767);
  EXPECT_EQ(static_cast<unsigned>(TypeParam(infinity)), 0xffffffffU);
  EXPECT_EQ(static_cast<long long>(TypeParam(infinity)), std::numeric_limits<long long>::max());
  EXPECT_EQ(static_cast<int>(TypeParam(no_number)), 0);
  EXPECT_EQ(static_cast<long long>(TypeParam(no_number)), std::numeric_limits<long long>::min());
  EXPECT_EQ(static_cast<unsigned long long>(TypeParam(no_number)), 0x8000000000000000U);
  EXPECT_FALSE(static_cast<bool>(TypeParam(-0.0)));
  EXPECT_TRUE(static_cast<bool>(TypeParam(no_number)));
  EXPECT_EQ(TypeParam(-3), TypeParam(-3.0));
  EXPECT_EQ(TypeParam(3ULL), TypeParam(3.0));
  TypeParam number = 1.0;
  number = 3;
  EXPECT_EQ(number++, TypeParam(3.0));
  EXPECT_EQ(--number, TypeParam(3.0));
  number /= TypeParam(2);
  EXPECT_EQ(-number, TypeParam(-1.5));
}

TYPED_TEST(SixteenBitsTest, DoesToPairsWhatItDoesToBoth) {
  using Pair = decltype(__hadd2({TypeParam(), TypeParam()}, {TypeParam(), TypeParam()}));
  const Pair a(1.0, 2.0);
  const Pair b(4.0, 2.0);
  EXPECT_EQ(a + b, Pair(5.0, 4.0));
  EXPECT_EQ(a - b, Pair(-3.0, 0.0));
  EXPECT_EQ(a * b, Pair(4.0, 4.0));
  EXPECT_EQ(a / b, Pair(0.25, 1.0));
  EXPECT_EQ(-a, Pair(-1.0, -2.0));
  EXPECT_EQ(__hfma2(a, b, a), Pair(5.0, 6.0));
  EXPECT_EQ(__hmax2(a, b), Pair(4.0, 2.0));
  EXPECT_EQ(__hcmadd(a, b, a), Pair(1.0, 12.0));  // (1 + 2i) (4 + 2i) + (1 + 2i)
  EXPECT_EQ(__heq2(a, b), Pair(0.0, 1.0));
  EXPECT_EQ(__heq2_mask(a, b), 0xffff0000U);
  EXPECT_TRUE(__hble2(a, b));
  EXPECT_FALSE(a == b);
  EXPECT_FALSE(a != b);  // as in CUDA: true only if both differ
  EXPECT_EQ(__low2float(b), 4.0F);
  EXPECT_EQ(__high2float(b), 2.0F);
  EXPECT_EQ(__lowhigh2highlow(b), Pair(2.0, 4.0));
  EXPECT_EQ(bits_as<std::uint32_t>(Pair(0.0, -0.0)), 0x80000000U);
}

TEST(Half, HasTheValuesOfIts) {
  EXPECT_EQ(__half2float(half_of(0x0001)), 0x1p-24F);
  EXPECT_EQ(__half2float(half_of(0x03ff)), 0x3ffp-24F);
  EXPECT_EQ(__half2float(half_of(0x0400)), 0x1p-14F);
  EXPECT_EQ(__half2float(half_of(0x7bff)), 65504.0F);
  EXPECT_EQ(bits_as<std::uint32_t>(__half2float(half_of(0xfc01))), 0x7fffffffU);
  EXPECT_EQ(__half_as_ushort(__float2half(65520.0F)), 0x7c00);
  EXPECT_EQ(__half_as_ushort(__float2half(65519.996F)), 0x7bff);
  EXPECT_EQ(__half_as_ushort(__float2half(0x1p-25F)), 0x0000);
  EXPECT_EQ(__half_as_ushort(__float2half(0x1.8p-24F)), 0x0002);
  EXPECT_EQ(__half_as_short(half_of(0xffff)), -1);
}

TEST(Half, RoundsInOtherWays) {
  EXPECT_EQ(__half_as_ushort(__float2half_rz(1e9F)), 0x7bff);
  EXPECT_EQ(__half_as_ushort(__float2half_ru(1e9F)), 0x7c00);
  EXPECT_EQ(__half_as_ushort(__float2half_rd(-1e9F)), 0xfc00);
  EXPECT_EQ(__half_as_ushort(__float2half_ru(-1e9F)), 0xfbff);
  EXPECT_EQ(__half_as_ushort(__float2half_ru(1e-20F)), 0x0001);
  EXPECT_EQ(__half_as_ushort(__float2half_rd(1e-20F)), 0x0000);
  EXPECT_EQ(__half_as_ushort(__float2half_rd(-1e-20F)), 0x8001);
  EXPECT_EQ(__half2int_rn(2.5), 2);
  EXPECT_EQ(__half2int_ru(2.25), 3);
  EXPECT_EQ(__half2int_rd(-2.25), -3);
  EXPECT_EQ(__half_as_ushort(__int2half_ru(2049)), 0x6801);
  EXPECT_EQ(__half_as_ushort(__int2half_rz(2049)), 0x6800);
}

/// A double next to a tie, which float would round to the tie.
TEST(Half, RoundsDoubleOnce) {
  const double above = 1 + 0x1p-11 + 0x1p-40;
  EXPECT_EQ(__half_as_ushort(__float2half(static_cast<float>(above))), 0x3c00);
  EXPECT_EQ(__half_as_ushort(__double2half(above)), 0x3c01);
  const double below = 1 + 0x3p-11 - 0x1p-40;
  EXPECT_EQ(__half_as_ushort(__float2half(static_cast<float>(below))), 0x3c02);
  EXPECT_EQ(__half_as_ushort(__double2half(below)), 0x3c01);
  const double subnormal = 0x1p-25 + 0x1p-60;
  EXPECT_EQ(__half_as_ushort(__float2half(static_cast<float>(subnormal))), 0x0000);
  EXPECT_EQ(__half_as_ushort(__double2half(subnormal)), 0x0001);
}

/// a * b + c = 1 + 2^-10 + 2^-11 - 2^-31: below a tie by less than a float can represent.
TEST(Half, FusesWithOneRounding) {
  const __half a = 1 + 0x1p-10;
  const __half b = (1 - 0x1p-10) * 0x1p-11;
  const __half c = 1 + 0x1p-10;
  EXPECT_EQ(__half_as_ushort(__float2half(
                std::fma(static_cast<float>(a), static_cast<float>(b), static_cast<float>(c)))),
            0x3c02);
  EXPECT_EQ(__half_as_ushort(__hfma(a, b, c)), 0x3c01);
  EXPECT_EQ(__half_as_ushort(__hadd(__hmul(a, b), c)), 0x3c02);
}

TEST(Half, IsTheBfloat16ThatItWasMadeOf) {
  EXPECT_EQ(static_cast<__half>(__nv_bfloat16(1.5)), __half(1.5));
  EXPECT_EQ(static_cast<__nv_bfloat16>(__half(1.5)), __nv_bfloat16(1.5));
  EXPECT_EQ(__half_as_ushort(static_cast<__half>(__nv_bfloat16(1e30))), 0x7c00);
}

TEST(Half, IsInPairsInTheOrderOfTheirNames) {
  const auto pair = __floats2half2_rn(1, 2);
  EXPECT_EQ(__low2half(pair), __half(1.0));
  EXPECT_EQ(__high2half(pair), __half(2.0));
  EXPECT_EQ(__halves2half2(1.0, 2.0), pair);
  EXPECT_EQ(__float22half2_rn(float2{1, 2}), pair);
  EXPECT_EQ(__half22float2(pair).x, 1.0F);
  EXPECT_EQ(__half22float2(pair).y, 2.0F);
  EXPECT_EQ(__low2half2(pair), __half2half2(1.0));
  EXPECT_EQ(__highs2half2(pair, __float2half2_rn(3)), make_half2(2.0, 3.0));
}

TEST(Bfloat16, HasTheValuesOfIts) {
  EXPECT_EQ(__bfloat162float(bfloat_of(0x0001)), 0x1p-133F);
  EXPECT_EQ(__bfloat162float(bfloat_of(0x3f80)), 1.0F);
  EXPECT_EQ(__bfloat162float(bfloat_of(0x7f7f)), 0x1.fep127F);
  EXPECT_EQ(bits_as<std::uint32_t>(__bfloat162float(bfloat_of(0xff81))), 0xff810000U);
  EXPECT_EQ(__bfloat16_as_ushort(__float2bfloat16(0x1p-134F)), 0x0000);
  EXPECT_EQ(__bfloat16_as_ushort(__float2bfloat16(0x1.8p-133F)), 0x0002);
  EXPECT_EQ(__bfloat16_as_ushort(__float2bfloat16(std::numeric_limits<float>::max())), 0x7f80);
}

TEST(Bfloat16, RoundsDoubleAndLongIntegersOnce) {
  const double above = 1 + 0x1p-8 + 0x1p-40;
  EXPECT_EQ(__bfloat16_as_ushort(__float2bfloat16(static_cast<float>(above))), 0x3f80);
  EXPECT_EQ(__bfloat16_as_ushort(__double2bfloat16(above)), 0x3f81);
  const long long integer = (1LL << 62) + (1LL << 54) + 1;
  EXPECT_EQ(__bfloat16_as_ushort(__double2bfloat16(static_cast<double>(integer))), 0x5e80);
  EXPECT_EQ(__bfloat16_as_ushort(__ll2bfloat16_rn(integer)), 0x5e81);
  EXPECT_EQ(__bfloat16_as_ushort(__ll2bfloat16_rn(-integer)), 0xde81);
}

/// 7 * 37 = 259 is the tie between 258 and 260, 9 * 29 = 261 that between 260 and 262. The addend,
/// which even double loses, decides.
TEST(Bfloat16, FusesWithOneRounding) {
  EXPECT_EQ(__nv_bfloat16(7.0 * 37.0 - 0x1p-100), __nv_bfloat16(260.0));
  EXPECT_EQ(__hfma(__nv_bfloat16(7), __nv_bfloat16(37), __nv_bfloat16(-0x1p-100)),
            __nv_bfloat16(258.0));
  EXPECT_EQ(__nv_bfloat16(9.0 * 29.0 + 0x1p-100), __nv_bfloat16(260.0));
  EXPECT_EQ(__hfma(__nv_bfloat16(9), __nv_bfloat16(29), __nv_bfloat16(0x1p-100)),
            __nv_bfloat16(262.0));
  EXPECT_EQ(__hfma(__nv_bfloat16(-9), __nv_bfloat16(29), __nv_bfloat16(-0x1p-100)),
            __nv_bfloat16(-262.0));
}

TEST(Fp8, KeepsEveryCode) {
  for (unsigned code = 0; code < 256; ++code) {
    __nv_fp8_e4m3 e4m3;
    e4m3.__x = static_cast<__nv_fp8_storage_t>(code);
    const unsigned kept_e4m3 = (code & 0x7f) == 0x7f ? 0x7f : code;
    ASSERT_EQ(__nv_fp8_e4m3(static_cast<float>(e4m3)).__x, kept_e4m3);
    ASSERT_EQ(__nv_fp8_e4m3(static_cast<__half>(e4m3)).__x, kept_e4m3);
    ASSERT_EQ(__nv_fp8_e4m3(static_cast<__nv_bfloat16>(e4m3)).__x, kept_e4m3);
    __nv_fp8_e5m2 e5m2;
    e5m2.__x = static_cast<__nv_fp8_storage_t>(code);
    const unsigned kept_e5m2 = (code & 0x7f) > 0x7c ? 0x7f : code;
    const auto value = static_cast<float>(e5m2);
    ASSERT_EQ(__nv_cvt_float_to_fp8(value, __NV_NOSAT, __NV_E5M2), kept_e5m2);
    ASSERT_EQ(__nv_cvt_double_to_fp8(static_cast<double>(e5m2), __NV_NOSAT, __NV_E5M2) & 0x7f,
              std::isnan(value) ? 0x7f : code & 0x7f);
  }
}

TEST(Fp8, HasTheValuesOfIts) {
  const auto e4m3 = [](unsigned code) {
    return __half2float(__nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(code), __NV_E4M3));
  };
  EXPECT_EQ(e4m3(0x01), 0x1p-9F);
  EXPECT_EQ(e4m3(0x07), 0x7p-9F);
  EXPECT_EQ(e4m3(0x08), 0x1p-6F);
  EXPECT_EQ(e4m3(0x38), 1.0F);
  EXPECT_EQ(e4m3(0x7e), 448.0F);
  EXPECT_EQ(e4m3(0xfe), -448.0F);
  EXPECT_TRUE(std::isnan(e4m3(0x7f)));
  EXPECT_EQ(__nv_cvt_fp8_to_halfraw(0xff, __NV_E4M3).x, 0x7fff);
  EXPECT_EQ(__nv_cvt_fp8_to_halfraw(0x7b, __NV_E5M2).x, 0x7b00);
  EXPECT_EQ(__nv_cvt_fp8_to_halfraw(0xfc, __NV_E5M2).x, 0xfc00);
  EXPECT_EQ(__nv_cvt_fp8_to_halfraw(0xfd, __NV_E5M2).x, 0x7fff);
}

TEST(Fp8, RoundsOnceToEven) {
  const auto e4m3 = [](double x) { return __nv_cvt_double_to_fp8(x, __NV_SATFINITE, __NV_E4M3); };
  EXPECT_EQ(e4m3(1 + 0x1p-4), 0x38);
  EXPECT_EQ(e4m3(1 + 0x1p-4 + 0x1p-50), 0x39);
  EXPECT_EQ(e4m3(1 + 0x3p-4), 0x3a);
  EXPECT_EQ(e4m3(0x1p-10), 0x00);
  EXPECT_EQ(e4m3(-0x1p-10 - 0x1p-60), 0x81);
  EXPECT_EQ(e4m3(0x1.ep-7), 0x08);  // the tie between the largest subnormal and the next number
}

TEST(Fp8, SaturatesOrHasWhatStandsForMore) {
  const auto convert = [](float x, __nv_saturation_t how, __nv_fp8_interpretation_t kind) {
    return static_cast<unsigned>(__nv_cvt_float_to_fp8(x, how, kind));
  };
  EXPECT_EQ(convert(464, __NV_NOSAT, __NV_E4M3), 0x7eU);
  EXPECT_EQ(convert(465, __NV_NOSAT, __NV_E4M3), 0x7fU);
  EXPECT_EQ(convert(-465, __NV_NOSAT, __NV_E4M3), 0xffU);
  EXPECT_EQ(convert(465, __NV_SATFINITE, __NV_E4M3), 0x7eU);
  EXPECT_EQ(convert(61439, __NV_NOSAT, __NV_E5M2), 0x7bU);
  EXPECT_EQ(convert(61440, __NV_NOSAT, __NV_E5M2), 0x7cU);
  EXPECT_EQ(convert(61440, __NV_SATFINITE, __NV_E5M2), 0x7bU);
  const auto endless = std::numeric_limits<float>::infinity();
  EXPECT_EQ(convert(-endless, __NV_SATFINITE, __NV_E4M3), 0xfeU);
  EXPECT_EQ(convert(-endless, __NV_SATFINITE, __NV_E5M2), 0xfbU);
  EXPECT_EQ(convert(-endless, __NV_NOSAT, __NV_E5M2), 0xfcU);
  const auto nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(convert(-nan, __NV_SATFINITE, __NV_E4M3), 0x7fU);
  EXPECT_EQ(convert(-nan, __NV_NOSAT, __NV_E5M2), 0x7fU);
  EXPECT_EQ(__nv_fp8_e4m3(std::numeric_limits<long long>::max()).__x, 0x7e);
  EXPECT_EQ(static_cast<int>(__nv_fp8_e4m3(-17)), -16);
}

TEST(Fp8, IsInPairsAndFoursFromTheLowestBitsOn) {
  EXPECT_EQ(__nv_fp8x2_e4m3(float2{1, -448}).__x, 0xfe38);
  EXPECT_EQ(__nv_cvt_float2_to_fp8x2(float2{1, 2}, __NV_SATFINITE, __NV_E5M2), 0x403c);
  EXPECT_EQ(__nv_fp8x2_e5m2(__floats2half2_rn(1, 2)).__x, 0x403c);
  EXPECT_EQ(__nv_fp8x2_e5m2(__floats2bfloat162_rn(1, 2)).__x, 0x403c);
  const __nv_fp8x4_e4m3 four(float4{1, 2, 4, -8});
  EXPECT_EQ(four.__x, 0xd0484038U);
  const auto floats = static_cast<float4>(four);
  EXPECT_EQ(floats.x, 1.0F);
  EXPECT_EQ(floats.y, 2.0F);
  EXPECT_EQ(floats.z, 4.0F);
  EXPECT_EQ(floats.w, -8.0F);
  static_assert(std::is_trivially_default_constructible_v<__nv_fp8x4_e4m3>);
  static_assert(std::is_trivially_copyable_v<__nv_fp8x4_e4m3>);
  static_assert(alignof(__nv_fp8x2_e5m2) == 2 && alignof(__nv_fp8x4_e5m2) == 4);
}

TEST(Rounding, AddsToOddWhatDoesNotFit) {
  EXPECT_EQ(sum_to_odd(1, 2), 3.0);
  EXPECT_EQ(sum_to_odd(1, 0x1p-60), std::nextafter(1.0, 2.0));
  EXPECT_EQ(sum_to_odd(1, -0x1p-60), std::nextafter(1.0, 0.0));
  EXPECT_EQ(sum_to_odd(-1, 0x1p-60), std::nextafter(-1.0, 0.0));
  EXPECT_EQ(sum_to_odd(0x1p-60, std::nextafter(1.0, 2.0)), std::nextafter(1.0, 2.0));
  EXPECT_EQ(sum_to_odd(infinity, 1), infinity);
  EXPECT_TRUE(std::isnan(sum_to_odd(infinity, -infinity)));
  EXPECT_TRUE(std::signbit(sum_to_odd(-0.0, -0.0)));
}

}  // namespace
}  // namespace archgrid::cpu_emulator
