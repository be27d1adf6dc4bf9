// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <archgrid/words/cause_text.hpp>
#include <functional>
#include <tuple>
#include <unordered_map>

#include "escape.hpp"
#include "kernel_text.hpp"
#include "style.hpp"
#include "view_parts.hpp"

namespace archgrid::report {
namespace {

using coverage::Finding;

/// Findings that differ only in the kernel, and these kernels.
struct Draft {
  const Finding* first = nullptr;
  std::size_t findings = 0;
  std::size_t kernels = 0;
  std::uint64_t names = 0;  ///< a hash
};

std::vector<Draft> drafts_of(const AuditReport& report) {
  std::unordered_map<std::string, std::size_t> places;
  std::vector<Draft> drafts;
  for_each_finding(report, [&](const Finding& finding) {
    if (finding.cause) {
      const bool is_promise = finding.cause->rule == coverage::Rule::promised;
      const auto names = is_promise ? finding.cause->kernels_hash : drafts.size();
      drafts.push_back({&finding, 1, finding.kernels, names});
      return;
    }
    auto key = fmt::format("{}\n{}\n{}\n{}\n{}\n{}", finding.code, finding.cell, finding.path,
                           finding.device, message_of(finding), fix_of(finding));
    const auto [found, fresh] = places.try_emplace(std::move(key), drafts.size());
    if (fresh) drafts.push_back({&finding, 0, 0, 0});
    auto& draft = drafts[found->second];
    ++draft.findings;
    draft.kernels += finding.kernels;
    const auto& name = finding.kernel.empty() ? finding.demangled.str() : finding.kernel.str();
    constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15U;
    draft.names = (draft.names ^ std::hash<std::string>()(name)) * kFactor;
  });
  return drafts;
}

bool has_device(const FindingGroup& group, const std::string& device) {
  return std::any_of(group.firsts.begin(), group.firsts.end(),
                     [&](const Finding* finding) { return finding->device == device; });
}

/// Removes the name of the file from a fix, so that fixes for different files compare equal.
std::string without_file(std::string text, const std::string& path) {
  const auto name = path.substr(path.find_last_of("/!") + 1);
  if (name.empty()) return text;
  for (auto at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    text.replace(at, name.size(), "\n");
  }
  return text;
}

/// Removes what the fix names of the finding's own file, if it is part of a common cause.
Finding without_own(const Finding& finding) {
  Finding common = finding;
  if (!common.cause) return common;
  const auto rule = common.cause->rule;
  if (rule != coverage::Rule::no_sibling && rule != coverage::Rule::own_generation) return common;
  common.cause->units.clear();
  common.cause->modules = 1;
  return common;
}

/// Returns the fix without the name of the file and the toolkit that compiled it.
std::string common_fix(const Finding& finding) {
  auto fix = without_file(fix_of(without_own(finding)), finding.path);
  if (!finding.cause || !finding.cause->toolkit) return fix;
  const auto toolkit = "CUDA " + finding.cause->toolkit->text() + ", which";
  for (auto at = fix.find(toolkit); at != std::string::npos; at = fix.find(toolkit, at + 1)) {
    fix.replace(at, toolkit.size(), "\n");
  }
  return fix;
}

/// Returns a key that is equal for the groups of a fold.
std::string fold_key(const FindingGroup& group) {
  const auto& first = group.first();
  const bool is_promise = first.cause && first.cause->rule == coverage::Rule::promised;
  const auto kernels =
      first.cause && !is_promise ? first.kernel.str() : std::to_string(group.names);
  auto key = fmt::format("{}\n{}\n{}\n{}\n{}", first.code, first.cell, group.findings,
                         group.kernels, kernels);
  for (const auto* finding : group.firsts) {
    key += fmt::format("\n{}\n{}\n{}", finding->device, message_of(*finding), common_fix(*finding));
  }
  return key;
}

}  // namespace

void add_findings(View& view) {
  std::unordered_map<std::string, std::size_t> places;
  for (const auto& draft : drafts_of(view.report)) {
    const auto& finding = *draft.first;
    auto key = fmt::format("{}\n{}\n{}\n{}\n{}", finding.code, finding.cell, finding.path,
                           draft.kernels, draft.names);
    // A finding without a device, or without a kernel, has its own group.
    const bool alone =
        finding.device.empty() || (finding.kernel.empty() && finding.demangled.empty());
    if (alone) key += fmt::format("\n{}", view.findings.size());
    // Two promises may have different findings for one device.
    const auto other = places.find(key);
    if (other != places.end() && has_device(view.findings[other->second], finding.device)) {
      key += fmt::format("\n{}", view.findings.size());
    }
    const auto [found, fresh] = places.try_emplace(key, view.findings.size());
    if (fresh) view.findings.emplace_back();
    auto& group = view.findings[found->second];
    group.firsts.push_back(&finding);
    group.findings += draft.findings;
    group.kernels = draft.kernels;
    group.names = draft.names;
    view.totals.findings += draft.findings;
    if (finding.code == "unused-ignore") view.totals.unused_ignores += draft.findings;
  }
  const auto rank = [](const FindingGroup& group) {
    const bool whole = group.first().kernel.empty() && group.first().demangled.empty();
    return std::make_tuple(!whole, whole ? 0 : -static_cast<std::ptrdiff_t>(group.kernels));
  };
  std::stable_sort(view.findings.begin(), view.findings.end(),
                   [&](const auto& left, const auto& right) { return rank(left) < rank(right); });
}

void fold_findings(View& view) {
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t index = 0; index < view.findings.size(); ++index) {
    const auto& group = view.findings[index];
    auto key = fold_key(group);
    if (group.first().path.empty()) key += fmt::format("\n{}", index);
    const auto [found, fresh] = places.try_emplace(std::move(key), view.folded.size());
    if (fresh) view.folded.emplace_back();
    auto& fold = view.folded[found->second];
    fold.groups.push_back(index);
    fold.findings += group.findings;
  }
}

