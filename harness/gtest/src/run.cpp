// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "run.hpp"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <archgrid/device/survey.hpp>
#include <archgrid/gtest/seed.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <sstream>
#include <utility>
#include <vector>

#include "choice.hpp"
#include "early_end.hpp"
#include "googletest.hpp"
#include "left_behind.hpp"
#include "outcomes.hpp"
#include "proof.hpp"
#include "unloading.hpp"
#include "watch.hpp"

namespace archgrid::gtest {
namespace {

const ::testing::UnitTest& tests() {
  return *::testing::UnitTest::GetInstance();
}

/// Returns the kind of a fake CUDA runtime, which runs no kernel; empty for NVIDIA's runtime.
std::string fake() {
  using Tell = const char*();
  auto* const tell = reinterpret_cast<Tell*>(dlsym(RTLD_DEFAULT, "archgrid_fake_runtime"));
  return tell == nullptr ? "" : tell();
}

/// Returns an id that distinguishes the record of this run from others written to the same file.
std::string id_of_run() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::to_string(::getpid()) + "-" +
         std::to_string(std::chrono::duration_cast<std::chrono::microseconds>(now).count());
}

class Run {
 public:
  /// `environment_filter`: the filter if it comes from ctest's environment.
  Run(const Settings& settings, std::optional<std::string> environment_filter)
      : settings_(settings),
        environment_filter_(std::move(environment_filter)),
        check_(settings),
        files_({settings.json, settings.record}, settings.program) {
    unsetenv(kRecordVariable);  // programs that tests start are not part of this run
    record_.program = settings.program;
    record_.run = id_of_run();
    record_.cell = settings.cell;
    record_.toolkit = device::text_of_version(CUDART_VERSION);
    record_.fake = fake();
    record_.seed = settings.seed;
    if (settings.seed) set_seed(*settings.seed);
    take_pending(selected_tests());
    record_.message = "it ended before its first test";
    files_.write(record_);
    if (!settings.record.empty()) {
      std::cout << "archgrid: record   " << settings.record << ", run " << record_.run << std::endl;
    }
  }

  int run() {
    if (environment_filter_ && selected_tests(true).empty()) {
      return skip("no-match", "no enabled test matches GTEST_FILTER=" + *environment_filter_);
    }
    // Starts here because a driver that hangs also takes the program's time.
    if (settings_.timeout) {
      deadline_.emplace(std::chrono::duration<double>(*settings_.timeout), [this] { end_late(); });
    }
    const Choice choice = choose_gpu();
    if (choice.outcome != Outcome::run) return stop(choice);
    print_header();
    const cudaError_t error = cudaSetDevice(choice.gpu.ordinal);
    if (error != cudaSuccess) {
      return stop({Outcome::fail, "broken-gpu",
                   std::string("cudaSetDevice: ") + cudaGetErrorString(error), choice.gpu});
    }
    setenv(kGpuOfDeathTests, std::to_string(choice.gpu.ordinal).c_str(), 1);
    set_judged_devices(devices_like(choice.gpu));
    Proof proof(check_, machine_.driver_version, record_);
    proof.prove();
    return run_tests(proof);
  }

 private:
  void take_pending(std::vector<std::string> tests) {
    record_.pending.assign(std::make_move_iterator(tests.begin()),
                           std::make_move_iterator(tests.end()));
  }

  /// A proof for one GPU is valid for all GPUs of its compute capability.
  [[nodiscard]] std::vector<int> devices_like(const device::Gpu& chosen) const {
    std::vector<int> ordinals;
    for (const device::Gpu& gpu : machine_.gpus) {
      if (gpu.capability == chosen.capability) ordinals.push_back(gpu.ordinal);
    }
    return ordinals;
  }

  Choice choose_gpu() {
    tell_driver(check_, settings_);
    const std::string foreign =
        foreign_runtime(CUDART_VERSION, device::linked_runtime_version(), settings_);
    if (!foreign.empty()) return {Outcome::fail, "foreign-runtime", foreign, {}};
    machine_ = device::survey();
    Choice choice = choose(machine_, settings_, [&](device::Capability capability) {
      return check_.not_for(capability);
    });
    record_.driver = device::text_of_version(machine_.driver_version);
    record_.driver_release = machine_.driver_release;
    record_.runtime = device::text_of_version(machine_.runtime_version);
    if (choice.outcome == Outcome::run) record_.gpu = choice.gpu;
    return choice;
  }

