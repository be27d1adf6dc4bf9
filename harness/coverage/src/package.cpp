// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "package.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "file_evaluator.hpp"
#include "package_answers.hpp"
#include "package_state.hpp"

namespace archgrid::coverage {
namespace {

/// Removes the devices that the request does not name.
void keep_asked(PackageState& package) {
  std::vector<ComputeCapability> kept;
  std::vector<std::size_t> places;
  for (std::size_t at = 0; at < package.result.devices.size(); ++at) {
    if (!is_asked(package, package.result.devices[at])) continue;
    kept.push_back(package.result.devices[at]);
    places.push_back(at);
  }
  for (auto& audit : package.result.files) {
    for (auto& row : audit.rows) {
      std::vector<Field> fields;
      for (const auto at : places) fields.push_back(std::move(row.fields[at]));
      row.fields = std::move(fields);
    }
  }
  package.result.devices = std::move(kept);
  auto& unjudged = package.result.unjudged;
  for (auto& [path, devices] : unjudged) {
    std::erase_if(devices, [&](ComputeCapability device) { return !is_asked(package, device); });
  }
  std::erase_if(unjudged, [](const auto& entry) { return entry.second.empty(); });
}

/// Returns a path without the Python version, by which Python picks the file on any GPU.
std::string without_python(std::string path) {
  for (const std::string_view word : {"cpython-3", "cp3", "pp3"}) {
    const auto at = path.rfind(word);
    if (at == std::string::npos) continue;
    auto end = at + word.size();
    while (end < path.size() && path[end] >= '0' && path[end] <= '9') ++end;
    path.erase(at, end - at);
  }
  return path;
}

/// Reports whether files that ship the device have most kernels of this file: host code picks the
/// file by GPU, or by the CUDA version that it finds.
bool has_variant(PackageState& package, std::size_t index, ComputeCapability device) {
  std::size_t elsewhere = 0;
  const auto& rows = package.selectors[index]->kernels();
  const auto& places = package.places[package_of(package, index)];
  const auto own = without_python(package.result.files[index].file.path);
  for (const auto& row : rows) {
    const auto found = places.find(row.name.str());
    if (found == places.end()) continue;
    const bool is_elsewhere =
        std::any_of(found->second.begin(), found->second.end(), [&](const Place& place) {
          return place.file != index && serves(package, place.file, device) &&
                 without_python(package.result.files[place.file].file.path) != own;
        });
    elsewhere += is_elsewhere ? 1 : 0;
  }
  return elsewhere * 2 > rows.size();
}

/// Returns the rule for a file that does not ship a device; nothing if it does not have to.
std::optional<Rule> rule_for(PackageState& package, std::size_t index, ComputeCapability device) {
  const auto* served = find_served(package, index, device);
  if (served == nullptr || served->ships) return std::nullopt;
  if (has_variant(package, index, device)) return Rule::variant;
  if (is_claimed(package, index, device) && !is_served(package, package_of(package, index), device))
    return Rule::claimed;
  if (package.shipped.count({package_of(package, index), device}) != 0) return Rule::package;
  if (is_asked(package, device)) {
    const auto answer = answer_about(package, package_of(package, index), device);
    const bool is_lacking =
        answer >= Answer::unknown || (answer == Answer::runs_in_part && !served->works);
    return is_lacking ? Rule::asked : Rule::package;
  }
  return served->kernels == 0 && is_served(package, package_of(package, index), device)
             ? std::optional<Rule>(Rule::minority)
             : std::nullopt;
}

/// Makes bodies that do no work errors on GPUs that the user asks about: all bodies of a file of
/// which none works there, and else those that nothing explains, if the package runs in part.
void expect_work(const PackageState& package, std::size_t index, FileEvaluator& file) {
  DeviceMask all;
  DeviceMask unexplained;
  for (std::size_t at = 0; at < package.result.devices.size(); ++at) {
    const auto device = package.result.devices[at];
    if (!is_asked(package, device)) continue;
    const auto answer = answer_of_code(package, package_of(package, index), device);
    const auto* served = find_served(package, index, device);
    const bool is_part = answer == Answer::runs_in_part;
    const bool works = served == nullptr || served->works;
    all[at] = answer == Answer::does_nothing || (is_part && !works);
    unexplained[at] = is_part && works;
  }
  std::set<std::size_t> launched;
  for (const auto* row : package.launched[index]) {
    launched.insert(static_cast<std::size_t>(row - package.selectors[index]->kernels().data()));
  }
  file.expect_work(all, unexplained, std::move(launched));
}

/// Returns the guard of a file, empty if the request has none. Of a file whose host code cannot be
/// followed, as of Windows or another CPU, it answers by another file of the package that has the
/// kernel.
HostGuard guard_of(PackageState& package, std::size_t index) {
  const auto places = package.places.find(package_of(package, index));
  if (!package.request.host_check || places == package.places.end()) return {};
  return [&package, &kernels = places->second](const std::string& path, const std::string& kernel,
                                               ComputeCapability failing,
                                               const std::vector<ComputeCapability>& working) {
    auto check = package.request.host_check(path, kernel, failing, working);
    const auto found = kernels.find(kernel);
    if (found == kernels.end()) return check;
    for (const auto& place : found->second) {
      if (check != HostCheck::unreadable) break;
      const auto& other = package.result.files[place.file].file.path;
      if (other != path) check = package.request.host_check(other, kernel, failing, working);
    }
    return check;
  };
}

/// Notes the devices that run a minority of kernels: either group of kernels may be the
/// exception.
void note_unjudged(PackageState& package, std::size_t index,
                   const std::set<ComputeCapability>& judged) {
  std::set<ComputeCapability> unknown;
  std::set<ComputeCapability> left_out;
  std::string few;
  const auto& path = package.result.files[index].file.path;
  for (const auto& on : package.served[index]) {
    if (on.kernels == 0 || judged.count(on.device) != 0) continue;
    if (!is_asked(package, on.device) &&
        (!package.request.devices.empty() ||
         (is_in_no_product(package, on.device) && !is_claimed(package, index, on.device)))) {
      continue;
    }
    if (!is_asked(package, on.device) && is_left_out(package, index, on.device)) {
      left_out.insert(on.device);
      continue;
    }
    package.result.unjudged[path].insert(on.device);
    if (is_without_driver(package, on.device)) {
      unknown.insert(on.device);
    } else {
      few += (few.empty() ? "" : ", ") + on.device.text() + " (" + std::to_string(on.kernels) + ")";
    }
  }
  if (!few.empty()) {
    package.result.notes.push_back(
        {"served-in-part",
         path,
         {{"of", std::to_string(package.selectors[index]->kernels().size())},
          {"accept", list_verdicts(*package.request.accept_without_promise)},
          {"gpus", few}}});
  }
  if (!left_out.empty()) {
    package.result.notes.push_back(
        {"gpus-left-out",
         path,
         {{"source", claim_of(package, index)->source}, {"gpus", list_devices(left_out)}}});
  }
  if (!unknown.empty()) {
    package.result.notes.push_back(
        {"gpus-without-driver",
         path,
         {{"driver", package.request.driver->name}, {"gpus", list_devices(unknown)}}});
  }
}

/// Fills in the rows of a file.
void evaluate_rows(const PackageState& package, std::size_t index) {
  auto& audit = package.result.files[index];
  Promise promise;
  promise.accept = *package.request.accept_without_promise;
  promise.driver = package.request.driver;
  for (const auto& on : package.served[index]) {
    if (on.ships && !is_beside_other_cpu(package, package_of(package, index), on.device))
      promise.devices.push_back(on.device);
  }
  audit.rows = evaluate_promises(audit.file, *package.selectors[index], {promise},
                                 package.result.devices, package.request)
                   .rows;
}

void judge_file(PackageState& package, std::size_t index, FileEvaluator& file) {
  const auto& audit = package.result.files[index];
  expect_work(package, index, file);
  file.find_lacking_kernels();
  std::set<ComputeCapability> judged;
  for (std::size_t at = 0; at < package.result.devices.size(); ++at) {
    const auto device = package.result.devices[at];
    const bool is_shipped = ships(package, index, device);
    const bool is_beside = is_beside_other_cpu(package, package_of(package, index), device);
    if (is_shipped && !is_beside) judged.insert(device);
    if (audit.rows.empty() || is_shipped || is_beside) continue;
    if (!is_asked(package, device) && is_left_out(package, index, device)) continue;
    file.find_failures(at);
    const auto rule = rule_for(package, index, device);
    if (!rule) continue;
    file.find_lacking_device(at, *rule);
    judged.insert(device);
  }
  file.report();
  note_unjudged(package, index, judged);
}

/// Reports whether some kernel may run on the device, be it after compiling PTX.
bool may_run(const PackageState& package, const Places& places, ComputeCapability device) {
  const auto runs = [&](const Place& place) {
    const auto verdict = package.selectors[place.file]->verdict(*place.row, device, nullptr);
    return is_machine_code(verdict) || verdict == Verdict::jit || verdict == Verdict::unknown;
  };
  return std::any_of(places.begin(), places.end(), [&](const auto& kernel) {
    return std::any_of(kernel.second.begin(), kernel.second.end(), runs);
  });
}

/// Reports whether the metadata of a file of the package leave the device out.
bool is_left_out_of(const PackageState& package, std::string_view name, ComputeCapability device) {
  for (std::size_t index = 0; index < package.selectors.size(); ++index) {
    if (package_of(package, index) == name && is_left_out(package, index, device)) return true;
  }
  return false;
}

/// Returns the boards' GPUs between the oldest and the newest served one on which nothing of the
/// package runs.
std::vector<ComputeCapability> gpus_between(const PackageState& package, std::string_view name,
                                            const Places& places) {
  std::vector<ComputeCapability> served;
  for (const auto device : package.result.devices) {
    if (is_served(package, name, device)) served.push_back(device);
  }
  std::vector<ComputeCapability> gpus;
  for (const auto& gpu : table().architectures) {
    const bool is_between =
        !served.empty() && served.front() < gpu.device && gpu.device < served.back();
    if (!is_between || gpu.integrated || gpu.products.empty()) continue;
    if (is_served(package, name, gpu.device) || is_left_out_of(package, name, gpu.device)) continue;
    if (!may_run(package, places, gpu.device)) gpus.push_back(gpu.device);
  }
  return gpus;
}

void note_gpus_between(PackageState& package) {
  const auto& files = package.result.files;
  const bool is_unread = std::any_of(files.begin(), files.end(), [](const FileAudit& audit) {
    return !audit.file.errors.empty();
  });
  if (is_unread) return;
  for (const auto& [name, places] : package.places) {
    const auto gpus = gpus_between(package, name, places);
    if (gpus.empty()) continue;
    package.result.notes.push_back(
        {"gpus-between", std::string(name), {{"gpus", list_devices(gpus)}}});
  }
}

/// Finds the GPUs lost since the baseline, judged for its driver as well: neither a driver that
/// only one of the audits names nor another one is a loss.
void find_lost_since(PackageState& package) {
  const auto& baseline = package.request.baseline;
  if (!baseline || has_driver(*baseline, package.request.driver)) {
    find_lost(package);
    return;
  }
  auto request = package.request;
  request.driver = baseline->driver;
  PackageState alike{package.selectors, request, package.result};
  find_shipped(alike);
  find_lost(alike);
  const auto name = [](const std::optional<Driver>& driver) {
    return driver ? spelling_of(*driver) : std::string();
  };
  package.result.notes.push_back({"baseline-of-other-driver",
                                  "",
                                  {{"baseline", fatbin::printable(baseline->path)},
                                   {"driver", name(package.request.driver)},
                                   {"was", name(baseline->driver)}}});
}

}  // namespace

void set_apart_suspects(FileAudit& file, const ImageSelector& selector, const Request& request,
                        std::vector<Breach>& breaches, Audit& audit) {
  const auto is_strict = [](const Breach& breach) { return breach.strict; };
  if (std::all_of(breaches.begin(), breaches.end(), is_strict)) return;
  FileEvaluator evaluator(file, selector, request, audit, request.host_check);
  evaluator.set_apart(breaches);
  evaluator.report();
}

void judge_package(const std::vector<std::unique_ptr<ImageSelector>>& selectors,
                   const Request& request, Audit& audit) {
  PackageState package{selectors, request, audit};
  find_shipped(package);
  publish_devices(package);
  std::vector<std::unique_ptr<FileEvaluator>> files;
  for (std::size_t index = 0; index < selectors.size(); ++index) {
    evaluate_rows(package, index);
    files.push_back(std::make_unique<FileEvaluator>(audit.files[index], *selectors[index], request,
                                                    audit, guard_of(package, index)));
  }
  find_answers(package, [&](const Place& place, ComputeCapability device) {
    const auto at = std::find(audit.devices.begin(), audit.devices.end(), device);
    const auto row = place.row - selectors[place.file]->kernels().data();
    return files[place.file]
               ->unexplained_refusals(static_cast<std::size_t>(at - audit.devices.begin()))
               .count(static_cast<std::size_t>(row)) != 0;
  });
  for (std::size_t index = 0; index < selectors.size(); ++index) {
    judge_file(package, index, *files[index]);
    files[index].reset();
  }
  find_lost_since(package);
  if (request.devices.empty()) {
    note_gpus_between(package);
  } else {
    keep_asked(package);
  }
  for (const auto& [path, claim] : request.claims) {
    if (!claim.is_unread) continue;
    audit.notes.push_back({"metadata-not-read", path, {{"source", claim.source}}});
  }
}

}  // namespace archgrid::coverage
