// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <archgrid/gtest/compare.hpp>
#include <archgrid/gtest/numbers.hpp>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace archgrid {
namespace {

// std::equal accepts such arguments, too.
TEST(Comparisons, OfVectorsOfOneTypeAreArchgrids) {
  const std::vector<float> got = {1, 2};
  EXPECT_TRUE(equal(got, std::vector<float>{1, 2}));
  EXPECT_TRUE(equal(got, got, 1));
  EXPECT_FALSE(equal(got, std::vector<float>{1, 3}, Shape{1, 2}));
  EXPECT_TRUE(equal(got, got, 1, NotFinite::passes_where_wanted));
  EXPECT_TRUE(within(got, got, 0.1));
  EXPECT_THAT(got, Equal(std::vector<float>{1, 2}));
  EXPECT_THAT(got, ::testing::Not(Equal(std::vector<float>{1, 3})));
  EXPECT_THAT(got, Within(std::vector<float>{1, 2.05F}, 0.1));
}

bool says(const ::testing::AssertionResult& result, const std::string& text) {
  return std::string(result.message()).find(text) != std::string::npos;
}

TEST(RoundingBound, GrowsWithTheSum) {
  EXPECT_GT(rounding_bound(1000, 1.0), 9 * rounding_bound(100, 1.0));
  EXPECT_DOUBLE_EQ(rounding_bound(10, 6.0), 2 * rounding_bound(10, 3.0));
  EXPECT_GT(rounding_bound(0, 1.0), 0.0);
  EXPECT_EQ(rounding_bound(10, 0.0), 0.0) << "zeros add up to exactly zero";
}

TEST(RoundingBound, IsOfTheTypeOfTheAccumulator) {
  const double single = rounding_bound<float>(100, 1.0);
  EXPECT_NEAR(rounding_bound<double>(100, 1.0), std::ldexp(single, -29), 1e-17);
  EXPECT_NEAR(rounding_bound<TruncatedFloat>(100, 1.0), 2 * single, 1e-9);
  EXPECT_DOUBLE_EQ(rounding_bound<__half>(100, 1.0),
                   (102.0 / 2048) / (1 - 102.0 / 2048) + 102 * std::ldexp(1.0, -25));
  EXPECT_NEAR(rounding_bound<__nv_bfloat16>(100, 1.0), (102.0 / 256) / (1 - 102.0 / 256), 1e-30);
  EXPECT_THROW(rounding_bound<__half>(1022, 1.0), std::invalid_argument);
  EXPECT_LT(rounding_bound<__half>(1021, 1.0), 1.001);
}

TEST(RoundingBound, CountsTheRoundingToTheStoredType) {
  const double sum = rounding_bound<float>(1000, 8.0);
  const double unit = std::ldexp(1.0, -11);
  const double subnormal = std::ldexp(1.0, -25);
  EXPECT_DOUBLE_EQ((rounding_bound<float, __half>(1000, 8.0, -0.5)),
                   sum + unit * (0.5 + sum) + subnormal);
  EXPECT_DOUBLE_EQ((rounding_bound<float, __half>(1000, 8.0)),
                   (rounding_bound<float, __half>(1000, 8.0, 8.0)));
  EXPECT_GT((rounding_bound<float, __nv_fp8_e5m2>(1000, 8.0)), 1.0);
  EXPECT_THROW((rounding_bound<float, __nv_fp8_e5m2>(7500000, 8.0)), std::invalid_argument);
}

TEST(RoundingBound, HoldsForSumsInSinglePrecision) {
  for (const std::size_t terms : {1u, 10u, 1000u, 100000u}) {
    const std::vector<float> a = uniform(terms, terms);
    const std::vector<float> b = uniform(terms, terms + 1);
    float got = 0;
    double want = 0;
    double magnitude = 0;
    for (std::size_t i = 0; i < terms; ++i) {
      got += a[i] * b[i];
      const double product = static_cast<double>(a[i]) * static_cast<double>(b[i]);
      want += product;
      magnitude += std::abs(product);
    }
    const auto count = static_cast<long long>(terms);
    EXPECT_LE(std::abs(static_cast<double>(got) - want), rounding_bound(count, magnitude)) << terms;
  }
}

/// Rounds a number to a small type, as its arithmetic rounds each result.
double rounded(double value, const FloatFormat& format) {
  return decode(encode(value, format), format);
}

TEST(RoundingBound, HoldsForSumsInHalfPrecision) {
  constexpr FloatFormat kHalf = NumberType<__half>::format;
  for (const std::size_t terms : {1u, 10u, 100u, 1000u}) {
    const std::vector<double> values = uniform<double>(terms, terms);
    double got = 0;
    double want = 0;
    double magnitude = 0;
    for (const double value : values) {
      const double term = rounded(value, kHalf) / 4;
      got = rounded(got + term, kHalf);
      want += term;
      magnitude += std::abs(term);
    }
    const double bound = rounding_bound<__half>(static_cast<long long>(terms), magnitude);
    EXPECT_LE(std::abs(got - want), bound) << terms;
  }
}

// Covers the whole range of each type, including subnormals, except numbers too large for it.
TEST(RoundingBound, HoldsForWhatIsStored) {
  RandomBits bits(1);
  for (int i = 0; i < 10000; ++i) {
    const double value = std::ldexp(static_cast<double>(bits.next() >> 11), -53) + 1e-300;
    const double small = std::ldexp(value, -static_cast<int>(bits.next() % 30));
    const auto error = [&](const FloatFormat& format) {
      return std::abs(rounded(small, format) - small);
    };
    EXPECT_LE(error(NumberType<__half>::format), (rounding_bound<double, __half>(1, small, small)));
    EXPECT_LE(error(NumberType<__nv_fp8_e4m3>::format),
              (rounding_bound<double, __nv_fp8_e4m3>(1, small, small)));
    EXPECT_LE(error(NumberType<__nv_fp8_e5m2>::format),
              (rounding_bound<double, __nv_fp8_e5m2>(1, small, small)));
  }
}

TEST(RoundingBound, ThrowsWhereZerosWouldBeWithinIt) {
  constexpr long long kTooMany = (1LL << 23) - 2;
  EXPECT_LT(rounding_bound(kTooMany - 1, 1.0), 1.0);
  for (long long terms : {kTooMany, 1LL << 24, 1LL << 25, std::numeric_limits<long long>::max()}) {
    EXPECT_THROW(rounding_bound(terms, 1.0), std::invalid_argument) << terms;
  }
  EXPECT_THROW(rounding_bound(-1, 1.0), std::invalid_argument);
}

TEST(Within, AcceptsErrorsUpToTheBound) {
  EXPECT_TRUE(within({1.0f, 2.5f}, {1.0, 2.0}, {0.0, 0.5}));
}

TEST(Within, NamesTheWorstElement) {
  const auto result =
      within({1.0f, 2.5f, 9.0f, 4.0f}, {1.0, 2.0, 5.0, 3.0}, {1.0, 0.1, 1.0, 0.5}, 2);
  EXPECT_FALSE(result);
  EXPECT_TRUE(says(result, "3 of 4 elements")) << result.message();
  EXPECT_TRUE(says(result, "element (0, 1), is 2.5 instead of 2")) << result.message();
}

TEST(Within, RefusesWhatIsNoNumber) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_FALSE(within({nan}, {0.0}, {1.0}));
  EXPECT_FALSE(within({infinity}, {0.0}, {1e300}));
  EXPECT_TRUE(says(within({0.0f, nan}, {5.0, 0.0}, {0.1, 1.0}), "element 1")) << "the worst";
}

