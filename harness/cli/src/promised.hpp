// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads options about promises. Errors are UsageErrors that name the option and a correct value.
#ifndef ARCHGRID_CLI_PROMISED_HPP
#define ARCHGRID_CLI_PROMISED_HPP

#include <archgrid/coverage.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace archgrid::cli {

std::vector<coverage::Device> parse_devices(const std::vector<std::string>& texts);

/// Returns the product names in the texts: "MX450". None for compute capabilities.
std::map<coverage::Device, std::string> names_of_devices(const std::vector<std::string>& texts);

/// Returns nothing if the text is empty.
std::optional<coverage::Driver> parse_driver(const std::string& text);
std::optional<coverage::Version> parse_toolkit(const std::string& text);

/// Returns the promise made on the command line.
coverage::Promise promise_of(const std::vector<std::string>& devices,
                             const std::vector<std::string>& accept);

/// Reports whether the matrix file lists the toolkit, or lists none.
bool is_listed(const coverage::Matrix& matrix, coverage::Version toolkit);

/// Returns "12.4, 13.0".
std::string list_toolkits(const coverage::Matrix& matrix);

/// Returns the promises of the matrix file for the toolkit, or all if it is unknown. Throws if
/// there is none, if the file does not list the toolkit, or if the toolkit is unknown but a promise
/// or a budget is only for some toolkits.
std::vector<coverage::Promise> promises_of(const coverage::Matrix& matrix,
                                           std::optional<coverage::Version> toolkit);

/// Returns the devices of `wanted` without a promise.
std::vector<coverage::Device> unpromised(const std::vector<coverage::Device>& wanted,
                                         const std::set<coverage::Device>& promised);

}  // namespace archgrid::cli

#endif
