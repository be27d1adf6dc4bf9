// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <archgrid/report.hpp>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "commands.hpp"
#include "version.hpp"

extern char** environ;

namespace archgrid::cli {
namespace {

namespace fs = std::filesystem;

fs::path own_folder() {
  std::error_code error;
  const auto self = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path() : self.parent_path();
}

fs::path find_expansion() {
  std::vector<fs::path> places;
  const char* chosen = std::getenv("ARCHGRID_MODULES");
  if (chosen != nullptr && chosen[0] != '\0') {
    places = {chosen};
  } else {
    places = {own_folder() / kInstalledModules, kModules};
  }
  std::string tried;
  for (const auto& place : places) {
    const auto script = place / "archgrid" / "expand.cmake";
    if (fs::exists(script)) return script;
    tried += (tried.empty() ? "" : ", ") + place.string();
  }
  throw UsageError(
      fmt::format("matrix: archgrid's CMake modules are not in {}: set ARCHGRID_MODULES "
                  "to the folder that holds ArchGrid.cmake",
                  tried));
}

/// Everything that can be read from `descriptor`.
std::string drain(int descriptor) {
  std::string text;
  std::array<char, 65536> buffer;
  while (true) {
    const auto count = ::read(descriptor, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

/// Runs a program, whose errors go where ours go, and returns its standard output.
std::string output_of(std::vector<std::string> words) {
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
  ::posix_spawn_file_actions_addclose(&actions, pipe_ends[0]);
  pid_t child = 0;
  const int problem =
      ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(pipe_ends[1]);
  if (problem != 0) {
    ::close(pipe_ends[0]);
    throw UsageError(fmt::format("cannot run {}: {}: install it (./setup does)", words[0],
                                 std::strerror(problem)));
  }
  auto text = drain(pipe_ends[0]);
  ::close(pipe_ends[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    throw UsageError("the matrix file could not be expanded (see above)");
  }
  return text;
}

}  // namespace

int run_matrix(const MatrixOptions& options) {
  const auto plan =
      output_of({"cmake", "-DMATRIX=" + options.file, "-P", find_expansion().string()});
  if (options.json) {
    fmt::print("{}", plan);
  } else {
    fmt::print("{}", report::plan_text(plan, report::style_for(STDOUT_FILENO)));
  }
  return kHolds;
}

}  // namespace archgrid::cli
