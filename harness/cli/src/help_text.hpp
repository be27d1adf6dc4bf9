// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_CLI_HELP_TEXT_HPP
#define ARCHGRID_CLI_HELP_TEXT_HPP

#include <cstddef>
#include <string>

namespace archgrid::cli {

/// Wraps the help of a command to `columns`: descriptions hang below their beginning, paragraphs
/// are filled. Example commands stay on one line, to be copied.
std::string wrapped_help(const std::string& text, std::size_t columns);

}  // namespace archgrid::cli

#endif
