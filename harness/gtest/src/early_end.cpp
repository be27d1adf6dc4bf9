// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "early_end.hpp"

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace archgrid::gtest {
namespace {

struct Signal {
  int number;
  const char* name;
};

constexpr Signal kSignals[] = {{SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"},   {SIGILL, "SIGILL"},
                               {SIGFPE, "SIGFPE"},   {SIGTRAP, "SIGTRAP"}, {SIGABRT, "SIGABRT"}};

// A signal handler may read nothing that allocates. Its last byte is always 0.
char running_test[512];
std::mutex running_mutex;  // between threads; the handler takes what is there
pid_t program = 0;

void put(const char* text) {
  // Nobody is left to be told that this failed.
  static_cast<void>(!::write(STDOUT_FILENO, text, std::strlen(text)));
}

void tell(int number) {
  if (::getpid() == program) {  // and not a child that a death test lets die
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
  // The handler is gone by now (SA_RESETHAND): the program ends as it would have without it.
  std::raise(number);
}

}  // namespace

void tell_of_crashes() {
  // Where the stack has overflowed, the handler needs another one.
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

void set_running(const std::string& test) {
  const std::lock_guard lock(running_mutex);
  std::strncpy(running_test, test.c_str(), sizeof running_test - 1);
}

std::string running() {
  const std::lock_guard lock(running_mutex);
  return running_test;
}

void tell_of_exit(std::function<void()> action) {
  static std::function<void()> at_exit;
  static const bool is_registered = [] {
    return std::atexit([] {
             if (at_exit && ::getpid() == program) at_exit();
           }) == 0;
  }();
  static_cast<void>(is_registered);
  at_exit = std::move(action);
}

Deadline::Deadline(std::chrono::duration<double> time, std::function<void()> action)
    : thread_([this, time, action = std::move(action)] {
        std::unique_lock lock(mutex_);
        if (!ended_.wait_for(lock, time, [this] { return is_over_; })) action();
      }) {}

Deadline::~Deadline() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  ended_.notify_one();
  thread_.join();
}

}  // namespace archgrid::gtest
