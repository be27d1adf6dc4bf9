# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
#
# Finds the headers of toml++ (Debian: libtomlplusplus-dev), whose CMake package links a shared
# library on some systems. Sets TOMLPLUSPLUS_INCLUDE_DIR.
include(FindPackageHandleStandardArgs)

find_path(TOMLPLUSPLUS_INCLUDE_DIR toml++/toml.h)
mark_as_advanced(TOMLPLUSPLUS_INCLUDE_DIR)

find_package_handle_standard_args(tomlplusplus REQUIRED_VARS TOMLPLUSPLUS_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "Install libtomlplusplus-dev (archgrid's setup script does)")
