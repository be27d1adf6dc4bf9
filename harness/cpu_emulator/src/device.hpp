// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The emulated device.
#ifndef ARCHGRID_CPU_EMULATOR_DEVICE_HPP
#define ARCHGRID_CPU_EMULATOR_DEVICE_HPP

#include <cstddef>

namespace archgrid::cpu_emulator::detail {

/// Returns the maximum shared memory of a block in bytes.
std::size_t shared_memory_of(int compute_capability);

}  // namespace archgrid::cpu_emulator::detail

#endif
