// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// What ctest closes with in a matrix tree: the coverage of its cells as a picture, and which GPU
// tests ran.
#include <fmt/format.h>
#include <unistd.h>

#include <archgrid/gpu_runs.hpp>
#include <archgrid/report.hpp>
#include <cstdlib>
#include <fstream>

#include "commands.hpp"
#include "tree.hpp"

namespace archgrid::cli {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

/// ctest renames its log only after what runs after the tests.
report::GpuRuns read_log(const std::filesystem::path& tree) {
  const auto folder = tree / "Testing" / "Temporary";
  std::ifstream log(folder / "LastTest.log.tmp");
  if (!log) log.open(folder / "LastTest.log");
  if (!log) {
    throw UsageError(fmt::format("{}: no LastTest.log: run ctest first", folder.string()));
  }
  return report::read_gpu_runs(log);
}

bool tested_a_cell(const report::GpuRuns& runs, const Tree& tree) {
  for (const auto& cell : tree.cells) {
    const auto test = runs.tests.lower_bound(cell.id + "/");
    if (test != runs.tests.end() && test->rfind(cell.id + "/", 0) == 0) return true;
  }
  return false;
}

}  // namespace

int run_after_tests(const std::string& tree) {
  const auto runs = read_log(tree);
  if (runs.tests.empty()) return kHolds;  // ctest --show-only
  if (tested_a_cell(runs, read_tree(tree))) {
    AuditOptions options;
    options.tree = tree;
    const auto device = environment("ARCHGRID_DEVICE");
    if (!device.empty()) options.devices = {device};
    fmt::print("\n");
    // Its findings have failed the audits among the tests already.
    if (run_audit(options) == kTrouble) return kTrouble;
  }
  const auto text = report::gpu_runs_text(runs);
  if (!text.empty()) fmt::print("{}\n", text);
  const auto required = environment("ARCHGRID_REQUIRE_GPU");
  if (required.empty() || required == "0" || runs.ran > 0) return kHolds;
  fmt::print("no test met a GPU, although ARCHGRID_REQUIRE_GPU={}\n", required);
  return kFindings;
}

}  // namespace archgrid::cli
