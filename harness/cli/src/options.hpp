// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads options that several commands have. Errors are UsageErrors that name the option and a
// correct value.
#ifndef ARCHGRID_CLI_OPTIONS_HPP
#define ARCHGRID_CLI_OPTIONS_HPP

#include <archgrid/coverage.hpp>
#include <optional>
#include <string>
#include <vector>

namespace archgrid::cli {

/// Returns nothing if the text is empty.
std::optional<coverage::Driver> parse_driver(const std::string& text);
std::optional<coverage::Version> parse_toolkit(const std::string& text);

/// Returns the promise made on the command line.
coverage::Promise promise_of(const std::vector<std::string>& devices,
                             const std::vector<std::string>& accept);

}  // namespace archgrid::cli

#endif