  void print_header() const {
    const auto or_unknown = [](const std::string& text) { return text.empty() ? "unknown" : text; };
    const auto or_none = [](const std::string& text) { return text.empty() ? "none" : text; };
    std::cout << "archgrid: gpu      " << record_.gpu->name << ", "
              << device::text_of(record_.gpu->capability) << ", device " << record_.gpu->ordinal
              << " of " << machine_.gpus.size() << "\n"
              << "archgrid: driver   CUDA " << record_.driver << ", release "
              << or_unknown(record_.driver_release) << "\n"
              << "archgrid: runtime  " << record_.runtime << (record_.fake.empty() ? "" : ", ")
              << record_.fake << "\n"
              << "archgrid: toolkit  " << record_.toolkit << "\n"
              << "archgrid: cell     " << or_none(record_.cell) << std::endl;
  }

  int run_tests(Proof& proof) {
    Watch::Options options;
    options.fail_empty = settings_.fail_empty;
    options.counts_launches = [&] { return proof.counts_launches(); };
    options.failures_of_kernels = proof.failing_tests();
    options.device = record_.gpu->ordinal;
    options.selects = [&](std::vector<std::string> tests) {
      proof.while_unchanged([&] { take_pending(std::move(tests)); });
    };
    options.starts = [&](const std::string& test, const std::vector<TestRecord>& before) {
      begin(test);
      proof.forget_test();
      proof.while_unchanged([&] {
        const auto pending = std::find(record_.pending.begin(), record_.pending.end(), test);
        if (pending != record_.pending.end()) record_.pending.erase(pending);
        record_.running = test;
        keep(test, before);
      });
    };
    options.shares = [&](const std::string& what, const std::vector<TestRecord>& before) {
      begin(what);
      proof.while_unchanged([&] {
        record_.running.clear();
        keep(what, before);
      });
    };
    options.ends = [&](const std::string& test) { proof.judge_loaded_by(test); };
    options.skip = [this](const std::string& test) {
      return check_.skip_reason(test, record_.gpu->capability);
    };
    tell_seeds_of_failed_tests();
    auto* const watch = new Watch(options);  // owned by GoogleTest from here on
    ::testing::UnitTest::GetInstance()->listeners().Append(watch);
    tell_of_crashes();
    const int result = run_watched(proof);
    set_running("");
    record_.tests = watch->records();
    record_.message.clear();
    proof.judge_loaded_by("what all tests share");
    if (files_.are_wanted()) {
      ExecutedCode code = proof.executed(watch->launched_by_passed());
      record_.executed = std::move(code.kernels);
      if (has_run_all()) record_.code_hash = std::move(code.hash);
    }
    if (watch->stopped().empty()) find_left_behind();
    return end(result, watch->stopped());
  }

  /// Ensures that nothing of this run is called after it, even if it ends by an exception
  /// (--gtest_throw_on_failure).
  int run_watched(Proof& proof) {
    struct Guard {
      ~Guard() {
        around_unloading({});
        end_tests(kExitFailed);  // the exit code unless close() sets another
      }
    };
    const Guard guard;
    around_unloading(
        [&] { proof.judge_loaded_by(running().empty() ? "what tests share" : running()); });
    begin_tests([this] { end_by_exit(); });
    return run_googletest();
  }

  /// Reports whether each test that is not disabled has passed or failed, without a filter or a
  /// shard.
  [[nodiscard]] bool has_run_all() const {
    const auto enabled = names_of_tests([](const ::testing::TestInfo& test) {
      const auto is_disabled = [](const std::string& name) {
        return name.rfind("DISABLED_", 0) == 0 || name.find("/DISABLED_") != std::string::npos;
      };
      return !is_disabled(test.name()) && !is_disabled(test.test_suite_name());
    });
    return std::all_of(enabled.begin(), enabled.end(), [&](const std::string& name) {
      return std::any_of(record_.tests.begin(), record_.tests.end(), [&](const TestRecord& test) {
        return test.name == name &&
               (test.outcome == TestOutcome::passed || test.outcome == TestOutcome::failed ||
                test.outcome == TestOutcome::empty);
      });
    });
  }

