// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_FATBIN_PTX_HPP
#define ARCHGRID_FATBIN_PTX_HPP

#include <archgrid/fatbin.hpp>

#include "bytes.hpp"

namespace archgrid::fatbin {

struct Ptx {
  Arch arch;
  bool needs_suffix = false;  ///< has instructions that the target lacks, but with an `a` has
  std::string isa;            ///< "9.0"
  std::string toolkit;        ///< "13.0", if its first comment names it
  std::vector<Kernel> kernels;
  std::vector<std::string> undefined;  ///< Image::undefined
  std::vector<std::string> defined;    ///< Image::defined
};

/// Reports whether the text begins with .version, which only comments may precede.
bool is_ptx(std::string_view bytes);

/// Selects whether Ptx::undefined and Ptx::defined are read.
enum class Externals : bool { unread, read };

/// Reads PTX. For kernels with long bodies, Kernel::stores is reliable only with
/// Detail::everything. Throws Unreadable.
Ptx parse_ptx(Bytes bytes, Detail detail = Detail::everything,
              Externals externals = Externals::read);

}  // namespace archgrid::fatbin

#endif
