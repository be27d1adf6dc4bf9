// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "proof.hpp"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <archgrid/cuda/launches.hpp>
#include <chrono>
#include <functional>
#include <iostream>
#include <iterator>
#include <utility>

#include "agreement.hpp"
#include "watch.hpp"

namespace archgrid::gtest {
namespace {

/// A test that is registered at run time.
class Told : public ::testing::Test {
 public:
  explicit Told(std::string failure) : failure_(std::move(failure)) {}
  void TestBody() override {
    if (!failure_.empty()) ADD_FAILURE() << failure_;
  }

 private:
  std::string failure_;
};

using Failure = std::function<std::string()>;

/// Registers a test that calls `failure` when it runs.
void add_coverage_test(const std::string& name, const Failure& failure) {
  ::testing::RegisterTest(kCoverageSuite, name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                          [failure]() -> Told* { return new Told(failure()); });
}

/// Adds the tests of kernels to whatever else the filter selects.
void select_coverage_tests() {
  std::string filter = GTEST_FLAG_GET(filter);
  const std::size_t negative = std::min(filter.find('-'), filter.size());
  const std::string separator = negative == 0 ? "" : ":";
  // With negative patterns alone the positive pattern is '*', which includes these tests.
  if (negative == 0 && !filter.empty()) return;
  filter.insert(negative, separator + kCoverageSuite + ".*");
  GTEST_FLAG_SET(filter, filter);
}

TestOutcome outcome_of(const KernelFailure& failure) {
  if (!failure.verdict || *failure.verdict == coverage::Verdict::unknown) {
    return TestOutcome::failed;
  }
  return *failure.verdict == coverage::Verdict::jit ? TestOutcome::jitted
                                                    : TestOutcome::missing_arch;
}

std::vector<RuntimeAnswer> ask_runtime() {
  std::vector<RuntimeAnswer> answers;
  for (const RegisteredKernel& kernel : registered_kernels()) {
    cudaFuncAttributes attributes{};
    const cudaError_t error = cudaFuncGetAttributes(&attributes, kernel.function);
    static_cast<void>(cudaGetLastError());
    answers.push_back({kernel.name, error, cudaGetErrorName(error), attributes.binaryVersion,
                       attributes.ptxVersion});
  }
  return answers;
}

/// The test of kernels that always exists, so that ctest has one, and its failure.
constexpr const char* kEveryKernel = "EveryKernelIsServed";
std::string& unserved() {
  static std::string text;
  return text;
}

}  // namespace

void add_test_of_every_kernel() {
  add_coverage_test(kEveryKernel, [] { return unserved(); });
}

Proof::Proof(const KernelCheck& check, int driver_version, Record& record)
    : check_(check),
      gpu_(record.gpu->capability),
      driver_version_(driver_version),
      record_(record) {}

void Proof::forget_test() {
  const std::lock_guard lock(mutex_);
  hides_launches_ = false;
}

bool Proof::counts_launches() const {
  const std::lock_guard lock(mutex_);
  return record_.uncounted.empty() && !hides_launches_;
}

ExecutedCode Proof::executed(const std::map<const void*, std::string>& test_by_function) const {
  if (!record_.disagreements.empty()) return {};
  std::map<std::string, std::string> test_by_kernel;
  for (const RegisteredKernel& kernel : registered_kernels()) {
    const auto test = test_by_function.find(kernel.function);
    if (test != test_by_function.end()) test_by_kernel.emplace(kernel.name, test->second);
  }
  if (test_by_kernel.empty()) return {};
  // A build may have replaced the file since: this is the one that runs.
  ExecutedCode code = check_.executed("/proc/self/exe", test_by_kernel, gpu_, driver_version_);
  // Kernels of other files are no part of this code.
  if (!record_.uncounted.empty()) code.hash.clear();
  return code;
}

void Proof::fail_with_the_first() {
  if (tests_.empty()) return;
  unserved() = "not every kernel is served, see the other tests of " + std::string(kCoverageSuite);
  tests_[kEveryKernel] = tests_.begin()->second;
  select_coverage_tests();
}

KernelReport Proof::judge(const std::vector<std::string>& files) const {
  return check_.judge(files, gpu_, driver_version_);
}

void Proof::prove() {
  const auto begin = std::chrono::steady_clock::now();
  const LoadedFiles loaded = loaded_files_.fresh();
  KernelReport report = judge(loaded.judged);
  if (report.verdicts.empty() && report.failures.empty()) {
    report.failures.push_back(
        {record_.program, std::nullopt,
         "no-device-code: no kernel was found in this program or in a shared object that it "
         "loads: link the library under test, and do not strip .nv_fatbin"});
  }
  std::cout << "archgrid: kernels  " << report.verdicts.size() << ", " << report.failures.size()
            << " not served, " << report.ignored << " ignored, " << loaded.left_out
            << " of NVIDIA's libraries left out" << std::endl;
  record_.kernels = report.verdicts.size();
  for (const KernelFailure& failure : report.failures) add_failure(failure);
  executable_ = loaded.judged.front();
  compare_with_runtime(report);
  add_uncounted(report, loaded);
  say_uncounted();
  fail_with_the_first();
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
  record_.proof_seconds = passed.count();
}

void Proof::judge_loaded_by(const std::string& test) {
  // Outside the lock, because listeners are notified of failures and may do anything.
  for (const KernelFailure& failure : judge_fresh(test).failures) ADD_FAILURE() << failure.text;
}

KernelReport Proof::judge_fresh(const std::string& test) {
  const std::lock_guard lock(mutex_);
  const LoadedFiles loaded = loaded_files_.fresh();
  KernelReport report = judge(loaded.judged);
  for (const KernelFailure& failure : report.failures) record_.findings.push_back(failure.text);
  add_uncounted(report, loaded);
  if (!report.verdicts.empty()) {
    std::cout << "archgrid: loaded   by " << test << ": " << report.verdicts.size() << " kernels, "
              << report.failures.size() << " not served" << std::endl;
  }
  if (loaded.vanished > 0) {
    hides_launches_ = true;
    std::cout << "archgrid: loaded   by " << test << ": " << loaded.vanished
              << " shared objects that are gone again, which were not judged" << std::endl;
  }
  return report;
}

void Proof::add_uncounted(const KernelReport& report, const LoadedFiles& loaded) {
  for (const coverage::Served& served : report.verdicts) {
    if (served.path != executable_) add_uncounted(served.path);
  }
  for (const std::string& library : loaded.launching) add_uncounted(library);
}

void Proof::add_uncounted(const std::string& file) {
  auto& known = record_.uncounted;
  if (std::find(known.begin(), known.end(), file) == known.end()) known.push_back(file);
}

void Proof::add_failure(const KernelFailure& failure) {
  record_.findings.push_back(failure.text);
  // Several files may contain kernels of one name; each gets its own test.
  std::string name = failure.name;
  for (int number = 2; tests_.count(name) > 0; ++number) {
    name = failure.name + " #" + std::to_string(number);
  }
  tests_[name] = outcome_of(failure);
  add_coverage_test(name, [text = failure.text] { return text; });
}

/// Compares this executable's kernels only: shared objects register theirs unobserved.
void Proof::compare_with_runtime(const KernelReport& report) {
  std::vector<coverage::Served> own;
  std::copy_if(report.verdicts.begin(), report.verdicts.end(), std::back_inserter(own),
               [&](const coverage::Served& served) { return served.path == executable_; });
  const std::vector<RuntimeAnswer> answers = ask_runtime();
  Agreement agreement = compare(own, answers, {gpu_.major, gpu_.minor}, !check_.accepts_jit());
  // Unreadable files and kernels without PTX to compile are already reported.
  if (report.failures.empty()) {
    for (std::string& text : unseen(own, answers)) {
      agreement.disagreements.push_back(std::move(text));
    }
  }
  record_.kernels_asked = agreement.compared;
  record_.disagreements = agreement.disagreements;
  std::cout << "archgrid: runtime  asked for " << agreement.compared << " of "
            << report.verdicts.size() << " kernels, disagrees on " << agreement.disagreements.size()
            << std::endl;
  add_disagreements(agreement.disagreements);
}

void Proof::add_disagreements(const std::vector<std::string>& disagreements) {
  std::size_t number = 0;
  for (const std::string& text : disagreements) {
    const std::string name = "Disagreement" + std::to_string(++number);
    tests_[name] = TestOutcome::failed;
    add_coverage_test(
        name, [text] { return text + ": archgrid or the driver is wrong; please report it"; });
  }
}

void Proof::say_uncounted() const {
  if (record_.uncounted.empty()) return;
  std::cout << "archgrid: launches of these are not counted:";
  for (const std::string& file : record_.uncounted) std::cout << " " << file;
  std::cout << std::endl;
}

}  // namespace archgrid::gtest
