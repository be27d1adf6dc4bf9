// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_FATBIN_ELF_HOST_HPP
#define ARCHGRID_FATBIN_ELF_HOST_HPP

#include "elf.hpp"
#include "host_image.hpp"

namespace archgrid::fatbin {

/// Reads an ELF program, library or object. Throws Unreadable.
HostImage elf_host_image(Bytes file);

}  // namespace archgrid::fatbin

#endif
