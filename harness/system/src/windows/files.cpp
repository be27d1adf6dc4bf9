// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <aclapi.h>
#include <windows.h>

#include <algorithm>
#include <archgrid/system/files.hpp>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <system_error>

namespace archgrid::system {
namespace {

namespace fs = std::filesystem;

bool is_separator(char c) {
  return c == '/' || c == '\\';
}

char lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

/// Reports whether the set at the beginning of the pattern, as "[a-c]", has the letter, and removes
/// the set from the pattern. A set without an end is an ordinary letter.
bool matches_set(std::string_view& pattern, char letter) {
  const auto end = pattern.find(']', 2);
  if (end == std::string_view::npos) {
    pattern.remove_prefix(1);
    return letter == '[';
  }
  auto set = pattern.substr(1, end - 1);
  pattern.remove_prefix(end + 1);
  const bool negated = set.size() > 1 && (set[0] == '!' || set[0] == '^');
  if (negated) set.remove_prefix(1);
  bool found = false;
  for (std::size_t at = 0; at < set.size(); ++at) {
    const bool range = at + 2 < set.size() && set[at + 1] == '-';
    const char last = range ? set[at + 2] : set[at];
    found |= lower(set[at]) <= lower(letter) && lower(letter) <= lower(last);
    if (range) at += 2;
  }
  return found != negated;
}

/// Matches like a shell, without regard to case, as files are named on Windows.
bool matches(std::string_view pattern, std::string_view name) {
  while (!pattern.empty()) {
    if (pattern[0] == '*') {
      for (std::size_t at = 0; at <= name.size(); ++at) {
        if (matches(pattern.substr(1), name.substr(at))) return true;
      }
      return false;
    }
    if (name.empty()) return false;
    if (pattern[0] == '[') {
      if (!matches_set(pattern, name[0])) return false;
    } else {
      if (pattern[0] != '?' && lower(pattern[0]) != lower(name[0])) return false;
      pattern.remove_prefix(1);
    }
    name.remove_prefix(1);
  }
  return name.empty();
}

/// Adds the paths below `folder`, which ends with a separator or is empty, that `pattern` matches.
void add_matches(const std::string& folder, std::string_view pattern, Matches& found) {
  const auto end = std::find_if(pattern.begin(), pattern.end(), is_separator);
  const auto size = static_cast<std::size_t>(end - pattern.begin());
  const auto part = pattern.substr(0, size);
  std::error_code error;
  const auto add = [&](const std::string& path) {
    if (end == pattern.end()) {
      if (fs::exists(path, error)) found.paths.push_back(path);
    } else if (fs::is_directory(path, error)) {
      add_matches(path + *end, pattern.substr(size + 1), found);
    }
  };
  if (part.empty() && end != pattern.end()) {  // the root, or a second separator
    return add_matches(folder + *end, pattern.substr(1), found);
  }
  const auto plain = folder + std::string(part);
  if (part.find_first_of("*?[") == std::string_view::npos || fs::exists(plain, error)) {
    return add(plain);
  }
  std::vector<std::string> names;
  fs::directory_iterator entry(folder.empty() ? "." : folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const auto name = entry->path().filename().string();
    if ((name[0] != '.' || part[0] == '.') && matches(part, name)) names.push_back(name);
  }
  if (error) found.status = Matches::Status::unreadable;
  std::sort(names.begin(), names.end());
  for (const auto& name : names) add(folder + name);
}

/// Reports whether the identifier is that of this user, an administrator or the system.
bool is_trusted(PSID owner) {
  if (IsWellKnownSid(owner, WinBuiltinAdministratorsSid) != 0 ||
      IsWellKnownSid(owner, WinLocalSystemSid) != 0) {
    return true;
  }
  HANDLE token = nullptr;
  if (OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token) == 0) return false;
  alignas(TOKEN_USER) char buffer[sizeof(TOKEN_USER) + SECURITY_MAX_SID_SIZE];
  DWORD size = 0;
  const bool known = GetTokenInformation(token, TokenUser, buffer, sizeof buffer, &size) != 0;
  CloseHandle(token);
  return known && EqualSid(owner, reinterpret_cast<TOKEN_USER*>(buffer)->User.Sid) != 0;
}

}  // namespace

std::optional<FileId> file_id(const fs::path& path) {
  constexpr DWORD kShared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  const HANDLE file = CreateFileW(path.c_str(), 0, kShared, nullptr, OPEN_EXISTING,
                                  FILE_FLAG_BACKUP_SEMANTICS, nullptr);
  if (file == INVALID_HANDLE_VALUE) return std::nullopt;
  BY_HANDLE_FILE_INFORMATION information = {};
  const bool known = GetFileInformationByHandle(file, &information) != 0;
  CloseHandle(file);
  if (!known) return std::nullopt;
  return FileId{information.dwVolumeSerialNumber,
                std::uint64_t{information.nFileIndexHigh} << 32U | information.nFileIndexLow};
}

bool is_owned_by_others(const fs::path& path) {
  PSID owner = nullptr;
  PSECURITY_DESCRIPTOR descriptor = nullptr;
  auto name = path.wstring();
  const auto problem =
      GetNamedSecurityInfoW(name.data(), SE_FILE_OBJECT, OWNER_SECURITY_INFORMATION, &owner,
                            nullptr, nullptr, nullptr, &descriptor);
  if (problem == ERROR_FILE_NOT_FOUND || problem == ERROR_PATH_NOT_FOUND) return false;
  const bool trusted = problem == ERROR_SUCCESS && owner != nullptr && is_trusted(owner);
  if (descriptor != nullptr) LocalFree(descriptor);
  return !trusted;
}

bool is_writable_by_all(const fs::path&) {
  return false;
}

bool is_disk_full(int error) {
  return error == ENOSPC;
}

std::string with_slashes(std::string path) {
  // Paths of this form are names of the kernel, with backslashes alone.
  if (path.rfind(R"(\\?\)", 0) == 0) return path;
  std::replace(path.begin(), path.end(), '\\', '/');
  return path;
}

std::vector<std::string> expand_arguments(const std::vector<std::string>& paths) {
  std::vector<std::string> expanded;
  for (const auto& path : paths) {
    std::error_code error;
    const bool pattern = path.find_first_of("*?[") != std::string::npos && !fs::exists(path, error);
    const auto found = pattern ? glob(path).paths : std::vector<std::string>{};
    if (found.empty()) expanded.push_back(path);
    expanded.insert(expanded.end(), found.begin(), found.end());
  }
  return expanded;
}

Matches glob(const std::string& pattern) {
  Matches found;
  add_matches("", pattern, found);
  if (found.status != Matches::Status::unreadable && !found.paths.empty()) {
    found.status = Matches::Status::found;
  }
  return found;
}

}  // namespace archgrid::system
