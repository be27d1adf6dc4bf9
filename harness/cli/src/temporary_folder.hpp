// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_CLI_TEMPORARY_FOLDER_HPP
#define ARCHGRID_CLI_TEMPORARY_FOLDER_HPP

#include <sys/types.h>

#include <filesystem>

namespace archgrid::cli {

/// A new folder in the system's folder for temporary files; this object removes it with everything
/// in it. If this program is killed, a guard does, a process beside it: first it ends the process
/// that the file `pid` in the folder names, which would go on writing there. Throws
/// std::runtime_error if the folder cannot be made.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  void start_guard();

  std::filesystem::path path_;
  pid_t guard_ = -1;  ///< -1: none
  int alive_ = -1;    ///< the end of a pipe that is open as long as this program runs
};

}  // namespace archgrid::cli

#endif
