// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Notes which ignores and patterns of promises apply to the audited kernels.
#ifndef ARCHGRID_COVERAGE_PROMISE_USE_HPP
#define ARCHGRID_COVERAGE_PROMISE_USE_HPP

#include <archgrid/coverage/audit.hpp>
#include <vector>

namespace archgrid::coverage {

/// Notes kernels of a file on devices where a promise with a pattern replaces those without: it
/// replaces them even on devices that it does not name, where its kernels are no longer promised.
/// `used` marks the promises that apply to the file. `audit` is a part of `result`.
void note_replaced(const FileAudit& audit, const std::vector<Promise>& promises,
                   const std::vector<bool>& used, Audit& result);

/// Records the use of each ignore of the request and of each pattern. `result` has its findings.
void note_unused(const std::vector<Promise>& promises, const std::vector<bool>& pattern_used,
                 const Request& request, const std::vector<bool>& ignore_used, Audit& result);

}  // namespace archgrid::coverage

#endif
