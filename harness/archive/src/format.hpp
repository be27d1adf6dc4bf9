// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_ARCHIVE_FORMAT_HPP
#define ARCHGRID_ARCHIVE_FORMAT_HPP

#include <string_view>

namespace archgrid::archive {

enum class Format { none, ar, thin_ar, tar, zip, gzip, bzip2, xz, zstd, lz4 };

/// The archive or compressed file that begins so; its name says nothing.
Format format_of(std::string_view first_bytes);

/// Whether a whole file that begins with `#!` goes on as a zip: Python's programs do.
bool is_script_with_zip(std::string_view bytes);

/// A single compressed file, not an archive.
bool is_compressed(Format format);

const char* name_of(Format format);

}  // namespace archgrid::archive

#endif
