// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_FATBIN_PTX_SCAN_HPP
#define ARCHGRID_FATBIN_PTX_SCAN_HPP

#include <cstddef>
#include <string_view>
#include <vector>

namespace archgrid::fatbin {

/// The result of one pass over a PTX module. Strings and comments are treated like code.
struct PtxScan {
  std::size_t size = 0;              ///< size of the text, which ends at the first zero
  std::vector<std::size_t> entries;  ///< positions of ".entry"
  /// As many '}' as '{', in total and before each entry; no "/*"; no more entries than an image may
  /// have kernels.
  bool plain = true;
};

/// Scans PTX in one pass. PTX is megabytes of text, mostly without relation to kernels, so most of
/// the time to read it is spent here.
PtxScan scan_ptx(std::string_view bytes);

}  // namespace archgrid::fatbin

#endif
