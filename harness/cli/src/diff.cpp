// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <archgrid/diff_report.hpp>
#include <archgrid/promises/gpus.hpp>
#include <cstdio>

#include "commands.hpp"
#include "inputs.hpp"
#include "options.hpp"
#include "outputs.hpp"

namespace archgrid::cli {
namespace {

coverage::DiffRequest request_of(const DiffOptions& options) {
  coverage::DiffRequest request;
  request.devices = promises::read_gpus(options.devices);
  std::sort(request.devices.begin(), request.devices.end());
  request.devices.erase(std::unique(request.devices.begin(), request.devices.end()),
                        request.devices.end());
  request.driver = parse_driver(options.driver);
  return request;
}

report::DiffReport compare(const DiffOptions& options) {
  const auto request = request_of(options);
  const coverage::Release before{options.before, read_inputs({options.before})};
  const coverage::Release after{options.after, read_inputs({options.after})};
  report::DiffReport report;
  report.before = options.before;
  report.after = options.after;
  report.diff = coverage::diff(before, after, request);
  report.driver = options.driver;
  report.strict = options.strict;
  report.all = options.all;
  return report;
}

/// Writes all outputs, and returns whether all succeeded.
bool write(const report::DiffReport& report, Documents& documents) {
  if (documents.on_standard_output() == nullptr) {
    print(stdout, report::diff_text(report, report::style_for(STDOUT_FILENO)));
  }
  const bool json =
      documents.write("--json", [&](const report::Sink& sink) { report::diff_json(report, sink); });
  const bool markdown = documents.write(
      "--markdown", [&](const report::Sink& sink) { sink(report::diff_markdown(report)); });
  return json && markdown;
}

}  // namespace

int run_diff(const DiffOptions& options) {
  Documents documents;
  documents.add("--json", options.json);
  documents.add("--markdown", options.markdown);
  documents.spare({options.before, options.after});
  documents.open();
  const auto report = compare(options);
  const bool written = write(report, documents);
  for (const auto& error : report.diff.errors) print(stderr, fmt::format("archgrid: {}\n", error));
  if (!report.diff.errors.empty() || !written) return kTrouble;
  const auto problem = report::incomparable(report);
  if (!problem.empty()) throw UsageError(problem);
  return coverage::is_lost(coverage::totals_of(report.diff), report.strict) ? kFindings : kHolds;
}

}  // namespace archgrid::cli
