// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <algorithm>
#include <archgrid/compare.hpp>
#include <archgrid/numbers.hpp>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace archgrid {
namespace {

bool says(const ::testing::AssertionResult& result, const std::string& text) {
  return std::string(result.message()).find(text) != std::string::npos;
}

TEST(RoundingBound, GrowsWithTheSum) {
  EXPECT_GT(rounding_bound(1000, 1.0), 9 * rounding_bound(100, 1.0));
  EXPECT_DOUBLE_EQ(rounding_bound(10, 6.0), 2 * rounding_bound(10, 3.0));
  EXPECT_GT(rounding_bound(0, 1.0), 0.0);
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
  EXPECT_TRUE(within({}, {}, {}));
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
}

}  // namespace
}  // namespace archgrid
