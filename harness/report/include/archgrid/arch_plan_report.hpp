// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans of archs as text for people and JSON for programs.
#ifndef ARCHGRID_ARCH_PLAN_REPORT_HPP
#define ARCHGRID_ARCH_PLAN_REPORT_HPP

#include <archgrid/coverage/arch_plan.hpp>
#include <archgrid/report.hpp>
#include <optional>
#include <string>
#include <vector>

namespace archgrid::report {

struct PlannedToolkit {
  coverage::PlanRequest request;
  coverage::ArchPlan plan;
};

/// What lies in files that are there already.
struct MeasuredFiles {
  std::vector<std::string> paths;
  std::optional<std::uint64_t> file_bytes;  ///< of all files; nothing where it is not known
  std::vector<coverage::ArchUse> uses;
  std::vector<coverage::Finding> findings;  ///< promised devices that the files do not serve
  std::vector<std::string> errors;
};

struct ArchPlanReport {
  std::vector<PlannedToolkit> toolkits;
  std::optional<MeasuredFiles> measured;  ///< by the promises for the first of `toolkits`
  std::vector<std::string> notes;

  /// Devices that a toolkit or the files do not serve. Of the kernels that miss one alike, one
  /// finding stands for all.
  [[nodiscard]] std::vector<coverage::Finding> findings() const;
};

/// Images that no promised device takes, and that the plan has not.
std::vector<const coverage::ArchUse*> needless(const ArchPlanReport& report);

/// The lists, what they give each device, and what the files hold; ends with the verdict.
std::string arch_plan_text(const ArchPlanReport& report, Style style);

/// archgrid.arch-plan/1
std::string arch_plan_json(const ArchPlanReport& report);

/// One a toolkit: "5 archs of CUDA 13.0 keep the promise for 7 devices: 5 native, 2 compatible".
std::vector<std::string> arch_plan_verdicts(const ArchPlanReport& report);

}  // namespace archgrid::report

#endif