TEST(Within, RefusesABoundThatIsNone) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (double bound : {-1.0, infinity, -infinity, nan}) {
    const auto result = within({1.0f, 9.0f}, {1.0, 2.0}, {0.5, bound}, 1);
    EXPECT_FALSE(result) << bound;
    EXPECT_TRUE(says(result, "the bound of element (1, 0)")) << result.message();
    EXPECT_FALSE(within({2.0f}, {2.0}, {bound})) << "an exact element, " << bound;
  }
  EXPECT_TRUE(within({2.0f}, {2.0}, {-0.0}));
  EXPECT_FALSE(within({2.5f}, {2.0}, {-0.0}));
}

TEST(Within, RefusesZerosForAProduct) {
  const std::vector<double> want = {3.0};
  EXPECT_FALSE(within({0.0f}, want, {rounding_bound(4096, 1400.0)}));
}

TEST(Within, RefusesZerosWhateverTheyAreComparedWith) {
  const auto result = within({0.5f, 2.0f}, {0.5, 2.0}, {0.5, 3.0});
  EXPECT_FALSE(result) << "zeros would pass";
  EXPECT_TRUE(says(result, "proves nothing: each of the 2 bounds is as large")) << result.message();
  EXPECT_TRUE(within({0.5f, 2.0f}, {0.5, 2.0}, {0.5, 1.0})) << "zeros would not";
  EXPECT_TRUE(within({0.1f, 0.0f}, {0.0, 0.0}, 0.5)) << "zeros are wanted";
}

TEST(Within, RefusesNothing) {
  EXPECT_TRUE(says(within({}, {}, {}), "has no elements, which proves nothing"));
  EXPECT_TRUE(says(equal({}, {}), "has no elements, which proves nothing"));
}

