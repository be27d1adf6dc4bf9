// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_FATBIN_PTX_SCAN_HPP
#define ARCHGRID_FATBIN_PTX_SCAN_HPP

#include <cstddef>
#include <string_view>
#include <vector>

namespace archgrid::fatbin {

/// What one look at every byte of a PTX module tells. Strings and comments are not told apart.
struct PtxScan {
  std::size_t size = 0;              ///< of the text, which ends at the first zero
  std::vector<std::size_t> entries;  ///< where ".entry" is
  /// There are as many '}' as '{', in all and before each entry, no "/*", and no more entries than
  /// an image may have kernels.
  bool plain = true;
};

/// PTX is megabytes of text, most of which says nothing of kernels: this is where reading it takes
/// its time, and so all of that is looked for in one go.
PtxScan scan_ptx(std::string_view bytes);

}  // namespace archgrid::fatbin

#endif
