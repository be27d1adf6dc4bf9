// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <archgrid/report/history.hpp>
#include <archgrid/words/cause_text.hpp>
#include <nlohmann/json.hpp>

#include "audit_text_parts.hpp"
#include "dump_json.hpp"
#include "view_parts.hpp"

namespace archgrid::report {
namespace {

using coverage::RunningReleases;
using nlohmann::ordered_json;

std::string gpu_name(const HistoryReport& report, coverage::ComputeCapability device) {
  AuditReport question;
  question.asked = report.asked;
  return asked_text(question, {device});
}

/// Returns "torch runs on RTX 5090 (12.0) since 2.7.0; 2.6.0 does not".
std::string sentence_about(const HistoryReport& report, coverage::ComputeCapability device,
                           const RunningReleases& running) {
  const auto& package = report.package;
  const auto gpu = gpu_name(report, device);
  if (!running.first) return fmt::format("no audited release of {} runs on {}", package, gpu);
  if (!running.fails) {
    return fmt::format("{} runs on {} in each audited release, from {} to {}", package, gpu,
                       *running.first, *running.last);
  }
  return running.newest_runs ? fmt::format("{} runs on {} since {}; {} does not", package, gpu,
                                           *running.first, *running.fails)
                             : fmt::format("{} {} is the last release that runs on {}; {} does not",
                                           package, *running.last, gpu, *running.fails);
}

}  // namespace

std::string release_line(const HistoryReport& report, const coverage::AuditedRelease& release,
                         std::size_t columns) {
  AuditReport question;
  question.asked = report.asked;
  question.audits.emplace_back().answers = release.answers;
  const auto text =
      release.answers.empty() ? "not audited: " + release.problem : answers_text(question);
  return hanging(release.version + ": ", fatbin::printable(text), "  ", columns);
}

std::string history_text(const HistoryReport& report, std::size_t columns) {
  const auto& history = report.history;
  std::string text;
  for (const auto& [device, running] : history.running) {
    text += wrapped(fatbin::printable(sentence_about(report, device, running)), "", columns);
  }
  const auto audited = static_cast<std::size_t>(
      std::count_if(history.audited.begin(), history.audited.end(),
                    [](const auto& release) { return !release.answers.empty(); }));
  return text + wrapped(fmt::format("audited: {} of {}{}", audited,
                                    count_text(history.versions, "release"),
                                    audited < history.versions
                                        ? "; the others are taken to be like those beside them"
                                        : ""),
                        "", columns);
}

std::string history_json(const HistoryReport& report) {
  ordered_json audited = ordered_json::array();
  for (const auto& release : report.history.audited) {
    ordered_json entry = {{"version", release.version}};
    for (const auto& [device, answer] : release.answers) {
      entry["answers"][device.text()] = coverage::name_of(answer);
    }
    if (!release.problem.empty()) entry["problem"] = release.problem;
    audited.push_back(std::move(entry));
  }
  ordered_json gpus = ordered_json::object();
  for (const auto& [device, running] : report.history.running) {
    ordered_json entry = {{"newest_runs", running.newest_runs}};
    if (running.first) entry["first"] = *running.first;
    if (running.last) entry["last"] = *running.last;
    if (running.fails) entry["fails"] = *running.fails;
    gpus[device.text()] = std::move(entry);
  }
  return dump({{"schema", "archgrid.history/1"},
               {"package", report.package},
               {"releases", report.history.versions},
               {"audited", audited},
               {"gpus", gpus}}) +
         '\n';
}

bool runs_on_all(const HistoryReport& report) {
  const auto& running = report.history.running;
  return std::all_of(running.begin(), running.end(),
                     [](const auto& entry) { return entry.second.first.has_value(); });
}

}  // namespace archgrid::report