TEST(Within, TakesOneBoundForAllOrAFunction) {
  EXPECT_TRUE(within({1.0f, 2.5f}, {1.0, 2.0}, 0.5));
  EXPECT_FALSE(within({1.0f, 2.5f}, {1.0, 2.0}, 0.4));
  const std::vector<double> want = {1.0, 2.0};
  const auto relative = [&](std::size_t i) { return 0.25 * want[i]; };
  EXPECT_TRUE(within({1.25f, 2.5f}, want, relative));
  EXPECT_TRUE(says(within({1.5f, 2.5f}, want, relative),
                   "element 0, is 1.5 instead of 1, 2 times the bound of 0.25"));
}

TEST(Within, CountsWhatIsNoFiniteNumber) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  const auto result = within({nan, 1.0f, -infinity, nan}, {1.0, 1.0, 1.0, 1.0}, 0.5);
  EXPECT_TRUE(says(result,
                   "3 of 4 elements are beyond the error bound, 2 of them NaN, 1 of them "
                   "infinite; the worst, element 0, is nan instead of 1, where the bound "
                   "is 0.5"))
      << result.message();
}

TEST(Within, TakesWhatIsNotFiniteOnlyWhereItIsWantedAndAllowed) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<double> want = {HUGE_VAL, 1.0, std::nan("")};
  const std::vector<float> good = {infinity, 1.0f, nan};
  constexpr NotFinite kAllowed = NotFinite::passes_where_wanted;
  EXPECT_TRUE(within(good, want, 0.5, {}, kAllowed));
  EXPECT_TRUE(equal(good, want, {}, kAllowed));
  EXPECT_FALSE(within(good, want, 0.5)) << "it was not allowed";
  EXPECT_FALSE(equal(good, want)) << "it was not allowed";
  for (const std::vector<float>& bad : std::vector<std::vector<float>>{{-infinity, 1.0f, nan},
                                                                       {infinity, nan, nan},
                                                                       {infinity, 1.0f, 1.0f},
                                                                       {nan, 1.0f, nan}}) {
    EXPECT_FALSE(within(bad, want, 0.5, {}, kAllowed)) << ::testing::PrintToString(bad);
    EXPECT_FALSE(equal(bad, want, {}, kAllowed)) << ::testing::PrintToString(bad);
  }
}

TEST(Within, ListsTheFirstFew) {
  const std::vector<double> want(10, 1.0);
  std::vector<float> got(10, 1.0f);
  for (const std::size_t i : {1u, 2u, 4u, 5u, 7u, 8u, 9u}) got[i] = 2.0f + static_cast<float>(i);
  const auto result = within(got, want, 0.5, 5);
  EXPECT_TRUE(
      says(result, "7 of 10 elements are beyond the error bound; the worst, element (1, 4)"))
      << result.message();
  EXPECT_TRUE(says(result, "\n  element (0, 1) is 3 instead of 1, 4 times the bound of 0.5\n"))
      << result.message();
  EXPECT_TRUE(says(result, "element (1, 2) is")) << result.message();
  EXPECT_FALSE(says(result, "element (1, 3) is")) << result.message();
  EXPECT_TRUE(says(result, "\n  and 2 more")) << result.message();
}

TEST(Within, NamesElementsByTheShape) {
  std::vector<float> got(24, 1.0f);
  got[17] = 3.0f;
  const std::vector<double> want(24, 1.0);
  EXPECT_TRUE(says(within(got, want, 0.5), "element 17,"));
  EXPECT_TRUE(says(within(got, want, 0.5, 6), "element (2, 5),"));
  EXPECT_TRUE(says(within(got, want, 0.5, {4, 6}), "element (2, 5),"));
  EXPECT_TRUE(says(within(got, want, 0.5, {2, 3, 4}), "element (1, 1, 1),"));
}

TEST(Within, RefusesAnotherShape) {
  const std::vector<float> got(24, 1.0f);
  const std::vector<double> want(24, 1.0);
  EXPECT_TRUE(within(got, want, 0.5, {2, 3, 4}));
  EXPECT_TRUE(says(within(got, want, 0.5, 5), "has 24 elements, which are not rows of 5"));
  EXPECT_TRUE(says(within(got, want, 0.5, {5, 6}), "which are not a matrix of 5 x 6"));
  EXPECT_TRUE(says(equal(got, want, {2, 3, 5}), "which are not 2 matrices of 3 x 5"));
}

/// A buffer whose data() the host cannot read.
struct Buffer {
  const float* data() const { return nullptr; }
  std::size_t size() const { return 2; }
  std::vector<float> to_host() const { return {1.0f, 2.0f}; }
};

