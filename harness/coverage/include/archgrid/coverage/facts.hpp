// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_COVERAGE_FACTS_HPP
#define ARCHGRID_COVERAGE_FACTS_HPP

#include <map>
#include <string>

namespace archgrid::coverage {

/// Names and numbers for a message about a file, a package or a matrix file: {"toolkit", "13.0"}.
/// Lists are joined by ", ".
using Facts = std::map<std::string, std::string>;

}  // namespace archgrid::coverage

#endif
