// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_CLI_HOST_GUARD_HPP
#define ARCHGRID_CLI_HOST_GUARD_HPP

#include <archgrid/coverage.hpp>

namespace archgrid::cli {

/// Returns a guard that follows the host code of the audited files. It reads a file anew, and only
/// when it is asked about one of its kernels. A terminal shows that it works.
coverage::HostGuard follow_host_code();

}  // namespace archgrid::cli

#endif
