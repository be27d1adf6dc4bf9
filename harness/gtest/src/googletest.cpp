// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "googletest.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "command_line.hpp"
#include "filter.hpp"
#include "watch.hpp"

extern "C" int __real__ZN7testing8UnitTest3RunEv(::testing::UnitTest*);

// Internals of GoogleTest that its headers do not declare, at least not in every version.
namespace testing::internal {
extern __attribute__((weak)) bool g_help_flag;
}
// testing::FLAGS_gtest_total_shards and its index: since 1.18 GoogleTest reads the environment
// variables into them once.
extern __attribute__((weak))
std::int32_t total_shards_flag __asm__("_ZN7testing24FLAGS_gtest_total_shardsE");
extern __attribute__((weak))
std::int32_t shard_index_flag __asm__("_ZN7testing23FLAGS_gtest_shard_indexE");

namespace archgrid::gtest {
namespace {

/// Returns a number by which GoogleTest shards tests, or -1 if it does not shard them.
std::int32_t sharding(const char* variable, const std::int32_t* flag) {
  if (flag != nullptr) return *flag;
  const char* const text = std::getenv(variable);
  return text == nullptr ? -1 : std::atoi(text);
}

}  // namespace

int run_googletest() {
  return __real__ZN7testing8UnitTest3RunEv(::testing::UnitTest::GetInstance());
}

bool shows_help() {
  return &::testing::internal::g_help_flag != nullptr && ::testing::internal::g_help_flag;
}

std::vector<std::string> selected_tests(bool of_all_shards) {
  const auto is_disabled = [](const char* name) {
    return matches_filter("DISABLED_*:*/DISABLED_*", name);
  };
  const std::string filter(GTEST_FLAG_GET(filter));
  const std::int32_t shards =
      of_all_shards ? 1 : sharding("GTEST_TOTAL_SHARDS", &total_shards_flag);
  const std::int32_t shard = sharding("GTEST_SHARD_INDEX", &shard_index_flag);
  std::int32_t count = 0;
  return names_of_tests([&](const ::testing::TestInfo& test) {
    const std::string suite = test.test_suite_name();
    const bool is_skipped = !GTEST_FLAG_GET(also_run_disabled_tests) &&
                            (is_disabled(suite.c_str()) || is_disabled(test.name()));
    if (is_skipped || !matches_filter(filter, suite + "." + test.name())) return false;
    return shards <= 1 || count++ % shards == shard;
  });
}

bool is_filtered_by_environment(const std::vector<std::string>& arguments) {
  const char* const filter = std::getenv("GTEST_FILTER");
  return filter != nullptr && GTEST_FLAG_GET(filter) == filter &&
         std::none_of(arguments.begin(), arguments.end(), selects_tests);
}

void select_suite(const std::string& suite) {
  const std::string filter(GTEST_FLAG_GET(filter));
  if (filter == "*") {  // includes tests of kernels, which are added later
    GTEST_FLAG_SET(filter, suite + ".*");
    return;
  }
  const auto is_selected = [&](const ::testing::TestInfo& test) {
    return test.test_suite_name() == suite && matches_filter(filter, suite + "." + test.name());
  };
  GTEST_FLAG_SET(filter, filter_of(names_of_tests(is_selected)));
}

int selected_in_any_shard() {
  for (const char* name : {"GTEST_TOTAL_SHARDS", "GTEST_SHARD_INDEX"}) unsetenv(name);
  for (std::int32_t* const flag : {&total_shards_flag, &shard_index_flag}) {
    if (flag != nullptr) *flag = -1;
  }
  GTEST_FLAG_SET(list_tests, true);
  GTEST_FLAG_SET(output, "");  // the list would overwrite the run's results
  static_cast<void>(run_googletest());
  return ::testing::UnitTest::GetInstance()->test_to_run_count();
}

}  // namespace archgrid::gtest
