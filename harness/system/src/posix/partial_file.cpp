// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <archgrid/system/partial_file.hpp>
#include <array>
#include <atomic>
#include <climits>
#include <csignal>
#include <string>

namespace archgrid::system {
namespace {

namespace fs = std::filesystem;

/// Paths of partial files for the signal handler, which may neither allocate nor lock.
constexpr std::size_t kMaxPartials = 8;
std::array<std::array<char, PATH_MAX>, kMaxPartials> partials;

void remove_partials(int signal) {
  for (const auto& partial : partials) {
    if (partial[0] != '\0') ::unlink(partial.data());
  }
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

/// Makes SIGTERM, SIGINT and SIGHUP remove `path` before they end the process, unless it ignores
/// them.
void remove_if_killed(const fs::path& path) {
  static const bool handled = [] {
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
      struct sigaction action {};
      if (::sigaction(signal, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) continue;
      action.sa_handler = remove_partials;
      ::sigaction(signal, &action, nullptr);
    }
    return true;
  }();
  const auto text = fs::absolute(path).string();
  for (auto& partial : partials) {
    if (!handled || partial[0] != '\0' || text.size() >= partial.size()) continue;
    // Write the first character last: until then the handler skips the entry.
    std::copy_n(text.c_str() + 1, text.size(), partial.begin() + 1);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    partial[0] = text[0];
    return;
  }
}

/// Returns the permissions of the file, or those of a new one.
mode_t mode_of(const fs::path& path) {
  struct stat status {};
  constexpr mode_t kNew = 0666;
  constexpr mode_t kPermissions = 0777;
  return ::stat(path.c_str(), &status) == 0 ? status.st_mode & kPermissions : kNew;
}

}  // namespace

std::FILE* open_partial(const fs::path& path, const fs::path& model) {
  const int file =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, mode_of(model));
  if (file < 0) return nullptr;
  remove_if_killed(path);
  return ::fdopen(file, "wb");
}

void keep_if_killed(const fs::path& path) {
  const auto text = fs::absolute(path).string();
  for (auto& partial : partials) {
    if (text == partial.data()) partial[0] = '\0';
  }
}

}  // namespace archgrid::system
