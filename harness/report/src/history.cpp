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

using coverage::Answer;
using coverage::RunningReleases;
using nlohmann::ordered_json;

/// Returns "RTX 5090 (12.0) with driver 570".
std::string gpu_name(const HistoryReport& report, coverage::ComputeCapability device) {
  AuditReport question;
  question.asked = report.asked;
  const auto driver = report.driver ? " with " + report.driver->name : std::string();
  return asked_text(question, {device}) + driver;
}

std::optional<Answer> answer_of(const coverage::AuditedRelease& release,
                                coverage::ComputeCapability device) {
  const auto found = release.answers.find(device);
  return found == release.answers.end() ? std::nullopt : std::optional(found->second);
}

/// Reports whether a release runs on a GPU on which some of its kernels fail.
bool runs_with_errors(const coverage::AuditedRelease& release) {
  return std::any_of(release.with_errors.begin(), release.with_errors.end(),
                     [&release](const auto device) {
                       const auto answer = answer_of(release, device);
                       return answer == Answer::runs || answer == Answer::runs_after_jit;
                     });
}

/// Returns ", without libx.so" if no kernel of that file runs on the GPU.
std::string failing_files_text(const coverage::AuditedRelease& release,
                               coverage::ComputeCapability device) {
  const auto found = release.failing_files.find(device);
  if (found == release.failing_files.end()) return {};
  std::set<std::string> names;
  for (const auto& path : found->second) names.emplace(file_name(path));
  return ", without " + enumerated(names);
}

/// Returns "2.6.0 does not", "2.6.0 runs in part" or "2.6.0 does nothing there".
std::string failure_text(const coverage::History& history, const std::string& version,
                         coverage::ComputeCapability device) {
  const auto release =
      std::find_if(history.audited.begin(), history.audited.end(),
                   [&version](const auto& audited) { return audited.version == version; });
  const auto answer = release == history.audited.end() ? std::nullopt : answer_of(*release, device);
  if (answer == Answer::runs_in_part) {
    return version + " runs in part" + failing_files_text(*release, device);
  }
  return version + (answer == Answer::does_nothing ? " does nothing there" : " does not");
}

/// Returns the sentence about a package of which no audited release runs on the GPU.
std::string failure_of_all(const HistoryReport& report, coverage::ComputeCapability device,
                           const std::string& gpu) {
  const auto& audited = report.history.audited;
  const auto in_part = std::find_if(audited.begin(), audited.end(), [device](const auto& release) {
    return answer_of(release, device) == Answer::runs_in_part;
  });
  if (in_part == audited.end()) {
    return fmt::format("no audited release of {} runs on {}", report.package, gpu);
  }
  return fmt::format("no audited release of {} runs fully on {}; {} runs in part", report.package,
                     gpu, in_part->version);
}

/// Reports whether some kernels of a release fail on the GPU.
bool fail_somewhere(const coverage::History& history, coverage::ComputeCapability device) {
  return std::any_of(history.audited.begin(), history.audited.end(), [device](const auto& release) {
    return release.with_errors.count(device) != 0;
  });
}

/// Returns "torch runs on RTX 5090 (12.0) since 2.7.0; 2.6.0 does not".
std::string sentence_about(const HistoryReport& report, coverage::ComputeCapability device,
                           const RunningReleases& running) {
  const auto& package = report.package;
  const auto gpu = gpu_name(report, device);
  if (!running.newest_runs) {
    return fmt::format("whether {} runs on {} is unknown: no release could be audited", package,
                       gpu);
  }
  if (!running.first) return failure_of_all(report, device, gpu);
  if (!running.fails && running.first == running.last) {
    return fmt::format(
        "{} runs on {} in {} {}", package, gpu,
        report.history.versions == 1 ? "its one release" : "the one release that could be audited,",
        *running.first);
  }
  if (!running.fails) {
    return fmt::format("{} runs on {} in each audited release, from {} to {}{}", package, gpu,
                       *running.first, *running.last,
                       fail_somewhere(report.history, device) ? ", except some kernels" : "");
  }
  const auto fails = failure_text(report.history, *running.fails, device);
  return *running.newest_runs
             ? fmt::format("{} runs on {} since {}; {}", package, gpu, *running.first, fails)
             : fmt::format("{} {} is the last release that runs on {}; {}", package, *running.last,
                           gpu, fails);
}

