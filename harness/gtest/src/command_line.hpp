// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The arguments of this program, as far as they matter before GoogleTest reads them.
#ifndef ARCHGRID_GTEST_COMMAND_LINE_HPP
#define ARCHGRID_GTEST_COMMAND_LINE_HPP

#include <string>
#include <string_view>
#include <vector>

#include "settings.hpp"

namespace archgrid::gtest {

/// Returns the command line from the kernel: the program's main() may not have passed it on.
std::vector<std::string> command_line();

/// Reports whether GoogleTest may read `argument` as a request for help. That depends on its
/// version, and -h may mean anything to a program's main().
bool is_help(std::string_view argument);

bool lists_tests(std::string_view argument);
bool selects_tests(std::string_view argument);

/// Reports whether this is the child of a death test, which GoogleTest restarted: the parent judges
/// it.
bool is_of_death_test(std::string_view argument);

std::vector<std::string> variable_names();

/// Returns the settings in the arguments and variables. Throws UsageError.
Settings settings_of(const std::vector<std::string>& arguments);

}  // namespace archgrid::gtest

#endif
