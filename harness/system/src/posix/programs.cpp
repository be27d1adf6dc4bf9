// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <archgrid/system/programs.hpp>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "pipes.hpp"

namespace archgrid::system {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using NamelessFile = std::unique_ptr<std::FILE, CloseFile>;

NamelessFile make_temporary() {
  NamelessFile file(std::tmpfile());
  if (file) return file;
  throw std::runtime_error(fmt::format("cannot make a temporary file: {}", std::strerror(errno)));
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (auto& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// Returns the environment of this process, with more variables.
std::vector<std::string> environment_with(const std::vector<Variable>& variables) {
  std::vector<std::string> entries;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    bool replaced = false;
    for (const auto& [name, value] : variables) replaced |= text.rfind(name + '=', 0) == 0;
    if (!replaced) entries.push_back(text);
  }
  for (const auto& [name, value] : variables) entries.push_back(name + '=' + value);
  return entries;
}

}  // namespace

Captured capture(std::vector<std::string> words, Group group) {
  const auto errors = make_temporary();  // the child could block on a second pipe
  std::array<int, 2> pipe_ends = {-1, -1};
  if (::pipe(pipe_ends.data()) != 0) {
    throw std::runtime_error(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  }
  const auto arguments = pointers_to(words);
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
    throw CannotStart(
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

Ended run_logged(std::vector<std::string> words, const std::filesystem::path& log,
                 const std::vector<Variable>& variables) {
  auto entries = environment_with(variables);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0666);
  ::posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t process = 0;
  const int error = ::posix_spawnp(&process, words[0].c_str(), &actions, nullptr,
                                   pointers_to(words).data(), pointers_to(entries).data());
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return {Ended::How::not_started, 0, std::strerror(error)};
  int status = 0;
  while (::waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) return {Ended::How::lost, 0, std::strerror(errno)};
  }
  if (WIFEXITED(status)) return {Ended::How::exited, WEXITSTATUS(status), {}};
  return {Ended::How::killed, WTERMSIG(status), {}};
}

}  // namespace archgrid::system
