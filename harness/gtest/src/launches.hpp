// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// What this program tells the CUDA runtime, seen by wrapping the functions when it is linked
// (archgrid/detail/gtest.cmake lists them for the linker). Calls from shared libraries are not
// seen.
#ifndef ARCHGRID_GTEST_LAUNCHES_HPP
#define ARCHGRID_GTEST_LAUNCHES_HPP

#include <cuda_runtime_api.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace archgrid::gtest {

/// Kernels and graphs that were launched so far, in any thread, with whatever success.
std::size_t launch_count();

/// The devices for which the kernels were judged. A launch by the runtime's API on another one is
/// kept for take_unjudged_launch().
void set_judged_devices(std::vector<int> devices);

/// A device that kernels were launched on since the last call though they were not judged for it.
std::optional<int> take_unjudged_launch();

/// The devices that kernels were launched on since the last call, by the runtime's API; where only
/// one was judged, none.
std::vector<int> take_launched_devices();

/// Whether this thread launched kernels in a default stream since the watch began.
bool launched_in_default_stream();

/// While it lives, launches of this thread in a default stream are noted.
class DefaultStreamWatch {
 public:
  DefaultStreamWatch();
  ~DefaultStreamWatch();
  DefaultStreamWatch(const DefaultStreamWatch&) = delete;
  DefaultStreamWatch& operator=(const DefaultStreamWatch&) = delete;
};

/// What launches answered in other threads than this one since the last call, and nothing there
/// asked for by cudaGetLastError(), which would have forgotten it.
std::vector<cudaError_t> take_launch_errors_of_threads();

/// While it lives, what this thread launches is archgrid's own, and not counted.
class OwnLaunches {
 public:
  OwnLaunches();
  ~OwnLaunches();
  OwnLaunches(const OwnLaunches&) = delete;
  OwnLaunches& operator=(const OwnLaunches&) = delete;
};

/// A kernel as its program registers it when it starts.
struct RegisteredKernel {
  const void* function = nullptr;  ///< of the host, by which the runtime knows the kernel
  std::string name;                ///< mangled
};

/// In the order of registration. A template's kernel may be there more than once.
const std::vector<RegisteredKernel>& registered_kernels();

}  // namespace archgrid::gtest

#endif
