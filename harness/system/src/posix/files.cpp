// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <glob.h>
#include <sys/stat.h>
#include <unistd.h>

#include <archgrid/system/files.hpp>
#include <cerrno>
#include <new>
#include <string_view>
#include <system_error>

namespace archgrid::system {
namespace {

namespace fs = std::filesystem;

std::optional<struct stat> status_of(const fs::path& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return status;
}

/// Escapes the folders at the beginning of a pattern that exist by these very names.
std::string with_plain_folders(const std::string& pattern) {
  std::size_t end = 0;
  std::error_code error;
  for (auto slash = pattern.find('/'); slash != std::string::npos;
       slash = pattern.find('/', slash + 1)) {
    if (!fs::is_directory(pattern.substr(0, slash + 1), error)) break;
    end = slash + 1;
  }
  constexpr std::string_view kOfPatterns = "*?[]\\";
  std::string escaped;
  for (const char c : std::string_view(pattern).substr(0, end)) {
    if (kOfPatterns.find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped + pattern.substr(end);
}

}  // namespace

std::optional<FileId> file_id(const fs::path& path) {
  const auto status = status_of(path);
  if (!status) return std::nullopt;
  return FileId{static_cast<std::uint64_t>(status->st_dev),
                static_cast<std::uint64_t>(status->st_ino)};
}

bool is_owned_by_others(const fs::path& path) {
  const auto status = status_of(path);
  return status && status->st_uid != 0 && status->st_uid != ::geteuid();
}

bool is_writable_by_all(const fs::path& path) {
  const auto status = status_of(path);
  return status && (status->st_mode & S_IWOTH) != 0;
}

bool is_disk_full(int error) {
  return error == ENOSPC || error == EDQUOT;
}

Matches glob(const std::string& pattern) {
  // A missing folder is no match; one that cannot be read may have some.
  const auto fails = [](const char*, int code) {
    return code == ENOENT || code == ENOTDIR ? 0 : 1;
  };
  glob_t found{};
  const int status = ::glob(with_plain_folders(pattern).c_str(), 0, fails, &found);
  Matches matches;
  if (status == 0) {
    matches.status = Matches::Status::found;
    matches.paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  } else if (status != GLOB_NOMATCH) {
    matches.status = Matches::Status::unreadable;
  }
  ::globfree(&found);
  if (status == GLOB_NOSPACE) throw std::bad_alloc();
  return matches;
}

std::string with_slashes(std::string path) {
  return path;
}

std::vector<std::string> expand_arguments(const std::vector<std::string>& paths) {
  return paths;
}

}  // namespace archgrid::system
