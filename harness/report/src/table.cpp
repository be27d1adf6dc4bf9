// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "table.hpp"

#include <algorithm>

namespace archgrid::report {
namespace {

constexpr std::size_t kGap = 2;

std::vector<std::size_t> widths_of(const std::vector<Column>& columns,
                                   const std::vector<TableRow>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& column : columns) widths.push_back(column.title.size());
  for (const auto& row : rows) {
    for (std::size_t index = 0; index < row.cells.size(); ++index) {
      widths.at(index) = std::max(widths.at(index), row.cells[index].size());
    }
  }
  return widths;
}

std::string line_text(const std::vector<std::string>& cells, const std::vector<Column>& columns,
                      const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t index = 0; index < cells.size(); ++index) {
    const std::string blanks(widths[index] - cells[index].size(), ' ');
    if (index > 0) line += std::string(kGap, ' ');
    line += columns[index].side == Side::left ? cells[index] + blanks : blanks + cells[index];
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

std::size_t width_before_last(const std::vector<Column>& columns, const std::vector<TableRow>& rows,
                              std::size_t indent) {
  const auto widths = widths_of(columns, rows);
  auto width = indent;
  for (std::size_t index = 0; index + 1 < widths.size(); ++index) width += widths[index] + kGap;
  return width;
}

std::vector<TableRow> with_broken_last(const std::vector<Column>& columns,
                                       const std::vector<TableRow>& rows, std::size_t indent,
                                       std::size_t most) {
  constexpr std::size_t kMinRoom = 16;
  const auto taken = width_before_last(columns, rows, indent);
  const auto room = std::max(most, taken + kMinRoom) - taken;
  std::vector<TableRow> broken;
  for (const auto& row : rows) {
    const auto text = wrapped(row.cells.back(), "", room);
    for (std::size_t at = 0; at < text.size();) {
      const auto end = text.find('\n', at);
      TableRow line = {std::vector<std::string>(columns.size()), "", row.ink};
      if (at == 0) line = row;
      line.cells.back() = text.substr(at, end - at);
      broken.push_back(std::move(line));
      at = end + 1;
    }
  }
  return broken;
}

std::string table_text(const std::vector<Column>& columns, const std::vector<TableRow>& rows,
                       std::size_t indent, Style style) {
  const auto widths = widths_of(columns, rows);
  const std::string margin(indent, ' ');
  std::vector<std::string> titles;
  for (const auto& column : columns) titles.push_back(column.title);
  const auto head = line_text(titles, columns, widths);
  std::string text;
  if (!head.empty()) text += margin + paint(head, Ink::soft, style) + '\n';
  for (const auto& row : rows) {
    if (!row.heading.empty()) text += margin.substr(kOutdent) + row.heading + '\n';
    text += margin + paint(line_text(row.cells, columns, widths), row.ink, style) + '\n';
  }
  return text;
}

}  // namespace archgrid::report
