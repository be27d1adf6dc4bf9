// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "capture.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "command.hpp"

extern char** environ;

namespace archgrid::cli {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using TemporaryFile = std::unique_ptr<std::FILE, CloseFile>;

TemporaryFile make_temporary() {
  TemporaryFile file(std::tmpfile());
  if (file) return file;
  throw std::runtime_error(fmt::format("cannot make a temporary file: {}", std::strerror(errno)));
}

}  // namespace

std::string read_to_end(int descriptor) {
  std::string text;
  std::array<char, 65536> buffer;
  while (true) {
    const auto count = ::read(descriptor, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

Captured capture(std::vector<std::string> words, Group group) {
  const auto errors = make_temporary();  // the child could block on a second pipe
  std::array<int, 2> pipe_ends = {-1, -1};
  if (::pipe(pipe_ends.data()) != 0) {
    throw std::runtime_error(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  }
  std::vector<char*> arguments;
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, ::fileno(errors.get()), STDERR_FILENO);
  ::posix_spawn_file_actions_addclose(&actions, pipe_ends[0]);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  if (group == Group::own) {
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    ::posix_spawnattr_setpgroup(&attributes, 0);
  }
  pid_t child = 0;
  const int problem =
      ::posix_spawnp(&child, arguments[0], &actions, &attributes, arguments.data(), environ);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(pipe_ends[1]);
  if (problem != 0) {
    ::close(pipe_ends[0]);
    throw UsageError(
        fmt::format("cannot run {}: {}: install it", words[0], std::strerror(problem)));
  }
  Captured outcome;
  outcome.output = read_to_end(pipe_ends[0]);
  ::close(pipe_ends[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  outcome.good = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  ::lseek(::fileno(errors.get()), 0, SEEK_SET);
  outcome.errors = read_to_end(::fileno(errors.get()));
  return outcome;
}

}  // namespace archgrid::cli
