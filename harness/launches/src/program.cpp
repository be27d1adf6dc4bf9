// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include <algorithm>

#include "sweep.hpp"

namespace archgrid::launches {
namespace {

void read_roles(Program& program) {
  for (const auto& symbol : program.binary.symbols) {
    if (symbol.address == 0 || !symbol.is_function) continue;
    const auto role = role_of(symbol.name);
    if (role != Role::none) program.roles.emplace(symbol.address, role);
  }
}

void note_exports(Program& program) {
  for (const auto& symbol : program.binary.symbols) {
    if (!symbol.is_dynamic || symbol.address == 0) continue;
    const auto index = program.binary.function_from(symbol.address);
    if (index == kNone) continue;
    program.uses[index].is_exported = true;
    if (!symbol.name.starts_with("_Z")) program.uses[index].is_c_api = true;
  }
}

void note_pointers(Program& program) {
  for (const auto& pointer : program.binary.pointers) {
    const auto index = program.binary.function_from(pointer.target);
    if (index != kNone) program.uses[index].is_pointed = true;
  }
}

void sort_unique(std::vector<Edges::Pair>& pairs) {
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
}

void connect(Program& program, std::vector<Edges::Pair>& edges) {
  const auto count = program.binary.functions.size();
  sort_unique(edges);
  program.callers = Edges(edges, count);
  for (auto& [callee, caller] : edges) std::swap(callee, caller);
  std::sort(edges.begin(), edges.end());
  program.callees = Edges(edges, count);
}

}  // namespace

Edges::Edges(const std::vector<Pair>& pairs, std::size_t count) : begins_(count + 1) {
  others_.reserve(pairs.size());
  for (const auto& [function, other] : pairs) {
    ++begins_[function + 1];
    others_.push_back(other);
  }
  for (std::size_t index = 0; index < count; ++index) begins_[index + 1] += begins_[index];
}

std::span<const std::uint32_t> Edges::of(std::uint32_t function) const {
  return std::span(others_).subspan(begins_[function], begins_[function + 1] - begins_[function]);
}

bool Program::is_output(std::uint32_t callee, std::uint32_t caller, std::size_t argument) const {
  const auto& calls = output_calls[argument];
  return std::binary_search(calls.begin(), calls.end(), Edges::Pair(callee, caller));
}

Role Program::role_of(const Callee& callee) const {
  if (callee.import != kNone) return binary.imports[callee.import].role;
  const auto role = roles.find(callee.address);
  return role == roles.end() ? Role::none : role->second;
}

std::optional<Program> read_program(std::string_view bytes) {
  std::optional<Program> program(std::in_place);
  if (!read_elf(bytes, program->binary) || !read_functions(program->binary)) return std::nullopt;
  read_relocations(program->binary);
  program->uses.resize(program->binary.functions.size());
  read_roles(*program);
  note_exports(*program);
  note_pointers(*program);
  auto swept = sweep(*program);
  if (!swept.is_complete) return std::nullopt;
  for (auto& calls : program->output_calls) sort_unique(calls);
  connect(*program, swept.edges);
  infer_roles(swept, *program);
  if (program->kernels.empty()) return std::nullopt;
  return program;
}

}  // namespace archgrid::launches