void add_suspects(View& view) {
  for (const auto& audit : view.report.audits) {
    for (const auto& finding : audit.suspects) view.suspects.push_back(&finding);
  }
  std::stable_sort(
      view.suspects.begin(), view.suspects.end(),
      [](const Finding* left, const Finding* right) { return left->kernels > right->kernels; });
  view.totals.suspects = view.suspects.size();
}

std::string demangled_of(const coverage::KernelRow& row) {
  return row.demangled.str();
}

std::string demangled_of(const coverage::Finding& finding) {
  return finding.demangled.str();
}

std::string devices_of(const FindingGroup& group) {
  const auto& cause = group.first().cause;
  if (cause && group.firsts.size() == 1) return coverage::list_devices(cause->devices);
  std::vector<std::string_view> devices;
  for (const auto* first : group.firsts) {
    if (!first->device.empty()) devices.emplace_back(first->device);
  }
  return enumerated(devices);
}

std::string subject_of(const FindingGroup& group, std::size_t longest) {
  auto subject = kernel_text(demangled_of(group.first()), longest);
  if (group.kernels > 1) subject += fmt::format(" and {} more", group.kernels - 1);
  const auto devices = devices_of(group);
  if (!devices.empty()) subject += (subject.empty() ? "on " : " on ") + devices;
  return subject;
}

std::string files_of(const View& view, const FindingFold& fold) {
  return files_text(fold.groups.size(), view.findings[fold.groups.front()].first().path);
}

std::string fix_of(const View& view, const FindingFold& fold) {
  Toolkits toolkits;
  const auto* shown = &view.findings[fold.groups.front()];
  for (const auto index : fold.groups) {
    const auto& group = view.findings[index];
    const auto& cause = group.first().cause;
    if (!cause) continue;
    if (cause->toolkit) toolkits.insert(*cause->toolkit);
    const auto& units = shown->first().cause->units;
    if (units.empty() && !cause->units.empty()) shown = &group;
  }
  const auto& group = *shown;
  const auto fix = fix_of(group.firsts, toolkits);
  if (fix.empty()) return fix;
  // The matrix file is for all of them.
  const auto& broken = group.first().broken;
  const bool has_others = fold.groups.size() > 1 && !(broken && broken->remedy.unasked);
  return fix + (has_others ? " (and likewise for the other files)" : "");
}

std::string message_of(const FindingGroup& group) {
  const auto& first = group.first();
  if (group.firsts.size() == 1) return message_of(first);
  return fmt::format("on {}, and likewise on the others: {}", first.device, message_of(first));
}

}  // namespace archgrid::report
