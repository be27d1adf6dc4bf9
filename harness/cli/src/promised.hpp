// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// What options say about promises. Whatever is wrong with them is a UsageError that names the
// option and what to write instead.
#ifndef ARCHGRID_CLI_PROMISED_HPP
#define ARCHGRID_CLI_PROMISED_HPP

#include <archgrid/coverage.hpp>
#include <optional>
#include <string>
#include <vector>

namespace archgrid::cli {

std::vector<coverage::Device> parse_devices(const std::vector<std::string>& texts);

/// Nothing if the text is empty.
std::optional<coverage::Driver> parse_driver(const std::string& text);

}  // namespace archgrid::cli

#endif