TEST(Within, CopiesABufferBack) {
  EXPECT_TRUE(within(Buffer{}, {1.0, 2.0}, 0.1));
  EXPECT_TRUE(equal(Buffer{}, Buffer{}));
  EXPECT_TRUE(says(equal(Buffer{}, {1.0, 3.0}), "element 1, is 2 instead of 3"));
}

TEST(Within, TellsWhatWasNeverWritten) {
  float never = 0;
  std::memcpy(&never, "\xFF\x7F\xFF\x7F", 4);
  const auto result = within({1.0f, never}, {1.0, 2.0}, 0.5);
  EXPECT_TRUE(
      says(result, "1 of them NaN; the worst, element 1, is nan, never written, instead of 2"))
      << result.message();
  const std::vector<int> integers = {2147450879, 1};
  EXPECT_TRUE(says(equal(integers, std::vector<int>{0, 1}),
                   "element 0, is 2147450879, never written, instead of 0"));
}

TEST(Within, ComparesEveryType) {
  EXPECT_TRUE(within(std::vector<double>{1.0}, {1.0 + 1e-15}, 1e-14));
  EXPECT_FALSE(within(std::vector<double>{1.0}, {1.0 + 1e-13}, 1e-14));
  EXPECT_TRUE(within(std::vector<int>{3}, std::vector<int>{4}, 1));
  EXPECT_FALSE(within(std::vector<int>{3}, std::vector<int>{5}, 1));
  EXPECT_TRUE(within(std::vector<unsigned char>{250}, std::vector<int>{251}, 1));
}

/// A user-defined type: a number of quarters.
struct Quarters {
  int count;
};

}  // namespace

template <>
struct NumberType<Quarters> {
  static double to_double(const Quarters& number) { return number.count / 4.0; }
  static Quarters from_double(double value) { return {static_cast<int>(std::lround(4 * value))}; }
  static constexpr int digits = 31;
  static constexpr int min_exponent = -2;
};

namespace {

TEST(Within, ComparesTypesOfUsers) {
  const std::vector<Quarters> got = {{4}, {9}};
  EXPECT_TRUE(equal(got, {1.0, 2.25}));
  EXPECT_TRUE(says(within(got, {1.0, 2.0}, 0.125), "element 1, is 2.25 instead of 2, 2 times"));
  EXPECT_TRUE(equal(small_integers<Quarters>(100, 1), small_integers(100, 1)));
}

TEST(Equal, IsExactForIntegersOf64Bits) {
  const std::int64_t large = (std::int64_t{1} << 53) + 1;
  EXPECT_TRUE(equal(std::vector<std::int64_t>{large}, std::vector<std::int64_t>{large}));
  EXPECT_FALSE(equal(std::vector<std::int64_t>{large}, std::vector<std::int64_t>{large - 1}));
  EXPECT_FALSE(equal(std::vector<std::int64_t>{-1}, std::vector<std::uint64_t>{~std::uint64_t{0}}));
  EXPECT_TRUE(says(equal(std::vector<std::int64_t>{large}, std::vector<std::int64_t>{0}),
                   "is 9007199254740993 instead of 0"));
}

TEST(Matchers, SayWhatTheComparisonsSay) {
  const std::vector<float> got = {1.0f, 2.5f};
  EXPECT_THAT(got, Within({1.0, 2.0}, 0.5));
  EXPECT_THAT(got, Equal({1.0, 2.5}));
  EXPECT_THAT(got, ::testing::Not(Equal({1.0, 2.0})));
  ::testing::StringMatchResultListener listener;
  const ::testing::Matcher<const std::vector<float>&> matcher = Within({1.0, 2.0}, 0.25);
  EXPECT_FALSE(matcher.MatchAndExplain(got, &listener));
  EXPECT_THAT(listener.str(), ::testing::HasSubstr("element 1, is 2.5 instead of 2, 2 times"));
  std::ostringstream description;
  matcher.DescribeTo(&description);
  EXPECT_EQ(description.str(), "has all elements within their bounds");
}

TEST(Within, RefusesOtherSizes) {
  EXPECT_FALSE(within({1.0f}, {1.0, 2.0}, {1.0, 1.0}));
  EXPECT_FALSE(within({1.0f}, {1.0}, {}));
}

TEST(Equal, AcceptsNothingButEquality) {
  EXPECT_TRUE(equal({1.0f, -2.0f}, {1.0, -2.0}));
  const auto result = equal({1.0f, 2.0f, 3.0f}, {1.0, 2.000001, 4.0});
  EXPECT_FALSE(result);
  EXPECT_TRUE(says(result, "2 of 3 elements are wrong; the first, element 1,")) << result.message();
  EXPECT_FALSE(equal({std::numeric_limits<float>::quiet_NaN()}, {0.0}));
  EXPECT_FALSE(equal({1.0f}, {}));
}

}  // namespace
}  // namespace archgrid
