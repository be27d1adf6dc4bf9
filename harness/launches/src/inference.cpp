// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <unordered_set>

#include "sweep.hpp"

namespace archgrid::launches {
namespace {

constexpr std::uint64_t kMaxAttribute = 250;
/// Functions of the runtime that read attributes and properties lie close to each other.
constexpr std::uint64_t kNear = 0x1000;

/// Reports whether the CUDA runtime is a library of its own, whose functions have names.
bool is_runtime_imported(const Program& program) {
  const auto& imports = program.binary.imports;
  return std::any_of(imports.begin(), imports.end(),
                     [](const Import& import) { return import.name == "__cudaRegisterFunction"; });
}

bool has_properties(const Program& program) {
  return std::any_of(program.roles.begin(), program.roles.end(),
                     [](const auto& entry) { return entry.second == Role::properties; });
}

std::unordered_set<std::uint64_t> named_addresses(const Program& program) {
  std::unordered_set<std::uint64_t> addresses;
  for (const auto& symbol : program.binary.symbols) addresses.insert(symbol.address);
  return addresses;
}

/// Reports whether calls look like those of cudaDeviceGetAttribute(): code that asks for one part
/// of the compute capability mostly asks for the other part, too.
bool is_attribute(const Evidence& evidence) {
  return evidence.both > 0 && evidence.largest <= kMaxAttribute &&
         2 * evidence.both >= std::min(evidence.major, evidence.minor);
}

/// Returns the unnamed function that is most often called as cudaDeviceGetAttribute() is, or 0.
std::uint64_t find_attribute(const Sweep& sweep, const Program& program) {
  const auto named = named_addresses(program);
  std::uint64_t best = 0;
  std::uint32_t most = 0;
  for (const auto& [callee, evidence] : sweep.attributes) {
    if (!is_attribute(evidence) || evidence.both < most || named.contains(callee)) continue;
    best = evidence.both > most || callee < best ? callee : best;
    most = evidence.both;
  }
  return best;
}

void infer_properties(const Sweep& sweep, std::uint64_t attribute, Program& program) {
  for (const auto& [callee, evidence] : sweep.properties) {
    const bool is_near = callee - attribute < kNear || attribute - callee < kNear;
    if (evidence.major == 0 || evidence.minor == 0 || !is_near) continue;
    program.roles.emplace(callee, Role::properties);
  }
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
  if (is_runtime_imported(program)) return;
  const auto attribute = find_attribute(sweep, program);
  if (attribute == 0) return;
  const bool infers_properties = !has_properties(program);
  program.roles.emplace(attribute, Role::attribute);
  if (infers_properties) infer_properties(sweep, attribute, program);
  mark_sources(program);
}

}  // namespace archgrid::launches
