// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "filter.hpp"

#include <gtest/gtest.h>

// An internal class of GoogleTest that its headers do not declare.
namespace testing::internal {
class UnitTestOptions {
 public:
  static bool FilterMatchesTest(const std::string& suite, const std::string& name);
};
}  // namespace testing::internal

namespace archgrid::gtest {
namespace {

constexpr const char* kFilters[] = {
    "*",      "",        "A.a",      "A.*",         "*.a",  "?.a",       "A.?",
    "A.*b*",  "*b*b*",   "A.a:B.b",  ":A.a",        "-A.*", "*-A.a",     "*-A.a:B.*",
    "A.*-*b", "-",       "*-",       "A.*:B.*-A.b", "B*A*", "**",        "A.a*",
    "A.a?",   "*-A.a-b", "A.*-:B.b", "P/A.*/0",     "P/*",  "*/1-*A.a*", "a.A"};
constexpr const char* kSuites[] = {"A", "B", "P/A", "BA"};
constexpr const char* kNames[] = {"a", "b", "ab", "abab", "a/0", "b/1", "a-b"};

/// Restores the filter with which this program itself runs.
class Filter : public ::testing::Test {
 protected:
  ~Filter() override { GTEST_FLAG_SET(filter, own_); }

 private:
  const std::string own_ = GTEST_FLAG_GET(filter);
};

TEST_F(Filter, SelectsWhatGoogleTestSelects) {
  for (const std::string filter : kFilters) {
    GTEST_FLAG_SET(filter, filter);
    for (const std::string suite : kSuites) {
      for (const std::string name : kNames) {
        EXPECT_EQ(matches_filter(filter, suite + "." + name),
                  ::testing::internal::UnitTestOptions::FilterMatchesTest(suite, name))
            << filter << " " << suite << "." << name;
      }
    }
  }
}

TEST_F(Filter, OfNamesSelectsThem) {
  const std::string odd = "ArchCoverage.n::first-kernel(int*)";
  const std::string filter = filter_of({odd, "A.a"});
  EXPECT_TRUE(matches_filter(filter, odd));
  EXPECT_TRUE(matches_filter(filter, "A.a"));
  EXPECT_FALSE(matches_filter(filter, "A.b"));
  EXPECT_FALSE(matches_filter(filter_of({}), "A.a"));
}

TEST_F(Filter, TakesNoTimeThatGrowsExponentially) {
  const std::string name(10000, 'a');
  EXPECT_FALSE(matches_filter("*a*a*a*a*a*a*a*a*b", name));
}

}  // namespace
}  // namespace archgrid::gtest
