// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <archgrid/coverage/arch_plan.hpp>
#include <archgrid/coverage/load_rules.hpp>
#include <map>
#include <stdexcept>
#include <tuple>

#include "contains.hpp"
#include "driver.hpp"
#include "joined.hpp"

namespace archgrid::coverage {
namespace {

using fatbin::Arch;
using Archs = std::vector<Arch>;

// Far above the number of archs that any toolkit has for devices with common archs.
constexpr std::size_t kMaxCandidates = 24;

bool is_before(Arch left, Arch right) {
  return std::make_tuple(left.number, left.suffix) < std::make_tuple(right.number, right.suffix);
}

const Toolkit& toolkit_of(Version cuda) {
  const auto* found = table().find_toolkit(cuda);
  if (found == nullptr) {
    throw std::invalid_argument(fmt::format("CUDA {} is not in the table", cuda.text()));
  }
  return *found;
}

// nvcc 13.0 to 13.5 refuse sm_100 beside sm_100f in one call (measured).
bool clash(Arch left, Arch right) {
  const auto is_pair = [](char one, char other) { return one == '\0' && other == 'f'; };
  return left.number == right.number &&
         (is_pair(left.suffix, right.suffix) || is_pair(right.suffix, left.suffix));
}

/// The code of an arch list that a device uses.
struct Outcome {
  Verdict verdict = Verdict::missing;
  Arch arch;
  bool ptx = false;
};

template <typename Fits>
const Arch* preferred(const Archs& archs, const Fits& fits) {
  const Arch* found = nullptr;
  for (const auto& arch : archs) {
    if (fits(arch) && (found == nullptr || load_priority(*found) < load_priority(arch)))
      found = &arch;
  }
  return found;
}

bool reads_no_ptx(const Wanted& wanted, Version ptx_isa) {
  return wanted.driver && wanted.driver->ptx_isa < ptx_isa;
}

std::optional<Misfit> misfit_of(const Wanted& wanted) {
  return wanted.driver ? misfit_of(*wanted.driver, wanted.device) : std::nullopt;
}

/// Reports whether nothing that the toolkit compiles runs on the device with its driver.
bool is_barred(const Toolkit& toolkit, const Wanted& wanted) {
  return wanted.driver && (is_too_old(*wanted.driver, toolkit) || misfit_of(wanted));
}

Outcome outcome_of(const Archs& sass, const Archs& ptx, const Wanted& wanted, Version ptx_isa) {
  const auto device = wanted.device;
  const auto* sure = preferred(sass, [&](Arch a) { return sass_loads(a, device) == Loads::yes; });
  if (sure != nullptr) {
    const bool exact = sure->number == device.number();
    return {exact ? Verdict::native : Verdict::compatible, *sure, false};
  }
  const auto* reaching = preferred(ptx, [&](Arch a) { return ptx_reaches(a, device); });
  const bool too_old = reads_no_ptx(wanted, ptx_isa);
  if (reaching != nullptr && !too_old) return {Verdict::jit, *reaching, true};
  const auto* unsure =
      preferred(sass, [&](Arch a) { return sass_loads(a, device) == Loads::unsure; });
  if (unsure != nullptr) return {Verdict::unknown, *unsure, false};
  if (reaching != nullptr) return {Verdict::ptx_too_new, *reaching, true};
  return {};
}

bool is_accepted(const Outcome& outcome, const Wanted& wanted) {
  return wanted.accept.count(outcome.verdict) != 0;
}

/// The code with which a toolkit can serve a device, the best first.
enum class Means { sass, ptx, unsure_sass, none };

Archs plain_up_to(const Archs& archs, ComputeCapability device) {
  Archs result;
  std::copy_if(archs.begin(), archs.end(), std::back_inserter(result),
               [&](Arch arch) { return arch.suffix == '\0' && ptx_reaches(arch, device); });
  return result;
}

Means means_for(const Toolkit& toolkit, const Wanted& wanted, PtxWish wish) {
  if (is_barred(toolkit, wanted)) return Means::none;
  const auto serves = [&](Arch arch) {
    return is_accepted(outcome_of({arch}, {}, wanted, toolkit.ptx_isa), wanted);
  };
  const auto loads = [&](Arch arch) {
    return sass_loads(arch, wanted.device) == Loads::yes && serves(arch);
  };
  const auto& archs = toolkit.archs;
  if (std::any_of(archs.begin(), archs.end(), loads)) return Means::sass;
  const bool compiles = wish != PtxWish::never && wanted.accept.count(Verdict::jit) != 0 &&
                        !reads_no_ptx(wanted, toolkit.ptx_isa);
  if (compiles && !plain_up_to(archs, wanted.device).empty()) return Means::ptx;
  return std::any_of(archs.begin(), archs.end(), serves) ? Means::unsure_sass : Means::none;
}

/// The rating of a list: less is better.
using Score =
    std::tuple<std::size_t, std::size_t, std::size_t, std::size_t, std::size_t, std::vector<int>>;

Score score(const Archs& archs, const std::vector<Wanted>& devices) {
  std::size_t unserved = 0;
  std::size_t foreign = 0;
  for (const auto& wanted : devices) {
    const auto outcome = outcome_of(archs, {}, wanted, {});
    if (!is_accepted(outcome, wanted)) ++unserved;
    if (outcome.verdict != Verdict::native) ++foreign;
  }
  std::size_t specific = 0;
  std::size_t family = 0;
  std::vector<int> numbers;
  for (const auto arch : archs) {
    if (arch.suffix == 'a') ++specific;
    if (arch.suffix == 'f') ++family;
    numbers.push_back(arch.number);
  }
  return {unserved, archs.size(), foreign, specific, family, std::move(numbers)};
}

bool may_load(Arch arch, const Wanted& wanted) {
  return sass_loads(arch, wanted.device) != Loads::no;
}

/// Devices that share no arch with those of other groups, so each group is planned separately.
struct Group {
  std::vector<Wanted> devices;
  Archs archs;
};

/// Merges all groups that have an arch in common with the device.
void add_device(std::vector<Group>& groups, const Wanted& wanted, const Archs& archs) {
  Group joined{{wanted}, {}};
  std::copy_if(archs.begin(), archs.end(), std::back_inserter(joined.archs),
               [&](Arch arch) { return may_load(arch, wanted); });
  for (auto group = groups.begin(); group != groups.end();) {
    const bool shared = std::any_of(group->archs.begin(), group->archs.end(),
                                    [&](Arch arch) { return contains(joined.archs, arch); });
    if (!shared) {
      ++group;
      continue;
    }
    joined.devices.insert(joined.devices.end(), group->devices.begin(), group->devices.end());
    for (const auto arch : group->archs) {
      if (!contains(joined.archs, arch)) joined.archs.push_back(arch);
    }
    group = groups.erase(group);
  }
  std::sort(joined.archs.begin(), joined.archs.end(), is_before);
  groups.push_back(std::move(joined));
}

bool has_clash(const Archs& archs) {
  for (const auto left : archs) {
    for (const auto right : archs) {
      if (clash(left, right)) return true;
    }
  }
  return false;
}

/// Returns the best list for a group that contains all of `with`, by trying every such list.
Archs best_list(const Group& group, const Archs& with) {
  Archs candidates;
  Archs always;
  for (const auto arch : group.archs) (contains(with, arch) ? always : candidates).push_back(arch);
  if (candidates.size() > kMaxCandidates) {
    throw std::logic_error(fmt::format("{} archs are too many to try", candidates.size()));
  }
  Archs best = always;
  auto least = score(best, group.devices);
  for (std::uint32_t chosen = 1; chosen < (std::uint32_t{1} << candidates.size()); ++chosen) {
    Archs archs = always;
    for (std::size_t index = 0; index < candidates.size(); ++index) {
      if ((chosen >> index & 1U) != 0) archs.push_back(candidates[index]);
    }
    std::sort(archs.begin(), archs.end(), is_before);
    if (has_clash(archs)) continue;
    auto found = score(archs, group.devices);
    if (least <= found) continue;
    least = std::move(found);
    best = std::move(archs);
  }
  return best;
}

class Planner {
 public:
  explicit Planner(const PlanRequest& request)
      : request_(request), toolkit_(toolkit_of(request.toolkit)) {
    check_with();
  }

