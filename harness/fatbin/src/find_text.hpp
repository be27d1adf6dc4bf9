// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Searches megabytes of text, sixteen bytes at a time.
#ifndef ARCHGRID_FATBIN_FIND_TEXT_HPP
#define ARCHGRID_FATBIN_FIND_TEXT_HPP

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace archgrid::fatbin {

constexpr std::size_t kVector = 16;

// Vector types of gcc and clang, which compile to the machine's own.
using Vector = std::uint8_t __attribute__((vector_size(kVector)));
using Matches = std::int8_t __attribute__((vector_size(kVector)));

inline Vector load(const char* bytes) {
  Vector vector;
  std::memcpy(&vector, bytes, sizeof(vector));
  return vector;
}

inline Vector filled_with(char value) {
  return Vector{} + static_cast<std::uint8_t>(value);
}

inline bool any(Matches matches) {
  std::array<std::uint64_t, 2> words{};
  std::memcpy(words.data(), &matches, sizeof(matches));
  return (words[0] | words[1]) != 0;
}

inline bool begins_with(std::string_view text, std::string_view prefix) {
  return text.size() >= prefix.size() &&
         std::memcmp(text.data(), prefix.data(), prefix.size()) == 0;
}

/// Works like std::string_view::find, for a word of two or more characters. Its first and its last
/// should be rare at their distance, as every such place is checked. In PTX every tenth character
/// is a dot, at each of which std::string_view::find stops.
inline std::size_t find_text(std::string_view text, std::string_view word, std::size_t from) {
  const auto first = filled_with(word.front());
  const auto last = filled_with(word.back());
  const auto distance = word.size() - 1;
  auto at = from;
  for (; at + distance + kVector <= text.size(); at += kVector) {
    const auto found =
        (load(text.data() + at) == first) & (load(text.data() + at + distance) == last);
    if (!any(found)) continue;
    for (std::size_t lane = 0; lane < kVector; ++lane) {
      if (found[lane] == 0 || text[at + lane + 1] != word[1]) continue;
      if (text.compare(at + lane, word.size(), word) == 0) return at + lane;
    }
  }
  return at < text.size() ? text.find(word, at) : std::string_view::npos;
}

/// Returns the position of the first of these characters from `at` on; the end if there is none.
template <char... characters>
std::size_t find_any(std::string_view text, std::size_t at) {
  for (; at + kVector <= text.size(); at += kVector) {
    const auto bytes = load(text.data() + at);
    if (any(((bytes == filled_with(characters)) | ...))) break;
  }
  while (at < text.size() && ((text[at] != characters) && ...)) ++at;
  return std::min(at, text.size());
}

}  // namespace archgrid::fatbin

#endif
