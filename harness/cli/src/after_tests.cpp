// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// What ctest closes with in a matrix tree: the coverage of its cells as a picture, and which GPU
// tests ran.
#include <fmt/format.h>

#include <archgrid/gpu_runs.hpp>
#include <archgrid/report.hpp>
#include <cstdlib>
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

}  // namespace

int run_after_tests(const std::string& root) {
  const auto tree = read_tree(root);
  auto log = open_ctest_log(root);
  const auto runs = report::read_gpu_runs(log, tree.ids);
  if (runs.tests == 0) return kHolds;  // ctest --show-only
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
  const auto required = environment("ARCHGRID_REQUIRE_GPU");
  if (required.empty() || required == "0" || runs.ran > 0) return kHolds;
  fmt::print("no test met a GPU, although ARCHGRID_REQUIRE_GPU={}\n", required);
  return kFindings;
}

}  // namespace archgrid::cli
