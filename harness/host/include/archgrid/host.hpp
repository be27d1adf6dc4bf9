// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs CUDA kernels on the CPU, to test their arithmetic where there is no GPU and to find what a
// GPU hides. Kernels are compiled by the ordinary C++ compiler against the headers in host/cuda,
// which stand in for CUDA's. What a kernel does here is no evidence that any GPU has an image of
// it: results are labelled `host`, and never count as GPU coverage. docs/host.md is the guide.
#ifndef ARCHGRID_HOST_HPP
#define ARCHGRID_HOST_HPP

#include <vector_types.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <tuple>
#include <utility>

namespace archgrid::host {

/// What a kernel did that it must not do.
enum class DefectKind {
  divergent_barrier,     ///< threads of a block are at different barriers, or one has left
  deadlock,              ///< no thread can go on
  divergent_warp,        ///< lanes that a warp operation names do something else
  shared_out_of_bounds,  ///< shared memory that the launch did not ask for
  global_out_of_bounds,  ///< memory that is no allocation, or beyond its end
  local_out_of_bounds,   ///< an index beyond an array's extent
  read_before_write,     ///< shared memory that no thread of the block has written
  not_yet_arrived,       ///< the destination of a cp.async that has not been waited for
  race,                  ///< two threads, one of them writing, and no barrier between them
  misaligned,            ///< an address that its type does not allow
  invalid_argument,      ///< an operation's own precondition
  trap,                  ///< __trap()
};

/// The name of a kind, as messages have it: "divergent barrier".
const char* name(DefectKind kind);

/// Thrown by launch(). what() names kernel, block, thread and, where known, file and line.
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

/// In which order the threads of a block are given the CPU, and blocks of a grid their turn. A GPU
/// promises none: a kernel whose result depends on it lacks a barrier, or adds up by atomics.
enum class Order { ascending, descending, shuffled };

/// How kernels are run, from the next launch on.
struct Options {
  Order order = Order::ascending;
  std::uint64_t seed = 0;  ///< of Order::shuffled
  /// OS threads among which the blocks of a grid are shared; 0 for the machine's. With the checks
  /// of archgrid::host_checks it is always one.
  unsigned workers = 0;
  /// Lets threads leave a kernel before a barrier of the whole block that others wait at. Devices
  /// from 7.0 on wait for those that are left; where it is not meant, it is a mistake on all.
  bool exited_threads_may_miss_barriers = false;
  std::size_t stack_bytes = 64 * 1024;  ///< of each thread of a block
};

Options options();
void set_options(const Options& options);

/// The device that is stood in for: what the runtime's attributes say, and how its tensor cores
/// round. `compute_capability` is major * 10 + minor, 90 unless said otherwise. Throws
/// std::invalid_argument for one below 50.
void set_device(int compute_capability);
int device();

/// True where archgrid::host_checks is linked: every access to memory is checked.
bool checks_accesses();

namespace detail {

struct Launch {
  dim3 grid;
  dim3 block;
  std::size_t dynamic_shared_bytes;
  const void* kernel;     ///< for its name
  const void* arguments;  ///< which the kernel's parameters are copied from
  std::size_t arguments_bytes;
};

/// Calls `body` as each thread of each block. Throws Defect.
void run(const Launch& launch, const std::function<void()>& body);

/// What a thread touches between these is the kernel's.
void enter_kernel();
void leave_kernel();

}  // namespace detail

/// Runs kernel(arguments...) for each thread of each block of the grid, and returns when all have
/// ended. Throws Defect at the first one, with the blocks that had begun left where they were;
/// throws std::invalid_argument for extents or shared memory that the device does not have.
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

}  // namespace archgrid::host

#endif
