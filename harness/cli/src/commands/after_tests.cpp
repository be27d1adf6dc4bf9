// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Prints the closing lines of ctest in a matrix tree: the coverage of its cells as a picture, and
// the outcomes of its GPU tests' cases.
#include <fmt/format.h>

#include <algorithm>
#include <archgrid/cell/tree.hpp>
#include <archgrid/promises/error.hpp>
#include <archgrid/report.hpp>
#include <archgrid/report/gpu_runs.hpp>
#include <archgrid/system/process.hpp>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <system_error>

#include "audit.hpp"
#include "commands/commands.hpp"
#include "options.hpp"
#include "outputs.hpp"

namespace archgrid::cli {
namespace {

namespace fs = std::filesystem;

struct AfterTestsOptions {
  std::string tree;
};

fs::path process_folder(int process) {
  return fs::path("/proc") / std::to_string(process);
}

/// Returns the parent of `process`, or 0 if it has none or cannot be read.
int parent_of(int process) {
  std::ifstream stream(process_folder(process) / "stat");
  std::string text;
  std::getline(stream, text, '\0');
  // "4711 (a name, with any character) S 4710 ..."
  const auto name_end = text.rfind(") ");
  if (name_end == std::string::npos || name_end + 4 >= text.size()) return 0;
  return static_cast<int>(std::strtol(text.c_str() + name_end + 4, nullptr, 10));
}

/// Opens the file behind `descriptor`, a link of /proc/<process>/fd, if it is a test log below
/// `folder`. The link works even if another run has removed the file's name.
std::optional<std::ifstream> open_if_log(const fs::path& descriptor, const std::string& folder) {
  std::error_code error;
  const auto target = fs::read_symlink(descriptor, error).string();
  if (error || target.compare(0, folder.size(), folder) != 0) return std::nullopt;
  if (!fs::is_regular_file(descriptor, error)) return std::nullopt;
  std::ifstream stream(descriptor);
  std::string line;
  constexpr std::string_view kFirstLine = "Start testing: ";
  if (!std::getline(stream, line) || line.compare(0, kFirstLine.size(), kFirstLine) != 0) {
    return std::nullopt;
  }
  stream.seekg(0);
  return stream;
}

std::optional<std::ifstream> open_log_of(int process, const std::string& folder) {
  std::error_code error;
  fs::directory_iterator descriptor(process_folder(process) / "fd", error);
  for (; !error && descriptor != fs::directory_iterator(); descriptor.increment(error)) {
    if (auto log = open_if_log(descriptor->path(), folder)) return log;
  }
  return std::nullopt;
}

/// Opens the log that the ctest above this process writes for the tree `root`, after all its tests.
/// Looks among the open files of that ctest: the log's name differs between CTest releases and with
/// `ctest -T Test`, and earlier, killed or concurrent runs of the tree have logs beside it. Throws
/// UsageError if no ctest above has such a log.
std::ifstream open_ctest_log(const fs::path& root) {
  std::error_code error;
  const auto folder = (fs::canonical(root, error) / "Testing" / "").string();
  for (int process = system::parent_process_id(); process > 0; process = parent_of(process)) {
    if (auto log = open_log_of(process, folder)) return std::move(*log);
  }
  throw UsageError(
      fmt::format("{}: no ctest that runs this tree's tests is above this process, or /proc does "
                  "not show its open files: what this run tested is unknown\n"
                  "  fix: run ctest in this folder; it calls this command after the tests",
                  root.string()));
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

std::string read_whole(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(stream), {});
  if (!stream) throw std::runtime_error(std::strerror(errno));
  return text;
}

/// Returns the GPU tests of the tree, which are recorded while ctest reads the tests
/// (cell_tests.cmake).
std::set<std::string> gpu_tests_of(const std::filesystem::path& root) {
  std::ifstream stream(root / "Testing/Temporary/archgrid-gpu-tests.txt");
  std::set<std::string> names;
  for (std::string name; std::getline(stream, name);) names.insert(name);
  return names;
}

/// Reports problems of a run's GPU tests, even those that ctest does not count as failures.
int judge_programs(const report::GpuRuns& runs) {
  int outcome = kHolds;
  const auto add_finding = [&](const std::string& text) {
    print(stdout, text + '\n');
    outcome = kFindings;
  };
  for (const auto& program : runs.programs) {
    if (!program.problem.empty()) {
      add_finding(fmt::format("{}: its record cannot be read: {}", program.name, program.problem));
    } else if (program.fails_unseen) {
      add_finding(fmt::format("{}: failed ({}), although ctest counts it as passed or skipped: {}",
                              program.name, program.code, program.message));
    }
  }
  const bool matches_nothing =
      !runs.programs.empty() &&
      std::all_of(runs.programs.begin(), runs.programs.end(),
                  [](const auto& program) { return program.code == "no-match"; });
  if (matches_nothing) {
    add_finding(fmt::format("no GPU test of this run matches: {}", runs.programs.front().message));
  }
  const auto required = environment("ARCHGRID_REQUIRE_GPU");
  if (!required.empty() && required != "0" && runs.ran == 0) {
    add_finding(fmt::format("no test met a GPU, although ARCHGRID_REQUIRE_GPU={}", required));
  }
  return outcome;
}

/// Writes the cases to Testing/gpu-tests.json and .xml, or removes those files of an earlier run.
void write_cases(const std::filesystem::path& root, const report::GpuRuns& runs) {
  const auto write = [&](const char* name, const auto& writer) {
    const auto path = root / "Testing" / name;
    if (runs.programs.empty()) {
      std::filesystem::remove(path);
      return;
    }
    Output output(path.string());
    writer(runs, [&](std::string_view text) { output.write(text); });
    output.finish();
  };
  write("gpu-tests.json", report::gpu_runs_json);
  write("gpu-tests.xml", report::gpu_runs_junit);
}

/// Says that a promise is broken though no test of this run fails for it. Returns kFindings if the
/// run has audits: they judged less than the whole tree.
int judge_unseen(const report::GpuRuns& runs) {
  if (runs.audits == 0) {
    fmt::print("no test of this run fails for it: its audits were not among them\n");
    return kHolds;
  }
  fmt::print("the audits among the tests judged each cell alone and passed: this run fails\n");
  return kFindings;
}

/// Prints the picture of the cells with a test in this run, for ARCHGRID_DEVICE if that is set, and
/// the results of the GPU tests. Does not return kHolds if none ran although ARCHGRID_REQUIRE_GPU
/// is set.
int run_after_tests(const AfterTestsOptions& options) {
  const auto& root = options.tree;
  const auto tree = cell::read_tree(root);
  auto log = open_ctest_log(root);
  const auto runs = report::read_gpu_runs(log, {tree.ids, gpu_tests_of(root)}, read_whole);
  if (runs.tests == 0) return kHolds;  // ctest --show-only
  write_cases(root, runs);
  int judged = kHolds;
  if (tree.cells.empty()) {
    fmt::print("\nnothing is promised: the matrix file names no device to audit for\n");
  } else if (!runs.cells.empty()) {
    fmt::print("\n");
    try {
      const int outcome = audit_built_tree(root, environment("ARCHGRID_DEVICE"), runs.cells);
      if (outcome == kTrouble) return kTrouble;
      if (outcome == kFindings && runs.broken == 0) judged = judge_unseen(runs);
    } catch (const promises::NothingPromised& nothing) {
      print(stdout,
            fmt::format("{}\n", nothing.what()));  // tests may run on a GPU without a promise
    }
  }
  const auto text = report::gpu_runs_text(runs);
  if (!text.empty()) print(stdout, text + '\n');
  return std::max(judged, judge_programs(runs));
}

}  // namespace

void add_after_tests(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("after-tests", "What ctest closes with in a matrix tree");
  auto& options = options_of(*command, run, run_after_tests);
  command->group("");
  command->add_option("TREE", options.tree, "Build tree of a matrix")->required();
}

}  // namespace archgrid::cli
