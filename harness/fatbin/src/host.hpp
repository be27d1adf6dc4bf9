// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads fat binaries in host programs, libraries and objects.
#ifndef ARCHGRID_FATBIN_HOST_HPP
#define ARCHGRID_FATBIN_HOST_HPP

#include <archgrid/fatbin.hpp>

#include "host_image.hpp"

namespace archgrid::fatbin {

/// Records what the host compiler's LTO data hide in an object.
void note_host_lto(HostLto lto, File& file);

/// Finds the device code in the data sections of `image`, the modules registered with the CUDA
/// runtime, and loaders of other code. Throws Unreadable only for damage that makes the whole file
/// doubtful.
void read_host(const HostImage& image, const ReadOptions& options, File& file);

}  // namespace archgrid::fatbin

#endif
