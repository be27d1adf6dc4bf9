// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_CLI_PYPI_HPP
#define ARCHGRID_CLI_PYPI_HPP

#include <filesystem>
#include <string>
#include <vector>

#include "command.hpp"

namespace archgrid::cli {

/// A release without a wheel for this system.
struct NoWheel : UsageError {
  using UsageError::UsageError;
};

/// Reports whether an input is a package of PyPI, "pypi:torch" or "pypi:torch==2.6.0", and no file.
bool is_package_name(const std::string& input);

/// Reports whether a missing input reads like a package of PyPI without "pypi:", as "torch" or
/// "torch==2.9.0" but not "lib/x" or "x.so" does.
bool may_be_package(const std::string& input);

/// Returns what to write instead of a URL, "write pypi:torch==2.6.0, which pip downloads" for a
/// page or a wheel of PyPI; empty if the input is no URL.
std::string advice_on_url(const std::string& input);

/// Reports whether pip chooses the version: "pypi:torch".
bool has_open_version(const std::string& input);

/// Downloads the wheel that `input` names by pip, and returns its path. The wheel exists until the
/// end of the program. If this Python has none, takes that for the newest other CPython on Linux.
/// Throws UsageError for a name that is invalid, and with pip's error: NoWheel if there is none.
std::filesystem::path download_wheel(const std::string& input);

/// Returns the file names of the wheels that were downloaded for the input, without the folder.
std::vector<std::string> wheels_of(const std::string& input);

/// Removes the wheels that were downloaded so far.
void remove_downloads();

/// Returns the package of `input`, "torch" of "pypi:torch". Throws UsageError if the name is
/// invalid or has a version.
std::string package_name(const std::string& input);

/// Returns the releases of a package that have a wheel for this system and any CPython since 3.8,
/// unsorted, with pre-releases and duplicates. Throws UsageError for a name that is invalid, if
/// there is none, and with pip's error.
std::vector<std::string> list_versions(const std::string& input);

/// Returns the path of a file in a downloaded wheel as reports name it, "x-1.0.whl!libx.so",
/// without the temporary folder; other paths unchanged.
std::string shown_path(const std::string& path);

/// Returns the path of which shown_path() made `shown`.
std::string real_path(const std::string& shown);

}  // namespace archgrid::cli

#endif
