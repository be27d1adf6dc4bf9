// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Evaluates GoogleTest's filters: a program that is skipped before it runs its tests records the
// tests that it would have run.
#ifndef ARCHGRID_GTEST_FILTER_HPP
#define ARCHGRID_GTEST_FILTER_HPP

#include <string>
#include <string_view>
#include <vector>

namespace archgrid::gtest {

/// Reports whether GoogleTest would select `name`, "Suite.Case", by `filter`: patterns with * and
/// ?, separated by colons; those after the first minus sign are negative.
bool matches_filter(std::string_view filter, std::string_view name);

/// Returns a filter that selects exactly these tests, whatever characters their names contain.
std::string filter_of(const std::vector<std::string>& names);

}  // namespace archgrid::gtest

#endif
