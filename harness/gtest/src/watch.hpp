// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Observes the end of each test, and records its outcome.
#ifndef ARCHGRID_GTEST_WATCH_HPP
#define ARCHGRID_GTEST_WATCH_HPP

#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "outcomes.hpp"

namespace archgrid::gtest {

/// The suite of the tests that archgrid adds: one that always exists, and one for each kernel that
/// is not served.
constexpr const char* kCoverageSuite = "ArchCoverage";

class Watch : public ::testing::EmptyTestEventListener {
 public:
  struct Options {
    bool fail_empty = false;
    int device = 0;  ///< device of the proof; a test must not leave another one current
    std::map<std::string, TestOutcome> failures_of_kernels;  ///< by name of their test
    /// Receives all tests that will run, in their order, before each repetition.
    std::function<void(std::vector<std::string> tests)> selects;
    std::function<void(const std::string& test, const std::vector<TestRecord>& before)> starts;
    /// Called between tests with "the set-up of Suite".
    std::function<void(const std::string& what, const std::vector<TestRecord>& before)> shares;
    /// Called before the checks of an ended test; may fail the test.
    std::function<void(const std::string& test)> ends;
    std::function<bool()> counts_launches;  ///< false: a file launches kernels unobserved
    std::function<std::string(const std::string& test)> skip;  ///< the reason; empty: do not skip
  };

  explicit Watch(Options options);

  /// Returns the records of the tests that have ended.
  [[nodiscard]] const std::vector<TestRecord>& records();

  /// Returns the host functions of the kernels that passed tests launched, each with the first such
  /// test.
  [[nodiscard]] std::map<const void*, std::string> launched_by_passed();

  /// Returns why the remaining tests were not run; empty if all were.
  [[nodiscard]] const std::string& stopped() const { return stopped_; }

 private:
  void OnTestIterationStart(const ::testing::UnitTest& program, int iteration) override;
  void OnTestSuiteStart(const ::testing::TestSuite& suite) override;
  void OnTestStart(const ::testing::TestInfo& test) override;
  void OnTestEnd(const ::testing::TestInfo& test) override;
  void OnTestSuiteEnd(const ::testing::TestSuite& suite) override;

  void settle();
  void expect_no_error(const std::string& who);
  void expect_device(const ::testing::TestInfo& test) const;
  void expect_reason(const ::testing::TestInfo& test) const;
  void expect_launch(const ::testing::TestInfo& test) const;
  [[nodiscard]] bool is_empty(const ::testing::TestInfo& test) const;
  [[nodiscard]] std::string why_not_run(const ::testing::TestInfo& test) const;
  [[nodiscard]] TestRecord record_of(const ::testing::TestInfo& test) const;

  Options options_;
  std::size_t launches_before_ = 0;
  std::string stopped_;
  std::vector<TestRecord> records_;
  std::vector<std::vector<const void*>> launched_;  ///< by record: kernels, by their host function
  const ::testing::TestInfo* ended_ = nullptr;  ///< test of the last record, unless it is settled
};

/// Returns the full names of the tests that `is_selected` selects, in the order in which they run.
std::vector<std::string> names_of_tests(
    const std::function<bool(const ::testing::TestInfo& test)>& is_selected);

/// Returns the first text of the failures, or skips, in one line; empty if there is none.
std::string first_text(const ::testing::TestResult& result, bool skips);

/// Returns why a test was skipped, in one line; empty if it gives no reason.
std::string skip_reason(const ::testing::TestInfo& test);

}  // namespace archgrid::gtest

#endif
