// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_COVERAGE_FILE_NAMES_HPP
#define ARCHGRID_COVERAGE_FILE_NAMES_HPP

#include <string>
#include <string_view>

namespace archgrid::coverage {

/// Returns the archive that the file is in, static libraries aside; empty for a file in none.
std::string_view package_of(std::string_view path);

/// A path without what a release changes in names: "libx.so" of "libx-1a2b3c4d.so.12.4".
std::string without_versions(const std::string& path);

}  // namespace archgrid::coverage

#endif
