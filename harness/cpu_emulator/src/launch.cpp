// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <algorithm>
#include <archgrid/cpu_emulator.hpp>
#include <archgrid/cpu_emulator/device_code.hpp>
#include <atomic>
#include <mutex>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

#include "allocations.hpp"
#include "block.hpp"
#include "device.hpp"

namespace archgrid::cpu_emulator {
namespace {

using detail::Running;

std::mutex settings_mutex;
Options settings;

// The blocks of a grid, distributed one by one until one fails.
class Grid {
 public:
  Grid(const detail::Launch& launch, const std::function<void()>& body)
      : launch_(launch), body_(body), options_(options()) {}

  void run() {
    const unsigned workers = count_workers();
    if (workers == 1) {
      work();
    } else {
      std::vector<std::thread> others;
      for (unsigned i = 0; i < workers; ++i) others.emplace_back([this] { work(); });
      for (std::thread& other : others) other.join();
    }
    if (error_) std::rethrow_exception(error_);
  }

 private:
  unsigned count_workers() const {
    if (checks_accesses()) return 1;
    const unsigned wanted =
        options_.workers > 0 ? options_.workers : std::max(1u, std::thread::hardware_concurrency());
    return static_cast<unsigned>(std::min<std::uint64_t>(wanted, blocks_));
  }

  void work() {
    try {
      detail::Block block(launch_, options_);
      for (std::uint64_t next = next_++; next < blocks_; next = next_++) {
        const std::uint64_t number = in_order(next);
        const std::uint64_t x = launch_.grid.x;
        const std::uint64_t y = launch_.grid.y;
        block.run({static_cast<unsigned>(number % x), static_cast<unsigned>(number / x % y),
                   static_cast<unsigned>(number / x / y)},
                  number, body_);
      }
    } catch (...) {
      next_ = blocks_;
      const std::lock_guard lock(error_mutex_);
      if (!error_) error_ = std::current_exception();
    }
  }

  // Returns the block that runs at position `turn`.
  std::uint64_t in_order(std::uint64_t turn) const {
    switch (options_.order) {
      case Order::ascending:
        return turn;
      case Order::descending:
        return blocks_ - 1 - turn;
      case Order::shuffled:
        break;
    }
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((Wide{turn} * stride_ + options_.seed) % blocks_);
  }

  // Returns a number coprime to that of the blocks, whose multiples are far apart.
  static std::uint64_t stride_among(std::uint64_t blocks, std::uint64_t seed) {
    std::uint64_t stride = blocks * 5 / 8 + seed % 7;
    while (std::gcd(stride, blocks) != 1) ++stride;
    return stride;
  }

