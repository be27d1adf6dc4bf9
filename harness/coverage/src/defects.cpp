// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "defects.hpp"

#include <algorithm>
#include <archgrid/coverage/rules.hpp>
#include <string_view>
#include <tuple>

#include "contains.hpp"
#include "ignore.hpp"

namespace archgrid::coverage {
namespace {

/// Returns the verdicts that count as running.
Verdicts accepted_by(const Request& request) {
  if (request.accept_without_promise) return *request.accept_without_promise;
  Verdicts accepted;
  for (const auto& promise : request.promises) {
    accepted.insert(promise.accept.begin(), promise.accept.end());
  }
  return accepted;
}

const Driver* driver_of(const Request& request) {
  if (request.driver) return &*request.driver;
  for (const auto& promise : request.promises) {
    if (promise.driver) return &*promise.driver;
  }
  return nullptr;
}

bool is_same(const Defect& left, const Defect& right) {
  return !(left < right) && !(right < left);
}

bool is_in_baseline(const FileContext& file, std::size_t row, std::size_t at,
                    const Defect& defect) {
  const auto& request = file.request;
  if (!request.baseline) return false;
  auto trouble = trouble_of(file, row, at);
  trouble.code = defect.code;
  trouble.rule = name_of(defect.rule);
  return is_known(*request.baseline, trouble);
}

void add_to(KernelDefects& own, const Defect& defect, std::size_t at) {
  const auto found = std::find_if(own.begin(), own.end(),
                                  [&](const auto& known) { return is_same(known.first, defect); });
  auto& devices =
      found == own.end() ? own.emplace_back(defect, DeviceMask()).second : found->second;
  devices.set(at);
}

/// Returns the first entry that ignores the kernel's defect on the device; null for none.
const Ignore* ignore_for(const FileContext& file, std::size_t row, std::size_t at,
                         const Defect& defect) {
  for (const auto& ignore : file.request.ignores) {
    if (is_there(ignore, file.result.devices[at]) &&
        is_about(ignore, defect.code, kernel_of(file, row), file.audit.file.path)) {
      return &ignore;
    }
  }
  return nullptr;
}

}  // namespace

FileContext context_of(FileAudit& audit, const ImageSelector& selector, const Request& request,
                       Audit& result) {
  FileContext file{audit, selector, request, result, driver_of(request), accepted_by(request), {}};
  for (std::size_t at = 0; at < result.devices.size(); ++at) {
    file.asked[at] = request.devices.empty() || !request.accept_without_promise ||
                     contains(request.devices, result.devices[at]);
  }
  return file;
}

Gap gap_of(const FileContext& file, std::size_t row, std::size_t at) {
  return {row, at,
          file.selector.predict(kernel_of(file, row), file.result.devices[at], file.driver)};
}

KernelTrouble trouble_of(const FileContext& file, std::size_t row, std::size_t at) {
  const auto& own = kernel_of(file, row);
  KernelTrouble trouble;
  trouble.cell = file.request.cell;
  trouble.path = file.audit.file.path;
  trouble.kernel = own.name.empty() ? own.demangled.str() : own.name.str();
  trouble.device = file.result.devices[at];
  trouble.verdict = file.audit.rows[row].fields[at].verdict;
  return trouble;
}

bool is_ignored(const FileContext& file, std::size_t row, std::size_t at, const Defect& defect) {
  return ignore_for(file, row, at, defect) != nullptr || is_in_baseline(file, row, at, defect);
}

void add_defect(const FileContext& file, std::size_t row, std::size_t at, const Defect& defect,
                FileDefects& defects) {
  auto& field = file.audit.rows[row].fields[at];
  auto& state = field.state;
  const bool is_error = file.request.strict || severity_of(defect.rule) == Severity::error;
  if (const auto* ignore = ignore_for(file, row, at, defect)) {
    state = State::ignored;
    field.unignored = State::not_promised;
    field.in_doubt = false;
    field.hides_error = is_error;
    file.result.used.insert(ignore->place);
    add_to(defects.ignored[ignore][row], defect, at);
    return;
  }
  const bool is_known = is_in_baseline(file, row, at, defect);
  const auto unignored = is_error ? State::broken : State::suspect;
  state = is_known ? State::ignored : unignored;
  field.unignored = is_known ? unignored : State::not_promised;
  field.hides_error = is_known && is_error;
  field.in_doubt =
      unignored == State::suspect && field.verdict == Verdict::empty && leaves_doubt(defect.rule);
  add_to((is_known ? defects.known : defects.found)[row], defect, at);
}

void remove_defect(std::size_t row, std::size_t at, const Defect& defect, FileDefects& defects) {
  auto& own = defects.found[row];
  const auto found = std::find_if(own.begin(), own.end(),
                                  [&](const auto& known) { return is_same(known.first, defect); });
  found->second.reset(at);
}

}  // namespace archgrid::coverage
