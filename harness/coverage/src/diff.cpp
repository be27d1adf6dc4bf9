// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <archgrid/coverage/audit.hpp>
#include <archgrid/coverage/diff.hpp>
#include <archgrid/coverage/image_selector.hpp>
#include <archgrid/coverage/load_rules.hpp>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "code_diff.hpp"
#include "kernel_match.hpp"
#include "resource_diff.hpp"

namespace archgrid::coverage {

using fatbin::File;
using fatbin::Kind;

namespace {

constexpr std::array<const char*, kResources> kResourceNames = {"registers", "stack", "shared",
                                                                "spills"};
constexpr std::array<const char*, 5> kTurnNames = {"lost", "degraded", "gained", "improved",
                                                   "other"};
constexpr int kServed = 2;    ///< minimum worth of a verdict with which a kernel runs
constexpr int kNatively = 3;  ///< maximum worth: machine code runs

/// Returns 3 for service by machine code, 2 by code that the driver compiles, 1 for unknown, 0 for
/// none.
int worth_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::native:
    case Verdict::compatible:
      return 3;
    case Verdict::jit:
      return 2;
    case Verdict::unknown:
      return 1;
    case Verdict::ptx_too_new:
    case Verdict::wrong_suffix:
    case Verdict::missing:
    case Verdict::empty:
      break;
  }
  return 0;
}

/// Reports whether the GPU may be in a machine that loads one of the files.
bool may_meet_some(const Release& release, const Architecture& gpu) {
  return std::any_of(release.files.begin(), release.files.end(),
                     [&](const File& file) { return may_meet(file, gpu); });
}

std::vector<std::string> names_of(const std::vector<const KernelRow*>& rows) {
  std::vector<std::string> names;
  for (const auto* row : rows) names.push_back(row->name);
  std::sort(names.begin(), names.end());
  return names;
}

/// The verdict changes of kernels, grouped by change and devices.
class CoverageComparison {
 public:
  CoverageComparison(const ImageSelector& before, const ImageSelector& after,
                     const DiffRequest& request)
      : before_(before),
        after_(after),
        request_(request),
        driver_(request.driver ? &*request.driver : nullptr) {}

  void add(const KernelRow& before, const KernelRow& after) {
    std::map<std::pair<Verdict, Verdict>, std::vector<ComputeCapability>> changes;
    for (const auto device : request_.devices) {
      const auto old_verdict = before_.verdict(before, device, driver_);
      const auto new_verdict = after_.verdict(after, device, driver_);
      if (old_verdict != new_verdict) changes[{old_verdict, new_verdict}].push_back(device);
    }
    for (const auto& [verdicts, devices] : changes) group(verdicts, devices, after);
  }

  std::vector<CoverageChange> result() {
    std::vector<CoverageChange> changes;
    for (auto& [key, change] : groups_) {
      std::sort(change.kernels.begin(), change.kernels.end());
      changes.push_back(std::move(change));
    }
    std::stable_sort(changes.begin(), changes.end(), [](const auto& left, const auto& right) {
      return std::make_tuple(left.turn, is_unknown(left), right.kernels.size()) <
             std::make_tuple(right.turn, is_unknown(right), left.kernels.size());
    });
    return changes;
  }

 private:
  using Key = std::tuple<Verdict, Verdict, std::vector<ComputeCapability>>;

  static bool is_unknown(const CoverageChange& change) {
    return change.before == Verdict::unknown || change.after == Verdict::unknown;
  }

  void group(std::pair<Verdict, Verdict> verdicts, const std::vector<ComputeCapability>& devices,
             const KernelRow& kernel) {
    const auto [before, after] = verdicts;
    auto& change = groups_[{before, after, devices}];
    if (change.kernels.empty()) {
      change.turn = turn_of(before, after);
      change.before = before;
      change.after = after;
      change.devices = devices;
      change.reason = after_.predict(kernel, devices.front(), driver_).reason;
    }
    change.kernels.push_back(kernel.name);
  }

  const ImageSelector& before_;
  const ImageSelector& after_;
  const DiffRequest& request_;
  const Driver* driver_;
  std::map<Key, CoverageChange> groups_;
};

/// The best worth of any kernel of one side on each device.
class Reach {
 public:
  explicit Reach(const DiffRequest& request) : request_(request), max_(request.devices.size()) {}

