// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads small files from untrusted sources, and creates files that no other process writes.
#ifndef ARCHGRID_COVERAGE_TEXT_FILE_HPP
#define ARCHGRID_COVERAGE_TEXT_FILE_HPP

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace archgrid::coverage {

/// A file that cannot be read. The message names the file.
struct FileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Handling of pipes and devices, which may block or never end.
enum class Pipes {
  refused,
  taken,  ///< for files that the command line names: a shell passes <(command) as a pipe
};

/// Returns the content of a file of at most `max_bytes`. Throws FileError.
std::string read_text_file(const std::filesystem::path& path, std::uintmax_t max_bytes,
                           Pipes pipes = Pipes::refused);

/// Throws FileError for an empty path, a folder, a pipe, a device or a missing file.
void expect_regular_file(const std::filesystem::path& path);

/// Creates a new, empty file for a program in a folder, which it creates if necessary:
/// "<folder><program>.json", with a number if that name exists. Throws FileError.
std::string own_file_in(const std::string& folder, const std::string& program);

}  // namespace archgrid::coverage

#endif
