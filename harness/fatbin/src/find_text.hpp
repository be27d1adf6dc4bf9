// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Searches megabytes of text, sixteen bytes at a time.
#ifndef ARCHGRID_FATBIN_FIND_TEXT_HPP
#define ARCHGRID_FATBIN_FIND_TEXT_HPP

#ifdef __SSE2__
#include <emmintrin.h>
#endif

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

/// Returns a number with a bit for each match, the first one in the lowest bit.
inline std::uint32_t bits_of(Matches matches) {
#ifdef __SSE2__
  return static_cast<std::uint32_t>(_mm_movemask_epi8(__m128i(matches)));
#else
  std::array<std::uint64_t, 2> words{};
  std::memcpy(words.data(), &matches, sizeof(matches));
  if ((words[0] | words[1]) == 0) return 0;
  std::uint32_t bits = 0;
  for (std::size_t lane = 0; lane < kVector; ++lane) bits |= (matches[lane] & 1U) << lane;
  return bits;
#endif
}

inline bool any(Matches matches) {
  return bits_of(matches) != 0;
}

inline bool begins_with(std::string_view text, std::string_view prefix) {
  return text.size() >= prefix.size() &&
         std::memcmp(text.data(), prefix.data(), prefix.size()) == 0;
}

/// Finds the places in a vector of `text` with the first character of a word, and at the distance
/// of the last one that one.
struct WordEnds {
  Vector first;
  Vector last;
  std::size_t distance;

  [[nodiscard]] Matches at(const char* text) const {
    return (load(text) == first) & (load(text + distance) == last);
  }
};

/// Returns the position, from `at` on, of two vectors with a match, or where fewer are left.
inline std::size_t skip(std::string_view text, const WordEnds ends, std::size_t at) {
  constexpr auto kTwo = 2 * kVector;
  if (text.size() < ends.distance + kTwo) return at;
  const auto last = text.size() - ends.distance - kTwo;
  for (const auto* bytes = text.data(); at <= last; at += kTwo) {
    if (any(ends.at(bytes + at) | ends.at(bytes + at + kVector))) break;
  }
  return at;
}

/// Works like std::string_view::find, for a word of two or more characters. Its first and its last
/// should be rare at their distance, as every such place is checked. In PTX every tenth character
/// is a dot, at each of which std::string_view::find stops.
inline std::size_t find_text(std::string_view text, std::string_view word, std::size_t from) {
  const WordEnds ends{filled_with(word.front()), filled_with(word.back()), word.size() - 1};
  auto at = skip(text, ends, from);
  for (; at + ends.distance + kVector <= text.size(); at = skip(text, ends, at + kVector)) {
    for (auto bits = bits_of(ends.at(text.data() + at)); bits != 0; bits &= bits - 1) {
      const auto place = at + static_cast<unsigned>(__builtin_ctz(bits));
      if (text[place + 1] != word[1]) continue;
      if (text.compare(place, word.size(), word) == 0) return place;
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
