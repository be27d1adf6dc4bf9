// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Fat binaries in host programs, libraries and objects.
#ifndef ARCHGRID_FATBIN_HOST_HPP
#define ARCHGRID_FATBIN_HOST_HPP

#include <archgrid/fatbin.hpp>

#include "host_image.hpp"

namespace archgrid::fatbin {

/// Records what the host compiler's LTO data in an object hide.
void note_host_lto(HostLto lto, File& file);

/// Finds the device code in the data sections of `image`, which of it the CUDA runtime is told of,
/// and what loads more. Throws Unreadable only for what makes the whole file doubtful.
void read_host(const HostImage& image, const ReadOptions& options, File& file);

}  // namespace archgrid::fatbin

#endif
