// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "sweep.hpp"

namespace archgrid::launches {
namespace {

constexpr std::uint64_t kMaxAttribute = 250;
/// Functions of the runtime that read attributes and properties lie close to each other.
constexpr std::uint64_t kNear = 0x1000;

bool has_role(const Program& program, Role role) {
  const auto is_it = [&](const auto& entry) { return entry.second == role; };
  const auto& imports = program.binary.imports;
  return std::any_of(program.roles.begin(), program.roles.end(), is_it) ||
         std::any_of(imports.begin(), imports.end(),
                     [&](const Import& import) { return import.role == role; });
}

bool is_near(std::uint64_t address, const std::vector<std::uint64_t>& others) {
  return std::any_of(others.begin(), others.end(), [&](std::uint64_t other) {
    return address - other < kNear || other - address < kNear;
  });
}

std::vector<std::uint64_t> infer_attributes(const Sweep& sweep, Program& program) {
  std::vector<std::uint64_t> found;
  for (const auto& [callee, evidence] : sweep.attributes) {
    if (evidence.both == 0 || evidence.largest > kMaxAttribute) continue;
    if (program.roles.emplace(callee, Role::attribute).second) found.push_back(callee);
  }
  return found;
}

void mark_sources(Program& program) {
  for (const auto& [callee, role] : program.roles) {
    const auto index = program.binary.function_from(callee);
    if (index == kNone || role == Role::no_return) continue;
    for (const auto caller : program.callers.of(index)) program.uses[caller].is_source = true;
  }
}

}  // namespace

void infer_roles(const Sweep& sweep, Program& program) {
  if (has_role(program, Role::attribute)) return;
  const auto attributes = infer_attributes(sweep, program);
  if (!has_role(program, Role::properties)) {
    for (const auto& [callee, evidence] : sweep.properties) {
      if (evidence.major == 0 || evidence.minor == 0 || !is_near(callee, attributes)) continue;
      program.roles.emplace(callee, Role::properties);
    }
  }
  mark_sources(program);
}

}  // namespace archgrid::launches
