// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The current device, as far as times depend on it.
#ifndef ARCHGRID_PERF_GPU_HPP
#define ARCHGRID_PERF_GPU_HPP

#include <cstddef>
#include <string>

namespace archgrid::perf {

/// Throws CudaError.
int current_device();

/// At least a MiB. Throws CudaError.
std::size_t bytes_of_l2();

/// "0000:01:00.0"; empty if it is not known.
std::string pci_bus_id();

/// An environment variable, or `otherwise` where it is unset or empty.
std::string variable(const char* name, const char* otherwise);

}  // namespace archgrid::perf

#endif
