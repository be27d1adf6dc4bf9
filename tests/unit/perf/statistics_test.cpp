// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <archgrid/perf_records/statistics.hpp>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace archgrid::perf {
namespace {

using ::testing::ElementsAre;

TEST(Summarise, TakesTheMiddle) {
  const Timing odd = summarise({3.0, 1.0, 2.0});
  EXPECT_EQ(odd.samples, 3);
  EXPECT_EQ(odd.minimum, 1.0);
  EXPECT_EQ(odd.median, 2.0);
  EXPECT_EQ(odd.maximum, 3.0);
  EXPECT_EQ(summarise({4.0, 1.0, 2.0, 3.0}).median, 2.5);
  EXPECT_EQ(summarise({7.0}).median, 7.0);
}

TEST(Summarise, RefusesSamplesThatMeasuredNothing) {
  EXPECT_THROW(summarise({}), std::invalid_argument);
  EXPECT_THROW(summarise({1.0, 0.0}), std::invalid_argument);
  EXPECT_THROW(summarise({-1.0}), std::invalid_argument);
  EXPECT_THROW(summarise({std::numeric_limits<double>::quiet_NaN()}), std::invalid_argument);
  EXPECT_THROW(summarise({std::numeric_limits<double>::infinity()}), std::invalid_argument);
}

TEST(Text, HasThreeDigitsAndTheUnitThatSuits) {
  EXPECT_EQ(text_of_seconds(1.5e-6), "1.50 us");
  EXPECT_EQ(text_of_seconds(12.34e-3), "12.3 ms");
  EXPECT_EQ(text_of_seconds(2.0), "2.00 s");
  EXPECT_EQ(text_of_seconds(4e-10), "0.40 ns");
  EXPECT_EQ(text_of_rate(45.71e12, "FLOP/s"), "45.7 TFLOP/s");
  EXPECT_EQ(text_of_rate(820e9, "B/s"), "820 GB/s");
}

TEST(Text, ShowsRatesOfWhatWasDone) {
  const Timing timing{21, 1e-3, 2e-3, 4e-3};
  EXPECT_EQ(text_of(timing, {2e9, 4e9}),
            "2.00 ms, median of 21 (1.00 ms to 4.00 ms), 2.00 TFLOP/s, 1.00 TB/s");
  EXPECT_EQ(text_of(timing, {}), "2.00 ms, median of 21 (1.00 ms to 4.00 ms)");
}

std::vector<std::string> names(const std::vector<Property>& properties) {
  std::vector<std::string> result;
  for (const Property& property : properties) result.push_back(property.name);
  return result;
}

TEST(Properties, AreTimesAndRatesOfWhatWasDone) {
  const Timing timing{21, 1e-3, 2e-3, 4e-3};
  const std::vector<Property> all = properties_of(timing, {2e9, 4e9});
  EXPECT_THAT(names(all), ElementsAre("median_us", "minimum_us", "gflops", "gbytes_per_s"));
  EXPECT_DOUBLE_EQ(all[0].value, 2000);
  EXPECT_DOUBLE_EQ(all[1].value, 1000);
  EXPECT_DOUBLE_EQ(all[2].value, 2000);
  EXPECT_DOUBLE_EQ(all[3].value, 1000);
  EXPECT_THAT(names(properties_of(timing, {2e9, 0})),
              ElementsAre("median_us", "minimum_us", "gbytes_per_s"));
  EXPECT_THAT(names(properties_of(timing, {})), ElementsAre("median_us", "minimum_us"));
}

}  // namespace
}  // namespace archgrid::perf
