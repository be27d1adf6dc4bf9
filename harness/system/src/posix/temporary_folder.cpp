// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <archgrid/system/temporary_folder.hpp>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string>
#include <system_error>

#include "pipes.hpp"

namespace archgrid::system {
namespace {

/// Makes the folder, prints its path, and waits for the end of its input: the program that has the
/// folder has ended. The file `alive` vanishes before `pid` is read, so a process that writes `pid`
/// and then still finds `alive` will be ended.
constexpr const char* kGuard = R"(trap '' INT TERM HUP PIPE
folder=$(mktemp -d "$1") && : > "$folder/alive" || exit
printf %s "$folder"
exec > /dev/null
read -r nothing
rm -f -- "$folder/alive"
if read -r pid < "$folder/pid"; then kill -s KILL -- "-$pid"; fi
for turn in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  rm -rf -- "$folder"
  [ -e "$folder" ] || exit
  sleep 0.2
done)";

}  // namespace

TemporaryFolder::TemporaryFolder() {
  auto name = std::filesystem::absolute(std::filesystem::temp_directory_path() / "archgrid-XXXXXX")
                  .string();
  path_ = start_guard(name);
  if (!path_.empty()) return;
  if (::mkdtemp(name.data()) == nullptr) {
    throw std::runtime_error(fmt::format("cannot make {}: {}", name, std::strerror(errno)));
  }
  path_ = name;
  std::ofstream(path_ / "alive").put('\n');
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
  end_guard();
}

void TemporaryFolder::end_guard() {
  if (guard_ < 0) return;
  ::close(alive_);
  while (::waitpid(guard_, nullptr, 0) < 0 && errno == EINTR) {
  }
  guard_ = -1;
}

std::string TemporaryFolder::start_guard(std::string name) {
  std::array<int, 2> input = {-1, -1};
  std::array<int, 2> output = {-1, -1};
  if (!make_pipe(input)) return {};
  if (!make_pipe(output)) {
    for (const int end : input) ::close(end);
    return {};
  }
  std::string script = kGuard;
  std::string shell = "sh";
  std::string option = "-c";
  std::array<char*, 6> words = {shell.data(), option.data(), script.data(),
                                shell.data(), name.data(),   nullptr};
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, input[0], STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
  // Nobody waits for the guard who waits for the end of this program's output.
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);  // away from kill of the group
  ::posix_spawnattr_setpgroup(&attributes, 0);
  if (::posix_spawnp(&guard_, shell.c_str(), &actions, &attributes, words.data(), environ) == 0) {
    alive_ = input[1];
  } else {
    guard_ = -1;
    ::close(input[1]);
  }
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(input[0]);
  ::close(output[1]);
  auto folder = read_to_end(output[0]);
  ::close(output[0]);
  if (folder.empty()) end_guard();
  return folder;
}

}  // namespace archgrid::system
