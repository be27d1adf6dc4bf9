// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "early_end.hpp"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "choice.hpp"

namespace archgrid::gtest {
namespace {

struct Signal {
  int number;
  const char* name;
};

constexpr Signal kSignals[] = {{SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"},   {SIGILL, "SIGILL"},
                               {SIGFPE, "SIGFPE"},   {SIGTRAP, "SIGTRAP"}, {SIGABRT, "SIGABRT"}};

/// The progress of the tests.
enum class Phase { not_begun, running, over };
std::atomic<Phase> phase{Phase::not_begun};
std::atomic<int> code_of_tests{0};
std::function<void()>& exit_action() {
  static auto* action = new std::function<void()>;  // never destroyed: used until the very end
  return *action;
}

// A fixed array because a signal handler must not allocate. Its last byte is always 0.
char running_test[512];
std::mutex running_mutex;  // for threads only; the handler reads without the lock
pid_t program = 0;
bool tests_must_run = false;

void put(const char* text) {
  // There is no one to report a failure to.
  static_cast<void>(!::write(STDOUT_FILENO, text, std::strlen(text)));
}

/// Reports whether ctest would read the exit code as a pass or a skip.
bool claims_no_failure(int status) {
  return status == kExitPassed || status == kExitSkipped;
}

void tell(int number) {
  if (::getpid() == program) {  // not in a child that a death test lets die
    put("\narchgrid: failed: crashed: ");
    for (const Signal& known : kSignals) {
      if (known.number == number) put(known.name);
    }
    if (running_test[0] != '\0') {
      put(" during ");
      put(running_test);
    }
    put("\n");
  }
  // The handler is already uninstalled (SA_RESETHAND): the program ends as it would without it.
  std::raise(number);
}

}  // namespace

void tell_of_crashes() {
  // After a stack overflow the handler needs another stack.
  static char other_stack[1 << 16];
  stack_t stack = {};
  stack.ss_sp = other_stack;
  stack.ss_size = sizeof other_stack;
  sigaltstack(&stack, nullptr);
  program = ::getpid();
  for (const Signal& known : kSignals) {
    struct sigaction action = {};
    if (sigaction(known.number, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) continue;
    action = {};
    action.sa_handler = tell;
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER | SA_ONSTACK);
    sigaction(known.number, &action, nullptr);
  }
}

void watch_exit(bool must_run_tests) {
  program = ::getpid();
  tests_must_run = must_run_tests;
  ::on_exit(
      [](int status, void*) {
        const int code = exit_code_for(status);
        if (code == status) return;
        std::fflush(nullptr);
        std::_Exit(code);
      },
      nullptr);
}

void begin_tests(std::function<void()> exits_early) {
  exit_action() = std::move(exits_early);
  phase = Phase::running;
}

void end_tests(int code) {
  code_of_tests = code;
  phase = Phase::over;
}

int exit_code_for(int status) {
  if (program == 0 || ::getpid() != program) return status;  // a child process, as of a death test
  if (phase == Phase::running) exit_action()();
  if (!claims_no_failure(status)) return status;
  if (phase == Phase::not_begun && tests_must_run) {
    put("\narchgrid: failed: not-run: the program ended ");
    put(status == kExitPassed
            ? "before RUN_ALL_TESTS()\n"
            : "with 77 before RUN_ALL_TESTS(), which skips by itself without a GPU\n");
    return 1;
  }
  if (phase != Phase::over || status == code_of_tests) return status;
  put(status == kExitPassed ? "archgrid: exit     main() returned 0"
                            : "archgrid: exit     main() returned 77");
  put(" instead of what RUN_ALL_TESTS() did, which stands\n");
  return code_of_tests;
}

int exit_code_of_handler(int status) {
  if (claims_no_failure(status)) return exit_code_for(status);
  if (::getpid() == program && phase == Phase::running) {
    put("\narchgrid: failed: exited: _exit() was called during ");
    put(running_test);
    put("\n");
  }
  return status;
}

void set_running(const std::string& what) {
  const std::lock_guard lock(running_mutex);
  std::strncpy(running_test, what.c_str(), sizeof running_test - 1);
}

std::string running() {
  const std::lock_guard lock(running_mutex);
  return running_test;
}

Deadline::Deadline(std::chrono::duration<double> time, std::function<void()> action) : time_(time) {
  begin_anew();
  // Starts last: the thread uses the members above.
  thread_ = std::thread([this, action = std::move(action)] {
    std::unique_lock lock(mutex_);
    while (!is_over_ && std::chrono::steady_clock::now() < end_) ended_.wait_until(lock, end_);
    if (!is_over_) action();
  });
}

void Deadline::begin_anew() {
  const std::lock_guard lock(mutex_);
  end_ = std::chrono::steady_clock::now() +
         std::chrono::duration_cast<std::chrono::steady_clock::duration>(time_);
}

Deadline::~Deadline() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  ended_.notify_one();
  thread_.join();
}

}  // namespace archgrid::gtest
