// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <archgrid/words/cause_text.hpp>
#include <map>
#include <tuple>

#include "style.hpp"
#include "view_parts.hpp"

namespace archgrid::report {

void add_forgiven(View& view) {
  std::map<std::string_view, std::size_t> reasons;
  for (const auto& audit : view.report.audits) {
    for (const auto& forgiven : audit.forgiven) ++reasons[forgiven.reason];
    view.totals.forgiven += audit.forgiven.size();
  }
  for (const auto& [reason, findings] : reasons) view.forgiven.push_back({reason, findings});
}

void add_remarks(View& view) {
  const auto tied = [](const ViewRemark& remark) {
    return std::tie(remark.code, remark.path, remark.message);
  };
  const auto less = [&](const ViewRemark& left, const ViewRemark& right) {
    return tied(left) < tied(right);
  };
  const auto same = [&](const ViewRemark& left, const ViewRemark& right) {
    return tied(left) == tied(right);
  };
  for (const auto& audit : view.report.audits) {
    for (const auto& remark : audit.remarks) {
      view.remarks.push_back({remark.code, remark.path, message_of(remark)});
    }
  }
  // A file may be in several audits.
  std::sort(view.remarks.begin(), view.remarks.end(), less);
  view.remarks.erase(std::unique(view.remarks.begin(), view.remarks.end(), same),
                     view.remarks.end());
}

void fold_remarks(View& view) {
  std::map<std::tuple<bool, std::string_view, std::string_view>, std::size_t> places;
  for (const auto& remark : view.remarks) {
    const auto [found, fresh] = places.try_emplace(
        {remark.path.empty(), remark.code, remark.message}, view.folded_remarks.size());
    if (fresh) view.folded_remarks.push_back({&remark, {}});
    if (!remark.path.empty()) view.folded_remarks[found->second].paths.push_back(remark.path);
  }
  std::stable_partition(view.folded_remarks.begin(), view.folded_remarks.end(),
                        [](const auto& fold) {
                          const std::string_view code = fold.first->code;
                          return code == "newer-gpus" || code == "gpus-between" ||
                                 code == "served-in-part" || code == "gpus-without-driver" ||
                                 code == "promised-by-project" || code == "baseline-of-others" ||
                                 code == "baseline-of-other-driver" || code == "project-not-used";
                        });
}

std::string files_of(const RemarkFold& fold) {
  return fold.paths.empty() ? std::string() : files_text(fold.paths.size(), fold.paths.front());
}

}  // namespace archgrid::report
