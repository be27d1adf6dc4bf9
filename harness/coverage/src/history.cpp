// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <archgrid/coverage/history.hpp>
#include <array>
#include <charconv>
#include <deque>
#include <iterator>
#include <tuple>

#include "decimal.hpp"

namespace archgrid::coverage {
namespace {

/// A version as PEP 440 orders it.
struct Ordered {
  int epoch = 0;
  std::vector<int> release;  ///< without zeros at the end
  int stage = 0;             ///< dev < alpha < beta < rc < final < post
  int of_stage = 0;
  std::string text;

  friend bool operator<(const Ordered& left, const Ordered& right) {
    return std::tie(left.epoch, left.release, left.stage, left.of_stage, left.text) <
           std::tie(right.epoch, right.release, right.stage, right.of_stage, right.text);
  }
};

int read_number(std::string_view text, std::size_t& at) {
  int number = 0;
  const auto begin = at;
  while (at < text.size() && is_decimal(text[at])) ++at;
  std::from_chars(text.data() + begin, text.data() + at, number);
  return number;
}

struct Stage {
  std::string_view word;
  int order;
};

constexpr int kFinal = 4;
constexpr std::array<Stage, 9> kStages = {{{"dev", 0},
                                           {"alpha", 1},
                                           {"a", 1},
                                           {"beta", 2},
                                           {"b", 2},
                                           {"rc", 3},
                                           {"c", 3},
                                           {"post", 5},
                                           {"r", 5}}};

Ordered ordered(const std::string& version) {
  Ordered result;
  result.text = version;
  result.stage = kFinal;
  std::string_view text = version;
  if (const auto mark = text.find('!'); mark != std::string_view::npos) {
    std::size_t at = 0;
    result.epoch = read_number(text, at);
    text.remove_prefix(mark + 1);
  }
  text = text.substr(0, text.find('+'));
  std::size_t at = 0;
  while (at < text.size() && is_decimal(text[at])) {
    result.release.push_back(read_number(text, at));
    if (at + 1 < text.size() && text[at] == '.' && is_decimal(text[at + 1])) ++at;
  }
  while (!result.release.empty() && result.release.back() == 0) result.release.pop_back();
  while (at < text.size() && (text[at] == '.' || text[at] == '-' || text[at] == '_')) ++at;
  for (const auto& stage : kStages) {
    if (text.substr(at, stage.word.size()) != stage.word) continue;
    at += stage.word.size();
    result.stage = stage.order;
    result.of_stage = read_number(text, at);
    break;
  }
  return result;
}

/// A search among the releases of a package. Index 0 is the newest.
class Search {
 public:
  Search(const std::vector<std::string>& versions, const AuditRelease& audit)
      : versions_(versions), audit_(audit), audited_(versions.size()) {}

  RunningReleases find(ComputeCapability device) {
    const auto end = versions_.size() - 1;
    auto newest = next_judged(0, 1, device);
    auto oldest = next_judged(end, -1, device);
    if (!newest && !oldest) return {};
    if (!newest) newest = last_judged(*oldest, 0, device);
    if (!oldest) oldest = last_judged(*newest, end, device);
    if (runs(*newest, device)) {
      const auto failing = find_where(false, *newest, *oldest, 3, device);
      if (!failing) return releases(*oldest, *newest, std::nullopt, true);
      const auto [first, fails] = halve(*newest, *failing, device);
      return releases(first, *newest, fails, true);
    }
    const auto some = find_where(true, *newest, *oldest, 7, device);
    if (!some) return {std::nullopt, std::nullopt, std::nullopt, false};
    const auto [last, fails] = halve(*some, *newest, device);
    return releases(*some, last, fails, false);
  }

  /// Returns all that were tried, newest first.
  std::vector<AuditedRelease> audited() {
    std::vector<AuditedRelease> result;
    for (auto& release : audited_) {
      if (release) result.push_back(*release);
    }
    return result;
  }

 private:
  static constexpr std::size_t kMaxWithoutAnswer = 5;  ///< in a row

  [[nodiscard]] RunningReleases releases(std::size_t first, std::size_t last,
                                         std::optional<std::size_t> fails, bool newest_runs) const {
    RunningReleases result{versions_[first], versions_[last], std::nullopt, newest_runs};
    if (fails) result.fails = versions_[*fails];
    return result;
  }

  const AuditedRelease& at(std::size_t index) {
    auto& release = audited_[index];
    if (!release) release = audit_(versions_[index]);
    return *release;
  }

  bool runs(std::size_t index, ComputeCapability device) {
    const auto& answers = at(index).answers;
    const auto found = answers.find(device);
    return found != answers.end() &&
           (found->second == Answer::runs || found->second == Answer::runs_after_jit);
  }

  /// Reports whether a release has an answer for the device.
  bool is_judged(std::size_t index, ComputeCapability device) {
    const auto& answers = at(index).answers;
    const auto found = answers.find(device);
    return found != answers.end() && found->second != Answer::unknown;
  }

