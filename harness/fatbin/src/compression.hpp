// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_FATBIN_COMPRESSION_HPP
#define ARCHGRID_FATBIN_COMPRESSION_HPP

#include <archgrid/fatbin.hpp>
#include <string>

#include "bytes.hpp"

namespace archgrid::fatbin {

/// No image seen in the wild comes near; a claim above it is refused before memory is taken.
constexpr std::uint64_t kLargestImage = std::uint64_t{1} << 30;

/// The decompressed bytes, exactly `size` of them. Throws Unreadable.
std::string decompress(Compression compression, Bytes packed, std::uint64_t size);

}  // namespace archgrid::fatbin

#endif
