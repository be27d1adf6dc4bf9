// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_COVERAGE_BUDGET_HPP
#define ARCHGRID_COVERAGE_BUDGET_HPP

#include <archgrid/coverage/audit.hpp>

namespace archgrid::coverage {

/// Adds to `result` what in its files is over a budget of the request or cannot be told, and which
/// budgets matched nothing. Ignores that name no device forgive it: they are noted in
/// `ignore_used`, by index. Of an audit for some of the promised devices, code that only the others
/// run is not its business.
void judge_budgets(const Request& request, std::vector<bool>& ignore_used, Audit& result);

}  // namespace archgrid::coverage

#endif
