// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes the changes between two releases for people, pull requests and programs.
#ifndef ARCHGRID_REPORT_DIFF_HPP
#define ARCHGRID_REPORT_DIFF_HPP

#include <archgrid/report.hpp>
#include <archgrid/report/list.hpp>
#include <string>

namespace archgrid::report {

struct DiffReport {
  std::string before;  ///< the inputs, as specified
  std::string after;
  coverage::Diff diff;
  std::string driver;   ///< for PTX, as specified; empty: any
  bool strict = false;  ///< missing kernels and files count as lost
  bool all = false;     ///< lists every kernel in text and Markdown
};

/// Returns why losses cannot be determined: a side has no device code, or could not be read, or has
/// no kernel of the other side and no GPU is lost. Empty if the sides could be compared, or a GPU
/// is lost.
std::string incomparable(const DiffReport& report);

/// Returns "nothing lost: 24 kernels x 7 devices, 3 new, 0 gone, device code +1.2 MiB, +3.4 %".
std::string closing_line(const DiffReport& report);

/// Returns text for terminals, its sentences wrapped to `columns`. Kernels with equal changes share
/// a row.
std::string diff_text(const DiffReport& report, Style style, std::size_t columns = 80);

/// Returns Markdown for pull requests.
std::string diff_markdown(const DiffReport& report);

/// Writes an archgrid.diff/1 document, in pieces. It contains every kernel.
void diff_json(const DiffReport& report, const Sink& sink);

}  // namespace archgrid::report

#endif