  ArchPlan plan() {
    choose_sass();
    choose_ptx();
    choose_fallback();
    ArchPlan result;
    result.toolkit = toolkit_.cuda;
    result.ptx_isa = toolkit_.ptx_isa;
    result.archs = merged();
    result.fallback = fallback_;
    for (const auto& wanted : request_.devices) judge(wanted, result);
    if (result.unserved.empty()) result.ptx_alone = ptx_alone(result);
    return result;
  }

 private:
  void check_with() const {
    for (const auto arch : request_.with) {
      if (contains(toolkit_.archs, arch)) continue;
      throw std::invalid_argument(
          fmt::format("CUDA {} cannot compile for {}", toolkit_.cuda.text(), arch.text()));
    }
    for (const auto arch : request_.with) {
      if (arch.suffix != 'f' || !contains(request_.with, Arch{arch.number, '\0'})) continue;
      throw std::invalid_argument(
          fmt::format("nvcc does not build {} and {} into one fat binary: keep one of the two, {} "
                      "runs wherever {} does",
                      arch.number, arch.text(), arch.number, arch.text()));
    }
  }

  void choose_sass() {
    std::vector<Group> groups;
    for (const auto& wanted : request_.devices) {
      const auto means = means_for(toolkit_, wanted, request_.ptx);
      const bool by_sass = means == Means::sass || means == Means::unsure_sass;
      if (by_sass) add_device(groups, wanted, toolkit_.archs);
      if (means == Means::ptx) compiled_.push_back(wanted.device);
    }
    sass_ = request_.with;
    for (const auto& group : groups) {
      for (const auto arch : best_list(group, request_.with)) {
        if (!contains(sass_, arch)) sass_.push_back(arch);
      }
    }
    std::sort(sass_.begin(), sass_.end(), is_before);
  }

