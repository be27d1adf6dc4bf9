// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_REPORT_PHRASE_HPP
#define ARCHGRID_REPORT_PHRASE_HPP

#include <cstddef>
#include <string>
#include <string_view>

namespace archgrid::report {

/// At most `most` bytes of UTF-8, which are 3 or more: the beginning, and "..." where more follows.
/// Of one name that stands for many it says more than fatbin::shortened.
std::string beginning(std::string_view text, std::size_t most);

/// "1 kernel", "2 kernels"
std::string count_text(std::size_t count, std::string_view noun);

}  // namespace archgrid::report

#endif
