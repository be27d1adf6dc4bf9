// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <archgrid/words/cause_text.hpp>
#include <map>
#include <tuple>

#include "style.hpp"
#include "view_parts.hpp"

namespace archgrid::report {

void add_ignored(View& view) {
  std::map<std::string_view, std::size_t> reasons;
  for (const auto& audit : view.report.audits) {
    for (const auto& ignored : audit.ignored) ++reasons[ignored.reason];
    view.totals.ignored += audit.ignored.size();
  }
  for (const auto& [reason, findings] : reasons) view.ignored.push_back({reason, findings});
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
           code == "project-not-used" || code == "needs-other-package" || code == "chosen-wheel";
  });
}

std::string files_of(const NoteFold& fold) {
  return fold.paths.empty() ? std::string() : files_text(fold.paths.size(), fold.paths.front());
}

}  // namespace archgrid::report
