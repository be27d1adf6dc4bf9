// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_COVERAGE_BUDGET_HPP
#define ARCHGRID_COVERAGE_BUDGET_HPP

#include <archgrid/coverage/audit.hpp>

namespace archgrid::coverage {

/// Adds findings to `result` for code over a budget of the request, for unknown amounts, and for
/// budgets that matched nothing. Ignores without devices cover such code and are marked in
/// `ignore_used`, by index. An audit of some promised devices skips code that only other promised
/// devices run.
void judge_budgets(const Request& request, std::vector<bool>& ignore_used, Audit& result);

}  // namespace archgrid::coverage

#endif
