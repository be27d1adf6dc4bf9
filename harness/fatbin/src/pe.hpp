// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads Windows programs and libraries: .exe, .dll, .pyd.
#ifndef ARCHGRID_FATBIN_PE_HPP
#define ARCHGRID_FATBIN_PE_HPP

#include <string_view>

#include "bytes.hpp"
#include "host_image.hpp"

namespace archgrid::fatbin {

/// Reports whether a PE file starts here, whole or truncated. A DOS program does not count.
bool is_pe(std::string_view bytes);

/// Throws Unreadable.
HostImage pe_host_image(Bytes file);

}  // namespace archgrid::fatbin

#endif
