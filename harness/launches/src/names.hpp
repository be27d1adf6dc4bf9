// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_LAUNCHES_NAMES_HPP
#define ARCHGRID_LAUNCHES_NAMES_HPP

#include <cstdint>
#include <string_view>

namespace archgrid::launches {

/// The effect of a function with a known name.
enum class Role : std::uint8_t {
  none,
  attribute,        ///< writes an attribute of a GPU, such as cudaDeviceGetAttribute()
  properties,       ///< writes a cudaDeviceProp, such as cudaGetDeviceProperties()
  property_getter,  ///< returns a pointer to a cudaDeviceProp
  no_return         ///< ends the program or throws
};

Role role_of(std::string_view name);

}  // namespace archgrid::launches

#endif
