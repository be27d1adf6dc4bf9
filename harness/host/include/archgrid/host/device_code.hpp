// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// What the operations of device code are made of: the stand-ins for CUDA's headers call these, and
// wrappers of inline PTX that are not archgrid's own may. They may only be called by a thread of a
// kernel that runs.
#ifndef ARCHGRID_HOST_DEVICE_CODE_HPP
#define ARCHGRID_HOST_DEVICE_CODE_HPP

#include <archgrid/host.hpp>

namespace archgrid::host {

/// Where device code calls an operation. As a default argument it is the caller's place.
struct Site {
  const char* file;
  int line;
  static constexpr Site here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line};
  }
};

enum class Access { read, write };

/// The kernel that runs stops here, and its launch throws. Objects of the kernel are not destroyed.
[[noreturn]] void stop(DefectKind kind, const char* message, Site site);

/// Waits for `threads` of the block, a multiple of 32, at barrier `barrier` of 0 to 15
/// (bar.sync a, b), or, with 0, for all of them (bar.sync a).
void wait_at_barrier(int barrier, int threads, Site site);
/// Counts as arrived without waiting (bar.arrive a, b).
void arrive_at_barrier(int barrier, int threads, Site site);
/// __syncthreads() that also counts the threads whose `predicate` holds.
int count_at_barrier(bool predicate, Site site);

/// What a warp operation does once all lanes of its mask have come: `lanes` has for each of them
/// what it passed, and null for the others.
using WarpOperation = void (*)(void* const (&lanes)[32]);

/// What an operation asks of its lanes, and gives them.
enum class Convergence {
  any,       ///< the same operation and mask
  aligned,   ///< from the same place, as PTX asks of operations with .aligned
  ordering,  ///< any, and what a lane did before is seen by all after it, as __syncwarp() promises
};

/// Waits for the lanes of `mask`, the caller's among them, to come to the operation `name`, which
/// then is performed once.
void meet_warp(unsigned mask, const char* name, Convergence convergence, WarpOperation operation,
               void* mine, Site site);
unsigned lane();

/// Orders the accesses to memory before it and after it (membar.gl).
void fence();

/// The block's dynamic shared memory, which begins at a multiple of 1024 bytes.
void* dynamic_shared_memory();

/// Copies 4, 8 or 16 bytes to shared memory like cp.async: `source_bytes` of them, and zeros. The
/// destination holds rubbish until the thread has waited.
void begin_async_copy(void* shared, const void* global, int bytes, int source_bytes, Site site);
void commit_async_copies();
/// Waits until at most `pending` of the groups that were committed have not arrived.
void wait_async_copies(int pending);
/// Waits for all, committed or not.
void wait_all_async_copies();

/// Tells the checks, where linked, of an access that no instrumented code makes.
void check_access(const void* address, std::size_t bytes, Access access);
/// The same for an atomic operation, which races with none of its like.
void check_atomic(const void* address, std::size_t bytes);
/// Stops where `address` is no multiple of `bytes`.
void check_alignment(const void* address, std::size_t bytes, const char* operation, Site site);
/// Stops where [address, address + bytes) is not shared memory of this block, as far as is known:
/// static shared memory is told from other memory only by the checks.
void check_is_shared(const void* address, std::size_t bytes, const char* operation, Site site);

}  // namespace archgrid::host

#endif
