// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_REPORT_PACKAGE_TABLE_HPP
#define ARCHGRID_REPORT_PACKAGE_TABLE_HPP

#include <archgrid/report.hpp>
#include <string>

namespace archgrid::report {

/// The package at a glance: a row a file, a column a GPU, and how many of the file's kernels have
/// machine code for it. Below it stand the GPUs by name. No line is longer than `style.columns`.
std::string package_table(const View& view, TextStyle style);

}  // namespace archgrid::report

#endif
