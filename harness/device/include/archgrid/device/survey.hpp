// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
// Queries the CUDA runtime that this is compiled against and linked with.
#ifndef ARCHGRID_DEVICE_SURVEY_HPP
#define ARCHGRID_DEVICE_SURVEY_HPP

#include <archgrid/device.hpp>

namespace archgrid::device {

/// Returns the version of the linked runtime. Returns 0 if the runtime does not report it: before
/// CUDA 12 it does not without a driver.
int linked_runtime_version();

/// Returns the machine as the runtime sees it. Initialises CUDA, so set every environment variable
/// that CUDA has to see before. Clears the error that it leaves in the runtime.
Machine survey();

}  // namespace archgrid::device

#endif
