// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Cubins and PTX outside of fat binaries: files of their own, or data of a program.
#ifndef ARCHGRID_FATBIN_BARE_HPP
#define ARCHGRID_FATBIN_BARE_HPP

#include <archgrid/fatbin.hpp>
#include <optional>

#include "bytes.hpp"

namespace archgrid::fatbin {

/// The image that a cubin is, without its module. Throws Unreadable.
Image bare_cubin(Bytes bytes);

/// The same for PTX.
Image bare_ptx(Bytes bytes);

/// The image that the cubin is that starts here; absent where none does. What follows it is no part
/// of it. Content that cannot be read is an error of the image.
std::optional<Image> embedded_cubin(Bytes bytes);

/// The image that the PTX is whose .version directive stands at `at` of `bytes`; absent where there
/// is none: other text speaks of directives, too, and programs put PTX together from pieces, which
/// are not whole or hold no kernel. `end` becomes the place in `bytes` up to which it was looked
/// for.
std::optional<Image> embedded_ptx(Bytes bytes, std::uint64_t at, std::uint64_t& end);

}  // namespace archgrid::fatbin

#endif
