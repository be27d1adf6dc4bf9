// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_CLI_MODULES_HPP
#define ARCHGRID_CLI_MODULES_HPP

#include <filesystem>
#include <string>

namespace archgrid::cli {

/// Returns the folder of archgrid's CMake modules: the one of the environment variable
/// ARCHGRID_MODULES, else the one beside the installed command, else the one in the sources that
/// the command was built from. Throws a UsageError for `command` if it does not exist.
std::filesystem::path find_modules(const std::string& command);

/// Returns what runs this command in a shell: "archgrid" if that is on PATH, else its own path, as
/// of one in a build tree.
std::string own_command();

/// Returns one word of a shell, in single quotes if it needs them.
std::string quoted_for_shell(const std::string& text);

}  // namespace archgrid::cli

#endif
