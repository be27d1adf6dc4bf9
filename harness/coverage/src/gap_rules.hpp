// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The rules for kernels that do not run on a device: docs/findings.md.
#ifndef ARCHGRID_COVERAGE_GAP_RULES_HPP
#define ARCHGRID_COVERAGE_GAP_RULES_HPP

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

#include "defects.hpp"
#include "file_evidence.hpp"
#include "kernel_service.hpp"

namespace archgrid::coverage {

/// The rules, applied to one file.
class GapRules {
 public:
  /// Keeps references to all arguments.
  GapRules(const FileContext& file, const FileEvidence& evidence, KernelService& service);

  /// Records a kernel that needs a newer GPU: other variants with the same archs were compiled with
  /// it, like float16 beside bfloat16. Call it for all gaps before the rules.
  void add_explained(const Gap& gap);

  [[nodiscard]] Defect defect_of(const Gap& gap) const;

  /// Returns the suspect that explains a broken promise; nothing without evidence.
  [[nodiscard]] std::optional<Defect> suspect_for(const Gap& gap) const;

  /// Returns the defect of a kernel whose body for the device does no work.
  [[nodiscard]] Defect refusal_of(const Gap& gap) const;

  /// Reports whether no evidence says that a kernel whose body for the device does no work is for
  /// other GPUs. An upper bound in the guard, and a choice by host code, are no such evidence.
  [[nodiscard]] bool is_unexplained_refusal(const Gap& gap) const;

  /// Returns the rule that explains a kernel without code for a device; nothing if there is none.
  [[nodiscard]] std::optional<Rule> explanation_of(const Gap& gap) const;

  /// Likewise for kernels of a file without a device, whose code may also need a newer one.
  [[nodiscard]] std::optional<Rule> explanation_in_file(const Gap& gap) const;

 private:
  [[nodiscard]] Rule rule_of_refusal(const Gap& gap, const fatbin::Kernel* taken,
                                     fatbin::Body body) const;
  [[nodiscard]] Rule rule_of_body(const Gap& gap, const fatbin::Kernel* taken,
                                  fatbin::Body body) const;
  [[nodiscard]] Rule rule_of_unit(const Gap& gap) const;
  [[nodiscard]] bool lacks_instructions(const Gap& gap) const;
  [[nodiscard]] bool python_checks() const;
  [[nodiscard]] bool may_be_checked(const Gap& gap) const;
  [[nodiscard]] bool may_be_of_another_generation(const Gap& gap) const;
  [[nodiscard]] bool may_compile(const Gap& gap) const;
  [[nodiscard]] bool worked_before(const Gap& gap) const;
  [[nodiscard]] bool is_named_for_others(const Gap& gap) const;
  [[nodiscard]] bool is_of_nvidia(const Gap& gap) const;
  [[nodiscard]] bool types_explain_refusals(const Gap& gap) const;
  [[nodiscard]] bool has_other_name(const Gap& gap) const;
  [[nodiscard]] bool takes_machine_code(const Gap& gap) const;

  const FileContext& file_;
  const FileEvidence& evidence_;
  KernelService& service_;
  /// Lists of archs, devices and family_of() names.
  std::set<std::tuple<std::string_view, std::size_t, std::string>> explained_;
};

/// Returns the rule for a file without a device: the rule of most kernels, if they have one, else a
/// rule by the machine code that the file has. `lacking` kernels lack the device, of which some are
/// `explained`.
Rule rule_of_file(const FileContext& file, std::size_t at, std::size_t lacking,
                  const std::map<Rule, std::size_t>& explained);

}  // namespace archgrid::coverage

#endif
