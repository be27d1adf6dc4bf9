// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "watch.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <archgrid/cuda/launched.hpp>
#include <archgrid/cuda/launches.hpp>
#include <archgrid/gtest.hpp>
#include <utility>

#include "left_behind.hpp"

namespace archgrid {
namespace {

// State of the running test: tests run one after another.
bool needs_no_kernel = false;

}  // namespace

void launches_no_kernel() {
  needs_no_kernel = true;
}

}  // namespace archgrid

namespace archgrid::gtest {
namespace {

std::string full_name(const ::testing::TestInfo& test) {
  return std::string(test.test_suite_name()) + "." + test.name();
}

bool is_of_archgrid(const ::testing::TestInfo& test) {
  return std::string(test.test_suite_name()) == kCoverageSuite;
}

const ::testing::TestSuite& suite_of(const ::testing::TestInfo& test) {
  const ::testing::UnitTest& program = *::testing::UnitTest::GetInstance();
  for (int index = 0; index < program.total_test_suite_count(); ++index) {
    const ::testing::TestSuite* const suite = program.GetTestSuite(index);
    if (std::string(suite->name()) == test.test_suite_name()) return *suite;
  }
  return *program.current_test_suite();
}

bool is_last_of_its_suite(const ::testing::TestInfo& test) {
  const ::testing::TestSuite& suite = suite_of(test);
  int place = suite.total_test_count() - 1;
  while (place >= 0 && !suite.GetTestInfo(place)->should_run()) --place;
  return place >= 0 && suite.GetTestInfo(place) == &test;
}

}  // namespace

// Ignores empty texts: GoogleTest adds one to the tests of a suite that was skipped as a whole, and
// to those after a stop.
std::string first_text(const ::testing::TestResult& result, bool skips) {
  for (int index = 0; index < result.total_part_count(); ++index) {
    const ::testing::TestPartResult& part = result.GetTestPartResult(index);
    const bool wanted = skips ? part.skipped() : part.failed();
    std::string text = part.message();
    if (!wanted || text.find_first_not_of(" \n") == std::string::npos) continue;
    const std::string heading = "Failed\n";  // written by ADD_FAILURE()
    if (text.rfind(heading, 0) == 0) text.erase(0, heading.size());
    std::replace(text.begin(), text.end(), '\n', ' ');
    while (text.back() == ' ') text.pop_back();
    return text;
  }
  return "";
}

std::string skip_reason(const ::testing::TestInfo& test) {
  const std::string own = first_text(*test.result(), true);
  return own.empty() ? first_text(suite_of(test).ad_hoc_test_result(), true) : own;
}

std::vector<std::string> names_of_tests(
    const std::function<bool(const ::testing::TestInfo& test)>& is_selected) {
  std::vector<std::string> names;
  const ::testing::UnitTest& program = *::testing::UnitTest::GetInstance();
  for (int index = 0; index < program.total_test_suite_count(); ++index) {
    const ::testing::TestSuite& suite = *program.GetTestSuite(index);
    for (int place = 0; place < suite.total_test_count(); ++place) {
      const ::testing::TestInfo& test = *suite.GetTestInfo(place);
      if (is_selected(test)) names.push_back(full_name(test));
    }
  }
  return names;
}

Watch::Watch(Options options) : options_(std::move(options)) {}

void Watch::OnTestIterationStart(const ::testing::UnitTest&, int) {
  options_.selects(
      names_of_tests([](const ::testing::TestInfo& test) { return test.should_run(); }));
}

void Watch::OnTestSuiteStart(const ::testing::TestSuite& suite) {
  options_.shares(std::string("the set-up of ") + suite.name(), records());
}

void Watch::OnTestStart(const ::testing::TestInfo& test) {
  options_.starts(full_name(test), records());
  launches_before_ = launch_count();
  static_cast<void>(take_launched());
  needs_no_kernel = false;
  if (is_of_archgrid(test) || !options_.skip) return;
  const std::string reason = options_.skip(full_name(test));
  if (!reason.empty()) GTEST_SKIP() << reason;  // GoogleTest checks this before it runs the test
}

void Watch::OnTestEnd(const ::testing::TestInfo& test) {
  if (stopped_.empty()) {
    options_.ends(full_name(test));
    expect_device(test);
    expect_no_error(full_name(test));
    expect_reason(test);
    expect_launch(test);
  }
  records_.push_back(record_of(test));
  launched_.push_back(take_launched());
  ended_ = &test;
  ::testing::Test::RecordProperty("archgrid_outcome", name_of(records_.back().outcome));
  // Not records(): listeners may still fail this test.
  if (is_last_of_its_suite(test)) {
    options_.shares(std::string("the tear-down of ") + test.test_suite_name(), records_);
  }
}

const std::vector<TestRecord>& Watch::records() {
  settle();
  return records_;
}

std::map<const void*, std::string> Watch::launched_by_passed() {
  settle();
  std::map<const void*, std::string> result;
  for (std::size_t index = 0; index < records_.size(); ++index) {
    if (records_[index].outcome != TestOutcome::passed) continue;
    for (const void* function : launched_[index]) result.emplace(function, records_[index].name);
  }
  return result;
}

/// Updates the last record: listeners that were added before this one see the end of a test after
/// it, and may fail the test then.
void Watch::settle() {
  const auto* const test = std::exchange(ended_, nullptr);
  if (test == nullptr || !test->result()->Failed()) return;
  TestRecord& record = records_.back();
  const bool has_failed_since = record.outcome == TestOutcome::passed ||
                                record.outcome == TestOutcome::skipped ||
                                record.outcome == TestOutcome::empty;
  if (!has_failed_since) return;
  record.outcome = TestOutcome::failed;
  record.reason = first_text(*test->result(), false);
}

/// Fails the test that left an error behind; otherwise the next test would report it. If the error
/// stays, every later test would report it, so GoogleTest skips the rest.
void Watch::expect_no_error(const std::string& who) {
  const LeftBehind left = errors_left_behind();
  for (const std::string& error : left.errors) ADD_FAILURE() << who << " " << error;
  if (!left.stays) return;
  stopped_ = "CUDA is unusable in this program since " + who + ": " + *left.stays;
  GTEST_FLAG_SET(fail_fast, true);
}

void Watch::OnTestSuiteEnd(const ::testing::TestSuite& suite) {
  if (stopped_.empty()) expect_no_error(std::string("the tear-down of ") + suite.name());
  options_.shares("what tests share", records());
}

/// Restores the device: later tests would run on a GPU for which nothing was proved.
void Watch::expect_device(const ::testing::TestInfo& test) const {
  int device = options_.device;
  if (cudaGetDevice(&device) != cudaSuccess || device == options_.device) return;
  ADD_FAILURE() << full_name(test) << " left GPU " << device << " chosen instead of GPU "
                << options_.device << ", for which the kernels were judged";
  static_cast<void>(cudaSetDevice(options_.device));
}

void Watch::expect_reason(const ::testing::TestInfo& test) const {
  if (!test.result()->Skipped() || !skip_reason(test).empty() || !why_not_run(test).empty()) return;
  ADD_FAILURE() << full_name(test)
                << " was skipped without a reason: write it behind GTEST_SKIP() <<";
}

void Watch::expect_launch(const ::testing::TestInfo& test) const {
  if (!options_.fail_empty || !is_empty(test)) return;
  ADD_FAILURE()
      << full_name(test)
      << " launched no kernel. If it needs none, say archgrid::launches_no_kernel() in it";
}

bool Watch::is_empty(const ::testing::TestInfo& test) const {
  return options_.counts_launches() && !needs_no_kernel && !is_of_archgrid(test) &&
         test.result()->Passed() && launch_count() == launches_before_;
}

/// Returns why GoogleTest skipped a test that gives no reason itself.
std::string Watch::why_not_run(const ::testing::TestInfo& test) const {
  if (!stopped_.empty()) return stopped_;
  if (suite_of(test).ad_hoc_test_result().Failed()) return "setting up its suite failed";
  if (::testing::UnitTest::GetInstance()->ad_hoc_test_result().Failed()) {
    return "setting up a global environment failed";
  }
  const bool failed = std::any_of(records_.begin(), records_.end(), [](const TestRecord& record) {
    return record.outcome == TestOutcome::failed;
  });
  return failed && GTEST_FLAG_GET(fail_fast) ? "an earlier test failed (--gtest_fail_fast)" : "";
}

TestRecord Watch::record_of(const ::testing::TestInfo& test) const {
  TestRecord record;
  record.name = full_name(test);
  record.seconds = static_cast<double>(test.result()->elapsed_time()) / 1000;
  record.launches = launch_count() - launches_before_;
  const auto of_kernel = options_.failures_of_kernels.find(test.name());
  if (test.result()->Failed()) {
    record.outcome = is_of_archgrid(test) && of_kernel != options_.failures_of_kernels.end()
                         ? of_kernel->second
                         : TestOutcome::failed;
    record.reason = first_text(*test.result(), false);
  } else if (test.result()->Skipped()) {
    record.reason = skip_reason(test);
    record.outcome = record.reason.empty() ? TestOutcome::not_run : TestOutcome::skipped;
    if (record.reason.empty()) record.reason = why_not_run(test);
  } else if (is_empty(test)) {
    record.outcome = TestOutcome::empty;
    record.reason = "launched no kernel";
  }
  return record;
}

}  // namespace archgrid::gtest
