// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Programs that do not come to their end say so all the same: in a last line, and in their record.
#ifndef ARCHGRID_GTEST_EARLY_END_HPP
#define ARCHGRID_GTEST_EARLY_END_HPP

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace archgrid::gtest {

/// From here on a signal that ends the program (SIGSEGV, SIGABRT, ...) first writes
/// "archgrid: failed: crashed: SIGSEGV during Suite.Case". Signals that somebody else handles are
/// left to them.
void tell_of_crashes();

/// To be called once, early. From here on a program that must run its tests does not end with 0 or
/// 77 before it has, and one that has run them does not end with 0 or 77 where they did not. It
/// says so.
void watch_exit(bool must_run_tests);

/// The tests run from here on. `exits_early` is done where the program, and no child of it, ends by
/// exit() or _exit() before end_tests().
void begin_tests(std::function<void()> exits_early);

/// They are over, and this is the exit code that stands for them.
void end_tests(int code);

/// Maps the `status` with which a program ends to its final exit code.
int exit_code_for(int status);

/// The same for _exit(), which a signal handler may call: where the status is neither 0 nor 77 it
/// says only what a handler may say, and takes the status.
int exit_code_of_handler(int status);

/// The part of the run that messages name: "Suite.Case", "the set-up of Suite"; empty for others.
void set_running(const std::string& what);
std::string running();

/// Does something once after a time, in a thread of its own, unless it is destroyed or begun anew
/// before.
class Deadline {
 public:
  Deadline(std::chrono::duration<double> time, std::function<void()> action);
  ~Deadline();

  /// Grants the whole time again.
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
