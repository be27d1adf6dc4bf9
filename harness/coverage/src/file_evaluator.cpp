// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "file_evaluator.hpp"

#include <archgrid/coverage/rules.hpp>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "defect_findings.hpp"
#include "guarded_defects.hpp"
#include "kernel_names.hpp"
#include "running.hpp"

namespace archgrid::coverage {

FileEvaluator::FileEvaluator(FileAudit& audit, const ImageSelector& selector,
                             const Request& request, Audit& result, HostGuard guard)
    : file_(context_of(audit, selector, request, result)),
      guard_(std::move(guard)),
      evidence_(evidence_in(audit.file, selector)),
      service_(file_),
      rules_(file_, evidence_, service_) {
  defects_.found.resize(audit.rows.size());
  defects_.known.resize(audit.rows.size());
}

const std::set<std::size_t>& FileEvaluator::unexplained_refusals(std::size_t at) {
  const auto [found, is_new] = unexplained_.try_emplace(at);
  if (!is_new) return found->second;
  std::map<std::pair<std::size_t, std::string>, std::vector<std::size_t>> families;  // by module
  for (std::size_t row = 0; row < file_.audit.rows.size(); ++row) {
    if (file_.audit.rows[row].fields[at].verdict != Verdict::empty) continue;
    const auto gap = gap_of(file_, row, at);
    if (!rules_.is_unexplained_refusal(gap)) continue;
    families[{gap.prediction.module, family_of(kernel_of(file_, row).name.str())}].push_back(row);
  }
  QuestionLimit questions(families.size());
  for (const auto& [family, rows] : families) {
    const bool is_checked =
        guard_ && check_of(file_, rows, at, service_, guard_, questions) == HostCheck::present;
    if (is_checked) continue;
    found->second.insert(rows.begin(), rows.end());
  }
  return found->second;
}

void FileEvaluator::expect_work(DeviceMask all, DeviceMask unexplained,
                                std::set<std::size_t> launched) {
  works_nowhere_ = all;
  works_in_part_ = unexplained;
  launched_ = std::move(launched);
}

void FileEvaluator::find_lacking_kernels() {
  const auto visit = [this](const auto& with) {
    for (std::size_t row = 0; row < file_.audit.rows.size(); ++row) {
      for (std::size_t at = 0; at < file_.result.devices.size(); ++at) {
        if (lacks(row, at)) with(gap_of(file_, row, at));
      }
    }
  };
  visit([&](const Gap& gap) { rules_.add_explained(gap); });
  visit([&](const Gap& gap) {
    if (gap.prediction.verdict == Verdict::empty) return add_refusal(gap);
    add(gap, rules_.defect_of(gap));
  });
}

void FileEvaluator::find_failures(std::size_t at) {
  const auto device = file_.result.devices[at];
  for (std::size_t row = 0; row < file_.audit.rows.size(); ++row) {
    const auto gap = gap_of(file_, row, at);
    if (!is_failure(file_.selector, kernel_of(file_, row), gap.prediction, device)) continue;
    const auto defect = rules_.defect_of(gap);
    if (severity_of(defect.rule) == Severity::error) add(gap, defect);
  }
}

void FileEvaluator::find_lacking_device(std::size_t at, Rule unexplained) {
  std::vector<Gap> lacking;
  std::map<Rule, std::size_t> explained;
  for (std::size_t row = 0; row < file_.audit.rows.size(); ++row) {
    auto gap = gap_of(file_, row, at);
    const auto verdict = gap.prediction.verdict;
    auto& state = file_.audit.rows[row].fields[at].state;
    if (verdict == Verdict::empty && rules_.refusal_of(gap).rule == Rule::worked) {
      add_refusal(gap);
      continue;
    }
    if (has_code(file_.selector, gap.prediction, file_.result.devices[at], file_.request)) {
      if (state == State::not_promised) state = State::kept;  // and counts as running
      continue;
    }
    if (state == State::broken) continue;
    if (verdict == Verdict::empty) {
      add_refusal(gap);  // it has code, which does no work
      continue;
    }
    if (verdict == Verdict::ptx_too_new) {
      add(gap, {name_of(Verdict::ptx_too_new), Rule::driver});
      continue;
    }
    if (verdict == Verdict::unknown && unexplained == Rule::asked) {
      add(gap, {name_of(verdict), Rule::asked});
      continue;
    }
    const auto rule = verdict == Verdict::jit ? Rule::jit : rules_.explanation_in_file(gap);
    if (rule) ++explained[*rule];
    lacking.push_back(std::move(gap));
  }
  const auto jit = explained.find(Rule::jit);
  const bool is_jit = jit != explained.end() && jit->second * 2 > lacking.size();
  auto rule = is_jit ? Rule::jit : unexplained;
  if (unexplained == Rule::package) rule = rule_of_file(file_, at, lacking.size(), explained);
  for (const auto& gap : lacking) {
    const bool compiles = gap.prediction.verdict == Verdict::jit;
    const auto own = compiles            ? Rule::jit
                     : rule == Rule::jit ? rules_.explanation_of(gap).value_or(unexplained)
                                         : rule;
    const char* code = own == Rule::jit    ? name_of(Verdict::jit)
                       : own == Rule::unit ? "unit-lacks-arch"
                                           : "file-lacks-arch";
    add(gap, {code, own});
  }
}

void FileEvaluator::set_apart(std::vector<Breach>& breaches) {
  std::set<std::pair<std::size_t, std::size_t>> broken;  // by strict promises: row and device
  for (const auto& breach : breaches) {
    if (breach.strict) broken.emplace(breach.row, breach.at);
  }
  std::erase_if(breaches, [&](const Breach& breach) {
    if (broken.count({breach.row, breach.at}) != 0) return false;
    const auto gap = gap_of(file_, breach.row, breach.at);
    const auto defect = rules_.suspect_for(gap);
    if (defect) add(gap, *defect);
    return defect.has_value();
  });
}

void FileEvaluator::report() {
  explain_guarded(file_, service_, guard_, defects_);
  report_defects(file_, evidence_, defects_);
}

/// Reports whether a kernel lacks an accepted verdict on a device that the file ships.
bool FileEvaluator::lacks(std::size_t row, std::size_t at) const {
  const auto state = file_.audit.rows[row].fields[at].state;
  return state == State::broken || state == State::ignored;
}

void FileEvaluator::add(const Gap& gap, const Defect& defect) {
  add_defect(file_, gap.kernel, gap.device, defect, defects_);
}

/// Adds a body that does no work. Rules of suspects do not explain it where it is expected to work.
void FileEvaluator::add_refusal(const Gap& gap) {
  auto defect = rules_.refusal_of(gap);
  if (severity_of(defect.rule) == Severity::suspect && is_expected_to_work(gap)) {
    defect.rule = Rule::asked;
  }
  add(gap, defect);
}

bool FileEvaluator::is_expected_to_work(const Gap& gap) {
  if (works_nowhere_.test(gap.device)) return true;
  return works_in_part_.test(gap.device) && launched_.count(gap.kernel) != 0 &&
         unexplained_refusals(gap.device).count(gap.kernel) != 0;
}

}  // namespace archgrid::coverage
