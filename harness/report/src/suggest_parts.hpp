// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The parts of a plan in text.
#ifndef ARCHGRID_REPORT_SUGGEST_PARTS_HPP
#define ARCHGRID_REPORT_SUGGEST_PARTS_HPP

#include <archgrid/report/suggest.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace archgrid::report {

constexpr std::size_t kPlanIndent = 2;

/// Breaks each line of the text at `columns`; what follows is indented by two more.
std::string filled(std::string_view text, std::size_t columns);

/// Returns what each arch of the measured files costs, and advice.
std::string measured_section(const SuggestReport& report, Style style, std::size_t columns);

/// Returns the archs of the measured files that no device needs.
std::vector<const coverage::ArchUse*> needless(const SuggestReport& report);

}  // namespace archgrid::report

#endif
