// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds cells and shows progress. Ninja runs them: it decides the order and the parallelism.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <archgrid/cell/tree.hpp>
#include <archgrid/coverage/json_text.hpp>
#include <archgrid/system/child.hpp>
#include <archgrid/system/process.hpp>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "commands/commands.hpp"
#include "modules.hpp"
#include "options.hpp"
#include "outputs.hpp"
#include "progress.hpp"

namespace archgrid::cli {
namespace {

/// The cells of a matrix tree to build, and the programs to use, which CMake selects.
struct BuildCellsOptions {
  std::string tree;
  std::vector<std::string> cells;  ///< in starting order
  std::size_t jobs = 1;            ///< simultaneous builds
  unsigned every = 30;             ///< seconds between progress lines without a terminal
  std::string ninja;
  std::string cmake;
  std::string flock;
  std::string script;       ///< build_cell.cmake
  std::string command;      ///< archgrid, for the script
  bool must_build = false;  ///< a cell that is not built fails the build
};

namespace fs = std::filesystem;

constexpr std::string_view kNinjaInterrupted = "ninja: build stopped: interrupted by user.";
constexpr std::string_view kScriptSays = "-- ";  // prefix of message(STATUS) in the cells' script

std::string escaped_for_ninja(const std::string& text) {
  std::string escaped;
  for (const char c : text) escaped += c == '$' ? std::string("$$") : std::string(1, c);
  return escaped;
}

/// Returns "cu130-debug" for "cu130-debug-sm90": the toolkit, and its variant.
std::string toolkit_of(const std::string& id) {
  return id.substr(0, id.rfind('-'));
}

/// Returns the single cells that the fat cell of the same toolkit waits for: it finds their
/// compilations in the compiler cache.
std::vector<std::string> singles_of(const std::string& fat, const std::vector<std::string>& cells,
                                    const std::set<std::string>& single) {
  std::vector<std::string> singles;
  for (const auto& id : cells) {
    if (single.count(id) != 0 && toolkit_of(id) == toolkit_of(fat)) singles.push_back(id);
  }
  return singles;
}

/// Returns "cu130-sm90" for "cu130-compute90", whose PTX the former contains, too; empty for
/// others.
std::string twin_of(const std::string& id) {
  constexpr std::string_view kVirtual = "-compute";
  const auto place = id.rfind(kVirtual);
  if (place == std::string::npos) return {};
  return id.substr(0, place) + "-sm" + id.substr(place + kVirtual.size());
}

bool has(const std::vector<std::string>& cells, const std::string& id) {
  return std::find(cells.begin(), cells.end(), id) != cells.end();
}

/// Returns all cells of one arch in the tree.
std::set<std::string> single_cells(const fs::path& tree) {
  std::set<std::string> single;
  const auto plan = nlohmann::json::parse(coverage::read_json_text(tree / "plan.json"));
  for (const auto& cell : plan.at("cells")) {
    if (cell.at("kind") == "single") single.insert(cell.at("id").get<std::string>());
  }
  return single;
}

/// Returns the command that runs the script of one cell under its lock, which all child processes
/// hold: after a build was killed, the next one waits until the last compiler has stopped writing.
/// The script returns 0 even if its cell fails. If a signal ends it, the cell is `building` or has
/// no status, and cells after it are built anyway.
std::string command_line(const BuildCellsOptions& options, const std::string& id) {
  const auto cell = (fs::path(options.tree) / "cells" / id).string();
  std::string line;
  for (const auto& word :
       {options.flock, cell + ".lock", options.cmake, "-DCONFIG=" + cell + ".config.cmake",
        "-DCOMMAND=" + options.command, std::string("-P"), options.script}) {
    line += (line.empty() ? "" : " ") + quoted_for_shell(word);
  }
  const auto status = quoted_for_shell(cell + ".json");
  return line + " || { code=$?; [ $code -gt 128 ] && { grep -qs '\"building\"' " + status +
         " || rm -f " + status + "; } && echo " +
         quoted_for_shell(id + ": not built: killed by signal") + " $((code - 128)); }";
}

/// Returns Ninja's graph of the cells. Its outputs never exist, so each cell's script runs.
std::string ninja_graph(const BuildCellsOptions& options) {
  const auto single = single_cells(options.tree);
  std::string graph = "builddir = run\nrule cell\n  command = $line\n  description = $id\n";
  for (const auto& id : options.cells) {
    std::string after;
    if (single.count(id) == 0) {
      for (const auto& other : singles_of(id, options.cells, single)) after += " " + other + ".run";
    } else if (const auto other = twin_of(id); has(options.cells, other)) {
      after += " " + other + ".run";
    }
    graph += fmt::format("build {}.run: cell{}{}\n  id = {}\n  line = {}\n", id,
                         after.empty() ? "" : " ||", after, id,
                         escaped_for_ninja(command_line(options, id)));
  }
  return graph;
}

/// Returns "12/40" from Ninja's last line in the log of a cell that compiles; empty before that.
std::string steps_in(const fs::path& log) {
  constexpr std::streamoff kTail = 8192;
  std::ifstream stream(log, std::ios::binary | std::ios::ate);
  if (!stream) return {};
  stream.seekg(std::max<std::streamoff>(0, std::streamoff(stream.tellg()) - kTail));
  const std::string tail{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  for (auto end = tail.rfind("\n["); end != std::string::npos; end = tail.rfind("\n[", end - 1)) {
    const auto digits = tail.find_first_not_of("0123456789/", end + 2);
    const auto steps = tail.substr(end + 2, digits - end - 2);
    if (digits != std::string::npos && tail[digits] == ']' && steps.find('/') != std::string::npos)
      return steps;
    if (end == 0) break;
  }
  return {};
}

/// Reports whether the file was written at `begin` or later.
bool is_written_since(fs::file_time_type begin, const fs::path& path) {
  std::error_code error;
  const auto time = fs::last_write_time(path, error);
  return !error && time >= begin;
}

/// The progress of the build, as text.
class Progress {
 public:
  Progress(const BuildCellsOptions& options, fs::file_time_type begin)
      : cells_(fs::path(options.tree) / "cells"),
        pending_(options.cells),
        begin_(begin),
        signs_(std::chrono::seconds(options.every)) {}

  /// Handles a line of Ninja: the name of a finished cell, or a message of its script.
  void take(const std::string& line) {
    const auto done = std::find(pending_.begin(), pending_.end(), line);
    if (done != pending_.end()) {
      pending_.erase(done);
      ++done_;
    } else if (line.rfind("ninja: Entering directory", 0) != 0 && line != kNinjaInterrupted) {
      const bool said = line.rfind(kScriptSays, 0) == 0;
      signs_.print_lines(said ? line.substr(kScriptSays.size()) : line);
    }
  }

  void tick() { signs_.tick(text()); }
  void end() { signs_.end(); }

 private:
  /// Returns "3 of 14 cells, 95 s: cu130-sm86 12/40, cu130-sm90 configuring".
  [[nodiscard]] std::string text() const {
    std::vector<std::string> running;
    for (const auto& id : pending_) {
      if (!began(id)) continue;
      const auto log = cells_ / (id + ".log.ninja");
      auto steps = steps_in(log);
      // A cell with a build command has one step, which Ninja prints when it ends.
      if (steps.empty()) steps = is_written_since(begin_, log) ? "building" : "configuring";
      running.push_back(id + ' ' + steps);
    }
    return fmt::format("{} of {} cells, {} s{}{}", done_, done_ + pending_.size(),
                       signs_.elapsed().count(), running.empty() ? "" : ": ",
                       fmt::join(running, ", "));
  }

  /// Reports whether its script has started in this build: a killed one leaves a file, too.
  [[nodiscard]] bool began(const std::string& id) const {
    const auto status = cells_ / (id + ".json");
    if (!is_written_since(begin_, status)) return false;
    std::ifstream stream(status);
    const std::string json{std::istreambuf_iterator<char>(stream),
                           std::istreambuf_iterator<char>()};
    return json.find("\"status\": \"building\"") != std::string::npos;
  }

  fs::path cells_;
  std::vector<std::string> pending_;
  std::size_t done_ = 0;
  fs::file_time_type begin_;
  SignsOfLife signs_;
};

/// A nameless file, which always disappears. Ninja inherits it.
class GraphFile {
 public:
  explicit GraphFile(const std::string& graph) : file_(std::tmpfile()) {
    if (file_ == nullptr || std::fputs(graph.c_str(), file_) < 0 || std::fflush(file_) != 0)
      throw std::runtime_error(
          fmt::format("cannot write a temporary file: {}", std::strerror(errno)));
  }
  ~GraphFile() { std::fclose(file_); }
  GraphFile(const GraphFile&) = delete;
  GraphFile& operator=(const GraphFile&) = delete;

  [[nodiscard]] std::string path() const { return fmt::format("/dev/fd/{}", ::fileno(file_)); }

 private:
  std::FILE* file_;
};

/// Returns kFindings if a cell is not built, and prints the path of its log.
int judge_cells(const BuildCellsOptions& options) {
  int outcome = kHolds;
  for (const auto& id : options.cells) {
    if (cell::is_built(options.tree, id)) continue;
    outcome = kFindings;
    const auto log = fs::path(options.tree) / "cells" / (id + ".log");
    std::error_code error;
    if (fs::exists(log, error)) print(stdout, fmt::format("log: {}\n", log.string()));
  }
  return outcome;
}

/// Prints the number of cells that the build since `begin` has found or made up to date. Excludes
/// cells of earlier builds, as their sources may have changed.
void print_interrupted(const BuildCellsOptions& options, fs::file_time_type begin) {
  const auto cells = fs::path(options.tree) / "cells";
  const auto count = std::count_if(options.cells.begin(), options.cells.end(), [&](const auto& id) {
    return is_written_since(begin, cells / (id + ".json")) && cell::is_built(options.tree, id);
  });
  print(stdout, fmt::format("interrupted: {} of {} cells are up to date; "
                            "the next build goes on from there\n",
                            count, options.cells.size()));
}

/// Ends this program by the signal, so that its caller sees the signal.
[[noreturn]] void end_by(int signal) {
  std::fflush(stdout);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
  std::_Exit(128 + signal);  // only if the signal is blocked
}

/// Builds the cells, the fat cell of a toolkit after its single cells, and shows progress: running
/// cells on a terminal; elsewhere each finished cell, and a line at intervals. Returns Ninja's exit
/// code; with `must_build`, kFindings if a cell is not built. If a signal ends the build, prints
/// its progress and ends this program by that signal.
int run_build_cells(const BuildCellsOptions& options) {
  const auto folder = fs::path(options.tree) / "cells";
  const GraphFile graph(ninja_graph(options));
  const auto begin = fs::file_time_type::clock::now();
  Progress progress(options, begin);
  system::set_environment("NINJA_STATUS", "");  // so its lines are names of cells
  const auto jobs = std::to_string(std::max<std::size_t>(options.jobs, 1));
  system::Child ninja(
      {options.ninja, "-C", folder.string(), "-f", graph.path(), "-k", "0", "-j", jobs});
  while (ninja.runs()) {
    for (const auto& line : ninja.read_lines()) progress.take(line);
    progress.tick();
  }
  progress.end();
  const int outcome = ninja.wait();
  if (const int signal = system::Child::passed_signal(); signal != 0) {
    print_interrupted(options, begin);
    end_by(signal);
  }
  return outcome == 0 && options.must_build ? judge_cells(options) : outcome;
}

}  // namespace

void add_build_cells(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("build-cells", "What builds the cells of a matrix tree");
  auto& options = options_of(*command, run, run_build_cells);
  command->group("");
  command->add_option("TREE", options.tree, "Build tree of the matrix")->required();
  add_values(*command, "--cells", options.cells, "CELL,...", "Those to build")->required();
  command->add_option("--jobs", options.jobs, "Cells that build at a time")->required();
  command->add_option("--every", options.every, "Seconds between signs of life in a pipe");
  command->add_option("--ninja", options.ninja, "Ninja")->required();
  command->add_option("--cmake", options.cmake, "CMake")->required();
  command->add_option("--flock", options.flock, "flock")->required();
  command->add_option("--script", options.script, "What builds one of them")->required();
  command->add_option("--command", options.command, "This command")->required();
  command->add_flag("--must-build", options.must_build, "Fail where one of them is not built");
}

}  // namespace archgrid::cli
