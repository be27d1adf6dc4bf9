// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// What the executor tells the checks of accesses, if they are linked.
#ifndef ARCHGRID_HOST_CHECKER_HPP
#define ARCHGRID_HOST_CHECKER_HPP

#include <archgrid/host/device_code.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace archgrid::host::detail {

struct Extent {
  const std::byte* begin = nullptr;
  const std::byte* end = nullptr;
  bool holds(const std::byte* address) const { return begin <= address && address < end; }
};

inline Extent extent_of(const void* begin, std::size_t bytes) {
  const auto* const first = static_cast<const std::byte*>(begin);
  return {first, first + bytes};
}

class Checker {
 public:
  virtual ~Checker() = default;

  /// Called on the thread of the OS that will run all blocks. `arguments` are what they may read of
  /// the host's memory.
  virtual void begin_launch(const std::vector<Extent>& arguments) = 0;
  /// A block begins whose thread t has stacks[t].
  virtual void begin_block(std::uint64_t block, const std::vector<Extent>& stacks,
                           Extent dynamic_shared) = 0;
  /// Of the block's threads those listed have met: what they did comes before what they will do.
  virtual void met(const std::vector<unsigned>& threads) = 0;
  /// The thread that runs has come to a barrier of this number, and does not wait there.
  virtual void arrived(int barrier) = 0;
  /// These have waited at it, and it has opened.
  virtual void opened(int barrier, const std::vector<unsigned>& threads) = 0;
  /// The thread that runs does this, in a call that returns to `pc`, if that is known.
  virtual void access(const void* address, std::size_t bytes, Access access, const void* pc) = 0;
  virtual void atomic(const void* address, std::size_t bytes, const void* pc) = 0;
  /// Until end_async_copy() nobody may read or write `to`, nor write `from`.
  virtual void begin_async_copy(Extent to, Extent from) = 0;
  virtual void end_async_copy(Extent to, Extent from) = 0;
};

/// Null without checks.
extern Checker* checker;

/// What cudaMalloc has given and not taken back: the extent that holds `address`, or an empty one.
Extent allocation_of(const void* address);

/// What cudaFree() has taken back of late, while there are checks.
Extent freed_allocation_of(const void* address);

/// With checks nothing else is nearer to an allocation.
constexpr std::size_t gap_between_allocations = 1 << 20;

/// The one that is nearest to an address in none; empty where there is none at all.
Extent nearest_allocation(const void* address);

}  // namespace archgrid::host::detail

#endif
