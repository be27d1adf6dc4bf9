// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "device.hpp"

#include <fmt/format.h>

#include <archgrid/cpu_emulator.hpp>
#include <atomic>
#include <stdexcept>

namespace archgrid::cpu_emulator {
namespace {

std::atomic<int> chosen_device{90};

/// The maximum amount of shared memory per thread block, on devices from `first_device` to the next
/// row. Source: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
struct SharedMemory {
  int first_device;
  std::size_t kibibytes;
};
constexpr SharedMemory kSharedMemory[] = {{0, 48},   {70, 96}, {75, 64},  {80, 163}, {86, 99},
                                          {87, 163}, {88, 99}, {90, 227}, {120, 99}};

}  // namespace

void set_device(int compute_capability) {
  if (compute_capability < 50) {
    throw std::invalid_argument(
        fmt::format("archgrid::cpu_emulator::set_device({}): say major * 10 + minor, from 50",
                    compute_capability));
  }
  chosen_device = compute_capability;
}

int device() {
  return chosen_device;
}

std::size_t detail::shared_memory_of(int compute_capability) {
  constexpr std::size_t kib = 1024;
  std::size_t found = 0;
  for (const auto& row : kSharedMemory) {
    if (row.first_device <= compute_capability) found = row.kibibytes;
  }
  return found * kib;
}

}  // namespace archgrid::cpu_emulator
