// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_ARCHIVE_WALK_HPP
#define ARCHGRID_ARCHIVE_WALK_HPP

#include <archgrid/archive.hpp>

namespace archgrid::archive {

/// What `walk` does with a path that is no folder. A `named` file is found whatever it is, another
/// one only if it is recognised.
void walk_file(const std::string& path, bool named, const Limits& limits, const Visitor& visit);

}  // namespace archgrid::archive

#endif
