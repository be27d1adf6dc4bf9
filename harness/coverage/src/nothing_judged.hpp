// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Audits that judge nothing: a silent result would read as a kept promise.
#ifndef ARCHGRID_COVERAGE_NOTHING_JUDGED_HPP
#define ARCHGRID_COVERAGE_NOTHING_JUDGED_HPP

#include <archgrid/coverage/audit.hpp>
#include <vector>

namespace archgrid::coverage {

/// Finds that no file has device code.
void note_no_device_code(const Request& request, Audit& result);

/// Finds that no device is common to most kernels: without one there is no standard for kernels.
void note_nothing_in_common(const Request& request, Audit& result);

/// Turns "nothing to judge" into notes, as it breaks no promise and answers no question.
void move_nothing_to_judge(Audit& result);

/// Finds promised devices for which no kernel was judged. `promises` are restricted to the devices
/// of the request.
void note_nothing_judged(const std::vector<Promise>& promises, Audit& result);

}  // namespace archgrid::coverage

#endif
