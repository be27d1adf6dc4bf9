// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_CLI_INPUTS_HPP
#define ARCHGRID_CLI_INPUTS_HPP

#include <archgrid/coverage.hpp>
#include <archgrid/fatbin.hpp>
#include <string>
#include <vector>

#include "commands.hpp"
#include "host_guard.hpp"

namespace archgrid::cli {

/// Reads files, folders and archives, with progress on a terminal. Adds the GPUs that packages
/// claim to `claims`, and files with device code to `host_files`. Throws UsageError for the build
/// tree of a matrix, which needs --tree.
std::vector<fatbin::File> read_inputs(const std::vector<std::string>& paths,
                                      const fatbin::ReadOptions& reading = {},
                                      coverage::Claims* claims = nullptr,
                                      HostFiles* host_files = nullptr);

/// Throws UsageError if a value became a FILE, as in `--device 8.0 9.0`.
void expect_no_values(const AuditOptions& options);

}  // namespace archgrid::cli

#endif
