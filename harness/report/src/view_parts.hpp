// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The parts of a view, in the order in which View's constructor adds them.
#ifndef ARCHGRID_REPORT_VIEW_PARTS_HPP
#define ARCHGRID_REPORT_VIEW_PARTS_HPP

#include <archgrid/report/audit_view.hpp>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace archgrid::report {

/// Adds the files with their kernels, and the maps.
void add_rows(View& view);

/// The GPUs on which the driver does not run a file or a cell, by the errors that are not ignored.
class DriverErrors {
 public:
  explicit DriverErrors(const View& view);

  /// Returns the GPUs of the map on which the driver does not run its file or cell.
  [[nodiscard]] std::set<coverage::ComputeCapability> gpus_of(const ViewMap& map) const;

  [[nodiscard]] bool empty() const { return gpus_.empty(); }

 private:
  bool by_cell_ = false;
  /// By the path of a file, or by the cell; the key "" applies to every map.
  std::map<std::string_view, std::set<coverage::ComputeCapability>> gpus_;
};

/// Returns titles that distinguish the files: the shortest unique end of each path.
std::vector<std::string> titles_of(const std::vector<std::string>& paths);

/// Returns a key that is equal for patterns that look alike: with equal fields, except for reasons.
std::string looks_of(const Pattern& pattern);

/// Adds findings; those about the same kernels on several devices form one group.
void add_findings(View& view);

void fold_findings(View& view);
void add_suspects(View& view);
void add_ignored(View& view);
void add_remarks(View& view);
void fold_remarks(View& view);

/// Names a few GPUs as people do: "8.0 (A100, A30) and 9.0 (H100, H200)".
std::string asked_text(const AuditReport& report,
                       const std::vector<coverage::ComputeCapability>& devices);

/// Returns "runs on 8.0 (A100, A30); no kernel runs on 12.0 (RTX 50)"; empty without a question.
std::string answers_text(const AuditReport& report);

/// Adds the answer for each package if there are several.
void add_package_answers(View& view);

/// Reports whether there was a question and all answers are that it runs.
bool runs_everywhere(const AuditReport& report);

/// Returns the GPUs about which the answer is no, in part, or not known, and no error is ignored or
/// known.
std::set<coverage::ComputeCapability> gpus_without_yes(const AuditReport& report);

/// Returns the closing sentence, for which all else of the view must be there. `kept`: the verdicts
/// that keep promises.
std::string verdict_of(const View& view, const std::set<coverage::Verdict>& kept);

}  // namespace archgrid::report

#endif
