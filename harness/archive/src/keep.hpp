// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes bytes that come one after another stay: in place, in memory, or in an unlinked file.
#ifndef ARCHGRID_ARCHIVE_KEEP_HPP
#define ARCHGRID_ARCHIVE_KEEP_HPP

#include "stream.hpp"

namespace archgrid::archive {

/// The rest of a stream that may give parts of `kept`. Throws what the stream throws, and Problem
/// where there is no room.
Contents keep(Stream& stream, const Contents& kept, const Limits& limits);

}  // namespace archgrid::archive

#endif
