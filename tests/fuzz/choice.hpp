// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_FUZZ_CHOICE_HPP
#define ARCHGRID_FUZZ_CHOICE_HPP

#include <cstddef>
#include <cstdint>

namespace archgrid::fuzz {

/// The first byte of an input of the target `image`, which selects how the rest is read.
enum class Choice : std::uint8_t {
  cubin,
  cubin_start,  ///< a cubin, of which only the first bytes are read
  ptx,
  narrow_code,
  wide_code,
  lz4,
  lz4_frame,
  zstd,
  entry_of_lz4,  ///< the decompressed content of a fat binary's entry
  entry_of_zstd
};

/// The decompressed size that packed inputs claim.
constexpr std::size_t kUnpackedSize = 4096;

}  // namespace archgrid::fuzz

#endif
