// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes plans of archs as text for people and JSON for programs.
#ifndef ARCHGRID_REPORT_SUGGEST_HPP
#define ARCHGRID_REPORT_SUGGEST_HPP

#include <archgrid/coverage/arch_plan.hpp>
#include <archgrid/report.hpp>
#include <optional>
#include <string>
#include <vector>

namespace archgrid::report {

struct SuggestedList {
  coverage::PlanRequest request;
  coverage::ArchPlan plan;
};

/// The contents of existing files.
struct MeasuredFiles {
  std::vector<std::string> paths;
  std::optional<std::uint64_t> file_bytes;  ///< of all files; unset if unknown
  std::vector<coverage::ArchUse> uses;
  std::vector<coverage::Finding> findings;  ///< promised devices that the files do not serve
  std::vector<std::string> errors;
};

struct SuggestReport {
  std::vector<SuggestedList> toolkits;
  std::optional<MeasuredFiles> measured;  ///< against the promises for the first of `toolkits`
  std::vector<std::string> notes;

  /// Returns the devices that a toolkit or the files do not serve. One finding represents all
  /// kernels that miss a device for the same reason.
  [[nodiscard]] std::vector<coverage::Finding> findings() const;
};

/// Returns the images that no promised device loads and the plan does not include.
std::vector<const coverage::ArchUse*> needless(const SuggestReport& report);

/// Returns the arch lists, the verdict of each device, and the contents of the files. Ends with the
/// result. Lines are at most `columns` long, except lists to paste and names.
std::string suggest_text(const SuggestReport& report, Style style, std::size_t columns);

/// Returns an archgrid.suggest/1 document.
std::string suggest_json(const SuggestReport& report);

/// Returns one line per toolkit: "5 archs of CUDA 13.0 keep the promise for 7 devices: 5 native, 2
/// compatible".
std::vector<std::string> suggest_verdicts(const SuggestReport& report);

}  // namespace archgrid::report

#endif
