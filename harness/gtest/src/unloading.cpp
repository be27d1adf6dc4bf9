// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "unloading.hpp"

#include <mutex>
#include <utility>

namespace archgrid::gtest {
namespace {

// Neither is ever destroyed: both are used until the very end of the program.
std::recursive_mutex& unloading_mutex() {
  static auto* mutex = new std::recursive_mutex;
  return *mutex;
}

std::function<void()>& unloading_action() {
  static auto* action = new std::function<void()>;
  return *action;
}

/// Runs the action, but not recursively: a listener that is notified of a failure may itself unload
/// a library.
void do_unloading_action() {
  thread_local bool is_done = false;
  if (is_done) return;
  const std::lock_guard lock(unloading_mutex());
  is_done = true;
  try {
    if (unloading_action()) unloading_action()();
  } catch (
      ...) {  // thrown by --gtest_throw_on_failure: it is recorded, and dlclose() must not throw
  }
  is_done = false;
}

}  // namespace

void around_unloading(std::function<void()> action) {
  const std::lock_guard lock(unloading_mutex());
  unloading_action() = std::move(action);
}

}  // namespace archgrid::gtest

extern "C" int __real_dlclose(void* library);
extern "C" int __wrap_dlclose(void* library) {
  archgrid::gtest::do_unloading_action();
  const int result = __real_dlclose(library);
  archgrid::gtest::do_unloading_action();
  return result;
}
