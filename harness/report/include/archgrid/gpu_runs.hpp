// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// What became of the GPU tests of a ctest run, read from ctest's own log. ctest counts a test that
// was skipped as one that passed; this tells those that met a GPU from those that did not.
#ifndef ARCHGRID_REPORT_GPU_RUNS_HPP
#define ARCHGRID_REPORT_GPU_RUNS_HPP

#include <cstddef>
#include <istream>
#include <map>
#include <set>
#include <string>

namespace archgrid::report {

struct Skips {
  std::size_t count = 0;
  std::string example;  ///< the reason that the first of them gave
};

struct GpuRuns {
  std::size_t tests = 0;       ///< all tests that ctest ran
  std::size_t cell_tests = 0;  ///< those of cells
  std::size_t verdicts = 0;    ///< those that judge cells: BUILT, AUDIT, PROMISES
  std::set<std::string> gpus;  ///< "NVIDIA H100, 9.0"
  std::size_t ran = 0;         ///< GPU tests that met their GPU, whatever their result
  std::size_t passed = 0;      ///< of those
  /// GPU tests that failed, by reason: tests, kernels, crashed, foreign-runtime, ...
  std::map<std::string, std::size_t> failures;
  std::size_t pretended = 0;           ///< those of a runtime that runs no kernel
  std::size_t pretended_failed = 0;    ///< of these
  std::map<std::string, Skips> skips;  ///< those that did not run, by reason: no-gpu, empty, ...
};

/// Reads Testing/Temporary/LastTest.log. Counts the tests of these cells ("cu130-sm90/gemm.Shapes")
/// alone: archgrid's own tests run test programs on pretended GPUs.
GpuRuns read_gpu_runs(std::istream& log, const std::set<std::string>& cells);

/// "GPU tests: none ran; 22 skipped (no-gpu): no NVIDIA driver is installed", "GPU tests: 3 ran on
/// NVIDIA H100, 9.0: 2 passed, 1 failed (kernels)". Empty if the run had no GPU test.
std::string gpu_runs_text(const GpuRuns& runs);

}  // namespace archgrid::report

#endif
