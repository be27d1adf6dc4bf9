// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_REPORT_TABLE_HPP
#define ARCHGRID_REPORT_TABLE_HPP

#include <cstddef>
#include <string>
#include <vector>

#include "style.hpp"

namespace archgrid::report {

enum class Side { left, right };

struct Column {
  std::string title;
  Side side = Side::left;  ///< alignment of the cells
};

constexpr std::size_t kOutdent = 2;  ///< of headings

struct TableRow {
  std::vector<std::string> cells;  ///< trailing cells may be omitted
  std::string heading;             ///< a line above the row, kOutdent further left; may be empty
  Ink ink = Ink::plain;
};

/// Returns the columns before the last one, for rows that have a cell in each.
std::size_t width_before_last(const std::vector<Column>& columns, const std::vector<TableRow>& rows,
                              std::size_t indent);

/// Breaks last cells at blanks, so that lines have at most `most` columns; a row for each further
/// line has the last cell alone.
std::vector<TableRow> with_broken_last(const std::vector<Column>& columns,
                                       const std::vector<TableRow>& rows, std::size_t indent,
                                       std::size_t most);

/// Returns a table with columns as wide as their widest cell, two blanks apart, indented by
/// `indent`. Titles form the first line, if there are any.
std::string table_text(const std::vector<Column>& columns, const std::vector<TableRow>& rows,
                       std::size_t indent, Style style);

}  // namespace archgrid::report

#endif