  const detail::Launch& launch_;
  const std::function<void()>& body_;
  const Options options_;
  const std::uint64_t blocks_ = std::uint64_t{launch_.grid.x} * launch_.grid.y * launch_.grid.z;
  const std::uint64_t stride_ = stride_among(blocks_, options_.seed);
  std::atomic<std::uint64_t> next_{0};
  std::mutex error_mutex_;
  std::exception_ptr error_;
};

void require(bool holds, const std::string& what) {
  if (!holds) throw std::invalid_argument("archgrid::cpu_emulator::launch: " + what);
}

// Checks the limits of every device since 5.0 (CUDA C++ Programming Guide, "Technical
// Specifications per Compute Capability").
void check(const detail::Launch& launch) {
  const dim3 g = launch.grid;
  const dim3 b = launch.block;
  require(g.x > 0 && g.y > 0 && g.z > 0 && b.x > 0 && b.y > 0 && b.z > 0,
          "an extent of grid or block is zero");
  require(
      g.x <= 2147483647u && g.y <= 65535 && g.z <= 65535,
      fmt::format(
          "a grid of {} x {} x {} blocks, and no device takes more than 2147483647 x 65535 x 65535",
          g.x, g.y, g.z));
  require(b.x <= 1024 && b.y <= 1024 && b.z <= 64 && std::uint64_t{b.x} * b.y * b.z <= 1024,
          fmt::format("a block of {} x {} x {} threads, and no device takes more than 1024, nor "
                      "more than 64 in z",
                      b.x, b.y, b.z));
  const std::size_t most = detail::shared_memory_of(device());
  require(launch.dynamic_shared_bytes <= most,
          fmt::format("{} bytes of dynamic shared memory, and device {}.{} has {}",
                      launch.dynamic_shared_bytes, device() / 10, device() % 10, most));
  require(detail::running_block() == nullptr,
          "called by a kernel: kernels cannot launch kernels here");
}

}  // namespace

const char* name(DefectKind kind) {
  switch (kind) {
    case DefectKind::divergent_barrier:
      return "divergent barrier";
    case DefectKind::deadlock:
      return "deadlock";
    case DefectKind::divergent_warp:
      return "divergent warp";
    case DefectKind::shared_out_of_bounds:
      return "shared memory out of bounds";
    case DefectKind::global_out_of_bounds:
      return "global memory out of bounds";
    case DefectKind::local_out_of_bounds:
      return "index out of bounds";
    case DefectKind::read_before_write:
      return "shared memory read before written";
    case DefectKind::not_yet_arrived:
      return "asynchronous copy not waited for";
    case DefectKind::race:
      return "data race";
    case DefectKind::misaligned:
      return "misaligned address";
    case DefectKind::invalid_argument:
      return "invalid argument";
    case DefectKind::trap:
      return "trap";
  }
  return "unknown defect";
}

Defect::Defect(DefectKind kind, std::string kernel, uint3 block, uint3 thread, std::string message)
    : kind_(kind),
      kernel_(std::move(kernel)),
      block_(block),
      thread_(thread),
      what_(std::move(message)) {}

Options options() {
  const std::lock_guard lock(settings_mutex);
  return settings;
}

void set_options(const Options& options) {
  const std::lock_guard lock(settings_mutex);
  settings = options;
}

bool checks_accesses() {
  return detail::checker != nullptr;
}

void detail::run(const Launch& launch, const std::function<void()>& body) {
  check(launch);
  if (checker != nullptr) {
    checker->begin_launch(
        {extent_of(launch.arguments, launch.arguments_bytes), extent_of(&body, sizeof body)});
  }
  Grid(launch, body).run();
}

void stop(DefectKind kind, const char* message, Site site) {
  Running()->stop(
      kind, [message] { return std::string(message); }, site);
}

void detail::stop_with(DefectKind kind, std::string message, Site site) {
  Running()->stop(
      kind, [message = std::move(message)] { return message; }, site);
}

void detail::enter_kernel() {
  running_block()->set_in_kernel(true);
}
void detail::leave_kernel() {
  running_block()->set_in_kernel(false);
}

void wait_at_barrier(int barrier, int threads, Site site) {
  Running()->wait_at_barrier(barrier, threads, false,
                             threads == 0 ? "__syncthreads()" : "a named barrier", site);
}

void arrive_at_barrier(int barrier, int threads, Site site) {
  Running()->arrive_at_barrier(barrier, threads, site);
}

int count_at_barrier(bool predicate, Site site) {
  Running()->wait_at_barrier(0, 0, predicate, "__syncthreads() with a predicate", site);
  return Running()->counted(0);
}

void meet_warp(unsigned mask, const char* name, Convergence convergence, WarpOperation operation,
               void* mine, Site site) {
  Running()->meet_warp(mask, name, convergence, operation, mine, site);
}

unsigned lane() {
  return Running()->running() % 32;
}

void fence() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

void* dynamic_shared_memory() {
  return const_cast<std::byte*>(Running()->dynamic_shared().begin);
}

void begin_async_copy(void* shared, const void* global, int bytes, int source_bytes, Site site) {
  const Running running;
  if ((bytes != 4 && bytes != 8 && bytes != 16) || source_bytes < 0 || source_bytes > bytes) {
    detail::stop_with(
        DefectKind::invalid_argument,
        fmt::format("cp.async of {} bytes, {} of them from the source: copies 4, 8 or 16", bytes,
                    source_bytes),
        site);
  }
  const auto size = static_cast<std::size_t>(bytes);
  check_alignment(shared, size, "cp.async", site);
  check_alignment(global, size, "cp.async", site);
  check_is_shared(shared, size, "cp.async", site);
  running->begin_async_copy({static_cast<std::byte*>(shared), static_cast<const std::byte*>(global),
                             size, static_cast<std::size_t>(source_bytes),
                             __builtin_return_address(0)});
}

void commit_async_copies() {
  Running()->commit_async_copies();
}
void wait_async_copies(int pending) {
  Running()->wait_async_copies(static_cast<std::size_t>(std::max(pending, 0)));
}
void wait_all_async_copies() {
  Running()->commit_async_copies();
  Running()->wait_async_copies(0);
}

void check_access(const void* address, std::size_t bytes, Access access) {
  const Running running;
  if (detail::checker != nullptr) {
    detail::checker->access(address, bytes, access, __builtin_return_address(0));
  }
}

void check_atomic(const void* address, std::size_t bytes) {
  const Running running;
  if (detail::checker != nullptr) {
    detail::checker->atomic(address, bytes, __builtin_return_address(0));
  }
}

void check_alignment(const void* address, std::size_t bytes, const char* operation, Site site) {
  if (reinterpret_cast<std::uintptr_t>(address) % bytes == 0) return;
  const Running running;
  detail::stop_with(
      DefectKind::misaligned,
      fmt::format("{} at {}, which is no multiple of {} bytes", operation, address, bytes), site);
}

void check_is_shared(const void* address, std::size_t bytes, const char* operation, Site site) {
  const Running running;
  const auto* const begin = static_cast<const std::byte*>(address);
  const detail::Extent dynamic = running->dynamic_shared();
  if (dynamic.contains(begin)) {
    if (bytes <= static_cast<std::size_t>(dynamic.end - begin)) return;
    detail::stop_with(
        DefectKind::shared_out_of_bounds,
        fmt::format("{} of {} bytes, of which the block's dynamic shared memory holds {}",
                    operation, bytes, dynamic.end - begin),
        site);
  }
  if (detail::allocation_of(address).begin != nullptr) {
    detail::stop_with(DefectKind::invalid_argument,
                      fmt::format("{} with an address of global memory", operation), site);
  }
}

}  // namespace archgrid::cpu_emulator
