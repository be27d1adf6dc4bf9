// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <archgrid/coverage/rules.hpp>
#include <array>
#include <cstddef>

namespace archgrid::coverage {
namespace {

struct RuleRow {
  Rule rule;
  const char* name;
  Severity severity;
};

constexpr std::array<RuleRow, 34> kRules = {
    {{Rule::registered, "registered", Severity::error},
     {Rule::unit, "unit", Severity::error},
     {Rule::package, "package", Severity::error},
     {Rule::left_behind, "left-behind", Severity::error},
     {Rule::no_sibling, "no-sibling", Severity::error},
     {Rule::own_generation, "own-generation", Severity::error},
     {Rule::worked, "worked", Severity::error},
     {Rule::claimed, "claimed", Severity::error},
     {Rule::promised, "promised", Severity::error},
     {Rule::asked, "asked", Severity::error},
     {Rule::driver, "driver", Severity::error},
     {Rule::host_picks, "host-picks", Severity::suspect},
     {Rule::not_registered, "not-registered", Severity::suspect},
     {Rule::suffix, "suffix", Severity::suspect},
     {Rule::named, "named", Severity::suspect},
     {Rule::types, "types", Severity::suspect},
     {Rule::instructions, "instructions", Severity::suspect},
     {Rule::arch_lists, "arch-lists", Severity::suspect},
     {Rule::nvidia, "nvidia", Severity::suspect},
     {Rule::compiles, "compiles", Severity::suspect},
     {Rule::sibling, "sibling", Severity::suspect},
     {Rule::complement, "complement", Severity::suspect},
     {Rule::newer_generation, "newer-generation", Severity::suspect},
     {Rule::older_gpus, "older-gpus", Severity::suspect},
     {Rule::says, "says", Severity::suspect},
     {Rule::host_checks, "host-checks", Severity::suspect},
     {Rule::host_checks_in_part, "host-checks-in-part", Severity::suspect},
     {Rule::python_checks, "python-checks", Severity::suspect},
     {Rule::newer_gpus, "newer-gpus", Severity::suspect},
     {Rule::variant, "variant", Severity::suspect},
     {Rule::minority, "minority", Severity::suspect},
     {Rule::jit, "jit", Severity::suspect},
     {Rule::compatible, "compatible", Severity::suspect},
     {Rule::unknown, "unknown", Severity::suspect}}};

constexpr bool is_in_order() {
  for (std::size_t index = 0; index < kRules.size(); ++index) {
    if (kRules[index].rule != static_cast<Rule>(index)) return false;
  }
  return kRules.size() == static_cast<std::size_t>(Rule::unknown) + 1;
}
static_assert(is_in_order());

}  // namespace

std::vector<Rule> all_rules() {
  std::vector<Rule> rules;
  for (const auto& row : kRules) rules.push_back(row.rule);
  return rules;
}

Severity severity_of(Rule rule) {
  return kRules.at(static_cast<std::size_t>(rule)).severity;
}

bool leaves_doubt(Rule rule) {
  return rule == Rule::arch_lists || rule == Rule::newer_generation || rule == Rule::older_gpus;
}

const char* name_of(Rule rule) {
  return kRules.at(static_cast<std::size_t>(rule)).name;
}

}  // namespace archgrid::coverage
