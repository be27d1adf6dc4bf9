// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_REPORT_STYLE_HPP
#define ARCHGRID_REPORT_STYLE_HPP

#include <archgrid/report.hpp>
#include <string>
#include <string_view>

namespace archgrid::report {

enum class Ink { plain, good, soft, warn, bad, strong };

/// The text in a colour, unless the style has none.
std::string paint(std::string_view text, Ink ink, Style style);

/// The text filled up with blanks to `width` columns.
std::string pad(std::string_view text, std::size_t width);

/// At most `most` bytes of UTF-8, which are 3 or more: the beginning, and "..." where more follows.
/// Of one name that stands for many it says more than fatbin::shortened.
std::string beginning(std::string_view text, std::size_t most);

/// The text broken at blanks into lines of at most `columns`, which begin with `margin`; a longer
/// word stays whole.
std::string wrapped(std::string_view text, std::string_view margin, std::size_t columns);

/// "7.4 KiB"
std::string size_text(std::uint64_t bytes);

/// "1 kernel", "2 kernels"
std::string count_text(std::size_t count, std::string_view noun);

}  // namespace archgrid::report

#endif
