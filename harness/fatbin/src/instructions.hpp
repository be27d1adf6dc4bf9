// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_FATBIN_INSTRUCTIONS_HPP
#define ARCHGRID_FATBIN_INSTRUCTIONS_HPP

#include <archgrid/fatbin.hpp>
#include <string_view>

namespace archgrid::fatbin {

/// Sets Kernel::opcodes in the oldest machine code of modules that lack the file's oldest arch: for
/// each list of archs, in the few largest images. `bytes` are those of the file.
void find_instructions(std::string_view bytes, File& file);

}  // namespace archgrid::fatbin

#endif
