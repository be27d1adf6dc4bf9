// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_REPORT_TABLE_HPP
#define ARCHGRID_REPORT_TABLE_HPP

#include <string>
#include <vector>

#include "style.hpp"

namespace archgrid::report {

enum class Side { left, right };

struct Column {
  std::string title;
  Side side = Side::left;  ///< where the text of a row stands
};

struct TableRow {
  std::vector<std::string> cells;  ///< the last ones may be left out
  std::string heading;             ///< a line above the row, two columns left of it; empty: none
  Ink ink = Ink::plain;
};

/// Columns as wide as their widest cell, two blanks apart and `indent` from the left; below their
/// titles, if there are any.
std::string table_text(const std::vector<Column>& columns, const std::vector<TableRow>& rows,
                       std::size_t indent, Style style);

}  // namespace archgrid::report

#endif
