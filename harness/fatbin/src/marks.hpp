// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_FATBIN_MARKS_HPP
#define ARCHGRID_FATBIN_MARKS_HPP

#include <array>
#include <cstddef>
#include <string_view>

namespace archgrid::fatbin {

/// A set of characters. Faster than the searches of std::string_view, which call a function for
/// each character.
using Marks = std::array<bool, 256>;

constexpr Marks marks_of(std::string_view characters) {
  Marks marks = {};
  for (const char c : characters) marks[static_cast<unsigned char>(c)] = true;
  return marks;
}

constexpr bool is_marked(const Marks& marks, char c) {
  return marks[static_cast<unsigned char>(c)];
}

/// Returns the position of the first marked character from `at` on; the end if there is none.
constexpr std::size_t find_marked(std::string_view text, std::size_t at, const Marks& marks) {
  while (at < text.size() && !is_marked(marks, text[at])) ++at;
  return at < text.size() ? at : text.size();
}

}  // namespace archgrid::fatbin

#endif
