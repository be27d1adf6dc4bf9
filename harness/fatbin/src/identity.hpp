// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_FATBIN_IDENTITY_HPP
#define ARCHGRID_FATBIN_IDENTITY_HPP

#include <archgrid/fatbin.hpp>
#include <functional>
#include <string_view>

namespace archgrid::fatbin {

/// Sets Kernel::identity in images of a file with these bytes.
void find_identities(std::string_view bytes, const std::function<bool(const Image&)>& is_wanted,
                     File& file);

}  // namespace archgrid::fatbin

#endif
