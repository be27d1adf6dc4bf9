// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <archgrid/system/child.hpp>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "pipes.hpp"

namespace archgrid::system {
namespace {

constexpr int kMomentMilliseconds = 250;

volatile std::sig_atomic_t g_child = 0;
volatile std::sig_atomic_t g_signal = 0;

void pass_on(int signal) {
  g_signal = signal;
  if (g_child > 0) ::kill(static_cast<pid_t>(g_child), signal);
}

/// Forwards signals that would end this program to the child. Signals that were ignored at start,
/// as by nohup or in the background, stay ignored.
void pass_on_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action {};
    if (::sigaction(signal, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) continue;
    action.sa_handler = pass_on;
    action.sa_flags = SA_RESTART;
    ::sigaction(signal, &action, nullptr);
  }
}

[[noreturn]] void fail(const char* what, const std::string& name, int error) {
  throw std::runtime_error(fmt::format("cannot {} {}: {}", what, name, std::strerror(error)));
}

}  // namespace

Child::Child(std::vector<std::string> words) : name_(words.at(0)) {
  std::array<int, 2> ends = {-1, -1};
  if (!make_pipe(ends)) fail("make a pipe to", name_, errno);
  std::vector<char*> arguments;
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  const int error =
      ::posix_spawnp(&process_, name_.c_str(), &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  if (error != 0) {
    ::close(ends[0]);
    fail("start", name_, error);
  }
  output_ = ends[0];
  g_child = process_;
  pass_on_signals();
}

Child::~Child() {
  if (output_ >= 0) ::close(output_);
}

void Child::read() {
  pollfd waiting = {output_, POLLIN, 0};
  if (output_ < 0 || ::poll(&waiting, 1, kMomentMilliseconds) <= 0) return;
  char buffer[4096];
  const auto count = ::read(output_, buffer, sizeof(buffer));
  if (count > 0) {
    text_.append(buffer, static_cast<std::size_t>(count));
  } else if (count == 0 || errno != EINTR) {
    ::close(std::exchange(output_, -1));
  }
}

std::vector<std::string> Child::read_lines() {
  read();
  std::vector<std::string> lines;
  std::size_t begin = 0;
  for (auto end = text_.find('\n'); end != std::string::npos; end = text_.find('\n', begin)) {
    lines.push_back(text_.substr(begin, end - begin));
    begin = end + 1;
  }
  text_.erase(0, begin);
  if (output_ < 0 && !text_.empty()) lines.push_back(std::exchange(text_, {}));
  return lines;
}

int Child::wait() {
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0) {
    if (errno != EINTR) fail("wait for", name_, errno);
  }
  g_child = 0;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int Child::passed_signal() {
  return g_signal;
}

}  // namespace archgrid::system
