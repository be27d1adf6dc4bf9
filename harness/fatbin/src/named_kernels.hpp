// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_FATBIN_NAMED_KERNELS_HPP
#define ARCHGRID_FATBIN_NAMED_KERNELS_HPP

#include <archgrid/fatbin.hpp>

#include "host_image.hpp"

namespace archgrid::fatbin {

/// Sets Kernel::named_by_host of all kernels in `file`. `image` is its host code.
void mark_named_kernels(const HostImage& image, File& file);

/// Sets Kernel::has_shared_stub.
void mark_shared_stubs(const HostImage& image, File& file);

}  // namespace archgrid::fatbin

#endif
