// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs the threads of one block at a time, switching between them at barriers and warp operations.
#ifndef ARCHGRID_CPU_EMULATOR_BLOCK_HPP
#define ARCHGRID_CPU_EMULATOR_BLOCK_HPP

#include <archgrid/cpu_emulator/device_code.hpp>
#include <array>
#include <deque>
#include <functional>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "checker.hpp"
#include "fiber.hpp"

namespace archgrid::cpu_emulator::detail {

struct AsyncCopy {
  std::byte* to;
  const std::byte* from;
  std::size_t bytes;
  std::size_t source_bytes;
  const void* pc;  ///< return address of the call that began the copy
};

struct Thread {
  enum class State { ready, waiting, ended };

  explicit Thread(std::size_t stack_bytes) : fiber(stack_bytes) {}

  Fiber fiber;
  uint3 index{};
  State state = State::ended;
  const char* waits_for = nullptr;  ///< name of the operation, while waiting
  int barrier = -1;                 ///< barrier at which the thread waits
  Site site{};
  std::vector<AsyncCopy> uncommitted;
  std::deque<std::vector<AsyncCopy>> committed;
};

struct Barrier {
  int expected = 0;  ///< number of threads; 0: all
  int arrived = 0;
  int predicates = 0;
  int counted = 0;                ///< number of true predicates when it last opened
  std::optional<unsigned> first;  ///< the first thread to arrive
  std::vector<unsigned> waiting;
};

/// The lanes that have reached one operation.
struct Meeting {
  unsigned mask = 0;
  unsigned arrived = 0;
  const char* name = nullptr;
  unsigned first = 0;  ///< the first thread to arrive
  void* lanes[32] = {};
};

class Block {
 public:
  Block(const Launch& launch, const Options& options);

  /// Runs `body` as each of the block's threads. Throws Defect.
  void run(uint3 index, std::uint64_t number, const std::function<void()>& body);

  // Operations that a thread of the block calls.
  void wait_at_barrier(int barrier, int threads, bool predicate, const char* name, Site site);
  void arrive_at_barrier(int barrier, int threads, Site site);
  int counted(int barrier) const { return barriers_[static_cast<std::size_t>(barrier)].counted; }
  void meet_warp(unsigned mask, const char* name, Convergence convergence, WarpOperation operation,
                 void* mine, Site site);
  /// Stops the kernel. `message` runs after the thread has been left: the thread's stack is small,
  /// and objects on it are not destroyed. Callers, too, must therefore own nothing.
  [[noreturn]] void stop(DefectKind kind, std::function<std::string()> message, Site site);
  void begin_async_copy(const AsyncCopy& copy);
  void commit_async_copies();
  void wait_async_copies(std::size_t pending);

  unsigned running() const { return running_; }
  /// Reports whether the running thread executes the kernel rather than the emulated hardware. The
  /// instrumentation cannot tell: of a function that is inline here and in a kernel's source, the
  /// linker keeps one copy.
  bool is_in_kernel() const { return is_in_kernel_; }
  void set_in_kernel(bool is_in_kernel) { is_in_kernel_ = is_in_kernel; }
  Thread& thread() { return threads_[running_]; }
  std::string described(unsigned thread) const;
  Extent dynamic_shared() const { return {shared_, shared_ + launch_.dynamic_shared_bytes}; }

 private:
  void begin(const std::function<void()>& body);
  bool let_all_go_on();
  void resume(unsigned thread);
  void thread_ended();
  void complain(DefectKind kind, unsigned thread, std::function<std::string()> message, Site site);
  void wait(const char* name, int barrier, Site site);
  Barrier& come_to_barrier(int barrier, int threads, const char* name, Site site);
  void open_if_complete(Barrier& barrier, int number);
  void finish(const std::vector<AsyncCopy>& copies);
  Defect deadlock() const;
  Defect defect(DefectKind kind, unsigned thread, const std::string& message, Site site) const;
  Launch launch_;
  Options options_;
  unsigned count_;
  std::deque<Thread> threads_;
  std::array<Barrier, 16> barriers_;
  std::vector<std::vector<Meeting>> meetings_;  // by warp
  std::vector<unsigned> present_;               // by warp, the lanes that have not ended
  std::vector<std::byte> shared_memory_;
  std::byte* shared_ = nullptr;
  std::vector<unsigned> order_;
  std::mt19937_64 shuffler_;
  uint3 index_{};
  unsigned running_ = 0;
  unsigned ended_ = 0;
  bool is_in_kernel_ = false;
  std::function<Defect()> complaint_;  ///< creates the Defect that was found, if any
  std::vector<const void*> calls_;     ///< calls in progress at the defect, if a thread caused it
};

/// The block that this OS thread runs; null outside of kernels.
extern __thread Block* current_block;
/// Returns the running block. Inline, because instrumented code calls it at each memory access.
inline Block* running_block() {
  return current_block;
}

/// The block of the thread that calls an operation. During its lifetime the thread acts as the
/// hardware: its accesses do not count as the kernel's. Throws std::logic_error outside of kernels.
class Running {
 public:
  Running() : block_(running_block()) {
    if (block_ == nullptr) {
      throw std::logic_error(
          "archgrid::cpu_emulator: an operation of device code was called outside of a kernel");
    }
    was_in_kernel_ = block_->is_in_kernel();
    block_->set_in_kernel(false);
  }
  ~Running() { block_->set_in_kernel(was_in_kernel_); }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  Block* operator->() const { return block_; }

 private:
  Block* block_;
  bool was_in_kernel_;
};

/// Calls stop() with a complete message. A kernel's own code must not call it.
[[noreturn]] void stop_with(DefectKind kind, std::string message, Site site);

}  // namespace archgrid::cpu_emulator::detail

#endif
