// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <archgrid/survey.hpp>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

#include "choice.hpp"
#include "kernel_check.hpp"

namespace archgrid::gtest {
namespace {

/// Fails the run, whatever tests are selected, if a kernel is not served: in those files that are
/// loaded before the first test, and at the end in those that tests loaded.
class ServedKernels : public ::testing::Environment {
 public:
  ServedKernels(const KernelCheck& check, const device::Machine& machine, const device::Gpu& gpu)
      : check_(check), machine_(machine), gpu_(gpu) {}

  void SetUp() override {
    const LoadedFiles loaded = loaded_files();
    judged_ = loaded.judged;
    const KernelReport report = judge(judged_);
    std::cout << "archgrid: kernels  " << report.kernels << ", " << report.failures.size()
              << " not served, " << report.forgiven << " forgiven, " << loaded.left_out
              << " of NVIDIA's libraries left out" << std::endl;
    fail(report);
    if (report.kernels == 0 && report.failures.empty()) {
      ADD_FAILURE() << "no-device-code: no kernel was found in this program or in a shared object "
                       "that it loads: link the library under test, and do not strip .nv_fatbin";
    }
  }

  void TearDown() override {
    std::vector<std::string> later;
    for (const std::string& file : loaded_files().judged) {
      if (std::find(judged_.begin(), judged_.end(), file) == judged_.end()) later.push_back(file);
    }
    fail(judge(later));
  }

 private:
  KernelReport judge(const std::vector<std::string>& files) const {
    return check_.judge(files, gpu_.capability, machine_.driver_version);
  }

  static void fail(const KernelReport& report) {
    for (const std::string& failure : report.failures) ADD_FAILURE() << failure;
  }

  const KernelCheck& check_;
  const device::Machine& machine_;
  const device::Gpu& gpu_;
  std::vector<std::string> judged_;
};

/// Fails a test that leaves a CUDA error behind, which the next call would be blamed for.
class LeftBehindErrors : public ::testing::EmptyTestEventListener {
  void OnTestEnd(const ::testing::TestInfo& test) override {
    expect_success("cudaDeviceSynchronize()", cudaDeviceSynchronize(), test);
    expect_success("cudaGetLastError()", cudaGetLastError(), test);
  }

