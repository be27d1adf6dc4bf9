// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Stores the bytes of a stream: in place, in memory, or in an unlinked file.
#ifndef ARCHGRID_ARCHIVE_KEEP_HPP
#define ARCHGRID_ARCHIVE_KEEP_HPP

#include "stream.hpp"

namespace archgrid::archive {

/// Returns the rest of `stream`, as a slice of `kept` if the bytes lie there. Throws what the
/// stream throws, and Problem if there is no room to store the bytes.
Contents keep(Stream& stream, const Contents& kept, const Limits& limits);

}  // namespace archgrid::archive

#endif
