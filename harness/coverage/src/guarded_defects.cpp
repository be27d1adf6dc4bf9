// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "guarded_defects.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "kernel_names.hpp"

namespace archgrid::coverage {
namespace {

/// Variants of a kernel in one module with one error on a device, by index.
struct ErrorKey {
  Defect defect;
  std::size_t at = 0;
  std::size_t module = 0;
  std::string family;
  friend bool operator<(const ErrorKey& left, const ErrorKey& right) {
    return std::tie(left.defect, left.at, left.module, left.family) <
           std::tie(right.defect, right.at, right.module, right.family);
  }
};

bool may_be_guarded(Rule rule) {
  return rule == Rule::registered || rule == Rule::unit || rule == Rule::no_sibling ||
         rule == Rule::own_generation || rule == Rule::worked;
}

std::map<ErrorKey, std::vector<std::size_t>> errors_in(const FileContext& file,
                                                       const DefectsByRow& defects) {
  std::map<ErrorKey, std::vector<std::size_t>> errors;
  for (std::size_t row = 0; row < defects.size(); ++row) {
    for (const auto& [defect, on] : defects[row]) {
      for (std::size_t at = 0; may_be_guarded(defect.rule) && at < kMaxDevices; ++at) {
        if (!(on & file.asked).test(at)) continue;
        const auto family = family_of(kernel_of(file, row).name.str());
        errors[{defect, at, gap_of(file, row, at).prediction.module, family}].push_back(row);
      }
    }
  }
  return errors;
}

}  // namespace

QuestionLimit::QuestionLimit(std::size_t kernels)
    : of_kernel(std::clamp<std::size_t>(left / std::max<std::size_t>(kernels, 1), 1, 4)) {}

HostCheck check_of(const FileContext& file, const std::vector<std::size_t>& rows, std::size_t at,
                   KernelService& service, const HostGuard& guard, QuestionLimit& questions) {
  const auto count = std::min(rows.size(), questions.of_kernel);
  auto found = HostCheck::unknown;
  for (std::size_t index = 0; index < count; ++index) {
    if (questions.left == 0) return HostCheck::unknown;
    --questions.left;
    const auto row = rows[index * rows.size() / count];
    const auto check = guard(file.audit.file.path, kernel_of(file, row).name.str(),
                             file.result.devices[at], service.served_by(row));
    if (check == HostCheck::absent) return check;
    const bool is_known = check == HostCheck::present || check == HostCheck::partial;
    if (is_known && found != HostCheck::partial) found = check;
  }
  return found;
}

void explain_guarded(const FileContext& file, KernelService& service, const HostGuard& guard,
                     FileDefects& defects) {
  if (!guard || file.request.strict) return;
  const auto errors = errors_in(file, defects.found);
  QuestionLimit questions(errors.size());
  for (const auto& [key, rows] : errors) {
    const auto check = check_of(file, rows, key.at, service, guard, questions);
    if (check != HostCheck::present && check != HostCheck::partial) continue;
    auto guarded = key.defect;
    guarded.rule = check == HostCheck::present ? Rule::host_checks : Rule::host_checks_in_part;
    for (const auto row : rows) {
      remove_defect(row, key.at, key.defect, defects);
      add_defect(file, row, key.at, guarded, defects);
    }
  }
}

}  // namespace archgrid::coverage
