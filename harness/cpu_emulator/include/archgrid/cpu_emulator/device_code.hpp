// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The primitives of device code, for the stand-ins for CUDA's headers and for users' own wrappers
// of inline PTX. Only a running kernel's threads may call them.
#ifndef ARCHGRID_CPU_EMULATOR_DEVICE_CODE_HPP
#define ARCHGRID_CPU_EMULATOR_DEVICE_CODE_HPP

#include <archgrid/cpu_emulator.hpp>

// The built-in variables, with the values of the running thread. They are global, as CUDA's are.
extern __thread uint3 threadIdx;
extern __thread uint3 blockIdx;
extern __thread dim3 blockDim;
extern __thread dim3 gridDim;

namespace archgrid::cpu_emulator {

/// The source location of a call in device code. As a default argument it is the caller's location.
struct Site {
  const char* file;
  int line;
  static constexpr Site here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line};
  }
};

enum class Access { read, write };

/// Stops the running kernel; its launch throws. Does not destroy objects of the kernel.
[[noreturn]] void stop(DefectKind kind, const char* message, Site site);

/// Waits for `threads` threads of the block, a multiple of 32, at barrier `barrier` of 0 to 15
/// (bar.sync a, b); 0 waits for all threads (bar.sync a).
void wait_at_barrier(int barrier, int threads, Site site);
/// Arrives without waiting (bar.arrive a, b).
void arrive_at_barrier(int barrier, int threads, Site site);
/// Acts like __syncthreads(), and returns the number of threads whose `predicate` is true.
int count_at_barrier(bool predicate, Site site);

/// A warp operation, performed once all lanes of its mask have arrived: `lanes` has the argument of
/// each of them, and null for the others.
using WarpOperation = void (*)(void* const (&lanes)[32]);

/// The requirements and guarantees of an operation for its lanes.
enum class Convergence {
  any,       ///< all execute the same operation with the same mask
  aligned,   ///< all at one place, as PTX requires for .aligned
  ordering,  ///< like any; all lanes see earlier accesses, as after __syncwarp()
};

/// Waits until all lanes of `mask`, which includes the caller, reach the operation `name`, and
/// performs it once.
void meet_warp(unsigned mask, const char* name, Convergence convergence, WarpOperation operation,
               void* mine, Site site);
unsigned lane();

/// Orders memory accesses before and after it (membar.gl).
void fence();

/// Returns the block's dynamic shared memory, which begins at a multiple of 1024 bytes.
void* dynamic_shared_memory();

/// Copies `source_bytes` to shared memory like cp.async, and fills up to `bytes`, which is 4, 8 or
/// 16, with zeros. The destination is undefined until the thread has waited.
void begin_async_copy(void* shared, const void* global, int bytes, int source_bytes, Site site);
void commit_async_copies();
/// Waits until at most `pending` committed groups are incomplete.
void wait_async_copies(int pending);
/// Waits for all copies, committed or not.
void wait_all_async_copies();

/// Reports to the checks, if linked, an access of code that is not instrumented.
void check_access(const void* address, std::size_t bytes, Access access);
/// Does the same for an atomic operation, which does not race with other atomic operations.
void check_atomic(const void* address, std::size_t bytes);
/// Stops if `address` is not a multiple of `bytes`.
void check_alignment(const void* address, std::size_t bytes, const char* operation, Site site);
/// Stops if [address, address + bytes) is not shared memory of this block, as far as is known: only
/// the checks can distinguish static shared memory from other memory.
void check_is_shared(const void* address, std::size_t bytes, const char* operation, Site site);

}  // namespace archgrid::cpu_emulator

#endif
