// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The limits of a GPU by compute capability.
#ifndef ARCHGRID_FAKE_LIMITS_HPP
#define ARCHGRID_FAKE_LIMITS_HPP

#include <archgrid/coverage/table.hpp>
#include <cstddef>

namespace archgrid::fake_cudart {

/// The limits of a GPU; sizes are in bytes. Source: CUDA Programming Guide, "Compute Capabilities",
/// the tables of technical specifications and of shared memory.
struct Limits {
  int threads_per_multiprocessor = 0;
  int blocks_per_multiprocessor = 0;
  int registers = 0;  ///< per multiprocessor, and per block
  std::size_t shared_per_multiprocessor = 0;
  std::size_t shared_per_block_optin = 0;
  std::size_t reserved_shared_per_block = 0;
};

constexpr int kThreadsPerBlock = 1024;
constexpr int kWarp = 32;
constexpr std::size_t kSharedPerBlock = std::size_t{48} * 1024;  ///< unless a kernel asks for more
constexpr int kMultiprocessors = 16;                             ///< of every fake GPU
constexpr std::size_t kDeviceMemory = std::size_t{16} << 30;     ///< of every fake GPU

Limits limits_of(coverage::ComputeCapability device);

/// Returns the largest block, in threads of whole warps, of a kernel with that many registers.
int threads_for_registers(const Limits& limits, int registers);

/// Returns the number of blocks that a multiprocessor runs at once.
int blocks_at_once(const Limits& limits, int threads, int registers, std::size_t shared);

}  // namespace archgrid::fake_cudart

#endif
