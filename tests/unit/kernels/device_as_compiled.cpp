// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Makes the program's device the one that its kernels are compiled for.
#include <archgrid/host.hpp>

namespace archgrid::host {
namespace {

[[maybe_unused]] const bool is_set = (set_device(__CUDA_ARCH__ / 10), true);

}  // namespace
}  // namespace archgrid::host
