// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_ARCHIVE_DECOMPRESS_HPP
#define ARCHGRID_ARCHIVE_DECOMPRESS_HPP

#include <memory>

#include "budget.hpp"
#include "format.hpp"
#include "stream.hpp"

namespace archgrid::archive {

/// Returns the decompressed content of `stream`, whose checksums are verified at its end. The
/// result throws what `stream` throws, and Broken.
std::unique_ptr<Stream> decompressed(Format format, Stream& stream, Budget& budget);

}  // namespace archgrid::archive

#endif
