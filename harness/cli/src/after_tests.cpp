// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The closing lines of ctest in a matrix tree: the coverage of its cells as a picture, and the
// outcomes of its GPU tests' cases.
#include <fmt/format.h>

#include <archgrid/gpu_runs.hpp>
#include <archgrid/report.hpp>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
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

/// Writes the cases to Testing/gpu-tests.json and .xml, or removes those of an earlier run.
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
  const auto runs = report::read_gpu_runs(log, tree.ids, read_whole);
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
    // Its findings have failed the audits among the tests already, if there were any.
    try {
      const int outcome = run_audit(options);
      if (outcome == kTrouble) return kTrouble;
      if (outcome == kFindings && runs.verdicts == 0) {
        fmt::print("no test of this run fails for it: its audits were not among them\n");
      }
    } catch (const NothingPromised& nothing) {
      print(
          stdout,
          fmt::format("{}\n", nothing.what()));  // who tests on that GPU need not have promised it
    }
  }
  const auto text = report::gpu_runs_text(runs);
  if (!text.empty()) print(stdout, text + '\n');
  int outcome = kHolds;
  for (const auto& program : runs.programs) {
    if (program.problem.empty()) continue;
    print(stdout,
          fmt::format("{}: its record cannot be read: {}\n", program.name, program.problem));
    outcome = kFindings;
  }
  const auto required = environment("ARCHGRID_REQUIRE_GPU");
  if (required.empty() || required == "0" || runs.ran > 0) return outcome;
  fmt::print("no test met a GPU, although ARCHGRID_REQUIRE_GPU={}\n", required);
  return kFindings;
}

}  // namespace archgrid::cli
