// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// GoogleTest's run, and the tests that it selects.
#ifndef ARCHGRID_GTEST_GOOGLETEST_HPP
#define ARCHGRID_GTEST_GOOGLETEST_HPP

#include <string>
#include <vector>

namespace archgrid::gtest {

/// Runs the tests by GoogleTest's own function, which the linker redirects otherwise.
int run_googletest();

/// Reports whether GoogleTest will show its help instead of running tests, for whatever reason.
bool shows_help();

/// Returns the tests that GoogleTest will run, before it reports them itself.
std::vector<std::string> selected_tests(bool of_all_shards = false);

/// Reports whether GoogleTest read its filter from the environment, which ctest passes on to every
/// program.
bool is_filtered_by_environment(const std::vector<std::string>& arguments);

/// Restricts the selected tests to those of one suite.
void select_suite(const std::string& suite);

/// Returns the number of tests that the filter matches in all shards together; call it after a
/// run. GoogleTest reports only its own shard, so this asks it again without sharding, which
/// prints the list.
int selected_in_any_shard();

}  // namespace archgrid::gtest

#endif
