// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "diff_view.hpp"

namespace archgrid::report {
namespace {

/// Formats a name from a file as code. Only characters that would end the code or the cell need
/// escaping.
std::string code(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') result += '\\';
    result += c == '`' ? '\'' : c;
  }
  return result.empty() ? result : "`" + result + "`";
}

std::string row_text(const std::vector<std::string>& cells) {
  return fmt::format("| {} |\n", fmt::join(cells, " | "));
}

std::string table_of(const DiffSection& section) {
  std::vector<std::string> titles;
  std::vector<std::string> rules;
  for (const auto& column : section.columns) {
    titles.push_back(column.title);
    rules.emplace_back(column.side == Side::left ? "---" : "---:");
  }
  auto text = row_text(titles) + row_text(rules);
  for (const auto& row : section.rows) {
    std::vector<std::string> cells;
    for (const auto& cell : row.cells) cells.push_back(code(cell));
    text += row_text(cells);
  }
  return text;
}

std::string section_text(const DiffSection& section) {
  auto text = "**" + section.title + "**\n\n";
  if (!section.rows.empty()) text += table_of(section) + '\n';
  if (!section.note.empty()) text += section.note + "\n\n";
  return text;
}

std::string file_text(const coverage::FileDiff& file, const DiffReport& report) {
  auto text = "### " + code(title_of(file)) + "\n\n";
  for (const auto& section : sections_of(file, report.diff.devices, report.all)) {
    text += section_text(section);
  }
  return text;
}

}  // namespace

std::string diff_markdown(const DiffReport& report) {
  auto text =
      fmt::format("## {}\n\n{} -> {}\n\n", closing_line(report),
                  code(fatbin::printable(report.before)), code(fatbin::printable(report.after)));
  for (const auto& line : device_lines(report)) {
    text += fmt::format("**{}**: {} ({})\n\n", line.what, line.devices, line.meaning);
  }
  for (const auto& file : report.diff.files) {
    if (is_detailed(file, report)) text += file_text(file, report);
  }
  for (const auto& section : files_sections(report)) text += section_text(section);
  const auto unchanged = unchanged_text(report.diff);
  if (!unchanged.empty()) text += code(unchanged) + '\n';
  return text;
}

}  // namespace archgrid::report
