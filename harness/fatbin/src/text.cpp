// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes text from files safe to show, as it contains whatever its author wants people to see.
#include <fmt/format.h>

#include <algorithm>
#include <archgrid/fatbin.hpp>

namespace archgrid::fatbin {
namespace {

unsigned byte_at(std::string_view text, std::size_t at) {
  return at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
}

bool is_continuation(unsigned byte) {
  return byte >= 0x80 && byte <= 0xbf;
}

/// Matches control characters; U+0080 to U+009F, which terminals obey like ESC; the marks,
/// embeddings, overrides and isolates of bidirectional text; U+2028 and U+2029, which begin lines.
bool is_harmful(std::string_view character) {
  const auto first = byte_at(character, 0);
  const auto second = byte_at(character, 1);
  const auto third = byte_at(character, 2);
  if (character.size() == 1) return first < 0x20 || first == 0x7f;
  if (character.size() == 2) return first == 0xc2 && second <= 0x9f;
  if (character.size() != 3 || first != 0xe2) return false;
  const bool mark = second == 0x80 && (third == 0x8e || third == 0x8f);
  const bool line_or_override = second == 0x80 && third >= 0xa8 && third <= 0xae;
  const bool isolate = second == 0x81 && third >= 0xa6 && third <= 0xa9;
  return mark || line_or_override || isolate;
}

bool is_plain(char c) {
  return c >= ' ' && c <= '~';
}

}  // namespace

// Source: The Unicode Standard, table 3-7.
std::size_t character_length(std::string_view text, std::size_t at) {
  const auto first = byte_at(text, at);
  const auto second = byte_at(text, at + 1);
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return is_continuation(second) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    const auto low = first == 0xe0 ? 0xa0U : 0x80U;
    const auto high = first == 0xed ? 0x9fU : 0xbfU;
    const bool good = second >= low && second <= high && is_continuation(byte_at(text, at + 2));
    return good ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const auto low = first == 0xf0 ? 0x90U : 0x80U;
    const auto high = first == 0xf4 ? 0x8fU : 0xbfU;
    const bool good = second >= low && second <= high && is_continuation(byte_at(text, at + 2)) &&
                      is_continuation(byte_at(text, at + 3));
    return good ? 4 : 0;
  }
  return 0;
}

std::string printable(std::string text) {
  if (std::all_of(text.begin(), text.end(), is_plain)) return text;
  std::string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const auto length = character_length(text, at);
    const auto character = std::string_view(text).substr(at, std::max<std::size_t>(length, 1));
    if (length == 0 || is_harmful(character)) {
      result += '?';
    } else {
      result += character;
    }
    at += character.size();
  }
  return result;
}

std::string shortened(std::string_view text, std::size_t most) {
  constexpr std::string_view kGap = "...";
  if (text.size() <= most) return std::string(text);
  const auto room = std::max(most, kGap.size()) - kGap.size();
  auto begin = room - room / 2;
  auto end = text.size() - room / 2;
  while (begin > 0 && is_continuation(byte_at(text, begin))) --begin;
  while (end < text.size() && is_continuation(byte_at(text, end))) ++end;
  return fmt::format("{}{}{}", text.substr(0, begin), kGap, text.substr(end));
}

}  // namespace archgrid::fatbin
