// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_SYSTEM_FILES_HPP
#define ARCHGRID_SYSTEM_FILES_HPP

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace archgrid::system {

/// Identifies a file, whatever its path.
struct FileId {
  std::uint64_t device = 0;
  std::uint64_t number = 0;

  bool operator==(const FileId& other) const {
    return device == other.device && number == other.number;
  }
  bool operator<(const FileId& other) const {
    return std::tie(device, number) < std::tie(other.device, other.number);
  }
};

/// Returns the identity of a file or folder, following links; nothing if it cannot be inspected.
std::optional<FileId> file_id(const std::filesystem::path& path);

/// Reports whether somebody else than this user and the administrator owns the file.
bool is_owned_by_others(const std::filesystem::path& path);

/// Reports whether every user may write the file. Not examined on Windows.
bool is_writable_by_all(const std::filesystem::path& path);

/// Reports whether `error` of errno is about a full disk.
bool is_disk_full(int error);

/// The result of glob().
struct Matches {
  enum class Status { found, none, unreadable };
  Status status = Status::none;  ///< unreadable: a folder of the pattern cannot be read
  std::vector<std::string> paths;
};

/// Finds the paths that the pattern of a shell (*, ?, [...]) matches, ascending. The folders at its
/// beginning that exist by these very names, as "build [1]/", match themselves.
Matches glob(const std::string& pattern);

/// Returns the path with slashes, which Windows accepts like backslashes. Elsewhere a backslash is
/// a letter like others.
std::string with_slashes(std::string path);

/// Returns the paths of a command line with the matches of patterns in their place. A pattern
/// without a match stays. Only on Windows, where shells leave patterns to programs.
std::vector<std::string> expand_arguments(const std::vector<std::string>& paths);

}  // namespace archgrid::system

#endif
