// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_FATBIN_CUBIN_HPP
#define ARCHGRID_FATBIN_CUBIN_HPP

#include <archgrid/fatbin.hpp>

#include "bytes.hpp"

namespace archgrid::fatbin {

struct Cubin {
  Arch arch;
  std::string toolkit;
  std::string options;
  std::vector<Kernel> kernels;
};

/// Reads a cubin. The suffix is what the cubin itself says, which is less than what a fat binary
/// entry says: CUDA 13 records `f` only in a note. Throws Unreadable.
Cubin parse_cubin(Bytes bytes);

}  // namespace archgrid::fatbin

#endif
