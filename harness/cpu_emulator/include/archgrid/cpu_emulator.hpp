// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs CUDA kernels on the CPU, to test their arithmetic without a GPU and to find errors that a
// GPU hides. The ordinary C++ compiler compiles kernels against the headers in cuda/, which
// replace CUDA's. A run here does not prove that any GPU has an image of the kernel: results are
// labelled `host`, and never count as GPU coverage. docs/cpu-emulator.md is the guide.
#ifndef ARCHGRID_CPU_EMULATOR_HPP
#define ARCHGRID_CPU_EMULATOR_HPP

#include <archgrid/cpu_emulator/vector_types.hpp>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <tuple>
#include <utility>

namespace archgrid::cpu_emulator {

/// A kind of error in a kernel.
enum class DefectKind {
  divergent_barrier,     ///< threads of a block are at different barriers, or one has left
  deadlock,              ///< no thread can continue
  divergent_warp,        ///< lanes in a warp operation's mask execute something else
  shared_out_of_bounds,  ///< shared memory beyond the size of the launch
  global_out_of_bounds,  ///< memory outside of allocations, or beyond the end of one
  local_out_of_bounds,   ///< an index beyond an array's extent
  read_before_write,     ///< shared memory that no thread of the block has written
  not_yet_arrived,       ///< destination of a cp.async before the wait for it
  race,                  ///< two threads without a barrier between them, one of which writes
  misaligned,            ///< an address that is not aligned for its type
  invalid_argument,      ///< a violated precondition of an operation
  trap,                  ///< __trap()
};

/// Returns the name of a kind as in messages: "divergent barrier".
const char* name(DefectKind kind);

/// Exception of launch(). what() names kernel, block, thread and, if known, file and line.
class Defect : public std::exception {
 public:
  Defect(DefectKind kind, std::string kernel, uint3 block, uint3 thread, std::string message);

  const char* what() const noexcept override { return what_.c_str(); }
  DefectKind kind() const { return kind_; }
  const std::string& kernel() const { return kernel_; }  ///< demangled
  uint3 block() const { return block_; }
  uint3 thread() const { return thread_; }

 private:
  DefectKind kind_;
  std::string kernel_;
  uint3 block_;
  uint3 thread_;
  std::string what_;
};

/// The order in which the threads of a block, and the blocks of a grid, run. A GPU guarantees no
/// order: a kernel whose result depends on it lacks a barrier, or sums up by atomics.
enum class Order { ascending, descending, shuffled };

/// Options for running kernels, which apply from the next launch on.
struct Options {
  Order order = Order::ascending;
  std::uint64_t seed = 0;  ///< seed of Order::shuffled
  /// Number of OS threads that share the blocks of a grid; 0: as many as the machine has. Always
  /// one with the checks of archgrid::cpu_emulator_checks.
  unsigned workers = 0;
  /// Allows threads to exit before a barrier of the whole block at which others wait. Devices from
  /// 7.0 on then wait for the remaining threads; unless intended, it is an error on all devices.
  bool exited_threads_may_miss_barriers = false;
  std::size_t stack_bytes = 64 * 1024;  ///< for each thread of a block
};

Options options();
void set_options(const Options& options);

/// Sets the emulated device, which determines the runtime's attributes and the rounding of tensor
/// cores. `compute_capability` is major * 10 + minor, 90 by default. Throws std::invalid_argument
/// below 50.
void set_device(int compute_capability);
int device();

/// Reports whether archgrid::cpu_emulator_checks is linked, which checks every memory access.
bool checks_accesses();

namespace detail {

struct Launch {
  dim3 grid;
  dim3 block;
  std::size_t dynamic_shared_bytes;
  const void* kernel;     ///< used for its name
  const void* arguments;  ///< source of the kernel's parameters
  std::size_t arguments_bytes;
};

/// Calls `body` for each thread of each block. Throws Defect.
void run(const Launch& launch, const std::function<void()>& body);

/// Accesses of a thread between these calls are the kernel's.
void enter_kernel();
void leave_kernel();

}  // namespace detail

/// Runs kernel(arguments...) for each thread of each block of the grid, and returns when all have
/// ended. Throws Defect at the first defect, and abandons the blocks that had begun. Throws
/// std::invalid_argument for extents or shared memory beyond the device's limits.
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), dim3 grid, dim3 block, std::size_t dynamic_shared_bytes,
            Arguments&&... arguments) {
  static_assert(sizeof...(Parameters) == sizeof...(Arguments),
                "launch() is called with as many arguments as the kernel has parameters");
  const std::tuple<Parameters...> bound(std::forward<Arguments>(arguments)...);
  detail::run({grid, block, dynamic_shared_bytes, reinterpret_cast<const void*>(kernel), &bound,
               sizeof bound},
              [kernel, &bound] {
                detail::enter_kernel();
                std::apply(kernel, bound);
                detail::leave_kernel();
              });
}

}  // namespace archgrid::cpu_emulator

#endif
