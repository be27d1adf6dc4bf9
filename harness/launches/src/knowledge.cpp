// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "knowledge.hpp"

#include <algorithm>

namespace archgrid::launches {
namespace {

/// A larger callee is no reason to evaluate its caller.
constexpr std::uint64_t kMaxRelevantSize = 6000;

/// Functions that call more do not make one object.
constexpr std::size_t kMaxCallees = 256;

void keep(Stored& stored, unsigned bytes, const Value& value) {
  if (stored.bytes == 0) {
    stored = {value, bytes};
  } else if (!(stored.value == value) || stored.bytes != bytes) {
    stored.value = {};
  }
}

Value read_stored(const Stored& stored, unsigned bytes) {
  return bytes <= stored.bytes ? truncated(stored.value, bytes * 8) : Value();
}

bool knows(const Program& program, const Knowledge& knowledge, std::uint32_t function) {
  const auto begin = program.binary.functions[function].begin;
  return program.uses[function].is_source || knowledge.getters.contains(begin) ||
         knowledge.property_getters.contains(begin) || knowledge.member_owners.contains(begin) ||
         knowledge.member_owners.contains(begin | kOfArgument);
}

}  // namespace

Value Knowledge::properties_at(const Value& pointer) const {
  const bool is_loaded = pointer.kind == Kind::opaque && (pointer.id & kLoaded) != 0;
  if (!is_loaded || !property_offsets.contains(pointer.offset)) return pointer;
  return {Kind::properties, false, false, 0, 0};
}

bool Knowledge::add_getter(std::uint64_t function, const Value& result) {
  keys.insert(function);
  return getters.emplace(function, result).second;
}

bool Knowledge::add_property_getter(std::uint64_t function) {
  keys.insert(function);
  return property_getters.insert(function).second;
}

void Knowledge::store_global(std::uint64_t address, unsigned bytes, const Value& value) {
  keys.insert(address);
  keep(globals[address], bytes, value);
}

void Knowledge::store_member(std::uint64_t owner, std::uint64_t offset, unsigned bytes,
                             const Value& value) {
  keep(members[{owner, offset}], bytes, value);
  member_owners.insert(owner);
  keys.insert(member_key(offset));
}

Value Knowledge::global(std::uint64_t address, unsigned bytes) const {
  const auto found = globals.find(address);
  return found == globals.end() ? Value() : read_stored(found->second, bytes);
}

Value Knowledge::member(const Program& program, std::uint64_t owner, std::uint64_t offset,
                        unsigned bytes) const {
  if (members.empty()) return {};
  const auto found = members.find({owner, offset});
  if (found != members.end()) return read_stored(found->second, bytes);
  const auto function = program.binary.function_from(owner);
  if (function == kNone) return {};
  const auto callees = program.callees.of(function);
  for (const auto callee : callees.first(std::min(callees.size(), kMaxCallees))) {
    const auto constructor = program.binary.functions[callee].begin;
    if (!member_owners.contains(constructor | kOfArgument)) continue;
    for (std::uint64_t argument = 0; argument < program.output_calls.size(); ++argument) {
      const auto stored = members.find({owner_of(constructor, argument), offset});
      if (stored == members.end() || program.is_output(callee, function, argument)) continue;
      return read_stored(stored->second, bytes);
    }
  }
  return {};
}

bool Knowledge::agrees(const Lookups& lookups) const {
  const auto& hits = lookups.property_getters;
  const auto& missed = lookups.missed;
  return std::all_of(hits.begin(), hits.end(),
                     [&](std::uint64_t key) { return property_getters.contains(key); }) &&
         std::none_of(missed.begin(), missed.end(),
                      [&](std::uint64_t key) { return keys.contains(key); });
}

void measure_distances(const Program& program, Knowledge& knowledge) {
  auto& distances = knowledge.distances;
  distances.assign(program.uses.size(), kFar);
  std::vector<std::uint32_t> layer;
  for (std::uint32_t function = 0; function < distances.size(); ++function) {
    if (knows(program, knowledge, function)) layer.push_back(function);
  }
  for (std::uint8_t distance = 0; distance < kFar; ++distance) {
    std::vector<std::uint32_t> next;
    for (const auto function : layer) {
      if (distances[function] <= distance && distance > 0) continue;
      distances[function] = std::min(distances[function], distance);
      if (program.size_of(function) >= kMaxRelevantSize) continue;
      const auto callers = program.callers.of(function);
      next.insert(next.end(), callers.begin(), callers.end());
    }
    layer = std::move(next);
  }
}

}  // namespace archgrid::launches
