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

/// From here on the action is done where this program, and no child of it, calls exit(). None:
/// nothing is done any more. After tell_of_crashes().
void tell_of_exit(std::function<void()> action);

/// The test that runs now; empty between tests.
void set_running(const std::string& test);
std::string running();

/// Does something once after a time, in a thread of its own, unless it is destroyed before.
class Deadline {
 public:
  Deadline(std::chrono::duration<double> time, std::function<void()> action);
  ~Deadline();
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace archgrid::gtest

#endif
