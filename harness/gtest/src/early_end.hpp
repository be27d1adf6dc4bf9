// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes a program that ends early report it, in its last line and in its record.
#ifndef ARCHGRID_GTEST_EARLY_END_HPP
#define ARCHGRID_GTEST_EARLY_END_HPP

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace archgrid::gtest {

/// Installs handlers for the signals that end the program (SIGSEGV, SIGABRT, ...), which first
/// write "archgrid: failed: crashed: SIGSEGV during Suite.Case". Signals that already have a
/// handler keep it.
void tell_of_crashes();

/// Starts watching the program's exit; call it once, early. A program that must run its tests then
/// cannot end with 0 or 77 before it has run them, nor after them unless the tests ended with that
/// code. It reports the attempt.
void watch_exit(bool must_run_tests);

/// Records that the tests run from now on. Calls `exits_early` if the program, not one of its
/// children, ends by exit() or _exit() before end_tests().
void begin_tests(std::function<void()> exits_early);

/// Records that the tests are over, and their exit code.
void end_tests(int code);

/// Maps the `status` with which a program ends to its final exit code.
int exit_code_for(int status);

/// Does the same as exit_code_for(), for _exit(), which a signal handler may call. For a status
/// other than 0 and 77 it does only what a handler may do, and returns the status.
int exit_code_of_handler(int status);

/// Sets the part of the run that messages name: "Suite.Case", "the set-up of Suite"; empty for
/// others.
void set_running(const std::string& what);
std::string running();

/// A timer that runs an action once, in its own thread, unless it is destroyed or restarted before
/// the time is over.
class Deadline {
 public:
  Deadline(std::chrono::duration<double> time, std::function<void()> action);
  ~Deadline();

  /// Restarts the timer.
  void begin_anew();

  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  bool is_over_ = false;
  const std::chrono::duration<double> time_;
  std::chrono::steady_clock::time_point end_;
  std::thread thread_;
};

}  // namespace archgrid::gtest

#endif
