// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "package_answers.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include "driver.hpp"
#include "kernel_names.hpp"

namespace archgrid::coverage {
namespace {

constexpr std::size_t kAnswers = static_cast<std::size_t>(Answer::does_not_run) + 1;

Answer answer_of(bool has_code, Verdict verdict) {
  if (verdict == Verdict::empty) return Answer::does_nothing;
  if (has_code) return Answer::runs;
  if (verdict == Verdict::jit) return Answer::runs_after_jit;
  return verdict == Verdict::unknown ? Answer::unknown : Answer::does_not_run;
}

/// The answer for one kernel.
struct KernelAnswer {
  Answer answer = Answer::does_not_run;
  bool works = false;  ///< runs, or may, and its body is no empty one that is the same everywhere
  bool takes_ptx = false;  ///< of `does_nothing`
};

/// The kernels of a package on a device.
struct Counts {
  std::array<std::size_t, kAnswers> kernels = {};  ///< by answer
  std::size_t working = 0;
  std::size_t running = 0;   ///< part of `working`: without those that only may run
  std::size_t idle_ptx = 0;  ///< part of `does_nothing`

  [[nodiscard]] std::size_t of(Answer answer) const {
    return kernels.at(static_cast<std::size_t>(answer));
  }

  /// Reports whether there are bodies that do no work, and no other body works.
  [[nodiscard]] bool are_idle() const { return working == 0 && of(Answer::does_nothing) > 0; }

