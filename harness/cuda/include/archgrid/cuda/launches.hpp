// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Observes this program's calls of the CUDA runtime by wrapping functions at link time
// (archgrid/detail/gtest.cmake lists them for the linker). Calls from shared libraries are not
// observed.
#ifndef ARCHGRID_CUDA_LAUNCHES_HPP
#define ARCHGRID_CUDA_LAUNCHES_HPP

#include <cuda_runtime_api.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace archgrid {

/// Returns the number of kernels and graphs launched so far, in any thread, successful or not.
std::size_t launch_count();

/// Sets the devices for which the kernels were judged. A launch by the runtime's API on another
/// device is recorded for take_unjudged_launch().
void set_judged_devices(std::vector<int> devices);

/// Returns a device on which kernels were launched since the last call although they were not
/// judged for it.
std::optional<int> take_unjudged_launch();

/// Returns the devices on which kernels were launched since the last call by the runtime's API;
/// empty if only one device was judged.
std::vector<int> take_launched_devices();

/// Reports whether this thread launched kernels in a default stream since the watch began.
bool launched_in_default_stream();

/// Records launches of this thread in a default stream during its lifetime.
class DefaultStreamWatch {
 public:
  DefaultStreamWatch();
  ~DefaultStreamWatch();
  DefaultStreamWatch(const DefaultStreamWatch&) = delete;
  DefaultStreamWatch& operator=(const DefaultStreamWatch&) = delete;
};

/// Returns the errors of launches in threads other than this one since the last call. Omits errors
/// that the thread has itself cleared by cudaGetLastError().
std::vector<cudaError_t> take_launch_errors_of_threads();

/// Marks launches of this thread as archgrid's own during its lifetime, so that they are not
/// counted.
class OwnLaunches {
 public:
  OwnLaunches();
  ~OwnLaunches();
  OwnLaunches(const OwnLaunches&) = delete;
  OwnLaunches& operator=(const OwnLaunches&) = delete;
};

/// A kernel as its program registers it at start-up.
struct RegisteredKernel {
  const void* function = nullptr;  ///< host function that identifies the kernel to the runtime
  std::string name;                ///< mangled
};

/// Returns the kernels in the order of registration. A template's kernel may appear more than once.
const std::vector<RegisteredKernel>& registered_kernels();

}  // namespace archgrid

#endif
