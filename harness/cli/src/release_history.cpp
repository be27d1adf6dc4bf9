// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "release_history.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <archgrid/promises/gpus.hpp>

#include "command.hpp"
#include "outputs.hpp"
#include "progress.hpp"
#include "pypi.hpp"

namespace archgrid::cli {

int run_history(const HistoryOptions& options, const AnswersOf& answers_of) {
  if (options.gpus.empty()) throw UsageError("--history needs --gpu: it is about a GPU");
  auto document = json_document(options.json, {});
  report::HistoryReport report;
  report.package = package_name(options.package);
  report.asked = promises::names_of_gpus(options.gpus);
  const bool is_text = document.on_standard_output() == nullptr;
  const auto audit = [&](const std::string& version) {
    coverage::AuditedRelease release{version, {}, {}};
    {
      ProgressLine progress(STDERR_FILENO);
      progress.show(fmt::format("{} {}: downloading", report.package, version));
      try {
        release.answers = answers_of(fmt::format("pypi:{}=={}", report.package, version));
      } catch (const NoWheel& error) {
        release.problem = error.what();
      }
      remove_downloads();
    }
    if (is_text) {
      print(stdout, report::release_line(report, release, columns_of(STDOUT_FILENO)));
      std::fflush(stdout);
    }
    return release;
  };
  report.history = coverage::find_history(coverage::newest_first(list_versions(options.package)),
                                          promises::read_gpus(options.gpus), audit);
  if (is_text) {
    print(stdout, '\n' + report::history_text(report, columns_of(STDOUT_FILENO)));
  }
  const bool written = document.write(
      "--json", [&](const report::Sink& sink) { sink(report::history_json(report)); });
  if (!written) return kTrouble;
  return report::runs_on_all(report) ? kHolds : kFindings;
}

}  // namespace archgrid::cli
