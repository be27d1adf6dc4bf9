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

// Source: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability": maximum
// amount of shared memory per thread block.
std::size_t detail::shared_memory_of(int compute_capability) {
  constexpr std::size_t kib = 1024;
  switch (compute_capability) {
    case 70:
    case 72:
      return 96 * kib;
    case 75:
      return 64 * kib;
    case 80:
    case 87:
      return 163 * kib;
    case 86:
    case 89:
      return 99 * kib;
    case 88:
      return 99 * kib;
    case 90:
    case 100:
    case 101:
    case 103:
    case 107:
    case 110:
      return 227 * kib;
    case 120:
    case 121:
      return 99 * kib;
    default:
      return 48 * kib;
  }
}

}  // namespace archgrid::cpu_emulator
