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

std::string section_text(const DiffSection& section, std::size_t indent, const DiffReport& report,
                         Style style, std::size_t columns) {
  const std::string margin(indent, ' ');
  auto text = margin + paint(section.title, section.ink, style) + '\n';
  if (!section.rows.empty()) {
    const auto rows = report.all ? section.rows : rows_within(section, indent + 2, columns);
    text += table_text(section.columns, rows, indent + 2, style);
  }
  if (section.note.empty()) return text;
  auto note = wrapped(section.note, margin + "  ", columns);
  note.pop_back();
  return text + paint(note, Ink::soft, style) + '\n';
}

std::string file_block(const coverage::FileDiff& file, const DiffReport& report, Style style,
                       std::size_t columns) {
  auto text = sentence(title_of(file), Ink::strong, style, columns);
  for (const auto& section : sections_of(file, report.diff.devices, report.all)) {
    text += section_text(section, 2, report, style, columns);
  }
  return text;
}

/// Returns the changes of each file, and the files of one side.
std::string changes_text(const DiffReport& report, Style style, std::size_t columns) {
  std::string text;
  for (const auto& file : report.diff.files) {
    if (is_detailed(file, report)) text += file_block(file, report, style, columns) + '\n';
  }
  for (const auto& section : files_sections(report)) {
    text += section_text(section, 0, report, style, columns) + '\n';
  }
  return text;
}

/// Returns the path, without its first folders if it is longer than `most`: ".../dist/x.whl".
std::string end_of_path(const std::string& path, std::size_t most) {
  constexpr std::string_view kMore = "...";
  if (path.size() <= most) return path;
  const auto begin = path.find('/', path.size() + kMore.size() - std::min(most, path.size()));
  const auto end = begin == std::string::npos ? path.rfind('/') : begin;
  return end == std::string::npos || end == 0 ? path : std::string(kMore) + path.substr(end);
}

/// Names both sides; by their whole paths if the ends that fit are equal.
std::string sides_text(const DiffReport& report, Style style, std::size_t columns) {
  constexpr std::size_t kHead = 5;  ///< "old  "
  auto before = fatbin::printable(report.before);
  auto after = fatbin::printable(report.after);
  const auto most = columns - std::min(columns, kHead);
  if (end_of_path(before, most) != end_of_path(after, most)) {
    before = end_of_path(before, most);
    after = end_of_path(after, most);
  }
  return table_text({{"", Side::left}, {"", Side::left}},
                    {{{"old", before}, "", Ink::soft}, {{"new", after}, "", Ink::soft}}, 0, style);
}

}  // namespace

std::string diff_text(const DiffReport& report, Style style, std::size_t columns) {
  auto text = sides_text(report, style, report.all ? std::string::npos : columns) + '\n';
  const auto lines = device_lines(report);
  for (const auto& line : lines) {
    text += sentence(fmt::format("{}: {} ({})", line.what, line.devices, line.meaning), line.ink,
                     style, columns);
  }
  if (!lines.empty()) text += '\n';
  auto details = changes_text(report, style, columns);
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
