// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_FATBIN_PTX_HPP
#define ARCHGRID_FATBIN_PTX_HPP

#include <archgrid/fatbin.hpp>

#include "bytes.hpp"

namespace archgrid::fatbin {

struct Ptx {
  Arch arch;
  std::string isa;  ///< "9.0"
  std::vector<Kernel> kernels;
};

bool is_ptx(std::string_view bytes);

/// Throws Unreadable.
Ptx parse_ptx(Bytes bytes);

}  // namespace archgrid::fatbin

#endif
