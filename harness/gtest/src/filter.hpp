// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// GoogleTest's filters, read by archgrid: a program that stands aside before it runs its tests
// records which ones it would have run.
#ifndef ARCHGRID_GTEST_FILTER_HPP
#define ARCHGRID_GTEST_FILTER_HPP

#include <string>
#include <string_view>
#include <vector>

namespace archgrid::gtest {

/// Reports whether GoogleTest would select `name`, "Suite.Case", by `filter`: patterns with * and ?
/// that are separated by colons, those behind the first minus sign negative.
bool matches_filter(std::string_view filter, std::string_view name);

/// Returns a filter that selects these tests, whatever characters their names hold.
std::string filter_of(const std::vector<std::string>& names);

}  // namespace archgrid::gtest

#endif
