// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_CLI_INPUTS_HPP
#define ARCHGRID_CLI_INPUTS_HPP

#include <archgrid/coverage.hpp>
#include <archgrid/fatbin.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "host_guard.hpp"

namespace archgrid::cli {

/// Reads files, folders, archives and packages of PyPI ("pypi:torch==2.6.0", which pip downloads),
/// with progress on a terminal. Adds the GPUs that packages
/// claim to `claims`, and files with device code to `host_files`. Throws UsageError for the build
/// tree of a matrix, which needs --tree.
std::vector<fatbin::File> read_inputs(const std::vector<std::string>& paths,
                                      const fatbin::ReadOptions& reading = {},
                                      coverage::Claims* claims = nullptr,
                                      HostFiles* host_files = nullptr);

/// Returns options for read_inputs() that find what evidence and comparisons of code need.
fatbin::ReadOptions reading_with_identities();

/// Returns the paths that the pattern of a shell (*, ?, [...]) matches, ascending; a path that
/// exists matches itself, and so do the folders at its beginning. Throws UsageError if there is
/// none, or if a folder cannot be read.
std::vector<std::string> match_paths(const std::string& pattern);

/// Returns the lines of a file. Throws UsageError if it cannot be opened.
std::vector<std::string> read_lines(const std::filesystem::path& path);

/// Throws UsageError if a value of --gpu or --accept became a FILE, as in `--gpu A100 H100`.
void expect_no_values(const std::vector<std::string>& files, const std::vector<std::string>& gpus,
                      const std::vector<std::string>& verdicts);

}  // namespace archgrid::cli

#endif