  /// Finds errors of environments, which are torn down after the last test.
  void find_left_behind() {
    for (const std::string& error : errors_left_behind().errors) {
      left_behind_ += (left_behind_.empty() ? "what all tests share " : "; ") + error;
    }
  }

  /// Starts a test or shared code between tests; each has the whole time limit.
  void begin(const std::string& what) {
    set_running(what);
    if (deadline_) deadline_->begin_anew();
  }

  /// Updates the record, in case the run does not complete.
  void keep(const std::string& what, const std::vector<TestRecord>& before) {
    if (!record_.tests.empty()) record_.tests.pop_back();  // listeners may have failed it since
    const auto known = static_cast<std::ptrdiff_t>(record_.tests.size());
    record_.tests.insert(record_.tests.end(), before.begin() + known, before.end());
    record_.message = "it ended during " + what;
    files_.keep_up(record_);
  }

  /// Runs in the thread of the timer.
  [[noreturn]] void end_late() {
    const std::string test = running();
    std::ostringstream message;
    message << (test.empty() ? "the start" : test) << " did not end within " << *settings_.timeout
            << " s";
    end_early(ProgramOutcome::timed_out, "timed-out", message.str());
  }

  /// Fails the program: exit(0) in a test, or in code that it calls, would pass.
  [[noreturn]] void end_by_exit() {
    const std::string test = running();
    end_early(ProgramOutcome::failed, "exited",
              "exit() was called " + (test.empty() ? "outside of tests" : "during " + test));
  }

  [[noreturn]] void end_early(ProgramOutcome outcome, const char* code,
                              const std::string& message) {
    try {
      files_.write_late(outcome, code, message);
    } catch (const std::exception& error) {
      std::cout << "\narchgrid: " << error.what();
    }
    std::fflush(nullptr);  // prints the tests' buffered output first
    std::cout << "\narchgrid: failed: " << code << ": " << message << std::endl;
    end_tests(kExitFailed);
    std::_Exit(kExitFailed);
  }

  /// Returns the exit code: GoogleTest returns 0 even if no test was selected or all were skipped.
  int end(int googletest_result, const std::string& stopped) {
    const std::size_t own = count_of_program();
    if (!record_.tests.empty()) {
      std::cout << "archgrid: tests    " << counts_text(record_.tests) << std::endl;
    }
    if (!record_.disagreements.empty()) {
      return fail("disagreement", "archgrid and the CUDA runtime disagree, see above");
    }
    if (!record_.findings.empty()) return fail("kernels", "not every kernel is served, see above");
    if (tests().ad_hoc_test_result().Failed()) {
      return fail("environment",
                  "what all tests share could not be set up or torn down, see above");
    }
    if (!left_behind_.empty()) return fail("environment", left_behind_);
    if (!stopped.empty()) return fail("unusable-gpu", stopped);
    if (googletest_result != 0) return fail("tests", counts_text(record_.tests));
    if (count(TestOutcome::not_run) > 0) return fail("not-run", counts_text(record_.tests));
    if (tests().test_to_run_count() == 0) return end_of_nothing();
    if (record_.tests.empty()) return end_of_skipped_environment();
    if (own == 0) return pass();
    const std::size_t skipped = count(TestOutcome::skipped);
    if (skipped == own) {
      return skip("all-skipped", std::to_string(skipped) + " of " + std::to_string(own) +
                                     " tests; " + first_skip());
    }
    if (skipped + count(TestOutcome::empty) == own) {
      return skip("empty", std::to_string(count(TestOutcome::empty)) + " of " +
                               std::to_string(own) + " tests launched no kernel");
    }
    return pass();
  }

  /// Ends a run in which a global environment skipped in its SetUp(), and with it every test.
  int end_of_skipped_environment() {
    const std::string reason = first_text(tests().ad_hoc_test_result(), true);
    return reason.empty() ? fail("environment", "a global environment skipped without a reason")
                          : skip("all-skipped", reason);
  }

