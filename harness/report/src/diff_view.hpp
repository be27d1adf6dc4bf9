// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_REPORT_DIFF_VIEW_HPP
#define ARCHGRID_REPORT_DIFF_VIEW_HPP

#include <archgrid/diff_report.hpp>
#include <string>
#include <vector>

#include "table.hpp"

namespace archgrid::report {

/// One table of what changed in a file.
struct DiffSection {
  std::string title;
  Ink ink = Ink::strong;
  std::vector<Column> columns;
  std::vector<TableRow> rows;
  std::string note;  ///< below the table; empty: none
};

/// What became of devices over all files.
struct DeviceLine {
  const char* what;     ///< "devices lost"
  std::string devices;  ///< "5.0, 5.2"
  const char* meaning;  ///< "no kernel runs there any more"
  Ink ink;
};

/// The lost ones first; none where nothing can be compared.
std::vector<DeviceLine> device_lines(const DiffReport& report);

/// Empty ones are left out.
std::vector<DiffSection> sections_of(const coverage::FileDiff& file,
                                     const std::vector<coverage::Device>& devices, bool all);

/// What either side alone holds, a file a row: the gone ones and then the new ones, each if there
/// are any. Where `all` is wished, such files are shown like pairs, and here are none.
std::vector<DiffSection> files_sections(const DiffReport& report);

/// Whether the file is shown with sections of its own.
bool is_detailed(const coverage::FileDiff& file, const DiffReport& report);

/// "libx.so.12.1 -> libx.so.12.2", "libx.so gone"
std::string title_of(const coverage::FileDiff& file);

/// Files that only their sizes tell apart, in a line; empty if there are none.
std::string unchanged_text(const coverage::Diff& diff);

/// "5.0, 7.5-8.9, 9.0": runs are of `known` devices, in which nothing is left out.
std::string devices_text(const std::vector<coverage::Device>& devices,
                         const std::vector<coverage::Device>& known);

}  // namespace archgrid::report

#endif
