// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <archgrid/words/cause_text.hpp>
#include <array>

#include "view_parts.hpp"

namespace archgrid::report {
namespace {

/// Returns "runs on 8.0 (A100, A30); does not run on 12.0 (RTX 50)"; empty without a question.
std::string answers_text(
    const AuditReport& report,
    const std::vector<const std::map<coverage::ComputeCapability, coverage::Answer>*>& all) {
  constexpr std::array<const char*, 6> kTexts = {"runs on",         "runs after compiling PTX on",
                                                 "runs in part on", "cannot be told for",
                                                 "does nothing on", "does not run on"};
  std::map<coverage::Answer, std::vector<coverage::ComputeCapability>> devices;
  for (const auto* answers : all) {
    for (const auto& [device, answer] : *answers) devices[answer].push_back(device);
  }
  std::string text;
  for (const auto& [answer, list] : devices) {
    text += fmt::format("{}{} {}", text.empty() ? "" : "; ",
                        kTexts.at(static_cast<std::size_t>(answer)), asked_text(report, list));
  }
  return text;
}

/// Returns the GPUs about which an error is ignored or known.
std::set<coverage::ComputeCapability> ignored_on(const coverage::Audit& audit) {
  std::set<coverage::ComputeCapability> gpus;
  for (const auto& [finding, reason] : audit.ignored) {
    if (finding.severity != coverage::Severity::error) continue;
    const auto& devices = finding.cause ? finding.cause->devices : finding.devices;
    gpus.insert(devices.begin(), devices.end());
    if (const auto device = coverage::parse_device(finding.device)) gpus.insert(*device);
  }
  return gpus;
}

/// Reports whether the files also run kernels of another package, which was not audited.
bool needs_other_package(const AuditReport& report) {
  return std::any_of(report.audits.begin(), report.audits.end(), [](const auto& audit) {
    return std::any_of(audit.notes.begin(), audit.notes.end(), [](const coverage::Note& note) {
      return note.code == "needs-other-package";
    });
  });
}

}  // namespace

std::string asked_text(const AuditReport& report,
                       const std::vector<coverage::ComputeCapability>& devices) {
  if (report.asked.empty()) return gpus_text(devices);
  std::vector<std::string> names;
  for (const auto device : devices) {
    const auto asked = report.asked.find(device);
    names.push_back(asked == report.asked.end()
                        ? device.text()
                        : fmt::format("{} ({})", asked->second, device.text()));
  }
  return fatbin::printable(fmt::format("{}", fmt::join(names, ", ")));
}

std::string answers_text(const AuditReport& report) {
  std::vector<const std::map<coverage::ComputeCapability, coverage::Answer>*> all;
  for (const auto& audit : report.audits) all.push_back(&audit.answers);
  auto text = answers_text(report, all);
  if (text.starts_with("runs ") && needs_other_package(report)) {
    text.replace(0, 4, "its own kernels run");
  }
  const auto with_driver = std::find_if(report.audits.begin(), report.audits.end(),
                                        [](const auto& audit) { return audit.driver.has_value(); });
  if (!text.empty() && with_driver != report.audits.end()) {
    text += " with " + with_driver->driver->name;
  }
  return text;
}

void add_package_answers(View& view) {
  for (const auto& audit : view.report.audits) {
    if (audit.package_answers.size() < 2) continue;
    std::vector<std::string> packages;
    for (const auto& [package, answers] : audit.package_answers) packages.push_back(package);
    const auto titles = titles_of(packages);
    std::size_t index = 0;
    for (const auto& [package, answers] : audit.package_answers) {
      const auto& title = titles[index++];
      view.package_answers.push_back(fmt::format("{}: {}", title.empty() ? "other files" : title,
                                                 answers_text(view.report, {&answers})));
    }
  }
}

bool runs_everywhere(const AuditReport& report) {
  bool any = false;
  for (const auto& audit : report.audits) {
    for (const auto& [device, answer] : audit.answers) {
      any = true;
      if (answer != coverage::Answer::runs && answer != coverage::Answer::runs_after_jit) {
        return false;
      }
    }
  }
  return any;
}

std::set<coverage::ComputeCapability> gpus_without_yes(const AuditReport& report) {
  std::set<coverage::ComputeCapability> gpus;
  for (const auto& audit : report.audits) {
    const auto ignored = ignored_on(audit);
    for (const auto& [device, answer] : audit.answers) {
      const bool runs =
          answer == coverage::Answer::runs || answer == coverage::Answer::runs_after_jit;
      if (!runs && ignored.count(device) == 0) gpus.insert(device);
    }
  }
  return gpus;
}

}  // namespace archgrid::report
