// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Fat binaries in host programs, libraries and objects.
#ifndef ARCHGRID_FATBIN_HOST_HPP
#define ARCHGRID_FATBIN_HOST_HPP

#include <archgrid/fatbin.hpp>

#include "elf.hpp"

namespace archgrid::fatbin {

/// Finds every container in the data sections of `elf`, and which of them the CUDA runtime is told
/// of. Throws Unreadable only for what makes the whole file doubtful.
void read_host(const Elf& elf, Detail detail, File& file);

}  // namespace archgrid::fatbin

#endif
