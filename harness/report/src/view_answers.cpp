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

using AnswerTexts = std::array<const char*, 6>;

constexpr AnswerTexts kOfPackage = {"runs on",         "runs after compiling PTX on",
                                    "runs in part on", "cannot be told for",
                                    "does nothing on", "no kernel runs on"};
// Texts about files that also run kernels of another package, which was not audited.
constexpr AnswerTexts kOfOwnKernels = {
    "its own kernels run on",         "its own kernels run after compiling PTX on",
    "its own kernels run in part on", "cannot be told for",
    "its own kernels do nothing on",  "none of its own kernels runs on"};
constexpr AnswerTexts kOfThem = {"they run on",         "they run after compiling PTX on",
                                 "they run in part on", "cannot be told for",
                                 "they do nothing on",  "none of them runs on"};

/// Returns "runs on 8.0 (A100, A30); no kernel runs on 12.0 (RTX 50)"; empty without a question.
/// `first` and `others`: the texts of the first answer and of the others.
std::string answers_text(
    const AuditReport& report,
    const std::vector<const std::map<coverage::ComputeCapability, coverage::Answer>*>& all,
    const AnswerTexts& first = kOfPackage, const AnswerTexts& others = kOfPackage) {
  std::map<coverage::Answer, std::vector<coverage::ComputeCapability>> devices;
  for (const auto* answers : all) {
    for (const auto& [device, answer] : *answers) devices[answer].push_back(device);
  }
  std::string text;
  for (const auto& [answer, list] : devices) {
    const auto& texts = text.empty() ? first : others;
    text += fmt::format("{}{} {}", text.empty() ? "" : "; ",
                        texts.at(static_cast<std::size_t>(answer)), asked_text(report, list));
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

/// The kernels of a package, on all GPUs of a question.
struct PackageCounts {
  std::size_t kernels = 0;
  std::size_t failing = 0;  ///< with an error on some GPU
  std::size_t in_doubt = 0;
};

std::map<std::string_view, PackageCounts> count_by_package(const View& view) {
  std::map<std::string_view, PackageCounts> counts;
  for (const auto& file : view.files) {
    auto& of_package = counts[coverage::package_of(file.audit->file.path)];
    for (const auto& kernel : file.kernels) {
      const auto& pattern = view.pattern_of(kernel);
      const auto has = [&pattern](auto&& is) {
        return std::any_of(pattern.begin(), pattern.end(), is) ? 1 : 0;
      };
      ++of_package.kernels;
      of_package.failing += has(
          [](const ViewField& field) { return field.state_alone() == coverage::State::broken; });
      of_package.in_doubt += has([](const ViewField& field) { return field.in_doubt; });
    }
  }
  return counts;
}

bool runs(coverage::Answer answer) {
  return answer == coverage::Answer::runs || answer == coverage::Answer::runs_after_jit;
}

/// Returns ", except 6 of 507 kernels" if the package runs on all GPUs, or ", with errors in 6 of
/// 507 kernels"; empty if all kernels fail, or if none fails or may fail.
std::string exceptions_text(const std::map<coverage::ComputeCapability, coverage::Answer>& answers,
                            const PackageCounts& counts) {
  const auto of_all = [&counts](std::size_t kernels) {
    return fmt::format("{} of {}", kernels, count_text(counts.kernels, "kernel"));
  };
  const bool runs_on_all = std::all_of(answers.begin(), answers.end(),
                                       [](const auto& entry) { return runs(entry.second); });
  if (counts.failing == counts.kernels) return {};
  if (counts.failing > 0) {
    return (runs_on_all ? ", except " : ", with errors in ") + of_all(counts.failing);
  }
  return counts.in_doubt > 0 ? ", except perhaps " + of_all(counts.in_doubt) : std::string();
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
  auto text = needs_other_package(report) ? answers_text(report, all, kOfOwnKernels, kOfThem)
                                          : answers_text(report, all);
  const auto with_driver = std::find_if(report.audits.begin(), report.audits.end(),
                                        [](const auto& audit) { return audit.driver.has_value(); });
  if (!text.empty() && with_driver != report.audits.end()) {
    text += " with " + with_driver->driver->name;
  }
  return text;
}

void add_package_answers(View& view) {
  const auto counts = count_by_package(view);
  for (const auto& audit : view.report.audits) {
    if (audit.package_answers.size() < 2) continue;
    std::vector<std::string> packages;
    for (const auto& [package, answers] : audit.package_answers) packages.push_back(package);
    const auto titles = titles_of(packages);
    std::size_t index = 0;
    for (const auto& [package, answers] : audit.package_answers) {
      const auto& title = titles[index++];
      const auto counted = counts.find(package);
      view.package_answers.push_back(fmt::format(
          "{}: {}{}", title.empty() ? "other files" : title, answers_text(view.report, {&answers}),
          counted == counts.end() ? std::string() : exceptions_text(answers, counted->second)));
    }
  }
}

bool runs_everywhere(const AuditReport& report) {
  bool any = false;
  for (const auto& audit : report.audits) {
    for (const auto& [device, answer] : audit.answers) {
      any = true;
      if (!runs(answer)) return false;
    }
  }
  return any;
}

std::set<coverage::ComputeCapability> gpus_without_yes(const AuditReport& report) {
  std::set<coverage::ComputeCapability> gpus;
  for (const auto& audit : report.audits) {
    const auto ignored = ignored_on(audit);
    for (const auto& [device, answer] : audit.answers) {
      if (!runs(answer) && ignored.count(device) == 0) gpus.insert(device);
    }
  }
  return gpus;
}

}  // namespace archgrid::report
