// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads cubins and PTX outside of fat binaries: separate files, or data of a program.
#ifndef ARCHGRID_FATBIN_BARE_HPP
#define ARCHGRID_FATBIN_BARE_HPP

#include <archgrid/fatbin.hpp>
#include <optional>

#include "bytes.hpp"

namespace archgrid::fatbin {

/// Returns the image of a cubin, without its module. Throws Unreadable.
Image bare_cubin(Bytes bytes);

/// Returns the image of a PTX text, without its module. Throws Unreadable.
Image bare_ptx(Bytes bytes);

/// Returns the image of the cubin that starts here; absent if none does. Bytes behind the cubin are
/// ignored. Content that cannot be read is an error of the image.
std::optional<Image> embedded_cubin(Bytes bytes);

/// Returns the image of the PTX whose .version directive stands at `at` of `bytes`; absent if there
/// is none: other text mentions directives, too, and programs assemble PTX from pieces, which are
/// incomplete or contain no kernel. Sets `end` to the end of the text that was examined.
std::optional<Image> embedded_ptx(Bytes bytes, std::uint64_t at, std::uint64_t& end);

}  // namespace archgrid::fatbin

#endif
