// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "unloading.hpp"

#include <mutex>
#include <utility>

namespace archgrid::gtest {
namespace {

std::mutex unloading_mutex;
std::function<void()> unloading_action;

void do_unloading_action() {
  const std::lock_guard lock(unloading_mutex);
  if (unloading_action) unloading_action();
}

}  // namespace

void around_unloading(std::function<void()> action) {
  const std::lock_guard lock(unloading_mutex);
  unloading_action = std::move(action);
}

}  // namespace archgrid::gtest

extern "C" int __real_dlclose(void* library);
extern "C" int __wrap_dlclose(void* library) {
  archgrid::gtest::do_unloading_action();
  const int result = __real_dlclose(library);
  archgrid::gtest::do_unloading_action();
  return result;
}
