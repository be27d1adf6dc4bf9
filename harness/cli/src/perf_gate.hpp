// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The gate of `perf compare` and `perf run`: its options, its outputs and its decision.
#ifndef ARCHGRID_CLI_PERF_GATE_HPP
#define ARCHGRID_CLI_PERF_GATE_HPP

#include <archgrid/perf_records/files.hpp>
#include <archgrid/perf_records/gate.hpp>
#include <archgrid/report/perf.hpp>
#include <string>
#include <vector>

#include "outputs.hpp"

namespace CLI {
class App;
}  // namespace CLI

namespace archgrid::cli {

/// The exit codes of the gate, for the help.
constexpr const char* kGateExitCodes = R"(
Exit codes: 0 no benchmark is SLOWER; 1 one is, or one has NO_DATA (unless --allow-no-data); 2
usage, or a file or a run that failed. AMBIGUOUS and NO_BASELINE do not fail.)";

/// The decision limits and outputs of the gate.
struct GateOptions {
  double negligible = 0.1;  ///< in percent
  double tolerance = 2;     ///< in percent
  bool allow_no_data = false;
  bool github = false;
  std::string json;      ///< destination; "-": standard output
  std::string markdown;  ///< likewise
};

void add_gate(CLI::App& command, GateOptions& gate);

/// Throws UsageError for limits that contradict each other.
perf::CompareOptions compare_options(const GateOptions& gate, bool by_order);

/// The outputs of the gate besides text.
class GateOutputs {
 public:
  /// Opens the outputs. Throws UsageError, also if one is among `inputs`, or std::runtime_error.
  GateOutputs(const GateOptions& options, const std::vector<std::string>& inputs);

  /// Writes all outputs, and returns whether all succeeded.
  bool write(const report::PerfReport& report);

 private:
  void write_text(const report::PerfReport& report);

  const GateOptions& options_;
  Documents documents_;
};

/// Compares, writes the outputs and returns the exit code.
int judge(const perf::File& base, const perf::File& fresh, const perf::CompareOptions& options,
          const GateOptions& gate, GateOutputs& outputs);

}  // namespace archgrid::cli

#endif