  void add(const ImageSelector& selector) {
    const auto* driver = request_.driver ? &*request_.driver : nullptr;
    for (std::size_t index = 0; index < max_.size(); ++index) {
      for (const auto& row : selector.kernels()) {
        if (max_[index] == kNatively) break;
        const auto verdict = selector.verdict(row, request_.devices[index], driver);
        max_[index] = std::max(max_[index], worth_of(verdict));
      }
    }
  }

  void add(const Reach& file) {
    for (std::size_t index = 0; index < max_.size(); ++index) {
      max_[index] = std::max(max_[index], file.max_[index]);
    }
  }

  /// Returns the changes from this side to the other one.
  [[nodiscard]] DeviceChanges changes_to(const Reach& after) const {
    DeviceChanges changes;
    for (std::size_t index = 0; index < max_.size(); ++index) {
      const auto device = request_.devices[index];
      const int old_worth = max_[index];
      const int new_worth = after.max_[index];
      if (old_worth >= kServed && new_worth == 0) changes.lost.push_back(device);
      if (old_worth == kNatively && new_worth == kServed) changes.degraded.push_back(device);
      if (old_worth == 0 && new_worth >= kServed) changes.gained.push_back(device);
    }
    return changes;
  }

 private:
  const DiffRequest& request_;
  std::vector<int> max_;
};

FileFacts facts_of(const File& file, const ImageSelector& selector) {
  FileFacts facts;
  facts.path = file.path;
  facts.bytes = file.bytes;
  facts.stripped = file.dangling.size();
  facts.has_code = !file.images.empty();
  for (const auto& row : selector.kernels()) ++(row.name.empty() ? facts.unnamed : facts.kernels);
  for (const auto& image : file.images) {
    if (image.kind == Kind::sass && !image.toolkit.empty()) facts.toolkits.insert(image.toolkit);
    if (!image.ptx_isa.empty()) facts.ptx_isas.insert(image.ptx_isa);
  }
  return facts;
}

/// The reach of all files of either side.
struct Reaches {
  explicit Reaches(const DiffRequest& request) : before(request), after(request) {}
  Reach before;
  Reach after;
};

FileDiff compare(const File& before, const File& after, const DiffRequest& request,
                 Reaches& reaches) {
  const ImageSelector old_selector(before);
  const ImageSelector new_selector(after);
  Reach old_reach(request);
  Reach new_reach(request);
  old_reach.add(old_selector);
  new_reach.add(new_selector);
  reaches.before.add(old_reach);
  reaches.after.add(new_reach);
  FileDiff result;
  result.reach = old_reach.changes_to(new_reach);
  result.before = facts_of(before, old_selector);
  result.after = facts_of(after, new_selector);
  const auto matching = match_kernels(old_selector.kernels(), new_selector.kernels());
  result.gone = names_of(matching.gone);
  result.added = names_of(matching.added);
  CoverageComparison comparison(old_selector, new_selector, request);
  CodeComparison code(old_selector, new_selector, request);
  const auto old_takes = takes_of(before);
  const auto new_takes = takes_of(after);
  for (const auto& [old_row, new_row] : matching.pairs) {
    comparison.add(*old_row, *new_row);
    code.add(*old_row, *new_row);
    compare_resources(old_takes, new_takes, *old_row, *new_row, result);
  }
  result.coverage = comparison.result();
  result.code = code.result();
  result.unknown_code = code.unknown();
  result.sizes = compare_sizes(before, after);
  return result;
}

bool is_of_interest(const FileFacts& facts) {
  return facts.has_code || facts.stripped > 0;
}

}  // namespace

Turn turn_of(Verdict before, Verdict after) {
  const int old_worth = worth_of(before);
  const int new_worth = worth_of(after);
  if (old_worth == new_worth) return Turn::other;
  if (new_worth < old_worth) return new_worth == 0 && old_worth > 1 ? Turn::lost : Turn::degraded;
  return old_worth == 0 && new_worth > 1 ? Turn::gained : Turn::improved;
}

const char* name_of(Turn turn) {
  return kTurnNames.at(static_cast<std::size_t>(turn));
}

const char* name_of(Resource resource) {
  return kResourceNames.at(static_cast<std::size_t>(resource));
}

