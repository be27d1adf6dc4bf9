// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_FATBIN_SEARCH_HPP
#define ARCHGRID_FATBIN_SEARCH_HPP

#include <archgrid/fatbin.hpp>

#include "host_image.hpp"
#include "loaders.hpp"

namespace archgrid::fatbin {

/// Adds to `file` what device code the sections hold: containers in the order of the file, then
/// cubins and PTX that lie in none. Returns the names of loaders met on the way.
NamedLoaders search(const HostImage& image, Detail detail, File& file);

}  // namespace archgrid::fatbin

#endif
