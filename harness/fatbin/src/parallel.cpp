// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <archgrid/fatbin/parallel.hpp>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace archgrid {
namespace {

/// Helper threads of all calls, as calls from several threads share the cores.
std::atomic<std::size_t> helpers_at_work = 0;

/// Counts one more helper if a core is left for it; returns false if none is.
bool take_helper() {
  const auto cores = std::max(1U, std::thread::hardware_concurrency());
  if (++helpers_at_work < cores) return true;
  --helpers_at_work;
  return false;
}

}  // namespace

std::size_t threads_for(std::size_t count) {
  return std::min<std::size_t>(std::max(1U, std::thread::hardware_concurrency()), count);
}

void parallel_for(std::size_t count,
                  const std::function<void(std::size_t index, std::size_t thread)>& work) {
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr failure;
  const auto run = [&](std::size_t thread) noexcept {
    try {
      for (auto index = next++; index < count; index = next++) work(index, thread);
    } catch (...) {
      next = count;  // no more work is started
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  std::vector<std::thread> helpers;
  helpers.reserve(threads_for(count));  // an exception while threads run would end the process
  for (std::size_t thread = 1; thread < threads_for(count) && take_helper(); ++thread) {
    try {
      helpers.emplace_back(run, thread);
    } catch (const std::exception&) {
      // If no more threads can be started, those already running do the work.
      --helpers_at_work;
      break;
    }
  }
  run(0);
  for (auto& helper : helpers) {
    helper.join();
    --helpers_at_work;
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace archgrid
