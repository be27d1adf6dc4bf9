// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_PROJECT_CMAKE_COMMANDS_HPP
#define ARCHGRID_PROJECT_CMAKE_COMMANDS_HPP

#include <string>
#include <string_view>
#include <vector>

namespace archgrid::project {

/// One command of a CMake file, such as add_library(a a.cu).
struct CMakeCommand {
  std::string name;  ///< in small letters
  std::vector<std::string> arguments;
  std::size_t line = 0;
};

/// Returns the commands of a CMake file. Stops where the text is no CMake.
std::vector<CMakeCommand> cmake_commands_in(std::string_view text);

}  // namespace archgrid::project

#endif
