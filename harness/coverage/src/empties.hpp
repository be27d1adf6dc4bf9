// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_COVERAGE_EMPTIES_HPP
#define ARCHGRID_COVERAGE_EMPTIES_HPP

#include <archgrid/coverage/audit.hpp>

namespace archgrid::coverage {

/// The same findings of a file, with the empty bodies on a device told as one where they are many.
std::vector<Finding> with_empties_gathered(std::vector<Finding> findings);

}  // namespace archgrid::coverage

#endif
