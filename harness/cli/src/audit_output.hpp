// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_CLI_AUDIT_OUTPUT_HPP
#define ARCHGRID_CLI_AUDIT_OUTPUT_HPP

#include <string>
#include <vector>

namespace archgrid::cli {

/// Reports whether `closing` repeats the lines `output` of an audit: all of them, or each finding,
/// maybe for more devices. Returns false if the audit prints anything except findings, such as an
/// error.
bool is_repeated(const std::vector<std::string>& output, const std::vector<std::string>& closing);

}  // namespace archgrid::cli

#endif