/// Returns "x has no CUDA code for this system: none was found in 4.0, 3.0 and 2.0" if no release
/// has any; else an empty string.
std::string lack_of_code(const HistoryReport& report) {
  std::vector<std::string> versions;
  for (const auto& release : report.history.audited) {
    if (release.has_code) return {};
    versions.push_back(release.version);
  }
  if (versions.empty()) return {};
  return fmt::format("{} has no CUDA code for this system: none was found in {}", report.package,
                     enumerated(versions));
}

/// Returns "audited: 3 of 8 releases, 2 could not be; the others are taken to be like those beside
/// them".
std::string count_of(const coverage::History& history) {
  const auto tried = history.audited.size();
  const auto audited = static_cast<std::size_t>(
      std::count_if(history.audited.begin(), history.audited.end(),
                    [](const auto& release) { return !release.answers.empty(); }));
  auto text = fmt::format("audited: {} of {}", audited, count_text(history.versions, "release"));
  if (audited < tried) text += fmt::format(", {} could not be", tried - audited);
  if (tried == history.versions) return text;
  return text + (audited == 0 ? "; the others were not tried"
                              : "; the others are taken to be like those beside them");
}

}  // namespace

std::string release_line(const HistoryReport& report, const coverage::AuditedRelease& release,
                         std::size_t columns) {
  AuditReport question;
  question.asked = report.asked;
  auto& audit = question.audits.emplace_back();
  audit.answers = release.answers;
  audit.driver = report.driver;
  auto text = release.answers.empty() ? "not audited: " + release.problem : answers_text(question);
  if (runs_with_errors(release)) text += ", but some kernels fail";
  if (release.failing_files.size() == 1) {
    text += failing_files_text(release, release.failing_files.begin()->first);
  }
  return hanging(release.version + ": ", fatbin::printable(text), "  ", columns);
}

std::string history_text(const HistoryReport& report, std::size_t columns) {
  const auto& history = report.history;
  const auto lack = lack_of_code(report);
  std::string text;
  if (!lack.empty()) {
    text = wrapped(fatbin::printable(lack), "", columns);
  } else {
    for (const auto& [device, running] : history.running) {
      text += wrapped(fatbin::printable(sentence_about(report, device, running)), "", columns);
    }
  }
  return text + wrapped(count_of(history), "", columns);
}

std::string history_json(const HistoryReport& report) {
  ordered_json audited = ordered_json::array();
  for (const auto& release : report.history.audited) {
    ordered_json entry = {{"version", release.version}};
    for (const auto& [device, answer] : release.answers) {
      entry["answers"][device.text()] = coverage::name_of(answer);
    }
    for (const auto device : release.with_errors) entry["with_errors"].push_back(device.text());
    for (const auto& [device, files] : release.failing_files) {
      entry["failing_files"][device.text()] = files;
    }
    if (!release.problem.empty()) entry["problem"] = release.problem;
    audited.push_back(std::move(entry));
  }
  ordered_json gpus = ordered_json::object();
  for (const auto& [device, running] : report.history.running) {
    auto entry = ordered_json::object();
    if (running.newest_runs) entry["newest_runs"] = *running.newest_runs;
    if (running.first) entry["first"] = *running.first;
    if (running.last) entry["last"] = *running.last;
    if (running.fails) entry["fails"] = *running.fails;
    gpus[device.text()] = std::move(entry);
  }
  ordered_json document = {{"schema", "archgrid.history/1"}, {"package", report.package}};
  if (report.driver) document["driver"] = coverage::spelling_of(*report.driver);
  document["releases"] = report.history.versions;
  document["audited"] = std::move(audited);
  document["gpus"] = std::move(gpus);
  return dump(document) + '\n';
}

std::optional<bool> runs_on_all(const HistoryReport& report) {
  const auto& running = report.history.running;
  const bool is_known = std::all_of(running.begin(), running.end(), [](const auto& entry) {
    return entry.second.newest_runs.has_value();
  });
  if (!is_known) return std::nullopt;
  return std::all_of(running.begin(), running.end(),
                     [](const auto& entry) { return entry.second.first.has_value(); });
}

}  // namespace archgrid::report
