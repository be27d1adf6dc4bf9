// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The interface by which the executor reports to the access checks, if linked.
#ifndef ARCHGRID_CPU_EMULATOR_CHECKER_HPP
#define ARCHGRID_CPU_EMULATOR_CHECKER_HPP

#include <archgrid/cpu_emulator/device_code.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace archgrid::cpu_emulator::detail {

struct Extent {
  const std::byte* begin = nullptr;
  const std::byte* end = nullptr;
  bool contains(const std::byte* address) const { return begin <= address && address < end; }
};

inline Extent extent_of(const void* begin, std::size_t bytes) {
  const auto* const first = static_cast<const std::byte*>(begin);
  return {first, first + bytes};
}

class Checker {
 public:
  virtual ~Checker() = default;

  /// Called on the OS thread that will run all blocks, which may read `arguments` in the host's
  /// memory.
  virtual void begin_launch(const std::vector<Extent>& arguments) = 0;
  /// Begins a block in which thread t has stacks[t].
  virtual void begin_block(std::uint64_t block, const std::vector<Extent>& stacks,
                           Extent dynamic_shared) = 0;
  /// These threads of the block have met: their accesses before this come before those after it.
  virtual void met(const std::vector<unsigned>& threads) = 0;
  /// The running thread has arrived at this barrier, and does not wait there.
  virtual void arrived(int barrier) = 0;
  /// These threads have waited at the barrier, and it has opened.
  virtual void opened(int barrier, const std::vector<unsigned>& threads) = 0;
  /// Checks an access of the running thread, in a call that returns to `pc`, if known.
  virtual void access(const void* address, std::size_t bytes, Access access, const void* pc) = 0;
  virtual void atomic(const void* address, std::size_t bytes, const void* pc) = 0;
  /// Forbids accesses to `to` and writes to `from` until end_async_copy().
  virtual void begin_async_copy(Extent to, Extent from) = 0;
  virtual void end_async_copy(Extent to, Extent from) = 0;
};

/// Null without checks.
extern Checker* checker;

}  // namespace archgrid::cpu_emulator::detail

#endif
