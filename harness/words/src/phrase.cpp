// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <archgrid/words/phrase.hpp>

namespace archgrid::report {

std::string beginning(std::string_view text, std::size_t most) {
  constexpr std::string_view kMore = "...";
  if (text.size() <= most) return std::string(text);
  auto end = most - kMore.size();
  const auto continues = [&](std::size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80U;
  };
  while (end > 0 && continues(end)) --end;
  return fmt::format("{}{}", text.substr(0, end), kMore);
}

std::string files_text(std::size_t count, std::string_view first) {
  return count < 2 ? std::string(first) : fmt::format("{} files, the first {}", count, first);
}

std::string count_text(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace archgrid::report
