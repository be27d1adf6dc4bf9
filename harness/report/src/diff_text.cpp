// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "diff_view.hpp"

namespace archgrid::report {
namespace {

/// Longer details of several files are for --all, so that the answer is on the first screen.
constexpr std::ptrdiff_t kMaxDetailLines = 32;

/// Returns a sentence on lines of its own; those after the first are indented.
std::string sentence(const std::string& text, Ink ink, Style style, std::size_t columns) {
  auto lines = hanging("", text, "  ", columns);
  lines.pop_back();
  return paint(lines, ink, style) + '\n';
}

std::string section_text(const DiffSection& section, std::size_t indent, Style style) {
  const std::string margin(indent, ' ');
  auto text = margin + paint(section.title, section.ink, style) + '\n';
  if (!section.rows.empty()) text += table_text(section.columns, section.rows, indent + 2, style);
  if (!section.note.empty()) text += margin + "  " + paint(section.note, Ink::soft, style) + '\n';
  return text;
}

std::string file_block(const coverage::FileDiff& file, const DiffReport& report, Style style) {
  auto text = paint(title_of(file), Ink::strong, style) + '\n';
  for (const auto& section : sections_of(file, report.diff.devices, report.all)) {
    text += section_text(section, 2, style);
  }
  return text;
}

/// Returns the changes of each file, and the files of one side.
std::string changes_text(const DiffReport& report, Style style) {
  std::string text;
  for (const auto& file : report.diff.files) {
    if (is_detailed(file, report)) text += file_block(file, report, style) + '\n';
  }
  for (const auto& section : files_sections(report)) {
    text += section_text(section, 0, style) + '\n';
  }
  return text;
}

}  // namespace

std::string diff_text(const DiffReport& report, Style style, std::size_t columns) {
  auto text = table_text({{"", Side::left}, {"", Side::left}},
                         {{{"old", fatbin::printable(report.before)}, "", Ink::soft},
                          {{"new", fatbin::printable(report.after)}, "", Ink::soft}},
                         0, style);
  text += '\n';
  const auto lines = device_lines(report);
  for (const auto& line : lines) {
    text += sentence(fmt::format("{}: {} ({})", line.what, line.devices, line.meaning), line.ink,
                     style, columns);
  }
  if (!lines.empty()) text += '\n';
  auto details = changes_text(report, style);
  const auto lines_of_details = std::count(details.begin(), details.end(), '\n');
  const bool is_brief =
      !report.all && report.diff.files.size() > 1 && lines_of_details > kMaxDetailLines;
  text += is_brief ? brief_diff_text(report, style, columns) : details;
  const auto unchanged = unchanged_text(report.diff);
  if (!unchanged.empty()) text += sentence(unchanged, Ink::plain, style, columns) + '\n';
  const bool good = report.diff.errors.empty() && incomparable(report).empty() &&
                    !coverage::is_lost(coverage::totals_of(report.diff), report.strict);
  return text + sentence(closing_line(report), good ? Ink::good : Ink::bad, style, columns);
}

}  // namespace archgrid::report
