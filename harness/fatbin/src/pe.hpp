// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Windows programs and libraries: .exe, .dll, .pyd.
#ifndef ARCHGRID_FATBIN_PE_HPP
#define ARCHGRID_FATBIN_PE_HPP

#include <string_view>

#include "bytes.hpp"
#include "host_image.hpp"

namespace archgrid::fatbin {

/// Whether a PE file starts here, whole or cut. A DOS program is none.
bool is_pe(std::string_view bytes);

/// Throws Unreadable.
HostImage pe_host_image(Bytes file);

}  // namespace archgrid::fatbin

#endif
