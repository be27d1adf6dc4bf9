// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_SYSTEM_TERMINAL_HPP
#define ARCHGRID_SYSTEM_TERMINAL_HPP

#include <cstddef>
#include <string_view>

namespace archgrid::system {

constexpr int kStandardInput = 0;
constexpr int kStandardOutput = 1;
constexpr int kStandardError = 2;

bool is_terminal(int descriptor);

/// Returns the columns of a terminal, or 0 for other descriptors.
std::size_t terminal_columns(int descriptor);

/// Writes to a descriptor at once, past the buffers of streams. A failure is ignored.
void write_unbuffered(int descriptor, std::string_view text);

}  // namespace archgrid::system

#endif