  /// Counts bodies that do no work as code that runs: they may be for other GPUs.
  void count_idle_as_running() {
    auto& idle = kernels.at(static_cast<std::size_t>(Answer::does_nothing));
    kernels.at(static_cast<std::size_t>(Answer::runs_after_jit)) += idle_ptx;
    kernels.at(static_cast<std::size_t>(Answer::runs)) += idle - idle_ptx;
    idle = 0;
  }
};

/// Reports whether the request's driver refuses to load a file whose code the device uses.
bool is_refused(PackageState& package, std::size_t index, ComputeCapability device) {
  const auto [known, is_new] = package.refused.try_emplace({index, device}, false);
  if (is_new) {
    const auto& file = package.result.files[index].file;
    const auto too_new = too_new_for(*package.request.driver, {device}, file);
    known->second = (too_new.toolkit != nullptr && too_new.registered) ||
                    undecoded_by(*package.request.driver, {device}, file).registered;
  }
  return known->second;
}

/// The drivers that an answer is about.
enum class Drivers { any, of_request };

KernelAnswer best_answer(PackageState& package, const std::vector<Place>& places,
                         ComputeCapability device, Drivers drivers) {
  KernelAnswer best;
  const bool is_any = drivers == Drivers::any || !package.request.driver;
  const auto* driver = is_any ? nullptr : &*package.request.driver;
  for (const auto& place : places) {
    if (driver != nullptr && is_refused(package, place.file, device)) continue;
    const auto& selector = *package.selectors[place.file];
    const auto prediction = selector.predict(*place.row, device, driver);
    const auto answer =
        answer_of(has_code(selector, prediction, device, package.request), prediction.verdict);
    if (answer < Answer::does_nothing && !best.works) {
      const auto* taken = selector.taken_kernel(*place.row, prediction.module, device);
      best.works = taken == nullptr || !fatbin::is_idle(taken->body);
    }
    if (best.answer < answer) continue;
    best.answer = answer;
    best.takes_ptx = !selector.takes_machine_code(prediction.module, device);
  }
  return best;
}

/// Reports whether a kernel is from an NVIDIA library that has other kernels for the device, from
/// which host code picks.
bool is_picked_by_nvidia(const PackageState& package, const std::vector<Place>& places,
                         ComputeCapability device) {
  return std::any_of(places.begin(), places.end(), [&](const Place& place) {
    const auto* served = find_served(package, place.file, device);
    return served != nullptr && served->kernels > 0 &&
           is_of_nvidia(place.row->name.str(),
                        library_of(package.result.files[place.file].file.path));
  });
}

/// Reports whether some file could not be read.
bool is_unread(const PackageState& package) {
  return std::any_of(package.result.files.begin(), package.result.files.end(),
                     [](const FileAudit& audit) { return !audit.file.errors.empty(); });
}

Counts count_answers(PackageState& package, const Places& kernels, ComputeCapability device,
                     Drivers drivers = Drivers::of_request) {
  Counts counts;
  for (const auto& [kernel, places] : kernels) {
    const auto [answer, works, takes_ptx] = best_answer(package, places, device, drivers);
    const bool is_for_others =
        answer == Answer::does_not_run && is_picked_by_nvidia(package, places, device);
    if (is_for_others) continue;
    ++counts.kernels.at(static_cast<std::size_t>(answer));
    counts.working += works ? 1 : 0;
    counts.running += works && answer <= Answer::runs_after_jit ? 1 : 0;
    counts.idle_ptx += answer == Answer::does_nothing && takes_ptx ? 1 : 0;
  }
  return counts;
}

/// Returns the answer for most kernels. `ships`: most of them are in files that serve the GPU,
/// where some kernels may be for other GPUs, as in an audit without a question. `is_free`: with any
/// driver.
Answer answer_of_most(const PackageState& package, Counts counts, bool ships, bool is_free) {
  const auto& kernels = counts.kernels;
  const auto all = std::accumulate(kernels.begin(), kernels.end(), std::size_t{0});
  if (all == 0) return is_unread(package) ? Answer::unknown : Answer::does_not_run;
  const auto idle = counts.of(Answer::does_nothing);
  if (counts.are_idle() && idle >= counts.of(Answer::does_not_run)) return Answer::does_nothing;
  if (ships && is_free) return Answer::runs;
  // Idle bodies beside others that work may be for other GPUs, unless they fill the large files.
  if (!ships && idle * 2 > all) return Answer::runs_in_part;
  counts.count_idle_as_running();
  std::size_t sum = 0;
  std::size_t answer = 0;
  for (; answer + 1 < kernels.size(); ++answer) {
    sum += kernels.at(answer);
    if (sum * 2 > all) break;
  }
  return static_cast<Answer>(answer);
}

void find_other_cpu(PackageState& package, std::string_view name, ComputeCapability device) {
  const auto first =
      std::find_if(package.result.files.begin(), package.result.files.end(), [&](auto& audit) {
        return package_of(package,
                          static_cast<std::size_t>(&audit - package.result.files.data())) == name;
      });
  Finding finding;
  finding.code = "other-cpu";
  finding.path = name;
  finding.device = device.text();
  finding.facts = {{"cpu", first->file.host_cpu},
                   {"board-cpu", table().find_architecture(device.number())->host_cpu}};
  package.result.findings.push_back(std::move(finding));
}

/// Reports whether most kernels for the device have bodies that do no work there. Those with other
/// bodies count as kernels for it.
bool does_little(PackageState& package, const Places& kernels, ComputeCapability device,
                 const Counts& counts, Drivers drivers, const IsUnexplained& is_unexplained) {
  if (counts.of(Answer::does_nothing) <= counts.working) return false;
  std::size_t idle = 0;
  for (const auto& [kernel, places] : kernels) {
    const auto best = best_answer(package, places, device, drivers);
    if (best.answer != Answer::does_nothing) continue;
    const bool is_idle = std::any_of(places.begin(), places.end(), [&](const Place& place) {
      return is_unexplained(place, device);
    });
    idle += is_idle ? 1 : 0;
  }
  return idle > counts.working;
}

/// Returns the answer by the code of the package alone, for drivers that know the device.
Answer answer_by_code(PackageState& package, std::string_view name, ComputeCapability device,
                      Drivers drivers, const IsUnexplained& is_unexplained) {
  const auto found = package.places.find(name);
  if (found == package.places.end()) return Answer::unknown;  // no kernels
  const bool ships = package.shipped.count({name, device}) != 0;
  const auto counts = count_answers(package, found->second, device, drivers);
  // A driver that changes no kernel's answer does not change that of the package.
  const bool is_free =
      drivers == Drivers::any || !package.request.driver ||
      counts.kernels == count_answers(package, found->second, device, Drivers::any).kernels;
  const auto answer = answer_of_most(package, counts, ships, is_free);
  // The package does not record whether the GPU needs the file with most kernels.
  const bool in_part =
      answer == Answer::does_not_run && is_free && is_served(package, name, device);
  const bool runs = answer == Answer::runs || answer == Answer::runs_after_jit;
  const bool is_little =
      runs && does_little(package, found->second, device, counts, drivers, is_unexplained);
  return in_part || is_little ? Answer::runs_in_part : answer;
}

bool is_refused_by_driver(const PackageState& package, ComputeCapability device) {
  return package.request.driver && misfit_of(*package.request.driver, device);
}

Answer answer_for(PackageState& package, std::string_view name, ComputeCapability device,
                  const IsUnexplained& is_unexplained) {
  if (is_refused_by_driver(package, device)) return Answer::does_not_run;
  if (is_beside_other_cpu(package, name, device)) {
    find_other_cpu(package, name, device);
    return Answer::does_not_run;
  }
  return answer_by_code(package, name, device, Drivers::of_request, is_unexplained);
}

/// Returns the answer for people, to whom "does not run" means that no kernel runs. For the rules
/// it means that most kernels do not run, so that a few that do hide no error.
Answer told_answer(PackageState& package, std::string_view name, ComputeCapability device,
                   Answer answer) {
  const auto found = package.places.find(name);
  if (answer != Answer::does_not_run || found == package.places.end() ||
      is_refused_by_driver(package, device) || is_beside_other_cpu(package, name, device)) {
    return answer;
  }
  return count_answers(package, found->second, device).running > 0 ? Answer::runs_in_part : answer;
}

/// Returns the packages with kernels, or all if there are none.
std::set<std::string_view> packages_to_answer_for(const PackageState& package) {
  std::set<std::string_view> packages;
  for (const auto& [name, places] : package.places) packages.insert(name);
  for (std::size_t index = 0; package.places.empty() && index < package.selectors.size(); ++index) {
    packages.insert(package_of(package, index));
  }
  return packages;
}

void add_change(PackageState& package, const char* code, const std::string& path,
                std::vector<ComputeCapability> devices) {
  if (devices.empty()) return;
  Finding finding;
  finding.code = code;
  finding.cell = package.request.cell;
  finding.path = path;
  finding.devices = std::move(devices);
  finding.facts = {{"baseline", fatbin::printable(package.request.baseline->path)}};
  package.result.findings.push_back(std::move(finding));
}

/// The change of a package's service of a device since the baseline.
enum class Change { none, lost, degraded };

/// A package on a device.
struct Service {
  std::string_view name;
  const Places& places;
  ComputeCapability device;
};

/// Reports whether most kernels of the package ran on the device.
bool most_ran(const Ran& ran, const RanOn& by, ComputeCapability device) {
  const auto found = by.kernels.find(device);
  return found != by.kernels.end() && found->second * 2 > ran.kernels;
}

/// Reports whether the package, or one of its files, served the device, and none does now.
bool is_given_up(const PackageState& package, const Service& service, const Ran& ran,
                 const RanOn& by) {
  const bool is_most = most_ran(ran, by, service.device);
  if (!is_most && by.served.count(service.device) == 0) return false;
  return !(is_most ? package.shipped.count({service.name, service.device}) != 0
                   : is_served(package, service.name, service.device));
}

Change change_on(PackageState& package, const Service& service, const Ran& ran) {
  const bool is_lost = is_given_up(package, service, ran, ran.any_code);
  const bool is_degraded = is_given_up(package, service, ran, ran.machine_code);
  if (!is_lost && !is_degraded) return Change::none;
  const auto counts = count_answers(package, service.places, service.device);
  const auto of_most = answer_of_most(package, counts, false, !package.request.driver);
  if (is_lost) {
    const bool may_run = most_ran(ran, ran.any_code, service.device)
                             ? of_most < Answer::does_nothing
                             : counts.of(Answer::runs_after_jit) + counts.of(Answer::unknown) > 0;
    if (!may_run) return Change::lost;
  }
  const bool by_ptx = most_ran(ran, ran.machine_code, service.device)
                          ? of_most == Answer::runs_after_jit
                          : counts.of(Answer::runs_after_jit) > 0;
  return is_degraded && by_ptx ? Change::degraded : Change::none;
}

}  // namespace

void find_answers(PackageState& package, const IsUnexplained& is_unexplained) {
  const auto packages = packages_to_answer_for(package);
  for (const auto device : package.request.devices) {
    auto worst = packages.empty() ? Answer::unknown : Answer::runs;
    for (const auto& name : packages) {
      const auto answer = answer_for(package, name, device, is_unexplained);
      package.answers[{name, device}] = answer;
      package.answers_by_code[{name, device}] =
          package.request.driver
              ? answer_by_code(package, name, device, Drivers::any, is_unexplained)
              : answer;
      const auto told = told_answer(package, name, device, answer);
      package.result.package_answers[std::string(name)][device] = told;
      worst = std::max(worst, told);
    }
    package.result.answers[device] = worst;
  }
}

Answer answer_about(const PackageState& package, std::string_view name, ComputeCapability device) {
  const auto found = package.answers.find({name, device});
  return found == package.answers.end() ? Answer::does_not_run : found->second;
}

Answer answer_of_code(const PackageState& package, std::string_view name,
                      ComputeCapability device) {
  const auto found = package.answers_by_code.find({name, device});
  return found == package.answers_by_code.end() ? Answer::does_not_run : found->second;
}

void find_lost(PackageState& package) {
  if (!package.request.baseline) return;
  const bool is_question = !package.request.devices.empty();
  for (const auto& [name, places] : package.places) {
    std::vector<std::string> files;
    for (std::size_t index = 0; index < package.selectors.size(); ++index) {
      if (package_of(package, index) == name)
        files.push_back(package.result.files[index].file.path);
    }
    const auto ran = ran_by(*package.request.baseline, package.request.cell, files);
    const auto path = name.empty() ? files.front() : std::string(name);
    std::vector<ComputeCapability> lost;
    std::vector<ComputeCapability> degraded;
    for (const auto& [device, kernels] : ran.any_code.kernels) {
      if (is_question && !is_asked(package, device)) continue;
      const auto change = change_on(package, {name, places, device}, ran);
      if (change == Change::lost && !is_question) lost.push_back(device);
      if (change == Change::degraded) degraded.push_back(device);
    }
    add_change(package, "gpu-lost", path, std::move(lost));
    add_change(package, "gpu-degraded", path, std::move(degraded));
  }
}

const char* name_of(Answer answer) {
  constexpr std::array<const char*, kAnswers> kNames = {
      "runs", "runs-after-jit", "runs-in-part", "unknown", "does-nothing", "does-not-run"};
  return kNames.at(static_cast<std::size_t>(answer));
}

}  // namespace archgrid::coverage