  int end_of_nothing() {
    if (selected_in_any_shard() > 0) {
      return skip("empty-shard", "the tests that match, listed above, are in other shards");
    }
    return fail("no-tests",
                "no enabled test matches --gtest_filter=" + std::string(GTEST_FLAG_GET(filter)));
  }

  [[nodiscard]] std::size_t count(TestOutcome outcome) const {
    return static_cast<std::size_t>(
        std::count_if(record_.tests.begin(), record_.tests.end(),
                      [&](const TestRecord& test) { return test.outcome == outcome; }));
  }

  /// Returns the number of tests that archgrid did not add.
  [[nodiscard]] std::size_t count_of_program() const {
    const std::string prefix = std::string(kCoverageSuite) + ".";
    return static_cast<std::size_t>(
        std::count_if(record_.tests.begin(), record_.tests.end(),
                      [&](const TestRecord& test) { return test.name.rfind(prefix, 0) != 0; }));
  }

  [[nodiscard]] std::string first_skip() const {
    const auto first =
        std::find_if(record_.tests.begin(), record_.tests.end(),
                     [](const TestRecord& test) { return test.outcome == TestOutcome::skipped; });
    return first == record_.tests.end() ? "" : first->name + ": " + first->reason;
  }

  int stop(const Choice& choice) {
    return choice.outcome == Outcome::skip ? skip(choice.code, choice.message)
                                           : fail(choice.code, choice.message);
  }

  int skip(const std::string& code, const std::string& message) {
    return close(ProgramOutcome::skipped, code, message, kExitSkipped);
  }

  int fail(const std::string& code, const std::string& message) {
    return close(ProgramOutcome::failed, code, message, kExitFailed);
  }

  int pass() {
    const std::string where = "on " + device::text_of(record_.gpu->capability);
    return record_.fake.empty()
               ? close(ProgramOutcome::passed, "gpu", where, kExitPassed)
               : close(ProgramOutcome::passed, "fake", where + ", which is no GPU", kExitPassed);
  }

  /// Prints the final line; a program without it has crashed.
  int close(ProgramOutcome outcome, const std::string& code, const std::string& message,
            int exit_code) {
    record_.outcome = outcome;
    record_.code = code;
    record_.message = message;
    record_.running.clear();
    for (const std::string& test : std::exchange(record_.pending, {})) {
      const bool is_skipped = outcome == ProgramOutcome::skipped;
      record_.tests.push_back(
          {test, is_skipped ? TestOutcome::skipped : TestOutcome::not_run, message, 0, 0});
    }
    end_tests(exit_code);
    files_.write(record_);
    std::cout << "archgrid: " << name_of(outcome) << ": " << code << ": " << message << std::endl;
    return exit_code;
  }

  const Settings& settings_;
  const std::optional<std::string> environment_filter_;
  KernelCheck check_;
  RecordFiles files_;
  Record record_;
  device::Machine machine_;
  std::string left_behind_;  ///< errors left behind by code that all tests share
  std::optional<Deadline> deadline_;
};

}  // namespace

void tell_driver(const KernelCheck& check, const Settings& settings) {
  // Overrides the caller's environment.
  unsetenv("CUDA_FORCE_PTX_JIT");
  unsetenv("CUDA_DISABLE_PTX_JIT");
  const bool forces_jit = settings.load == Load::jit;
  if (!check.accepts_jit()) setenv("CUDA_DISABLE_PTX_JIT", "1", 1);
  if (forces_jit) setenv("CUDA_FORCE_PTX_JIT", "1", 1);
  // Code that an earlier run compiled proves nothing, and a driver (580.159.04) loads it even if
  // compiling PTX is disabled.
  if (forces_jit || !check.accepts_jit()) setenv("CUDA_CACHE_DISABLE", "1", 1);
  if (settings.load == Load::eager) setenv("CUDA_MODULE_LOADING", "EAGER", 1);
}

int run_tests(const Settings& settings, std::optional<std::string> environment_filter) {
  return Run(settings, std::move(environment_filter)).run();
}

}  // namespace archgrid::gtest
