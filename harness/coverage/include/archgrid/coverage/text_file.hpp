// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads small files from untrusted sources.
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

}  // namespace archgrid::coverage

#endif
