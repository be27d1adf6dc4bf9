// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_CLI_INPUTS_HPP
#define ARCHGRID_CLI_INPUTS_HPP

#include <archgrid/fatbin.hpp>
#include <string>
#include <vector>

namespace archgrid::cli {

/// Reads the files; of a folder among them, the error says what to name instead.
std::vector<fatbin::File> read_inputs(const std::vector<std::string>& paths);

}  // namespace archgrid::cli

#endif
