// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_COVERAGE_FILE_NAMES_HPP
#define ARCHGRID_COVERAGE_FILE_NAMES_HPP

#include <string>
#include <string_view>

namespace archgrid::coverage {

/// Returns the archive that contains the file, static libraries aside; empty if there is none.
std::string_view package_of(std::string_view path);

}  // namespace archgrid::coverage

#endif
