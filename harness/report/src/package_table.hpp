// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_REPORT_PACKAGE_TABLE_HPP
#define ARCHGRID_REPORT_PACKAGE_TABLE_HPP

#include <archgrid/report.hpp>
#include <string>

namespace archgrid::report {

/// Returns an overview of the package: one row per file and one column per GPU, with the share of
/// the file's kernels that have machine code for it. GPU names follow. No line exceeds
/// `style.columns`.
std::string package_table(const View& view, TextStyle style);

}  // namespace archgrid::report

#endif
