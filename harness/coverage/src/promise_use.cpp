// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "promise_use.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "audit_notes.hpp"
#include "contains.hpp"
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

void note_use(const std::string& place, const std::string& pattern, bool used, const char* code,
              Audit& result, const std::string& only = "") {
  if (used) {
    result.used.insert(place);
    return;
  }
  Finding finding;
  finding.code = code;
  finding.facts = {{"place", place}, {"pattern", pattern}};
  const auto wide = "*" + pattern + "*";
  if (!only.empty()) {
    finding.facts["only"] = only;
  } else if (!matches_any(pattern, result) && matches_any(wide, result)) {
    finding.facts["wide"] = wide;
  }
  result.unused.emplace(place, std::move(finding));
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
                 const std::vector<Ignore>& ignores, const std::vector<bool>& ignore_used,
                 Audit& result) {
  for (std::size_t index = 0; index < ignores.size(); ++index) {
    const auto& ignore = ignores[index];
    const auto& devices = ignore.devices;
    const bool concerned = devices.empty() || std::any_of(devices.begin(), devices.end(),
                                                          [&](ComputeCapability device) {
                                                            return contains(result.devices, device);
                                                          });
    if (concerned)
      note_use(ignore.place, ignore.kernel, ignore_used[index], "unused-ignore", result,
               ignore.code);
  }
  for (std::size_t index = 0; index < promises.size(); ++index) {
    const auto& promise = promises[index];
    if (promise.kernels.empty() || promise.devices.empty()) continue;
    note_use(promise.place, promise.kernels, pattern_used[index], "unused-promise", result);
  }
}

std::vector<Finding> unused_in(const std::vector<Audit>& audits) {
  std::map<std::string, Finding> unused;
  for (const auto& audit : audits) unused.insert(audit.unused.begin(), audit.unused.end());
  for (const auto& audit : audits) {
    for (const auto& place : audit.used) unused.erase(place);
  }
  std::vector<Finding> result;
  for (auto& [place, finding] : unused) result.push_back(std::move(finding));
  return result;
}

}  // namespace archgrid::coverage
