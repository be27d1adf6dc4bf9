// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// What changed between two releases, for people, pull requests and programs.
#ifndef ARCHGRID_REPORT_DIFF_REPORT_HPP
#define ARCHGRID_REPORT_DIFF_REPORT_HPP

#include <archgrid/list.hpp>
#include <archgrid/report.hpp>
#include <string>

namespace archgrid::report {

struct DiffReport {
  std::string before;  ///< the inputs, as they were named
  std::string after;
  coverage::Diff diff;
  std::string driver;   ///< for which PTX was judged, as it was named; empty: for any
  bool strict = false;  ///< kernels and files that are gone count as lost
  bool all = false;     ///< every kernel a row, in text and Markdown
};

/// Why nothing can be said of what was lost: a side without device code, or without a kernel of the
/// other, or that could not be read. Empty if they could be compared.
std::string incomparable(const DiffReport& report);

/// "nothing lost: 24 kernels x 7 devices, 3 new, 0 gone, device code +1.2 MiB, +3.4 %"
std::string closing_line(const DiffReport& report);

/// For terminals. Kernels that changed alike share a row.
std::string diff_text(const DiffReport& report, Style style);

/// The same for pull requests.
std::string diff_markdown(const DiffReport& report);

/// archgrid.diff/1, in pieces. Every kernel is in it.
void diff_json(const DiffReport& report, const Sink& sink);

}  // namespace archgrid::report

#endif
