// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Sees each test end, and says what became of it.
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

/// The suite of the tests that archgrid adds: one that always is there, and one for each kernel
/// that is not served.
constexpr const char* kCoverageSuite = "ArchCoverage";

class Watch : public ::testing::EmptyTestEventListener {
 public:
  struct Options {
    bool fail_empty = false;
    int device = 0;  ///< that was proved; a test may not leave another one chosen
    std::map<std::string, TestOutcome> failures_of_kernels;  ///< by name of their test
    /// All tests that will run, in their order; called before each repetition of them.
    std::function<void(std::vector<std::string> tests)> selects;
    std::function<void(const std::string& test, const std::vector<TestRecord>& before)> starts;
    /// Between tests: "the set-up of Suite".
    std::function<void(const std::string& what, const std::vector<TestRecord>& before)> shares;
    /// Before anything is expected of a test that has ended; may fail it.
    std::function<void(const std::string& test)> ends;
    std::function<bool()> counts_launches;  ///< false: a file launches kernels unseen
    std::function<std::string(const std::string& test)> skip;  ///< why; empty: it is run
  };

  explicit Watch(Options options);

  /// Of the tests that have ended.
  [[nodiscard]] const std::vector<TestRecord>& records();

  /// Why the tests after some were not run; empty if all were.
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
  const ::testing::TestInfo* ended_ = nullptr;  ///< whose record is the last one, if not settled
};

/// Returns the full names of the tests that `is_selected` selects, in the order in which they run.
std::vector<std::string> names_of_tests(
    const std::function<bool(const ::testing::TestInfo& test)>& is_selected);

/// What failures, or skips, first say in one line; empty if nothing.
std::string first_text(const ::testing::TestResult& result, bool skips);

/// Why a test was skipped, in one line; empty if it gives no reason.
std::string skip_reason(const ::testing::TestInfo& test);

}  // namespace archgrid::gtest

#endif