  // PTX for the lowest device reaches all of them. PTX of an arch with machine code saves a
  // compilation.
  void choose_ptx() {
    if (compiled_.empty()) return;
    const auto lowest = *std::min_element(compiled_.begin(), compiled_.end());
    auto fitting = plain_up_to(sass_, lowest);
    if (fitting.empty()) fitting = plain_up_to(toolkit_.archs, lowest);
    ptx_.push_back(*std::max_element(fitting.begin(), fitting.end(), is_before));
  }

  void choose_fallback() {
    if (request_.ptx != PtxWish::fallback) return;
    Archs there = sass_;
    there.insert(there.end(), ptx_.begin(), ptx_.end());
    if (there.empty()) return;
    const auto highest = *std::max_element(there.begin(), there.end(), is_before);
    there.erase(
        std::remove_if(there.begin(), there.end(), [](Arch arch) { return arch.suffix != '\0'; }),
        there.end());
    const auto plain = there.empty() ? Arch{highest.number, '\0'}
                                     : *std::max_element(there.begin(), there.end(), is_before);
    if (contains(toolkit_.archs, plain)) fallback_ = plain;
    if (fallback_ && !contains(ptx_, *fallback_)) ptx_.push_back(*fallback_);
  }

  [[nodiscard]] std::vector<PlannedArch> merged() const {
    std::vector<PlannedArch> result;
    for (const auto arch : sass_) result.push_back({arch, true, contains(ptx_, arch)});
    for (const auto arch : ptx_) {
      if (!contains(sass_, arch)) result.push_back({arch, false, true});
    }
    std::sort(result.begin(), result.end(),
              [](const auto& left, const auto& right) { return is_before(left.arch, right.arch); });
    return result;
  }

  void judge(const Wanted& wanted, ArchPlan& result) const {
    const auto outcome = outcome_of(sass_, ptx_, wanted, toolkit_.ptx_isa);
    if (is_accepted(outcome, wanted) && !is_barred(toolkit_, wanted)) {
      result.served.push_back({wanted.device, outcome.verdict, outcome.arch, outcome.ptx});
      return;
    }
    auto unserved = unserved_for(wanted, outcome);
    for (const auto& toolkit : table().toolkits) {
      const bool able = means_for(toolkit, wanted, request_.ptx) != Means::none;
      if (able && !(toolkit.cuda == toolkit_.cuda)) unserved.able.push_back(toolkit.cuda);
    }
    result.unserved.push_back(std::move(unserved));
  }

  [[nodiscard]] Unserved unserved_for(const Wanted& wanted, const Outcome& outcome) const {
    using Barrier = Unserved::Barrier;
    const auto driver = wanted.driver ? wanted.driver->name : std::string();
    if (const auto misfit = misfit_of(wanted)) {
      const bool is_old = misfit->fit == DriverFit::too_old;
      return {wanted.device,
              is_old ? Barrier::driver_too_old : Barrier::driver_too_new,
              {{"driver", driver}, {"branch", std::to_string(misfit->branch)}},
              {}};
    }
    if (wanted.accept.empty()) return {wanted.device, Barrier::contradiction, {}, {}};
    if (is_barred(toolkit_, wanted)) {
      return {wanted.device,
              Barrier::toolkit_too_new,
              {{"needs", std::to_string(toolkit_.min_driver)}, {"driver", driver}},
              {}};
    }
    if (means_for(toolkit_, wanted, request_.ptx) != Means::none) {
      return {wanted.device,
              Barrier::not_accepted,
              {{"arch", outcome.arch.text()}, {"verdict", name_of(outcome.verdict)}},
              {}};
    }
    Unserved unserved{wanted.device, Barrier::no_code, {}, {}};
    std::vector<std::string> accepted;
    for (const auto verdict : wanted.accept) accepted.emplace_back(name_of(verdict));
    unserved.facts["accept"] = joined(accepted);
    const bool takes_ptx = wanted.accept.count(Verdict::jit) != 0;
    if (takes_ptx && request_.ptx == PtxWish::never) {
      unserved.facts["ptx"] = "never";
    } else if (takes_ptx && reads_no_ptx(wanted, toolkit_.ptx_isa)) {
      unserved.facts["isa"] = toolkit_.ptx_isa.text();
      unserved.facts["driver"] = driver;
      unserved.facts["driver-isa"] = wanted.driver->ptx_isa.text();
    }
    return unserved;
  }

