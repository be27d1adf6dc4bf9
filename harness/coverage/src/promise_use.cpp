// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "promise_use.hpp"

#include <algorithm>
#include <archgrid/coverage/ignore_codes.hpp>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "audit_notes.hpp"
#include "contains.hpp"
#include "ignore.hpp"
#include "promised_devices.hpp"

namespace archgrid::coverage {
namespace {

std::string places_of_patterns(const std::vector<Promise>& promises,
                               const std::vector<bool>& used) {
  std::string places;
  for (std::size_t index = 0; index < promises.size(); ++index) {
    const auto& promise = promises[index];
    if (promise.kernels.empty() || !used[index]) continue;
    places += (places.empty() ? "" : ", ") + promise.place + " (\"" + promise.kernels + "\")";
  }
  return places;
}

bool matches_any(const std::string& pattern, const Audit& result) {
  return std::any_of(result.files.begin(), result.files.end(), [&](const FileAudit& file) {
    return std::any_of(file.rows.begin(), file.rows.end(),
                       [&](const Row& row) { return matches_kernel(pattern, row.kernel); });
  });
}

/// Returns the finding for an unused pattern, with a wider pattern that matches kernels.
Finding unused(const std::string& place, const std::string& pattern, const char* code,
               const Audit& result) {
  Finding finding;
  finding.code = code;
  finding.facts = {{"place", place}, {"pattern", pattern}};
  const auto wide = "*" + pattern + "*";
  if (!matches_any(pattern, result) && matches_any(wide, result)) finding.facts["wide"] = wide;
  return finding;
}

/// Reports whether a pattern matches the kernel of a finding, its file, or, if it has none, its
/// GPU.
bool matches_finding(const std::string& pattern, const Finding& finding) {
  const Ignore ignore{"", pattern, {}, "", finding.code};
  if (is_about_file(ignore, finding.code, finding.path.empty() ? finding.device : finding.path)) {
    return true;
  }
  KernelRow row;
  row.name = finding.kernel;
  row.demangled = finding.demangled;
  return !finding.kernel.str().empty() && matches_kernel(pattern, row);
}

/// An ignore that would match a finding.
struct Meant {
  std::string code;
  std::string pattern;
};

/// Returns the ignore closest to an unused one that would match a finding: with a wider pattern,
/// with another code, or with both.
std::optional<Meant> meant_by(const Ignore& ignore, const Audit& result) {
  for (const auto& pattern : {ignore.kernel, "*" + ignore.kernel + "*"}) {
    std::optional<Meant> other;
    for (const auto& finding : result.findings) {
      const auto& codes = ignorable_codes();
      if (std::find(codes.begin(), codes.end(), finding.code) == codes.end()) continue;
      if (!matches_finding(pattern, finding)) continue;
      if (finding.code == ignore.code) return Meant{finding.code, pattern};
      if (!other) other = Meant{finding.code, pattern};
    }
    if (other) return other;
  }
  return std::nullopt;
}

bool names_device(const std::string& pattern) {
  const auto& rows = table().architectures;
  return std::any_of(rows.begin(), rows.end(),
                     [&](const auto& row) { return matches_pattern(pattern, row.device.text()); });
}

/// Reports whether the ignore may be about something that the audit read: a kernel, a file or a
/// GPU, whatever the error.
bool names_something(const Ignore& ignore, const Audit& result) {
  if (!result.errors.empty() || matches_any(ignore.kernel, result)) return true;
  const auto is_named = [&](const Finding& finding) {
    return matches_finding(ignore.kernel, finding);
  };
  if (std::any_of(result.findings.begin(), result.findings.end(), is_named) ||
      std::any_of(result.suspects.begin(), result.suspects.end(), is_named)) {
    return true;
  }
  if (ignore.code.empty()) return false;
  return names_device(ignore.kernel) ||
         std::any_of(result.files.begin(), result.files.end(), [&](const FileAudit& file) {
           return is_about_file(ignore, ignore.code, file.file.path);
         });
}

/// Returns those of the ignore's GPUs that the audit judges.
std::vector<ComputeCapability> judged_of(const Ignore& ignore, const Audit& result) {
  std::vector<ComputeCapability> judged;
  std::copy_if(ignore.devices.begin(), ignore.devices.end(), std::back_inserter(judged),
               [&](ComputeCapability device) { return contains(result.devices, device); });
  return judged;
}

/// Returns the GPUs of the errors that an ignore would cover if it named no GPUs.
std::set<ComputeCapability> gpus_of_errors(const Ignore& ignore, const Audit& result) {
  std::set<ComputeCapability> gpus;
  for (const auto& finding : result.findings) {
    const bool is_other = !ignore.code.empty() && ignore.code != finding.code;
    if (is_other || !matches_finding(ignore.kernel, finding)) continue;
    if (finding.cause) gpus.insert(finding.cause->devices.begin(), finding.cause->devices.end());
    if (const auto device = parse_device(finding.device)) gpus.insert(*device);
  }
  return gpus;
}

Finding unused_ignore(const Ignore& ignore, const Request& request, const Audit& result) {
  auto finding = unused(ignore.place, ignore.kernel, "unused-ignore", result);
  auto& facts = finding.facts;
  if (request.accept_without_promise) facts["errors"] = "yes";
  const auto judged = judged_of(ignore, result);
  if (judged.empty() && !ignore.devices.empty()) {
    facts["gpus"] = list_devices(ignore.devices);
    facts["judged"] = list_devices(result.devices);
    facts.erase("wide");
    return finding;
  }
  if (!judged.empty()) facts["gpus"] = list_devices(judged);
  if (judged.size() < ignore.devices.size()) facts["elsewhere"] = "yes";
  if (const auto on = gpus_of_errors(ignore, result); !judged.empty() && !on.empty()) {
    facts["errors-on"] = list_devices(on);
    if (!ignore.code.empty()) facts["only"] = ignore.code;
    facts.erase("wide");
    return finding;
  }
  if (!names_something(ignore, result)) facts["unmatched"] = "yes";
  if (ignore.code.empty()) return finding;
  facts["only"] = ignore.code;
  facts.erase("wide");
  const auto meant = meant_by(ignore, result);
  if (!meant) {
    auto wide = ignore;
    wide.kernel = '*' + ignore.kernel + '*';
    const bool is_part = facts.count("unmatched") != 0 && names_something(wide, result);
    if (is_part) facts["wide"] = ignored_text(wide);
    return finding;
  }
  facts["wide"] = meant->code + ':' + meant->pattern;
  if (meant->code == ignore.code) return finding;
  facts["code"] = meant->code;
  if (!request.accept_without_promise) facts["promise"] = "yes";
  return finding;
}

}  // namespace

void note_replaced(const FileAudit& audit, const std::vector<Promise>& promises,
                   const std::vector<bool>& used, Audit& result) {
  std::vector<Promise> general;
  std::copy_if(promises.begin(), promises.end(), std::back_inserter(general),
               [](const Promise& promise) { return promise.kernels.empty(); });
  const auto named = devices_of(general);
  std::set<ComputeCapability> left;
  std::size_t kernels = 0;
  for (const auto& row : audit.rows) {
    const auto before = kernels;
    for (std::size_t index = 0; index < result.devices.size(); ++index) {
      const auto device = result.devices[index];
      if (row.fields[index].state != State::not_promised || !contains(named, device)) continue;
      left.insert(device);
      kernels = before + 1;
    }
  }
  if (kernels == 0) return;
  add_note(audit.file, "promised-on-fewer-devices",
           {{"kernels", std::to_string(kernels)},
            {"of", std::to_string(audit.rows.size())},
            {"gpus", list_devices(left)},
            {"places", places_of_patterns(promises, used)}},
           result);
}

void note_unused(const std::vector<Promise>& promises, const std::vector<bool>& pattern_used,
                 const Request& request, const std::vector<bool>& ignore_used, Audit& result) {
  const auto& ignores = request.ignores;
  for (std::size_t index = 0; index < ignores.size(); ++index) {
    const auto& ignore = ignores[index];
    // A matrix file has ignores for the GPUs of other toolkits, an option only for those at hand.
    const bool is_judged = ignore.devices.empty() || !judged_of(ignore, result).empty();
    if (!is_judged && !ignore.is_option) continue;
    if (ignore_used[index] && is_judged) {
      result.used.insert(ignore.place);
    } else {
      result.unused.emplace(ignore.place, unused_ignore(ignore, request, result));
    }
  }
  for (std::size_t index = 0; index < promises.size(); ++index) {
    const auto& promise = promises[index];
    if (promise.kernels.empty() || promise.devices.empty()) continue;
    if (pattern_used[index]) {
      result.used.insert(promise.place);
    } else {
      result.unused.emplace(promise.place,
                            unused(promise.place, promise.kernels, "unused-promise", result));
    }
  }
}

std::vector<Finding> unused_in(const std::vector<Audit>& audits) {
  std::map<std::string, Finding> unused;
  for (const auto& audit : audits) {
    for (const auto& [place, finding] : audit.unused) {
      const auto [known, is_new] = unused.try_emplace(place, finding);
      // The pattern names something in one audit, though perhaps nothing in another.
      if (!is_new && finding.facts.count("unmatched") == 0) known->second = finding;
    }
  }
  for (const auto& audit : audits) {
    for (const auto& place : audit.used) unused.erase(place);
  }
  std::vector<Finding> result;
  for (auto& [place, finding] : unused) result.push_back(std::move(finding));
  return result;
}

std::vector<Finding> unused_in(const std::vector<Audit>& audits, const Request& request) {
  auto unused = unused_in(audits);
  if (request.devices.empty() && request.arch.empty()) return unused;
  if (!request.accept_without_promise) return {};
  std::erase_if(unused, [](const Finding& finding) {
    const auto& facts = finding.facts;
    const bool is_asked = facts.count("gpus") != 0 && facts.count("elsewhere") == 0;
    return !is_asked && facts.count("unmatched") == 0;
  });
  return unused;
}

}  // namespace archgrid::coverage
