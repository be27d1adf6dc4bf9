// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Guarded reading of small files, whoever wrote them.
#ifndef ARCHGRID_COVERAGE_TEXT_FILE_HPP
#define ARCHGRID_COVERAGE_TEXT_FILE_HPP

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace archgrid::coverage {

/// A file that cannot be read. Names the file.
struct FileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Reads of pipes and devices may block, or never end.
enum class Pipes {
  refused,
  taken,  ///< for files that the command line names: a shell passes <(command) as a pipe
};

/// Returns the content of a file of at most `max_bytes`. Throws FileError.
std::string read_text_file(const std::filesystem::path& path, std::uintmax_t max_bytes,
                           Pipes pipes = Pipes::refused);

/// Throws FileError for an empty path, a folder, a pipe, a device and a file that is not there.
void expect_regular_file(const std::filesystem::path& path);

}  // namespace archgrid::coverage

#endif
