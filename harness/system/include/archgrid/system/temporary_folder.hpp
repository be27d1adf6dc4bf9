// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_SYSTEM_TEMPORARY_FOLDER_HPP
#define ARCHGRID_SYSTEM_TEMPORARY_FOLDER_HPP

#include <filesystem>
#include <string>

namespace archgrid::system {

/// A new folder in the system's folder for temporary files; this object removes it with everything
/// in it. If this program is killed, a guard does on POSIX systems, a process beside it that made
/// the folder. First the guard kills the process group that the file `pid` in the folder names,
/// which would go on writing there. A process that writes `pid` then has to end unless the file
/// `alive` is there: the guard read too early. Throws std::runtime_error if the folder cannot be
/// made.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  /// Returns the folder that the guard made by the template `name`; without a guard, nothing.
  std::string start_guard(std::string name);
  void end_guard();

  std::filesystem::path path_;
  int guard_ = -1;  ///< the process; -1: none
  int alive_ = -1;  ///< the end of a pipe that is open as long as this program runs
};

}  // namespace archgrid::system

#endif
