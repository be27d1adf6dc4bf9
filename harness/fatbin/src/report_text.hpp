// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_FATBIN_REPORT_TEXT_HPP
#define ARCHGRID_FATBIN_REPORT_TEXT_HPP

#include <string>
#include <vector>

#include "bytes.hpp"
#include "elf.hpp"

namespace archgrid::fatbin {

/// Returns what a kernel that only prints or asserts prints first, or the condition that it
/// asserts: "this is for sm90". Empty where no string of the cubin is found to be that.
std::string report_text(const Elf& cubin, const std::vector<Symbol>& symbols, const Symbol& kernel,
                        Bytes code, int arch);

}  // namespace archgrid::fatbin

#endif
