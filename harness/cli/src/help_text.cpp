// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "help_text.hpp"

#include <algorithm>
#include <archgrid/report.hpp>
#include <sstream>

namespace archgrid::cli {
namespace {

bool is_example(const std::string& line) {
  const auto begin = line.find_first_not_of(' ');
  return begin == 2 &&
         (line.compare(begin, 9, "archgrid ") == 0 || line.compare(begin, 6, "cmake ") == 0);
}

/// Returns the column at which the text of an indented line begins: behind the name of an option or
/// a command and at least two spaces, or at the indentation.
std::size_t text_column(const std::string& line) {
  const auto begin = line.find_first_not_of(' ');
  const auto gap = line.find("  ", begin);
  const auto text = gap == std::string::npos ? gap : line.find_first_not_of(' ', gap);
  return begin == 2 && text != std::string::npos ? text : begin;
}

std::string wrapped_line(const std::string& line, std::size_t columns) {
  if (line.size() <= columns || is_example(line)) return line + '\n';
  const auto column = text_column(line);
  const auto text = report::wrapped(line.substr(column), std::string(column, ' '), columns);
  return line.substr(0, column) + text.substr(column);
}

/// Returns a paragraph of lines that are not indented, filled if one of them is too long.
std::string filled(const std::vector<std::string>& lines, std::size_t columns) {
  const bool fits = std::all_of(lines.begin(), lines.end(),
                                [&](const auto& line) { return line.size() <= columns; });
  std::string text;
  for (const auto& line : lines)
    text += (text.empty() || fits ? "" : " ") + line + (fits ? "\n" : "");
  return fits ? text : report::wrapped(text, "", columns);
}

}  // namespace

std::string wrapped_help(const std::string& text, std::size_t columns) {
  std::string result;
  std::vector<std::string> paragraph;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty() && line.front() != ' ') {
      paragraph.push_back(line);
      continue;
    }
    result += filled(paragraph, columns);
    paragraph.clear();
    result += wrapped_line(line, columns);
  }
  return result + filled(paragraph, columns);
}

}  // namespace archgrid::cli
