// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_WORDS_PHRASE_HPP
#define ARCHGRID_WORDS_PHRASE_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace archgrid::report {

/// Returns the items of a list in facts: "8.0, 9.0" has two.
std::vector<std::string> parts_of(std::string_view list);

/// Returns the beginning of a text in at most `most` bytes of UTF-8 (at least 3), with "..." if it
/// is cut. Says more than fatbin::shortened about a name that represents many.
std::string beginning(std::string_view text, std::size_t most);

/// Returns "libx.so", "3 files, the first libx.so".
std::string files_text(std::size_t count, std::string_view first);

/// Returns "1 kernel", "2 kernels".
std::string count_text(std::size_t count, std::string_view noun);

/// Returns "a, b and c"; empty for no texts.
template <typename Texts>
std::string enumerated(const Texts& texts) {
  std::string list;
  std::size_t left = texts.size();
  for (const auto& text : texts) {
    list += text;
    --left;
    if (left > 0) list += left == 1 ? " and " : ", ";
  }
  return list;
}

}  // namespace archgrid::report

#endif
