// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_SYSTEM_PARTIAL_FILE_HPP
#define ARCHGRID_SYSTEM_PARTIAL_FILE_HPP

#include <cstdio>
#include <filesystem>

namespace archgrid::system {

/// Opens a new file for writing, on POSIX systems with the permissions of `model` if that exists,
/// or returns nullptr with errno set. A signal that ends the process (SIGTERM, SIGINT and SIGHUP)
/// removes the file before, until keep_if_killed().
std::FILE* open_partial(const std::filesystem::path& path, const std::filesystem::path& model);

/// Leaves the file of open_partial() alone from now on, as after it got its final name.
void keep_if_killed(const std::filesystem::path& path);

}  // namespace archgrid::system

#endif
