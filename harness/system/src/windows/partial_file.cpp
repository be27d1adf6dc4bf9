// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <io.h>
#include <windows.h>

#include <archgrid/system/partial_file.hpp>
#include <cerrno>
#include <mutex>
#include <set>
#include <system_error>

namespace archgrid::system {
namespace {

namespace fs = std::filesystem;

std::mutex mutex;
std::set<fs::path> partials;

/// Removes the files when they are closed, which the end of the process does. Runs in a thread of
/// its own.
BOOL WINAPI remove_partials(DWORD) {
  const std::lock_guard lock(mutex);
  for (const auto& partial : partials) DeleteFileW(partial.c_str());
  return FALSE;
}

}  // namespace

std::FILE* open_partial(const fs::path& path, const fs::path&) {
  constexpr DWORD kShared = FILE_SHARE_READ | FILE_SHARE_DELETE;
  const HANDLE file = CreateFileW(path.c_str(), GENERIC_WRITE, kShared, nullptr, CREATE_ALWAYS,
                                  FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == INVALID_HANDLE_VALUE) {
    const std::error_code error(static_cast<int>(GetLastError()), std::system_category());
    errno = error.default_error_condition().value();
    return nullptr;
  }
  static const bool handled = SetConsoleCtrlHandler(remove_partials, TRUE) != 0;
  if (handled) {
    const std::lock_guard lock(mutex);
    partials.insert(fs::absolute(path));
  }
  return _fdopen(_open_osfhandle(reinterpret_cast<intptr_t>(file), _O_WRONLY | _O_BINARY), "wb");
}

void keep_if_killed(const fs::path& path) {
  const std::lock_guard lock(mutex);
  partials.erase(fs::absolute(path));
}

}  // namespace archgrid::system