bool FileDiff::shares_no_kernel() const {
  const bool is_pair = !before.path.empty() && !after.path.empty();
  return is_pair && before.kernels > 0 && after.kernels > 0 && gone.size() == before.kernels;
}

bool FileDiff::changes_code() const {
  return std::any_of(code.begin(), code.end(),
                     [](const CodeChange& change) { return !change.changed.empty(); });
}

bool FileDiff::changed() const {
  return before.path.empty() || after.path.empty() || !gone.empty() || !added.empty() ||
         !coverage.empty() || !resources.empty() || changes_code() ||
         before.toolkits != after.toolkits || before.ptx_isas != after.ptx_isas ||
         before.unnamed != after.unnamed || before.stripped != after.stripped;
}

Diff diff(const Release& before, const Release& after, const DiffRequest& request) {
  auto full = request;
  if (full.devices.empty()) {
    for (const auto& row : table().architectures) {
      if (may_meet_some(before, row) || may_meet_some(after, row)) {
        full.devices.push_back(row.device);
      }
    }
  }
  Diff result;
  result.devices = full.devices;
  for (const auto* release : {&before, &after}) {
    auto errors = errors_of(release->files);
    if (release == &before) result.errors_before = errors.size();
    std::move(errors.begin(), errors.end(), std::back_inserter(result.errors));
  }
  const File none;
  Reaches reaches(full);
  for (const auto& pair : pair_files(before, after)) {
    const bool gone = pair.after == kUnpaired;
    const bool added = pair.before == kUnpaired;
    auto file = compare(added ? none : before.files[pair.before],
                        gone ? none : after.files[pair.after], full, reaches);
    if (!is_of_interest(file.before) && !is_of_interest(file.after)) continue;
    if (!added) file.before.name = name_within(before, pair.before);
    if (!gone) file.after.name = name_within(after, pair.after);
    const bool is_whole = !added && !gone && result.errors.empty();
    if (!is_whole) file.reach = {};
    result.files.push_back(std::move(file));
  }
  if (result.errors.empty()) result.reach = reaches.before.changes_to(reaches.after);
  return result;
}

DiffTotals totals_of(const Diff& diff) {
  DiffTotals totals;
  std::size_t kernels_after = 0;
  for (const auto& file : diff.files) {
    std::map<Turn, std::set<std::string_view>> turned;
    for (const auto& change : file.coverage) {
      auto& total = totals.turns[change.turn];
      total.devices.insert(change.devices.begin(), change.devices.end());
      turned[change.turn].insert(change.kernels.begin(), change.kernels.end());
    }
    for (const auto& [turn, kernels] : turned) totals.turns[turn].kernels += kernels.size();
    totals.before += file.before.kernels;
    totals.compared += file.before.kernels - file.gone.size();
    totals.gone += file.gone.size();
    totals.added += file.added.size();
    const bool is_lost = !file.reach.lost.empty() || !file.reach.degraded.empty();
    totals.files_lost += file.shares_no_kernel() && is_lost ? 1 : 0;
    totals.pairs += !file.before.path.empty() && !file.after.path.empty() ? 1 : 0;
    totals.files_gone += file.after.path.empty() ? 1 : 0;
    totals.files_added += file.before.path.empty() ? 1 : 0;
    totals.stripped += file.after.stripped - std::min(file.before.stripped, file.after.stripped);
    kernels_after += file.after.kernels;
    for (const auto& size : file.sizes) {
      totals.stored_before += size.before.stored;
      totals.stored_after += size.after.stored;
    }
  }
  totals.all_gone = totals.before > 0 && kernels_after == 0;
  totals.device_lost = !diff.reach.lost.empty();
  totals.device_degraded = !diff.reach.degraded.empty();
  return totals;
}

bool is_lost(const DiffTotals& totals, bool strict) {
  const auto has = [&](Turn turn) { return totals.turns.count(turn) != 0; };
  if (has(Turn::lost) || has(Turn::degraded)) return true;
  if (totals.device_lost || totals.device_degraded || totals.files_lost > 0) return true;
  if (totals.stripped > 0 || totals.all_gone) return true;
  return strict && (totals.gone > 0 || totals.files_gone > 0);
}

}  // namespace archgrid::coverage