  [[nodiscard]] std::optional<Arch> ptx_alone(const ArchPlan& result) const {
    if (request_.ptx == PtxWish::never || !request_.with.empty() || result.archs.size() < 2) {
      return std::nullopt;
    }
    const auto& devices = request_.devices;
    const auto lowest = std::min_element(
        devices.begin(), devices.end(),
        [](const Wanted& left, const Wanted& right) { return left.device < right.device; });
    const auto fitting = plain_up_to(toolkit_.archs, lowest->device);
    if (fitting.empty()) return std::nullopt;
    const auto arch = *std::max_element(fitting.begin(), fitting.end(), is_before);
    const bool serves = std::all_of(devices.begin(), devices.end(), [&](const Wanted& wanted) {
      return is_accepted(outcome_of({}, {arch}, wanted, toolkit_.ptx_isa), wanted);
    });
    return serves ? std::optional<Arch>(arch) : std::nullopt;
  }

  const PlanRequest& request_;
  const Toolkit& toolkit_;
  std::vector<ComputeCapability> compiled_;  ///< devices that PTX has to serve
  Archs sass_;
  Archs ptx_;
  std::optional<Arch> fallback_;
};

/// Reports whether another promised driver is harder to serve: one that does not support the
/// device, else the older one.
bool asks_more(const Driver& driver, const Wanted& wanted) {
  if (!wanted.driver) return true;
  if (misfit_of(wanted)) return false;
  return misfit_of(driver, wanted.device) || driver.ptx_isa < wanted.driver->ptx_isa;
}

}  // namespace

std::vector<Wanted> wanted_devices(const std::vector<Promise>& promises) {
  std::map<ComputeCapability, Wanted> result;
  for (const auto& promise : promises) {
    for (const auto device : promise.devices) {
      const auto [found, fresh] =
          result.try_emplace(device, Wanted{device, promise.accept, promise.driver});
      if (fresh) continue;
      auto& wanted = found->second;
      Verdicts common;
      std::set_intersection(wanted.accept.begin(), wanted.accept.end(), promise.accept.begin(),
                            promise.accept.end(), std::inserter(common, common.end()));
      wanted.accept = std::move(common);
      if (promise.driver && asks_more(*promise.driver, wanted)) wanted.driver = promise.driver;
    }
  }
  std::vector<Wanted> wanted;
  for (auto& [device, entry] : result) wanted.push_back(std::move(entry));
  return wanted;
}

ArchPlan plan_archs(const PlanRequest& request) {
  return Planner(request).plan();
}

std::optional<PlannedArch> arch_for(Version toolkit, const Wanted& wanted) {
  const auto& row = toolkit_of(toolkit);
  const auto means = means_for(row, wanted, PtxWish::where_accepted);
  if (means == Means::none) return std::nullopt;
  if (means == Means::ptx) {
    const auto fitting = plain_up_to(row.archs, wanted.device);
    return PlannedArch{*std::max_element(fitting.begin(), fitting.end(), is_before), false, true};
  }
  const auto best = std::min_element(
      row.archs.begin(), row.archs.end(),
      [&](Arch left, Arch right) { return score({left}, {wanted}) < score({right}, {wanted}); });
  return PlannedArch{*best, true, false};
}

std::string driver_for(Version ptx_isa) {
  for (const auto& driver : table().drivers) {
    if (!(driver.ptx_isa < ptx_isa)) return fmt::format("driver {} or newer", driver.branch);
  }
  for (const auto& toolkit : table().toolkits) {
    if (!(toolkit.ptx_isa < ptx_isa)) {
      return fmt::format("a driver for CUDA {} or newer", toolkit.cuda.text());
    }
  }
  return fmt::format("a driver that reads PTX ISA {}", ptx_isa.text());
}

}  // namespace archgrid::coverage
