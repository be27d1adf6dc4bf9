// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_REPORT_STYLE_HPP
#define ARCHGRID_REPORT_STYLE_HPP

#include <archgrid/report.hpp>
#include <string>
#include <string_view>

#include "words/phrase.hpp"

namespace archgrid::report {

enum class Ink { plain, good, soft, warn, bad, strong };

/// The text in a colour, unless the style has none.
std::string paint(std::string_view text, Ink ink, Style style);

/// The text filled up with blanks to `width` columns.
std::string pad(std::string_view text, std::size_t width);

/// The text broken at blanks into lines of at most `columns`, which begin with `margin`. A longer
/// word stays whole, and so does what readers paste: commands, entries of matrix files, code.
std::string wrapped(std::string_view text, std::string_view margin, std::size_t columns);

/// "7.4 KiB"
std::string size_text(std::uint64_t bytes);

}  // namespace archgrid::report

#endif
