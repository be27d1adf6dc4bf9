// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_FATBIN_SPILLS_HPP
#define ARCHGRID_FATBIN_SPILLS_HPP

#include <cstdint>

#include "bytes.hpp"

namespace archgrid::fatbin {

/// Bytes that a kernel's code moves between registers and local memory, as ptxas -v counts them.
struct Spills {
  std::uint32_t stores = 0;
  std::uint32_t loads = 0;
  bool certain = true;  ///< false: an annotation was not understood
};

/// Adds the instructions that `annotations` (pairs of type and offset into `code`) mark as spills.
/// The sums equal those of -v, to the byte, as measured on ptxas 13.0 for 7.5 to 12.1. `code` must
/// be for 7.0 or newer.
void add_spills(Bytes annotations, Bytes code, Spills& spills);

}  // namespace archgrid::fatbin

#endif
