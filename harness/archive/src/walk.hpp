// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_ARCHIVE_WALK_HPP
#define ARCHGRID_ARCHIVE_WALK_HPP

#include <archgrid/archive.hpp>

namespace archgrid::archive {

/// Reports a path that is no folder, as `walk` does. A file that was named is found whatever it is.
/// One that lies in `folder`, the folder that was named, is found only if it is recognised, and a
/// thin archive may name no file outside of that folder. Empty: the file was named. `wants` may be
/// empty.
void walk_file(const std::string& path, const std::string& folder, const Limits& limits,
               const Visitor& visit, const Wants& wants = {});

}  // namespace archgrid::archive

#endif
