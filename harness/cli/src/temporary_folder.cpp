// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "temporary_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <system_error>

extern char** environ;

namespace archgrid::cli {
namespace {

/// Waits for the end of its input, when the program that has the folder has ended.
constexpr const char* kGuard = R"(trap '' INT TERM HUP
read -r nothing
if read -r pid < "$1/pid"; then
  kill "$pid"
  for moment in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$pid" && sleep 0.2; done
  kill -KILL "$pid"
fi
rm -rf -- "$1")";

}  // namespace

TemporaryFolder::TemporaryFolder() {
  auto name = std::filesystem::absolute(std::filesystem::temp_directory_path() / "archgrid-XXXXXX")
                  .string();
  if (::mkdtemp(name.data()) == nullptr) {
    throw std::runtime_error(fmt::format("cannot make {}: {}", name, std::strerror(errno)));
  }
  path_ = name;
  start_guard();
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
  if (guard_ < 0) return;
  ::close(alive_);
  while (::waitpid(guard_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void TemporaryFolder::start_guard() {
  std::array<int, 2> ends = {-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return;
  auto folder = path_.string();
  std::string script = kGuard;
  std::string shell = "sh";
  std::string option = "-c";
  std::array<char*, 6> words = {shell.data(), option.data(), script.data(),
                                shell.data(), folder.data(), nullptr};
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  // Nobody waits for the guard who waits for the end of this program's output.
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);  // away from kill of the group
  ::posix_spawnattr_setpgroup(&attributes, 0);
  if (::posix_spawnp(&guard_, shell.c_str(), &actions, &attributes, words.data(), environ) == 0) {
    alive_ = ends[1];
  } else {
    guard_ = -1;
    ::close(ends[1]);
  }
  ::close(ends[0]);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
}

}  // namespace archgrid::cli
