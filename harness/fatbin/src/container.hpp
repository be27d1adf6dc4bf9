// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Fat binary containers: a header, then entries, one image each.
#ifndef ARCHGRID_FATBIN_CONTAINER_HPP
#define ARCHGRID_FATBIN_CONTAINER_HPP

#include <archgrid/fatbin.hpp>

#include "bytes.hpp"

namespace archgrid::fatbin {

constexpr std::string_view kContainerMagic = "\x50\xed\x55\xba";

/// Whether a container header starts here: the magic alone also occurs in code.
bool is_container(std::string_view bytes);

/// Reads the container at the start of `bytes` and appends it to `file`. Returns the bytes it
/// takes. What cannot be read is noted in `file`, never skipped in silence.
std::uint64_t read_container(Bytes bytes, const std::string& section, File& file);

}  // namespace archgrid::fatbin

#endif
