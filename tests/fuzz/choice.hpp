// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_FUZZ_CHOICE_HPP
#define ARCHGRID_FUZZ_CHOICE_HPP

#include <cstddef>
#include <cstdint>

namespace archgrid::fuzz {

/// The first byte of an input of the target `image`: as what the rest is read.
enum class Choice : std::uint8_t {
  cubin,
  cubin_start,  ///< a cubin of which the first bytes are read
  ptx,
  narrow_code,
  wide_code,
  lz4,
  lz4_frame,
  zstd,
  entry_of_lz4,  ///< what an entry of a fat binary decompresses to
  entry_of_zstd
};

/// What packed inputs claim to be when decompressed.
constexpr std::size_t kUnpackedSize = 4096;

}  // namespace archgrid::fuzz

#endif
