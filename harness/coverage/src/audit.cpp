// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <archgrid/coverage/audit.hpp>
#include <archgrid/fatbin/parallel.hpp>
#include <iterator>
#include <memory>
#include <new>
#include <stdexcept>
#include <utility>

#include "breaches.hpp"
#include "budget.hpp"
#include "device_links.hpp"
#include "driver_notes.hpp"
#include "file_notes.hpp"
#include "idle_kernels.hpp"
#include "ignore.hpp"
#include "nothing_judged.hpp"
#include "other_packages.hpp"
#include "package.hpp"
#include "promise_evaluator.hpp"
#include "promise_use.hpp"
#include "promised_devices.hpp"
#include "variants.hpp"

namespace archgrid::coverage {
namespace {

using Selectors = std::vector<std::unique_ptr<ImageSelector>>;  ///< by file

/// An audit in progress.
struct AuditState {
  const Request& request;
  Audit& result;
  std::vector<Promise> promises;   ///< restricted to the devices of the request
  std::vector<bool> pattern_used;  ///< by promise
  std::vector<bool> ignore_used;   ///< by ignore of the request
};

/// Does a part of the work on one file. If memory runs out, the error names that file, without
/// which there is no audit.
template <typename Part>
void work_on(const fatbin::File& file, const Part& part) {
  try {
    part();
  } catch (const std::bad_alloc&) {
    throw std::runtime_error(fatbin::printable(file.path) +
                             ": there is not enough memory to judge it: audit fewer files at once");
  }
}

template <typename Found>
void append(std::vector<Found> found, std::vector<Found>& all) {
  std::move(found.begin(), found.end(), std::back_inserter(all));
}

void mark_used(const std::vector<bool>& used, std::vector<bool>& all) {
  for (std::size_t index = 0; index < all.size(); ++index) all[index] = all[index] || used[index];
}

std::vector<Promise> used_promises(const std::vector<Promise>& promises,
                                   const std::vector<bool>& used) {
  std::vector<Promise> result;
  for (std::size_t index = 0; index < promises.size(); ++index) {
    if (used[index]) result.push_back(promises[index]);
  }
  return result;
}

/// Returns the promise that a driver of the request implies for the devices.
Promise implied_promise(const Request& request, const std::vector<ComputeCapability>& devices) {
  Promise promise;
  promise.devices = devices;
  promise.driver = request.driver;
  return promise;
}

/// Returns the promises for kernels of the files; without promises, the devices of the request.
std::vector<Promise> concerned_promises(const AuditState& audit) {
  auto promises = used_promises(audit.promises, audit.pattern_used);
  const auto& request = audit.request;
  if (request.accept_without_promise && !request.devices.empty()) {
    promises.push_back(implied_promise(request, audit.result.devices));
  }
  return promises;
}

// Files of one cell are built together. For other files it is unknown whether one program loads
// them.
bool is_one_of_a_cell(const fatbin::File& file, const Request& request) {
  return !request.cell.empty() && may_be_variant(file);
}

/// Returns a selector for each file, which it refers to.
Selectors selectors_for(const std::vector<FileAudit>& files, const Request& request) {
  Selectors selectors(files.size());
  parallel_for(files.size(), [&](std::size_t index, std::size_t) {
    const auto& file = files[index].file;
    const auto found = request.elsewhere.find(file.path);
    const auto* elsewhere = found == request.elsewhere.end() ? nullptr : &found->second;
    work_on(file, [&] { selectors[index] = std::make_unique<ImageSelector>(file, elsewhere); });
  });
  return selectors;
}

void add_judged(std::size_t index, const ImageSelector& selector, const IdleByFile& idle,
                Judged judged, AuditState& audit) {
  auto& [request, result, promises, pattern_used, ignore_used] = audit;
  auto& file = result.files[index];
  file.rows = std::move(judged.rows);
  set_apart_suspects(file, selector, request, judged.breaches, result);
  const Told told{file, selector, result.devices, promises, request};
  append(findings_of(judged.breaches, told), result.findings);
  append(ignored_of(judged.ignored, told), result.ignored);
  mark_used(judged.promise_used, pattern_used);
  mark_used(judged.ignore_used, ignore_used);
  note_old_drivers(file.file, used_promises(promises, judged.promise_used), request, result);
  note_replaced(file, promises, judged.promise_used, result);
  note_picked(file, result);
  note_idle_kernels(index, idle, request, result);
  note_unserved_variables(file.file, result);
}

void judge_promises(const Selectors& selectors, const IdleByFile& idle, AuditState& audit) {
  auto& result = audit.result;
  Variants variants(result.files, selectors, audit.promises);
  for (std::size_t index = 0; index < result.files.size(); ++index) {
    const auto& file = result.files[index].file;
    work_on(file, [&] {
      auto judged =
          evaluate_promises(file, *selectors[index], audit.promises, result.devices, audit.request);
      if (is_one_of_a_cell(file, audit.request)) {
        note_misnamed(file, variants.misnamed_for(index), result);
        note_settled(file, variants.settle(index, result.devices, judged), result);
      }
      add_judged(index, *selectors[index], idle, std::move(judged), audit);
    });
  }
}

void judge_as_package(const Selectors& selectors, const IdleByFile& idle, AuditState& audit) {
  const auto& request = audit.request;
  auto& result = audit.result;
  judge_package(selectors, request, result);
  for (std::size_t index = 0; index < request.ignores.size(); ++index) {
    audit.ignore_used[index] = result.used.count(request.ignores[index].place) != 0;
  }
  for (std::size_t index = 0; index < result.files.size(); ++index) {
    const auto& file = result.files[index];
    if (request.driver && !result.devices.empty()) {
      note_old_drivers(file.file, {implied_promise(request, result.devices)}, request, result);
    }
    note_picked(file, result);
    note_idle_kernels(index, idle, request, result);
    if (request.devices.empty()) note_newer(file.file, *selectors[index], request, result);
  }
  explain_variants(request, result);
}

/// Returns the GPUs of a finding without a cause.
std::vector<ComputeCapability> gpus_of(const Finding& finding) {
  const auto device = parse_device(finding.device);
  return device ? std::vector<ComputeCapability>{*device} : finding.devices;
}

/// Reports whether an ignore names a finding without a kernel by its code, its file, or its GPU if
/// it is about no file, and, if the ignore has devices, by all its GPUs.
bool is_ignored_by_code(const Finding& finding, const Ignore& ignore) {
  if (finding.cause || !finding.kernel.str().empty()) return false;
  const auto& subject = finding.path.empty() ? finding.device : finding.path;
  if (!is_about_file(ignore, finding.code, subject)) return false;
  if (ignore.devices.empty()) return true;
  const auto devices = gpus_of(finding);
  return !devices.empty() &&
         std::all_of(devices.begin(), devices.end(),
                     [&](ComputeCapability device) { return is_there(ignore, device); });
}

/// Ignores findings about files and GPUs that an ignore names by code.
void ignore_by_code(AuditState& audit) {
  const auto& ignores = audit.request.ignores;
  auto& result = audit.result;
  std::vector<Finding> left;
  for (auto& finding : result.findings) {
    const Ignore* found = nullptr;
    for (std::size_t index = 0; index < ignores.size(); ++index) {
      if (!is_ignored_by_code(finding, ignores[index])) continue;
      audit.ignore_used[index] = true;
      if (found == nullptr) found = &ignores[index];
    }
    if (found == nullptr) {
      left.push_back(std::move(finding));
    } else {
      result.ignored.push_back({std::move(finding), found->reason});
    }
  }
  result.findings = std::move(left);
}

/// Notes the GPUs that a baseline never judged, as it is of a promise and the audit is not, or the
/// reverse.
void note_other_baseline(const Request& request, Audit& result) {
  if (!request.baseline) return;
  const auto& baseline = *request.baseline;
  const bool has_promise = !request.accept_without_promise;
  if (baseline.has_promise.value_or(has_promise) == has_promise) return;
  std::set<ComputeCapability> gpus;
  for (const auto device : result.devices) {
    if (!judged(baseline, device)) gpus.insert(device);
  }
  if (gpus.empty()) return;
  result.notes.push_back({.code = "baseline-of-other-gpus",
                          .facts = {{"baseline", fatbin::printable(baseline.path)},
                                    {"promise", has_promise ? "" : "yes"},
                                    {"gpus", list_devices(gpus)}}});
}

bool runs_with(Verdict verdict) {
  return verdict == Verdict::native || verdict == Verdict::compatible || verdict == Verdict::jit;
}

/// Notes the GPUs that the audit does not judge, that the baseline's files served and that no file
/// serves now. Such a loss breaks no promise.
void note_unjudged_losses(const Selectors& selectors, const Request& request, Audit& result) {
  const bool judges_all = request.accept_without_promise && request.devices.empty();
  if (!request.baseline || judges_all) return;
  std::vector<std::string> paths;
  for (const auto& file : result.files) paths.push_back(file.file.path);
  const auto runs = [&](ComputeCapability device) {
    return std::any_of(selectors.begin(), selectors.end(), [&](const auto& selector) {
      const auto& rows = selector->kernels();
      return std::any_of(rows.begin(), rows.end(), [&](const KernelRow& row) {
        return runs_with(
            selector->verdict(row, device, request.driver ? &*request.driver : nullptr));
      });
    });
  };
  std::set<ComputeCapability> lost;
  for (const auto device : ran_by(*request.baseline, request.cell, paths).any_code.served) {
    const auto& judged = result.devices;
    const bool is_judged = std::find(judged.begin(), judged.end(), device) != judged.end();
    if (!is_judged && !runs(device)) lost.insert(device);
  }
  if (lost.empty()) return;
  result.notes.push_back({.code = "lost-unjudged",
                          .facts = {{"baseline", fatbin::printable(request.baseline->path)},
                                    {"gpus", list_devices(lost)}}});
}

/// Reports whether the baseline has a kernel that ran.
bool had_kernels(const Request& request) {
  if (!request.baseline) return false;
  const auto& files = request.baseline->files;
  return std::any_of(files.begin(), files.end(), [](const auto& file) {
    return std::any_of(file.second.begin(), file.second.end(), [](const auto& kernel) {
      return std::any_of(kernel.second.begin(), kernel.second.end(),
                         [](const auto& verdict) { return runs_with(verdict.second); });
    });
  });
}

/// Notes that the baseline's verdicts decide nothing about bodies that are idle now, if it was
/// written by an older reading of bodies and has such kernels as running.
void note_old_bodies(const Request& request, Audit& result) {
  if (!request.baseline || !has_old_bodies(*request.baseline)) return;
  const auto ran_before = [&](const FileAudit& file, const Row& row, std::size_t at) {
    const auto& kernel = row.kernel;
    return row.fields[at].verdict == Verdict::empty &&
           ran(*request.baseline, {"", "", request.cell, file.file.path,
                                   kernel.name.empty() ? kernel.demangled.str() : kernel.name.str(),
                                   result.devices[at], Verdict::empty});
  };
  std::size_t kernels = 0;
  for (const auto& file : result.files) {
    for (const auto& row : file.rows) {
      bool is_one = false;
      for (std::size_t at = 0; at < row.fields.size() && !is_one; ++at) {
        is_one = ran_before(file, row, at);
      }
      kernels += is_one ? 1 : 0;
    }
  }
  if (kernels == 0) return;
  result.notes.push_back({.code = "baseline-of-older-archgrid",
                          .facts = {{"baseline", fatbin::printable(request.baseline->path)},
                                    {"version", fatbin::printable(request.baseline->version)},
                                    {"kernels", std::to_string(kernels)}}});
}

void finish(AuditState& audit) {
  const auto& request = audit.request;
  auto& result = audit.result;
  const auto has_rows = [](const FileAudit& file) { return !file.rows.empty(); };
  const bool any = std::any_of(result.files.begin(), result.files.end(), has_rows);
  const bool is_question = request.accept_without_promise && request.devices.empty();
  note_other_baseline(request, result);
  note_old_bodies(request, result);
  ignore_by_code(audit);  // before the search for device code, which a finding replaces
  if (!any && result.errors.empty() && result.findings.empty()) {
    note_no_device_code(request, result);
  }
  if (any && is_question) note_nothing_in_common(request, result);
  if (is_question && (any || !had_kernels(request))) move_nothing_to_judge(result);
  if (any && !is_question) note_nothing_judged(audit.promises, result);
  if (any) note_unknown_gpus(concerned_promises(audit), request, result);
  judge_budgets(request, audit.ignore_used, result);
  ignore_by_code(audit);
  note_unused(audit.promises, audit.pattern_used, request, audit.ignore_used, result);
}

}  // namespace

Audit audit(std::vector<fatbin::File> files, const Request& request) {
  Audit result;
  AuditState state{request, result, narrowed(request), {}, {}};
  state.pattern_used.resize(state.promises.size());
  state.ignore_used.resize(request.ignores.size());
  result.cell = request.cell;
  result.driver = request.driver;
  result.devices = devices_of(state.promises);
  result.errors = errors_of(files);
  for (auto& file : files) {
    note_stripped(file, result);
    note_build(file, request, result);
    result.files.push_back({std::move(file), {}});
  }
  if (request.accept_without_promise) note_other_packages(request, result);
  note_not_device_linked(result);
  resolve_across_files(result);
  const auto selectors = selectors_for(result.files, request);
  const auto idle = find_idle_kernels(result.files);
  if (request.accept_without_promise) {
    judge_as_package(selectors, idle, state);
  } else {
    judge_promises(selectors, idle, state);
  }
  note_unjudged_losses(selectors, request, result);
  finish(state);
  return result;
}

}  // namespace archgrid::coverage
