// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_REPORT_DIFF_VIEW_HPP
#define ARCHGRID_REPORT_DIFF_VIEW_HPP

#include <archgrid/report/diff.hpp>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "table.hpp"

namespace archgrid::report {

constexpr std::size_t kDiffMaxName = 64;  ///< columns of a kernel's name, unless all are shown

/// One table of changes in a file.
struct DiffSection {
  std::string title;
  Ink ink = Ink::strong;
  std::vector<Column> columns = {};
  std::vector<TableRow> rows = {};
  std::string note = {};  ///< shown below the table; may be empty
  /// The kernels of which the last cell of each row has an example; empty if no cell has one, like
  /// the list of a row without.
  std::vector<std::vector<std::string>> kernels = {};
};

/// Changes of devices over all files.
struct DeviceLine {
  const char* what;     ///< "devices lost"
  std::string devices;  ///< "5.0, 5.2"
  const char* meaning;  ///< "no kernel runs there any more"
  Ink ink;
};

/// Returns lost devices first; none if the sides cannot be compared.
std::vector<DeviceLine> device_lines(const DiffReport& report);

/// Returns the sections of a file that are not empty.
std::vector<DiffSection> sections_of(const coverage::FileDiff& file,
                                     const std::vector<coverage::ComputeCapability>& devices,
                                     bool all);

/// Returns the files of one side only, one per row: gone files, then new files, each only if there
/// are any. With `all`, such files are shown like pairs, so returns nothing.
std::vector<DiffSection> files_sections(const DiffReport& report);

/// Reports whether the file has sections of its own.
bool is_detailed(const coverage::FileDiff& file, const DiffReport& report);

/// Returns "libx.so.12.1 -> libx.so.12.2", "libx.so (gone)".
std::string title_of(const coverage::FileDiff& file);

/// Returns one line about files that differ at most in size; empty if there are none.
std::string unchanged_text(const coverage::Diff& diff);

/// Returns "5.0, 7.5-8.9, 9.0". Ranges contain all `known` devices between their ends.
std::string devices_text(const std::vector<coverage::ComputeCapability>& devices,
                         const std::vector<coverage::ComputeCapability>& known);

/// Returns "tile<3>", "tile<3> and 7 more", with at most `columns` of the name.
std::string example_of(const std::vector<std::string>& kernels, std::size_t columns = kDiffMaxName);

/// Returns the rows of a section in at most `columns`: with shorter examples of kernels, and with
/// last cells on several lines. Whole names of kernels stay on theirs.
std::vector<TableRow> rows_within(const DiffSection& section, std::size_t indent,
                                  std::size_t columns);

/// Returns "+19.0 %", "x 12"; empty if there is no such share.
std::string percent_text(std::uint64_t before, std::uint64_t after);

/// Returns "coverage lost", ...
const char* title_of(coverage::Turn turn);
Ink ink_of(coverage::Turn turn);

/// Returns "native -> jit".
std::string verdicts_text(const coverage::CoverageChange& change);

/// Returns the stored bytes of all images, old and new.
std::pair<std::uint64_t, std::uint64_t> stored_of(const coverage::FileDiff& file);

/// Reports whether both sides have the file.
bool is_pair(const coverage::FileDiff& file);

/// Returns what a first screen has room for: lost coverage, a row for each changed file, and the
/// files of one side. `columns`: of the screen.
std::string brief_diff_text(const DiffReport& report, Style style, std::size_t columns);

}  // namespace archgrid::report

#endif
