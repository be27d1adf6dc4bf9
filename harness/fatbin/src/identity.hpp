// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_FATBIN_IDENTITY_HPP
#define ARCHGRID_FATBIN_IDENTITY_HPP

#include <archgrid/fatbin.hpp>
#include <string_view>

namespace archgrid::fatbin {

/// Sets Kernel::identity in a file with these bytes.
void find_identities(std::string_view bytes, File& file);

}  // namespace archgrid::fatbin

#endif
