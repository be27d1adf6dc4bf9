// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "release_history.hpp"

#include <fmt/format.h>

#include <archgrid/promises/gpus.hpp>
#include <archgrid/system/terminal.hpp>

#include "command.hpp"
#include "outputs.hpp"
#include "progress.hpp"
#include "pypi.hpp"

namespace archgrid::cli {

namespace {

/// Returns the releases of a package, the newest first.
std::vector<std::string> versions_of(const std::string& input, const std::string& package) {
  ProgressLine progress(system::kStandardError);
  progress.show(package + ": listing its releases");
  return coverage::newest_first(coverage::without_prereleases(list_versions(input)));
}

}  // namespace

int run_history(const HistoryOptions& options, const AuditInput& audit_input) {
  if (options.gpus.empty()) throw UsageError("--history needs --gpu: it is about a GPU");
  auto document = json_document(options.json, {});
  report::HistoryReport report;
  report.package = package_name(options.package);
  report.asked = promises::names_of_gpus(options.gpus);
  report.driver = options.driver;
  const bool is_text = document.on_standard_output() == nullptr;
  const auto audit = [&](const std::string& version) {
    coverage::AuditedRelease release;
    release.version = version;
    {
      ProgressLine progress(system::kStandardError);
      progress.show(fmt::format("{} {}: downloading", report.package, version));
      try {
        release = coverage::release_of(
            version, audit_input(fmt::format("pypi:{}=={}", report.package, version)));
      } catch (const NoWheel& error) {
        release.problem = error.what();
      }
      remove_downloads();
    }
    if (is_text) {
      print(stdout, report::release_line(report, release, columns_of(system::kStandardOutput)));
      std::fflush(stdout);
    }
    return release;
  };
  report.history = coverage::find_history(versions_of(options.package, report.package),
                                          promises::read_gpus(options.gpus), audit);
  const auto runs = report::runs_on_all(report);
  const auto text = report::history_text(report, columns_of(system::kStandardOutput));
  if (is_text) print(stdout, '\n' + text);
  if (!is_text && !runs) print(stderr, text);
  const bool written = document.write(
      "--json", [&](const report::Sink& sink) { sink(report::history_json(report)); });
  if (!written || !runs) return kTrouble;
  return *runs ? kHolds : kFindings;
}

}  // namespace archgrid::cli
