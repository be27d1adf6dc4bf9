// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <archgrid/report.hpp>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <sstream>

#include "commands/commands.hpp"
#include "modules.hpp"
#include "options.hpp"
#include "outputs.hpp"

extern char** environ;

namespace archgrid::cli {
namespace {

constexpr const char* kMatrixExamples = R"(Examples:
  archgrid matrix matrices/quick.json
  archgrid matrix matrices/default.json --json    the plan, archgrid.plan/1

The expansion is done by CMake with archgrid's modules: beside the installed command, where it was
built from, or where the environment variable ARCHGRID_MODULES says.)";

struct MatrixOptions {
  std::string file;
  std::string json;  ///< destination; "-": standard output
};

/// Reads `descriptor` to its end.
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

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using TemporaryFile = std::unique_ptr<std::FILE, CloseFile>;

TemporaryFile make_temporary() {
  TemporaryFile file(std::tmpfile());
  if (file) return file;
  throw std::runtime_error(fmt::format("cannot make a temporary file: {}", std::strerror(errno)));
}

struct Outcome {
  bool good = false;
  std::string output;
  std::string errors;
};

Outcome run(std::vector<std::string> words) {
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
  pid_t child = 0;
  const int problem =
      ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(pipe_ends[1]);
  if (problem != 0) {
    ::close(pipe_ends[0]);
    throw UsageError(fmt::format("cannot run {}: {}: install it (archgrid's setup script does)",
                                 words[0], std::strerror(problem)));
  }
  Outcome outcome;
  outcome.output = drain(pipe_ends[0]);
  ::close(pipe_ends[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  outcome.good = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  ::lseek(::fileno(errors.get()), 0, SEEK_SET);
  outcome.errors = drain(::fileno(errors.get()));
  return outcome;
}

bool starts_with(const std::string& text, const std::string& start) {
  return text.rfind(start, 0) == 0;
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// Returns the message without its place in CMake code. Returns an empty string unless `errors` is
/// exactly one message(FATAL_ERROR) with indented lines, like those about matrix files.
std::string message_of(const std::string& errors) {
  std::istringstream stream(errors);
  std::string line;
  std::getline(stream, line);
  if (!starts_with(line, "CMake Error at ") || !ends_with(line, "(message):")) return {};
  std::string message;
  while (std::getline(stream, line) && line != "Call Stack (most recent call first):") {
    if (line.find_first_not_of(' ') == std::string::npos) continue;
    if (!starts_with(line, "    ")) return {};
    message += message.empty() ? line.substr(4) : '\n' + line.substr(2);
  }
  while (std::getline(stream, line)) {
    if (!line.empty() && !starts_with(line, "  ")) return {};
  }
  return message;
}

/// Returns the standard output of CMake.
std::string expand(const std::string& matrix) {
  const auto script = find_modules("matrix") / "archgrid" / "expand.cmake";
  const auto outcome = run({"cmake", "-DMATRIX=" + matrix, "-P", script.string()});
  const auto message = outcome.good ? std::string() : message_of(outcome.errors);
  if (!message.empty()) throw UsageError(message);
  print(stderr, outcome.errors);
  if (!outcome.good) throw UsageError("the matrix file could not be expanded (see above)");
  return outcome.output;
}

int run_matrix(const MatrixOptions& options) {
  auto documents = json_document(options.json, {options.file});
  const auto plan = expand(options.file);
  if (documents.on_standard_output() == nullptr) {
    print(stdout, report::plan_text(plan, report::style_for(STDOUT_FILENO)));
  }
  const bool written = documents.write("--json", [&](const report::Sink& sink) { sink(plan); });
  return written ? kHolds : kTrouble;
}

}  // namespace

void add_matrix(CLI::App& app, Run& run) {
  auto* command =
      app.add_subcommand("matrix", "Show a matrix file's cells, jobs and what each needs");
  auto& options = options_of(*command, run, run_matrix);
  command->footer(kMatrixExamples);
  command->add_option("FILE", options.file, "Matrix file")->required();
  add_json(*command, options.json, "archgrid.plan/1");
  add_color(*command);
}

}  // namespace archgrid::cli