  static void expect_success(const char* call, cudaError_t error, const ::testing::TestInfo& test) {
    if (error == cudaSuccess) return;
    ADD_FAILURE() << test.test_suite_name() << "." << test.name()
                  << " left a CUDA error behind: " << call << " returned "
                  << cudaGetErrorName(error) << " (" << error << "), " << cudaGetErrorString(error);
  }
};

/// The text of the first skip of the tests that ran.
std::string first_skip() {
  const ::testing::UnitTest& program = *::testing::UnitTest::GetInstance();
  for (int s = 0; s < program.total_test_suite_count(); ++s) {
    const ::testing::TestSuite& suite = *program.GetTestSuite(s);
    for (int t = 0; t < suite.total_test_count(); ++t) {
      const ::testing::TestInfo& test = *suite.GetTestInfo(t);
      for (int p = 0; p < test.result()->total_part_count(); ++p) {
        const ::testing::TestPartResult& part = test.result()->GetTestPartResult(p);
        if (!part.skipped()) continue;
        std::string message = part.message();
        std::replace(message.begin(), message.end(), '\n', ' ');
        return std::string(test.test_suite_name()) + "." + test.name() + ": " + message;
      }
    }
  }
  return "";
}

/// How many tests the filter matches in all shards together, after a run. GoogleTest tells only
/// those of its own shard, so it is asked again without sharding; it lists what it finds.
int selected_in_any_shard() {
  for (const char* name : {"GTEST_TOTAL_SHARDS", "GTEST_SHARD_INDEX"}) unsetenv(name);
  GTEST_FLAG_SET(list_tests, true);
  GTEST_FLAG_SET(output, "");  // a list would take the place of the run's results
  static_cast<void>(RUN_ALL_TESTS());
  return ::testing::UnitTest::GetInstance()->test_to_run_count();
}

/// Of a run that selected no test.
int exit_code_of_nothing() {
  if (selected_in_any_shard() > 0) {
    std::cout << "archgrid: skipped: empty-shard: the tests that match, listed above, are in other "
                 "shards\n";
    return kExitSkipped;
  }
  std::cout << "archgrid: failed: no-tests: no enabled test matches --gtest_filter="
            << GTEST_FLAG_GET(filter) << "\n";
  return kExitFailed;
}

/// GoogleTest returns 0 where no test was selected and where all were skipped.
int exit_code_of(int googletest_result) {
  const ::testing::UnitTest& program = *::testing::UnitTest::GetInstance();
  // GoogleTest's own summary speaks of tests only.
  if (program.ad_hoc_test_result().Failed()) {
    std::cout << "archgrid: failed: kernels: not every kernel is served, see above\n";
  }
  if (googletest_result != 0) return kExitFailed;
  const int selected = program.test_to_run_count();
  const int skipped = program.skipped_test_count();
  if (selected == 0) return exit_code_of_nothing();
  if (skipped == selected) {
    std::cout << "archgrid: skipped: all-skipped: " << skipped << " of " << selected << " tests; "
              << first_skip() << "\n";
    return kExitSkipped;
  }
  return kExitPassed;
}

bool is_help(std::string_view argument) {
  return argument == "--help" || argument == "-h" || argument == "-?" || argument == "/?";
}

/// GoogleTest answers an unknown flag with its help text and success.
void refuse_leftovers(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (is_help(argv[i])) continue;
    throw UsageError("unknown argument " + std::string(argv[i]) + "; --help lists the known ones");
  }
}

void print_header(const device::Machine& machine, const device::Gpu& gpu,
                  const Settings& settings) {
  const auto or_unknown = [](const std::string& text) { return text.empty() ? "unknown" : text; };
  std::cout << "archgrid: gpu      " << gpu.name << ", " << device::text_of(gpu.capability)
            << ", device " << gpu.ordinal << " of " << machine.gpus.size() << "\n"
            << "archgrid: driver   CUDA " << device::text_of_version(machine.driver_version)
            << ", release " << or_unknown(machine.driver_release) << "\n"
            << "archgrid: runtime  " << device::text_of_version(machine.runtime_version) << "\n"
            << "archgrid: toolkit  " << device::text_of_version(CUDART_VERSION) << "\n"
            << "archgrid: cell     " << (settings.cell.empty() ? "none" : settings.cell)
            << std::endl;
}

int stop(const Choice& choice) {
  std::cout << closing_line(choice) << std::endl;
  return choice.outcome == Outcome::skip ? kExitSkipped : kExitFailed;
}

int run_tests(const KernelCheck& check, const device::Machine& machine, const device::Gpu& gpu) {
  ::testing::AddGlobalTestEnvironment(new ServedKernels(check, machine, gpu));
  ::testing::UnitTest::GetInstance()->listeners().Append(new LeftBehindErrors);
  return exit_code_of(RUN_ALL_TESTS());
}

int run(int argc, char** argv) {
  const std::vector<std::string> flags = take_flags(argc, argv);
  ::testing::InitGoogleTest(&argc, argv);
  refuse_leftovers(argc, argv);
  if (GTEST_FLAG_GET(list_tests) || std::any_of(argv, argv + argc, is_help)) return RUN_ALL_TESTS();

  Settings settings = read_settings(flags, [](const char* name) { return std::getenv(name); });
  if (settings.toolkit.empty()) settings.toolkit = device::text_of_version(CUDART_VERSION);
  const KernelCheck check(settings);
  // The driver reads it once, when CUDA starts.
  if (!check.accepts_jit()) setenv("CUDA_DISABLE_PTX_JIT", "1", 1);

  const std::string foreign =
      foreign_runtime(CUDART_VERSION, device::linked_runtime_version(), settings);
  if (!foreign.empty()) return stop({Outcome::fail, "foreign-runtime", foreign, {}});

  const device::Machine machine = device::survey();
  const Choice choice = choose(
      machine, settings, [&](device::Capability capability) { return check.not_for(capability); });
  if (choice.outcome != Outcome::run) return stop(choice);
  print_header(machine, choice.gpu, settings);
  const cudaError_t error = cudaSetDevice(choice.gpu.ordinal);
  if (error != cudaSuccess) {
    return stop({Outcome::fail,
                 "broken-gpu",
                 std::string("cudaSetDevice: ") + cudaGetErrorString(error),
                 {}});
  }
  return run_tests(check, machine, choice.gpu);
}

}  // namespace
}  // namespace archgrid::gtest

int main(int argc, char** argv) {
  try {
    return archgrid::gtest::run(argc, argv);
  } catch (const archgrid::gtest::UsageError& error) {
    std::cerr << "archgrid: " << error.what() << "\n";
    return archgrid::gtest::kExitUsage;
  } catch (const std::exception& error) {
    std::cerr << "archgrid: failed: " << error.what() << "\n";
    return archgrid::gtest::kExitFailed;
  }
}