  /// Returns the first release with an answer, from `index` on in steps of 1 or -1; nothing if
  /// several before it have none.
  std::optional<std::size_t> next_judged(std::size_t index, int step, ComputeCapability device) {
    constexpr std::size_t kMaxWithoutCode = 3;
    std::size_t tried = 0;
    std::size_t without_code = 0;
    for (; index < versions_.size(); index += static_cast<std::size_t>(step)) {
      if (tried == kMaxWithoutAnswer || without_code == kMaxWithoutCode) return std::nullopt;
      if (is_judged(index, device)) return index;
      ++tried;
      without_code += at(index).has_code ? 0 : 1;
    }
    return std::nullopt;
  }

  /// Returns the release with an answer beside those without one, by halving.
  std::size_t last_judged(std::size_t judged, std::size_t without, ComputeCapability device) {
    while (std::max(judged, without) - std::min(judged, without) > 1) {
      const auto middle = (judged + without) / 2;
      (is_judged(middle, device) ? judged : without) = middle;
    }
    return judged;
  }

  /// Returns a release with an answer between two others, near the middle; nothing if several there
  /// have none.
  std::optional<std::size_t> between(std::size_t left, std::size_t right,
                                     ComputeCapability device) {
    const auto [low, high] = std::minmax(left, right);
    const auto middle = low + (high - low) / 2;
    std::size_t tried = 0;
    for (std::size_t away = 0; away < high - low && tried < kMaxWithoutAnswer; ++away) {
      for (const auto index : {middle + away, middle - away}) {
        const bool is_between = low < index && index < high;  // also false below 0
        if (!is_between || (away == 0 && tried > 0)) continue;
        if (is_judged(index, device)) return index;
        ++tried;
      }
    }
    return std::nullopt;
  }

  /// Returns neighbours, of which the first runs and the other does not.
  std::pair<std::size_t, std::size_t> halve(std::size_t running, std::size_t failing,
                                            ComputeCapability device) {
    while (const auto middle = between(running, failing, device)) {
      (runs(*middle, device) ? running : failing) = *middle;
    }
    return {running, failing};
  }

  /// Returns a release that does or does not run, the oldest or one of at most `looks` that halve
  /// the others.
  std::optional<std::size_t> find_where(bool running, std::size_t newest, std::size_t oldest,
                                        int looks, ComputeCapability device) {
    if (runs(oldest, device) == running) return oldest;
    std::deque<std::pair<std::size_t, std::size_t>> gaps = {{newest, oldest}};
    for (; looks > 0 && !gaps.empty(); --looks) {
      const auto [newer, older] = gaps.front();
      gaps.pop_front();
      const auto middle = between(newer, older, device);
      if (!middle) continue;
      if (runs(*middle, device) == running) return middle;
      gaps.emplace_back(newer, *middle);
      gaps.emplace_back(*middle, older);
    }
    return std::nullopt;
  }

  const std::vector<std::string>& versions_;
  const AuditRelease& audit_;
  std::vector<std::optional<AuditedRelease>> audited_;
};

bool is_prerelease(const std::string& version) {
  return ordered(version).stage < kFinal || version.find("dev") != std::string::npos;
}

}  // namespace

namespace {

void add_failing_file(const std::string& path, const std::vector<ComputeCapability>& devices,
                      AuditedRelease& release) {
  for (const auto device : devices) {
    const auto answer = release.answers.find(device);
    if (answer == release.answers.end() || answer->second != Answer::runs_in_part) continue;
    release.failing_files[device].insert(path);
  }
}

}  // namespace

AuditedRelease release_of(const std::string& version, const Audit& audit) {
  AuditedRelease release;
  release.version = version;
  if (!audit.errors.empty()) {
    release.problem = "it cannot be read: " + audit.errors.front();
    return release;
  }
  release.has_code = std::any_of(audit.files.begin(), audit.files.end(),
                                 [](const FileAudit& file) { return !file.rows.empty(); });
  if (!release.has_code) {
    release.problem = "no CUDA code was found in it";
    return release;
  }
  const bool is_unknown =
      std::all_of(audit.answers.begin(), audit.answers.end(),
                  [](const auto& entry) { return entry.second == Answer::unknown; });
  if (is_unknown) {
    release.problem = "whether it runs there cannot be told";
  } else {
    release.answers = audit.answers;
    for (const auto& finding : audit.findings) {
      const auto& devices = finding.cause ? finding.cause->devices : finding.devices;
      release.with_errors.insert(devices.begin(), devices.end());
      if (finding.code == "file-lacks-arch") add_failing_file(finding.path, devices, release);
    }
  }
  return release;
}

History find_history(const std::vector<std::string>& newest_first,
                     const std::vector<ComputeCapability>& devices, const AuditRelease& audit) {
  History history;
  history.versions = newest_first.size();
  if (newest_first.empty()) return history;
  Search search(newest_first, audit);
  for (const auto device : devices) history.running[device] = search.find(device);
  history.audited = search.audited();
  return history;
}

std::vector<std::string> newest_first(std::vector<std::string> versions) {
  std::sort(versions.begin(), versions.end(),
            [](const auto& left, const auto& right) { return ordered(right) < ordered(left); });
  versions.erase(std::unique(versions.begin(), versions.end()), versions.end());
  return versions;
}

std::vector<std::string> without_prereleases(const std::vector<std::string>& versions) {
  std::vector<std::string> finals;
  std::remove_copy_if(versions.begin(), versions.end(), std::back_inserter(finals), is_prerelease);
  return finals.empty() ? versions : finals;
}

}  // namespace archgrid::coverage
