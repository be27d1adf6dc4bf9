// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "nothing_judged.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "audit_notes.hpp"
#include "contains.hpp"
#include "joined.hpp"
#include "running.hpp"

namespace archgrid::coverage {
namespace {

/// Lists files, and archives for members. If there are many, only the first is named.
std::string listed(const std::vector<FileAudit>& files) {
  constexpr std::size_t kMaxNamed = 3;
  std::vector<std::string> paths;
  for (const auto& audit : files) {
    auto path = audit.file.path.substr(0, audit.file.path.find('!'));
    if (!contains(paths, path)) paths.push_back(std::move(path));
  }
  const auto more = paths.size() > kMaxNamed ? paths.size() - 1 : 0;
  if (more > 0) paths.resize(1);
  auto text = joined(paths);
  if (more > 0) text += " and " + std::to_string(more) + " more";
  return text;
}

bool has_finding(ComputeCapability device, const Audit& result) {
  return std::any_of(result.findings.begin(), result.findings.end(),
                     [&](const Finding& finding) { return finding.device == device.text(); });
}

bool is_judged(std::size_t device, const Audit& result) {
  return std::any_of(result.files.begin(), result.files.end(), [&](const FileAudit& file) {
    return std::any_of(file.rows.begin(), file.rows.end(), [&](const Row& row) {
      return row.fields[device].state != State::not_promised;
    });
  });
}

/// Returns the patterns that promise kernels for a device; empty if a promise has no pattern.
std::string patterns_for(ComputeCapability device, const std::vector<Promise>& promises) {
  std::string patterns;
  for (const auto& promise : promises) {
    if (!contains(promise.devices, device)) continue;
    if (promise.kernels.empty()) return {};
    patterns += (patterns.empty() ? "\"" : ", \"") + promise.kernels + '"';
  }
  return patterns;
}

}  // namespace

void note_no_device_code(const Request& request, Audit& result) {
  Facts facts = {{"files", std::to_string(result.files.size())}};
  for (const auto& audit : result.files) {
    if (const auto* compiler = run_time_compiler(audit.file)) {
      facts.emplace("compiler", *compiler);  // of the first compiler found
      const auto& path = audit.file.path;
      facts.emplace("compiles", fatbin::printable(path.substr(path.find_last_of("/!") + 1)));
    }
  }
  if (request.accept_without_promise) facts["asked"] = "yes";
  std::size_t sources = 0;
  for (const auto& [package, claim] : request.claims) sources += claim.cuda_sources;
  if (sources > 0) facts["sources"] = std::to_string(sources);
  find_in_all("no-device-code", std::move(facts), result).path = listed(result.files);
}

void note_nothing_in_common(const Request& request, Audit& result) {
  if (!result.devices.empty()) return;
  find_in_all("nothing-judged", {{"accept", list_verdicts(*request.accept_without_promise)}},
              result);
}

void move_nothing_to_judge(Audit& result) {
  auto& findings = result.findings;
  const auto is_nothing = [](const Finding& finding) {
    return finding.code == "no-device-code" || finding.code == "nothing-judged";
  };
  for (const auto& finding : findings) {
    if (!is_nothing(finding)) continue;
    result.notes.push_back({finding.code, finding.path, finding.facts});
  }
  std::erase_if(findings, is_nothing);
}

void note_nothing_judged(const std::vector<Promise>& promises, Audit& result) {
  for (std::size_t index = 0; index < result.devices.size(); ++index) {
    const auto device = result.devices[index];
    if (is_judged(index, result) || has_finding(device, result)) continue;
    auto& finding =
        find_in_all("nothing-judged", {{"patterns", patterns_for(device, promises)}}, result);
    finding.device = device.text();
  }
}

void note_without_code(const std::vector<std::string>& paths, Audit& audit) {
  const auto has_code = [](const FileAudit& file) { return !file.rows.empty(); };
  // If no file has any, that is a finding.
  if (std::none_of(audit.files.begin(), audit.files.end(), has_code)) return;
  for (const auto& judged : audit.files) {
    const auto& file = judged.file;
    const bool explained = !file.dangling.empty() || file.host_lto || !errors_of(file).empty();
    if (has_code(judged) || explained || !contains(paths, file.path)) continue;
    audit.notes.push_back({"without-device-code", file.path});
  }
}

}  // namespace archgrid::coverage
