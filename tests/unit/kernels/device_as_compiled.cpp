// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Sets the program's device to the one that its kernels are compiled for.
#include <archgrid/cpu_emulator.hpp>

namespace archgrid::cpu_emulator {
namespace {

[[maybe_unused]] const bool is_set = (set_device(__CUDA_ARCH__ / 10), true);

}  // namespace
}  // namespace archgrid::cpu_emulator
