// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <archgrid/words/cause_text.hpp>
#include <map>
#include <tuple>

#include "style.hpp"
#include "view_parts.hpp"

namespace archgrid::report {

void add_ignored(View& view) {
  std::map<std::string_view, IgnoredGroup> groups;
  for (const auto& audit : view.report.audits) {
    for (const auto& [finding, reason] : audit.ignored) {
      auto& group = groups[reason];
      group.reason = reason;
      ++group.findings;
      group.codes.insert(finding.code);
      const auto& devices = finding.cause ? finding.cause->devices : finding.devices;
      group.devices.insert(devices.begin(), devices.end());
      if (const auto device = coverage::parse_device(finding.device)) {
        group.devices.insert(*device);
      }
    }
    view.totals.ignored += audit.ignored.size();
  }
  for (auto& [reason, group] : groups) view.ignored.push_back(std::move(group));
}

std::string ignored_text(const IgnoredGroup& group) {
  constexpr std::size_t kMaxNamed = 4;
  std::vector<std::string> devices;
  for (const auto device : group.devices) devices.push_back(device.text());
  const auto on = devices.empty()               ? std::string()
                  : devices.size() <= kMaxNamed ? " on " + enumerated(devices)
                                                : " on " + count_text(devices.size(), "GPU");
  return fmt::format("{}: {} ({}{})", count_text(group.findings, "finding"), group.reason,
                     fmt::join(group.codes, ", "), on);
}

void add_remarks(View& view) {
  const auto tied = [](const ViewNote& note) {
    return std::tie(note.code, note.path, note.message);
  };
  const auto less = [&](const ViewNote& left, const ViewNote& right) {
    return tied(left) < tied(right);
  };
  const auto same = [&](const ViewNote& left, const ViewNote& right) {
    return tied(left) == tied(right);
  };
  for (const auto& audit : view.report.audits) {
    for (const auto& note : audit.notes) {
      view.notes.push_back({note.code, note.path, message_of(note)});
    }
  }
  // A file may be in several audits.
  std::sort(view.notes.begin(), view.notes.end(), less);
  view.notes.erase(std::unique(view.notes.begin(), view.notes.end(), same), view.notes.end());
}

void fold_remarks(View& view) {
  std::map<std::tuple<bool, std::string_view, std::string_view>, std::size_t> places;
  for (const auto& note : view.notes) {
    const auto [found, fresh] =
        places.try_emplace({note.path.empty(), note.code, note.message}, view.folded_notes.size());
    if (fresh) view.folded_notes.push_back({&note, {}});
    if (!note.path.empty()) view.folded_notes[found->second].paths.push_back(note.path);
  }
  std::stable_partition(view.folded_notes.begin(), view.folded_notes.end(), [](const auto& fold) {
    const std::string_view code = fold.first->code;
    return code == "newer-gpus" || code == "gpus-between" || code == "served-in-part" ||
           code == "gpus-without-driver" || code == "promised-by-project" ||
           code == "baseline-of-others" || code == "baseline-of-other-driver" ||
           code == "baseline-of-other-gpus" || code == "baseline-of-older-archgrid" ||
           code == "lost-unjudged" || code == "project-not-used" || code == "needs-other-package" ||
           code == "chosen-wheel";
  });
}

std::string files_of(const NoteFold& fold) {
  return fold.paths.empty() ? std::string() : files_text(fold.paths.size(), fold.paths.front());
}

}  // namespace archgrid::report
