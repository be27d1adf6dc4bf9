// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// What options say about promises. Whatever is wrong with them is a UsageError that names the
// option and what to write instead.
#ifndef ARCHGRID_CLI_PROMISED_HPP
#define ARCHGRID_CLI_PROMISED_HPP

#include <archgrid/coverage.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace archgrid::cli {

std::vector<coverage::Device> parse_devices(const std::vector<std::string>& texts);

/// Returns the names by which the texts name GPUs: "MX450". None for compute capabilities.
std::map<coverage::Device, std::string> names_of_devices(const std::vector<std::string>& texts);

/// Nothing if the text is empty.
std::optional<coverage::Driver> parse_driver(const std::string& text);
std::optional<coverage::Version> parse_toolkit(const std::string& text);

/// The promise that the command line itself makes.
coverage::Promise promise_of(const std::vector<std::string>& devices,
                             const std::vector<std::string>& accept);

/// Whether the matrix file lists the toolkit, or none at all.
bool is_listed(const coverage::Matrix& matrix, coverage::Version toolkit);

/// "12.4, 13.0"
std::string list_toolkits(const coverage::Matrix& matrix);

/// The promises of the matrix file for the toolkit, all of them where it is not known. Throws where
/// there is none, where the file does not list the toolkit, and where a promise or a budget is for
/// some toolkits only and none is named.
std::vector<coverage::Promise> promises_of(const coverage::Matrix& matrix,
                                           std::optional<coverage::Version> toolkit);

/// The devices of `wanted` that nothing is promised for.
std::vector<coverage::Device> unpromised(const std::vector<coverage::Device>& wanted,
                                         const std::set<coverage::Device>& promised);

}  // namespace archgrid::cli

#endif
