// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_COVERAGE_OTHER_PACKAGES_HPP
#define ARCHGRID_COVERAGE_OTHER_PACKAGES_HPP

#include <archgrid/coverage/audit.hpp>

namespace archgrid::coverage {

/// Notes other packages of PyPI whose libraries with kernels the audited files need, and which are
/// not among these files, with the version that the files' packages pin.
void note_other_packages(const Request& request, Audit& result);

}  // namespace archgrid::coverage

#endif
