// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Reports the cases of the GPU tests of a ctest run. ctest counts programs, and a skipped program
// as passed; this counts cases, and separates those without a GPU.
#ifndef ARCHGRID_REPORT_GPU_RUNS_HPP
#define ARCHGRID_REPORT_GPU_RUNS_HPP

#include <archgrid/report.hpp>
#include <cstddef>
#include <functional>
#include <istream>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace archgrid::report {

struct GpuCase {
  std::string name;     ///< "Suite.Case"
  std::string outcome;  ///< a keyword of archgrid.gpu-tests/1
  std::string reason;
  double seconds = 0;
  bool ended_the_run = false;  ///< by a crash, an exit() or its time limit
};

/// A GPU test of ctest: one run of a program.
struct GpuProgram {
  std::string name;     ///< "cu130-sm90/gemm"
  std::string outcome;  ///< passed, failed, skipped, crashed or timed-out
  /// The keyword in its last line: gpu, tests, kernels, no-gpu, sanitizer, ...; or never-started
  /// (no line of archgrid was printed), killed (no last line), failed-at-end (after its last line)
  /// or no-record.
  std::string code;
  std::string skip_code;  ///< reason of skipped cases, if the program failed later
  std::string message;
  std::string gpu;    ///< "NVIDIA H100, 9.0"; empty if it found none
  bool fake = false;  ///< the runtime runs no kernel
  /// A program without a record has one case without a name, which represents the program.
  std::vector<GpuCase> cases;
  bool failed_beside_its_cases = false;
  /// It failed, but its exit code made ctest count it as passed or skipped.
  bool fails_unseen = false;
  std::string record;   ///< JSON; empty if the program wrote none
  std::string problem;  ///< why a record named in the log cannot be read
};

struct Skips {
  std::size_t count = 0;
  std::string example;  ///< the reason of the first of them
};

struct GpuRuns {
  std::size_t tests = 0;        ///< all tests that ctest ran
  std::set<std::string> cells;  ///< the cells with a test among them
  std::size_t audits = 0;       ///< tests that audit cells: AUDIT, PROMISES
  std::size_t broken = 0;       ///< those, and BUILT, that failed
  std::vector<GpuProgram> programs;

  // Cases, except for failures of a program outside its cases.
  std::set<std::string> gpus;       ///< "NVIDIA H100, 9.0"
  std::size_t ran = 0;              ///< with their GPU, whatever their result
  std::size_t passed = 0;           ///< of `ran`
  std::vector<std::string> failed;  ///< "cu130-sm90/gemm: Shapes.Big"
  Skips not_run;                    ///< not reached by their program
  std::size_t empty = 0;            ///< launched no kernel
  std::size_t fake = 0;             ///< with a runtime that runs no kernel
  std::vector<std::string> fake_failed;
  std::map<std::string, Skips> skips;  ///< by reason: no-gpu, wrong-gpu, the test's own, ...
  Skips no_match;                      ///< programs in which GTEST_FILTER matches nothing
};

/// A function that returns the content of a file. It throws std::runtime_error if it cannot read
/// the file; the message says why.
using ReadFile = std::function<std::string(const std::string& path)>;

/// The cells and the GPU tests of a matrix tree.
struct TreeTests {
  std::set<std::string> cells;      ///< "cu130-sm90"
  std::set<std::string> gpu_tests;  ///< "cu130-sm90/gemm", only enabled ones
};

/// Reads Testing/Temporary/LastTest.log and the records that it names. Counts only tests of the
/// tree's cells: archgrid's own tests run test programs on fake GPUs. A GPU test that printed
/// no line of archgrid has failed.
GpuRuns read_gpu_runs(std::istream& log, const TreeTests& tree, const ReadFile& read_file);

/// Returns "GPU tests: none ran; 22 skipped (no-gpu): no NVIDIA driver is installed", or "GPU
/// tests: 118 passed, 1 failed (cu130-sm90/gemm: Shapes.Big) on NVIDIA H100, 9.0". Empty if the run
/// had no GPU test.
std::string gpu_runs_text(const GpuRuns& runs);

/// Writes archgrid.gpu-runs/1: the records, each with the name of its ctest test.
void gpu_runs_json(const GpuRuns& runs, const Sink& sink);

/// Writes JUnit: one suite per program, with its cases.
void gpu_runs_junit(const GpuRuns& runs, const Sink& sink);

}  // namespace archgrid::report

#endif
