// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_FATBIN_SEARCH_HPP
#define ARCHGRID_FATBIN_SEARCH_HPP

#include <archgrid/fatbin.hpp>
#include <functional>

#include "host_image.hpp"
#include "loaders.hpp"

namespace archgrid::fatbin {

/// Adds the device code in the sections to `file`: containers of the sections made for them, then
/// containers elsewhere, both in the order of the file, then cubins and PTX outside of containers.
/// Calls `found` when all containers are known and no PTX of their images has been read yet.
/// Returns the names of loaders that were found.
NamedLoaders search(const HostImage& image, const ReadOptions& options, File& file,
                    const std::function<void()>& found);

}  // namespace archgrid::fatbin

#endif
