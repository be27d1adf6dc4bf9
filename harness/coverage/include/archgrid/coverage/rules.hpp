// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_COVERAGE_RULES_HPP
#define ARCHGRID_COVERAGE_RULES_HPP

#include <archgrid/coverage/audit.hpp>
#include <vector>

namespace archgrid::coverage {

/// Returns the rules of errors, then those of suspects.
std::vector<Rule> all_rules();

Severity severity_of(Rule rule);

/// Reports whether a rule of suspects concludes only from the GPUs on which a kernel works, or from
/// lists of archs, that its body does no work on purpose, and no other variant works there.
bool leaves_doubt(Rule rule);

}  // namespace archgrid::coverage

#endif
