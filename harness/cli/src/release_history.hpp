// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_CLI_RELEASE_HISTORY_HPP
#define ARCHGRID_CLI_RELEASE_HISTORY_HPP

#include <archgrid/report/history.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace archgrid::cli {

struct HistoryOptions {
  std::string package;            ///< "pypi:torch"
  std::vector<std::string> gpus;  ///< as the user named them
  std::optional<coverage::Driver> driver;
  std::string json;  ///< destination; "-": standard output
};

/// Audits an input for the GPUs.
using AuditInput = std::function<coverage::Audit(const std::string&)>;

/// Says which releases of a package on PyPI run on the GPUs, and returns the exit code. Prints a
/// line for each release as soon as it was audited. Throws UsageError.
int run_history(const HistoryOptions& options, const AuditInput& audit_input);

}  // namespace archgrid::cli

#endif
