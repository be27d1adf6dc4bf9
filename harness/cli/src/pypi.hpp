// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_CLI_PYPI_HPP
#define ARCHGRID_CLI_PYPI_HPP

#include <filesystem>
#include <string>

namespace archgrid::cli {

/// Reports whether an input is a package of PyPI, "pypi:torch" or "pypi:torch==2.6.0", and no file.
bool is_package_name(const std::string& input);

/// Downloads the wheel that `input` names to `folder` by pip, and returns its path. If this Python
/// has none, takes that for the newest other CPython on Linux, x86-64 or the machine of pip's
/// configuration. Throws UsageError for a name that is invalid, and with pip's error.
std::filesystem::path download_wheel(const std::string& input, const std::filesystem::path& folder);

}  // namespace archgrid::cli

#endif
