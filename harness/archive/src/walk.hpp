// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_ARCHIVE_WALK_HPP
#define ARCHGRID_ARCHIVE_WALK_HPP

#include <archgrid/archive.hpp>

namespace archgrid::archive {

/// Walks a path that is not a folder, as `walk` does. `folder` is the named folder that the file
/// lies in, or empty if the file itself was named. A named file is always found. A file in `folder`
/// is found only if it is recognised, and a thin archive there must not name files outside of
/// `folder`. `wants` may be empty.
void walk_file(const std::string& path, const std::string& folder, const Limits& limits,
               const Visitor& visit, const Wants& wants = {});

}  // namespace archgrid::archive

#endif
