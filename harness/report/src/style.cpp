// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "style.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <archgrid/system/terminal.hpp>
#include <array>
#include <cstdlib>

namespace archgrid::report {

Style style_for(int descriptor) {
  const auto value_of = [](const char* variable) {
    const char* value = std::getenv(variable);
    return std::string_view(value == nullptr ? "" : value);
  };
  if (!value_of("NO_COLOR").empty()) return {false};
  const auto forced = value_of("CLICOLOR_FORCE");
  return {(!forced.empty() && forced != "0") || system::is_terminal(descriptor)};
}

std::string paint(std::string_view text, Ink ink, Style style) {
  constexpr std::array<const char*, 6> kInkCodes = {"", "32", "2", "33", "1;31", "1"};
  if (!style.colour || ink == Ink::plain) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", kInkCodes.at(static_cast<std::size_t>(ink)), text);
}

namespace {

/// Returns the end of a leading text to paste: an entry of a matrix file, --ignore with its value,
/// a call of archgrid_audit(), code in backticks, or a command of CMake or about another package up
/// to the end of the sentence.
std::size_t end_of_pasted(std::string_view text) {
  const auto after = [&](std::string_view mark, std::size_t from) {
    const auto at = text.find(mark, from);
    return at == std::string_view::npos ? text.size() : at;
  };
  for (const std::string_view command : {"cmake --build ", "archgrid audit pypi:"}) {
    if (text.starts_with(command)) return after("; ", 0);
  }
  if (text.starts_with("--ignore '")) return std::min(after("=...'", 0), after("=REASON'", 0));
  if (text.starts_with("archgrid_audit(")) return std::min(after("\")", 0) + 2, text.size());
  const bool is_entry = text.starts_with("{\"") || text.starts_with("{kernel");
  if (is_entry) return std::min(after("\"}", 0) + 2, text.size());
  return text.starts_with('`') ? std::min(after("`", 1) + 1, text.size()) : 0;
}

}  // namespace

std::string hanging(std::string_view begin, std::string_view text, std::string_view margin,
                    std::size_t columns) {
  std::string lines;
  std::string line(begin);
  bool is_first = true;
  while (!text.empty()) {
    const auto end = std::min(text.find(' ', end_of_pasted(text)), text.size());
    if (!is_first && line.size() + 1 + end > columns) {
      lines += line + '\n';
      line = margin;
    } else if (!is_first) {
      line += ' ';
    }
    is_first = false;
    line += text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines + line + '\n';
}

std::string wrapped(std::string_view text, std::string_view margin, std::size_t columns) {
  return hanging(margin, text, margin, columns);
}

/// Returns the number of UTF-8 characters in a text.
std::size_t count_characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

std::string pad(std::string_view text, std::size_t width) {
  const auto characters = count_characters(text);
  std::string result(text);
  if (characters < width) result.append(width - characters, ' ');
  return result;
}

std::string size_text(std::uint64_t bytes) {
  constexpr double kStep = 1024.0;
  const auto size = static_cast<double>(bytes);
  if (size < kStep) return fmt::format("{} B", bytes);
  if (size < kStep * kStep) return fmt::format("{:.1f} KiB", size / kStep);
  return fmt::format("{:.1f} MiB", size / (kStep * kStep));
}

}  // namespace archgrid::report
