// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_CLI_AUDIT_OUTPUTS_HPP
#define ARCHGRID_CLI_AUDIT_OUTPUTS_HPP

#include <archgrid/report.hpp>
#include <string>
#include <vector>

#include "outputs.hpp"

namespace CLI {
class App;
}  // namespace CLI

namespace archgrid::cli {

/// The outputs of an audit.
struct AuditOutputOptions {
  // Destinations of documents: a file, "-" for standard output, empty for none.
  std::string json;
  std::string junit;
  std::string html;
  std::string markdown;
  std::string sarif;
  bool suspects = false;
  bool brief = false;
  bool quiet = false;
  bool github = false;
  bool all = false;
};

/// Adds the options about what to write, and where.
void add_outputs(CLI::App& command, AuditOutputOptions& options);

/// All outputs of one audit.
class AuditOutputs {
 public:
  /// Opens the files. Throws UsageError, also if one is among `inputs`, or std::runtime_error.
  AuditOutputs(const AuditOutputOptions& options, const std::vector<std::string>& inputs);

  /// Writes all outputs, even if one fails. Returns whether all succeeded; prints failures on
  /// standard error.
  [[nodiscard]] bool write(const report::View& view);

 private:
  void write_text(const report::View& view);

  const AuditOutputOptions& options_;
  Documents documents_;
};

}  // namespace archgrid::cli

#endif
