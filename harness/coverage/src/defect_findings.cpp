// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "defect_findings.hpp"

#include <algorithm>
#include <archgrid/coverage/ignore_codes.hpp>
#include <archgrid/coverage/rules.hpp>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "kernel_names.hpp"

namespace archgrid::coverage {
namespace {

/// Kernels with one defect.
struct Draft {
  const KernelRow* first = nullptr;
  std::string says;          ///< by the first kernel, if it only reports
  bool says_differ = false;  ///< for some kernels
  std::size_t kernels = 0;
  DeviceMask devices;
  bool differs = false;  ///< some kernels fail only on some of the devices
  std::set<std::string> units;
  std::set<std::size_t> modules;
  std::set<std::string_view> archs;
};

/// Returns the text that the kernel's body for the first of the devices prints or asserts.
std::string said_by(const FileContext& file, std::size_t row, const DeviceMask& devices) {
  std::size_t at = 0;
  while (!devices.test(at)) ++at;
  const auto module = gap_of(file, row, at).prediction.module;
  const auto* taken =
      file.selector.taken_kernel(kernel_of(file, row), module, file.result.devices[at]);
  return taken == nullptr || taken->message == nullptr ? std::string() : *taken->message;
}

void extend(Draft& draft, const FileContext& file, const FileEvidence& evidence, std::size_t row,
            const DeviceMask& devices) {
  const auto says = said_by(file, row, devices);
  if (draft.first == nullptr) {
    draft.first = &kernel_of(file, row);
    draft.says = says;
  }
  draft.says_differ = draft.says_differ || says != draft.says;
  draft.differs = draft.differs || (draft.kernels > 0 && draft.devices != devices);
  ++draft.kernels;
  draft.devices |= devices;
  std::size_t at = 0;
  while (!devices.test(at)) ++at;
  const auto module = gap_of(file, row, at).prediction.module;
  draft.modules.insert(module);
  draft.archs.insert(evidence.lists[module].text);
  const auto& unit = file.selector.unit_of(kernel_of(file, row), module);
  if (!unit.empty()) draft.units.insert(unit);
}

/// Returns the newest toolkit that images of the modules record.
std::optional<Version> toolkit_of(const fatbin::File& file, const std::set<std::size_t>& modules) {
  std::optional<Version> newest;
  for (const auto& image : file.images) {
    if (modules.count(image.module) == 0) continue;
    const auto version = parse_version(image.toolkit);
    if (version && (!newest || *newest < *version)) newest = version;
  }
  return newest;
}

/// Returns the PTX of a kernel that the driver does not read.
std::optional<TooNewPtx> too_new_ptx(const FileContext& file, const KernelRow& kernel,
                                     ComputeCapability device) {
  const auto prediction = file.selector.predict(kernel, device, file.driver);
  const auto& detail = prediction.reason.detail;
  const auto isa = detail == nullptr ? std::nullopt : parse_version(detail->text);
  if (prediction.verdict != Verdict::ptx_too_new || !isa) return std::nullopt;
  TooNewPtx found{*isa, *file.driver};
  for (const auto& branch : table().drivers) {
    if (found.first_branch == 0 && !(branch.ptx_isa < *isa)) found.first_branch = branch.branch;
  }
  return found;
}

Finding finding_of(const FileContext& file, const Defect& defect, const Draft& draft) {
  Cause cause;
  cause.rule = defect.rule;
  for (std::size_t at = 0; at < file.result.devices.size(); ++at) {
    if (draft.devices.test(at)) cause.devices.push_back(file.result.devices[at]);
  }
  cause.units.assign(draft.units.begin(), draft.units.end());
  cause.modules = draft.modules.size();
  if (draft.archs.size() == 1) cause.archs = *draft.archs.begin();
  cause.of_kernels = file.audit.rows.size();
  cause.named_for = other_arch_named(file.audit.file.path, cause.devices);
  cause.toolkit = toolkit_of(file.audit.file, draft.modules);
  cause.differs = draft.differs;
  cause.body = defect.body;
  if (defect.idle_ptx.number != 0) cause.idle_ptx = defect.idle_ptx;
  cause.says = draft.says;
  cause.says_differ = draft.says_differ;
  if (defect.rule == Rule::driver) {
    cause.too_new_ptx = too_new_ptx(file, *draft.first, cause.devices.front());
  }
  Finding finding;
  finding.code = defect.code;
  finding.severity = file.request.strict ? Severity::error : severity_of(defect.rule);
  finding.path = file.audit.file.path;
  finding.cell = file.request.cell;
  finding.kernel = draft.first->name;
  finding.demangled = draft.first->demangled;
  finding.kernels = draft.kernels;
  finding.cause = std::move(cause);
  return finding;
}

void report_known(const FileContext& file, const FileEvidence& evidence,
                  const DefectsByRow& defects) {
  std::map<Defect, Draft> drafts;
  for (std::size_t row = 0; row < defects.size(); ++row) {
    for (const auto& [defect, on] : defects[row]) {
      const auto devices = on & file.asked;
      if (devices.any()) extend(drafts[defect], file, evidence, row, devices);
    }
  }
  for (const auto& [defect, draft] : drafts) {
    file.result.ignored.push_back(
        {finding_of(file, defect, draft), reason_of(*file.request.baseline)});
  }
}

/// Drafts by defect and, for errors, by devices.
using Drafts = std::map<std::tuple<Defect, std::string>, Draft>;

/// Adds the defects of a kernel, without those on devices that the user does not ask about.
void add_to(Drafts& drafts, const FileContext& file, const FileEvidence& evidence, std::size_t row,
            const KernelDefects& defects) {
  for (const auto& [defect, on] : defects) {
    const auto devices = on & file.asked;
    if (devices.none()) continue;
    const bool is_error = severity_of(defect.rule) == Severity::error;
    auto key = defect;
    if (!is_error) key.body = fatbin::Body::unknown;
    auto& draft = drafts[{key, is_error ? devices.to_string() : std::string()}];
    extend(draft, file, evidence, row, devices);
  }
}

void report_ignored(const FileContext& file, const FileEvidence& evidence,
                    const FileDefects& defects) {
  for (const auto& [ignore, rows] : defects.ignored) {
    Drafts drafts;
    for (const auto& [row, own] : rows) add_to(drafts, file, evidence, row, own);
    for (const auto& [key, draft] : drafts) {
      auto finding = finding_of(file, std::get<0>(key), draft);
      finding.facts = {{"pattern", ignored_text(*ignore)}};
      file.result.ignored.push_back({std::move(finding), ignore->reason});
    }
  }
}

void report_found(const FileContext& file, const FileEvidence& evidence,
                  const DefectsByRow& defects) {
  Drafts drafts;
  for (std::size_t row = 0; row < defects.size(); ++row) {
    add_to(drafts, file, evidence, row, defects[row]);
  }
  for (const auto& [key, draft] : drafts) {
    auto finding = finding_of(file, std::get<0>(key), draft);
    auto& list = finding.severity == Severity::error ? file.result.findings : file.result.suspects;
    list.push_back(std::move(finding));
  }
}

}  // namespace

void report_defects(const FileContext& file, const FileEvidence& evidence,
                    const FileDefects& defects) {
  report_known(file, evidence, defects.known);
  report_ignored(file, evidence, defects);
  report_found(file, evidence, defects.found);
}

}  // namespace archgrid::coverage
