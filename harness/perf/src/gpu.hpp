// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Properties of the current device that affect times.
#ifndef ARCHGRID_PERF_GPU_HPP
#define ARCHGRID_PERF_GPU_HPP

#include <cstddef>
#include <string>

namespace archgrid::perf {

/// Returns the current device. Throws CudaError.
int current_device();

/// Returns the size of the L2 cache, 1 MiB at least. Throws CudaError.
std::size_t bytes_of_l2();

/// Returns "0000:01:00.0"; empty if unknown.
std::string pci_bus_id();

/// Returns an environment variable, or `otherwise` if it is unset or empty.
std::string variable(const char* name, const char* otherwise);

}  // namespace archgrid::perf

#endif
