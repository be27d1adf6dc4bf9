// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Separates files that a build compiles from those that it only copies.
#ifndef ARCHGRID_CELL_PREBUILT_HPP
#define ARCHGRID_CELL_PREBUILT_HPP

#include <archgrid/cell.hpp>

namespace archgrid::cell {

/// Reports whether `commands`, those of one edge of the build, copy files and make none.
bool merely_copy(const std::vector<Command>& commands);

class Prebuilt {
 public:
  /// `outputs`: all outputs that commands of the build declare.
  Prebuilt(const std::filesystem::path& build, const std::vector<Command>& commands,
           std::set<std::string> outputs);

  /// Reports whether `file` was in the tree before the build began, or is a copy of such a file, or
  /// of a file outside the tree that a command names and none makes.
  [[nodiscard]] bool contains(const std::filesystem::path& file) const;

  /// Reports whether `file` is older than the build, or came with a download.
  [[nodiscard]] bool is_older_than_build(const std::filesystem::path& file) const;

  /// Reports whether `file` came with sources that FetchContent or ExternalProject downloaded, and
  /// was not written since.
  [[nodiscard]] bool is_downloaded(const std::filesystem::path& file) const;

 private:
  [[nodiscard]] bool is_copy_of(const std::filesystem::path& source,
                                const std::filesystem::path& file) const;

  std::filesystem::path build_;
  std::set<std::string> outputs_;
  std::vector<std::filesystem::path> sources_;  ///< files and folders that commands copy
};

}  // namespace archgrid::cell

#endif
