// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Runs code around GoogleTest's run of the tests, whichever main() starts it: the linker redirects
// the call in RUN_ALL_TESTS() to __wrap_..., and __real_... is GoogleTest's own function.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <archgrid/gtest/seed.hpp>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "choice.hpp"
#include "command_line.hpp"
#include "early_end.hpp"
#include "googletest.hpp"
#include "kernel_check.hpp"
#include "outcomes.hpp"
#include "program.hpp"
#include "proof.hpp"
#include "run.hpp"

namespace archgrid::gtest {
namespace {

/// Runs before main() and before static initialisation, either of which may start CUDA.
__attribute__((constructor(101))) void prepare_early() {
  try {
    const std::vector<std::string> arguments = command_line();
    const auto have = [&](bool (*is_it)(std::string_view)) {
      return std::any_of(arguments.begin(), arguments.end(), is_it);
    };
    if (have(lists_tests) || have(is_of_death_test)) return;
    const bool is_of_ctest = std::getenv(kRecordVariable) != nullptr;
    watch_exit((is_of_ctest || have(selects_tests)) && !have(is_help));
    const Settings settings = settings_of(arguments);
    tell_driver(KernelCheck(settings), settings);
  } catch (const std::exception&) {
    // The run finds and reports the error again.
  }
}

/// Throws UsageError for an unknown flag: GoogleTest would print its help text and return success.
void refuse_leftovers(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if ((shows_help() && is_help(argv[i])) || is_own_flag(argv[i])) continue;
    throw UsageError("unknown argument " + std::string(argv[i]) + "; --help lists the known ones");
  }
}

template <class Action>
int guarded(const Action& action) {
  try {
    return action();
  } catch (const UsageError& error) {
    std::cerr << "archgrid: " << error.what() << "\n";
    end_tests(kExitUsage);
    return kExitUsage;
  } catch (const std::exception& error) {
    std::cout << std::flush;
    std::cerr << "archgrid: failed: error: " << error.what() << "\n";
    end_tests(kExitFailed);
    return kExitFailed;
  } catch (...) {
    std::cerr << "archgrid: failed: error: something was thrown that is no std::exception\n";
    end_tests(kExitFailed);
    return kExitFailed;
  }
}

/// Runs a death test with the GPU and the seed of its parent.
int run_death_test(const std::vector<std::string>& arguments) {
  const Settings settings = settings_of(arguments);
  if (settings.seed) set_seed(*settings.seed);
  const char* const gpu = std::getenv(kGpuOfDeathTests);
  const int ordinal = gpu == nullptr ? 0 : std::atoi(gpu);
  const cudaError_t error = ordinal == 0 ? cudaSuccess : cudaSetDevice(ordinal);
  if (error == cudaSuccess) return run_googletest();
  std::cerr << "archgrid: failed: broken-gpu: cudaSetDevice: " << cudaGetErrorString(error)
            << std::endl;
  std::_Exit(kExitPassed);  // the test would take a failing exit for the expected death
}

int run_all_tests() {
  static bool is_again = false;
  if (std::exchange(is_again, true)) {
    std::cout << "archgrid: failed: run-twice: RUN_ALL_TESTS() may be called once in a program"
              << std::endl;
    return kExitFailed;
  }
  const std::vector<std::string> arguments = command_line();
  if (std::any_of(arguments.begin(), arguments.end(), is_of_death_test)) {
    return run_death_test(arguments);
  }
  add_test_of_every_kernel();
  if (shows_help() && std::none_of(arguments.begin(), arguments.end(), is_help)) {
    throw UsageError("a --gtest_ flag is unknown: GoogleTest would show its help and run no test");
  }
  if (GTEST_FLAG_GET(list_tests)) return run_googletest();
  if (shows_help()) {
    const int result = run_googletest();
    std::cout << "\n" << help_text() << std::flush;
    return result;
  }
  expect_known_variables(variable_names());
  const Settings settings = settings_of(arguments);
  std::optional<std::string> environment_filter;
  if (is_filtered_by_environment(arguments)) environment_filter = GTEST_FLAG_GET(filter);
  if (!settings.suite.empty()) select_suite(settings.suite);
  return run_tests(settings, std::move(environment_filter));
}

}  // namespace

int main_of(int argc, char** argv) {
  return guarded([&] {
    ::testing::InitGoogleTest(&argc, argv);
    refuse_leftovers(argc, argv);
    return RUN_ALL_TESTS();
  });
}

}  // namespace archgrid::gtest

extern "C" int __wrap__ZN7testing8UnitTest3RunEv(::testing::UnitTest*) {
  return archgrid::gtest::guarded(archgrid::gtest::run_all_tests);
}
