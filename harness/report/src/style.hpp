// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_REPORT_STYLE_HPP
#define ARCHGRID_REPORT_STYLE_HPP

#include <archgrid/report.hpp>
#include <archgrid/words/phrase.hpp>
#include <string>
#include <string_view>

namespace archgrid::report {

enum class Ink { plain, good, soft, warn, bad, strong };

/// Returns the text in a colour, if the style allows colours.
std::string paint(std::string_view text, Ink ink, Style style);

/// Returns the text padded with blanks to `width` columns.
std::string pad(std::string_view text, std::size_t width);

/// Returns "7.4 KiB".
std::string size_text(std::uint64_t bytes);

}  // namespace archgrid::report

#endif
