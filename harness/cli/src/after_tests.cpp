// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Prints the closing lines of ctest in a matrix tree: the coverage of its cells as a picture, and
// the outcomes of its GPU tests' cases.
#include <fmt/format.h>

#include <algorithm>
#include <archgrid/report.hpp>
#include <archgrid/report/gpu_runs.hpp>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>
#include <string>

#include "commands.hpp"
#include "ctest_log.hpp"
#include "outputs.hpp"
#include "tree.hpp"

namespace archgrid::cli {
namespace {

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

}  // namespace

int run_after_tests(const std::string& root) {
  const auto tree = read_tree(root);
  auto log = open_ctest_log(root);
  const auto runs = report::read_gpu_runs(log, {tree.ids, gpu_tests_of(root)}, read_whole);
  if (runs.tests == 0) return kHolds;  // ctest --show-only
  write_cases(root, runs);
  if (tree.cells.empty()) {
    fmt::print("\nnothing is promised: the matrix file names no device to audit for\n");
  } else if (runs.cell_tests > 0) {
    AuditOptions options;
    options.tree = root;
    const auto device = environment("ARCHGRID_DEVICE");
    if (!device.empty()) options.devices = {device};
    fmt::print("\n");
    // Its findings have already failed the audits among the tests, if there were any.
    try {
      const int outcome = run_audit(options);
      if (outcome == kTrouble) return kTrouble;
      if (outcome == kFindings && runs.verdicts == 0) {
        fmt::print("no test of this run fails for it: its audits were not among them\n");
      }
    } catch (const NothingPromised& nothing) {
      print(stdout,
            fmt::format("{}\n", nothing.what()));  // tests may run on a GPU without a promise
    }
  }
  const auto text = report::gpu_runs_text(runs);
  if (!text.empty()) print(stdout, text + '\n');
  return judge_programs(runs);
}

}  // namespace archgrid::cli
