// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Device code that is linked across files.
#ifndef ARCHGRID_COVERAGE_DEVICE_LINKS_HPP
#define ARCHGRID_COVERAGE_DEVICE_LINKS_HPP

#include <archgrid/coverage/audit.hpp>

namespace archgrid::coverage {

/// Finds symbols that no audited file defines: a library may import from another one.
void note_not_device_linked(Audit& result);

/// Drops undefined symbols that other files define: a program may link images of several files at
/// run time.
void resolve_across_files(Audit& result);

}  // namespace archgrid::coverage

#endif
