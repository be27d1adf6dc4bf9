// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_ARCHIVE_FORMAT_HPP
#define ARCHGRID_ARCHIVE_FORMAT_HPP

#include <string_view>

namespace archgrid::archive {

enum class Format { none, ar, thin_ar, tar, zip, gzip, bzip2, xz, zstd, lz4 };

/// Returns the archive or compression format that begins with these bytes. Names are ignored.
Format format_of(std::string_view first_bytes);

/// Reports whether a whole file is a script (`#!`) followed by a zip, as Python's executable zips
/// are.
bool is_script_with_zip(std::string_view bytes);

/// Reports whether the format is a single compressed file, not an archive.
bool is_compressed(Format format);

const char* name_of(Format format);

}  // namespace archgrid::archive

#endif
