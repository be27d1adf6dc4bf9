// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_FATBIN_SEARCH_HPP
#define ARCHGRID_FATBIN_SEARCH_HPP

#include <archgrid/fatbin.hpp>
#include <functional>

#include "host_image.hpp"
#include "loaders.hpp"

namespace archgrid::fatbin {

/// Adds to `file` what device code the sections hold: containers of the sections that are made for
/// them, then those elsewhere, both in the order of the file, then cubins and PTX that lie in none.
/// Returns the names of loaders met on the way. Calls `found` when all containers are known, and of
/// their images no PTX was looked into.
NamedLoaders search(const HostImage& image, const ReadOptions& options, File& file,
                    const std::function<void()>& found);

}  // namespace archgrid::fatbin

#endif
