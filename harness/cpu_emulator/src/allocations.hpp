// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The memory that stands for a device's: what cudaMalloc() returns.
#ifndef ARCHGRID_CPU_EMULATOR_ALLOCATIONS_HPP
#define ARCHGRID_CPU_EMULATOR_ALLOCATIONS_HPP

#include <cstddef>

#include "checker.hpp"

namespace archgrid::cpu_emulator::detail {

/// Minimum gap between allocations in bytes, with checks.
constexpr std::size_t gap_between_allocations = 1 << 20;

/// Allocates memory at a multiple of 256 bytes. Returns null if there is not enough.
void* allocate(std::size_t bytes);

/// Frees what allocate() returned. Returns false for any other address.
bool release(void* pointer);

/// Returns the live allocation that contains `address`, or an empty extent.
Extent allocation_of(const void* address);

/// Returns the recently freed allocation that contains `address`; needs checks.
Extent freed_allocation_of(const void* address);

/// Returns the allocation nearest to an address outside of all; empty if there is no allocation.
Extent nearest_allocation(const void* address);

}  // namespace archgrid::cpu_emulator::detail

#endif
