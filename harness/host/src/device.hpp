// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The device that is stood in for.
#ifndef ARCHGRID_HOST_DEVICE_HPP
#define ARCHGRID_HOST_DEVICE_HPP

#include <cstddef>

namespace archgrid::host::detail {

/// The most shared memory that a block can ask for, in bytes.
std::size_t shared_memory_of(int compute_capability);

}  // namespace archgrid::host::detail

#endif
