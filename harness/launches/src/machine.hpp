// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_LAUNCHES_MACHINE_HPP
#define ARCHGRID_LAUNCHES_MACHINE_HPP

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "decoder.hpp"
#include "knowledge.hpp"
#include "state.hpp"

namespace archgrid::launches {

/// Returns whether the condition of a jump, `setcc` or `cmovcc` holds, or nothing if unknown.
std::optional<bool> condition_of(ZydisMnemonic mnemonic, const Flags& flags);

/// A store of another number than 0.
struct Written {
  Value place;
  std::uint64_t offset = 0;  ///< in the instruction, from a base that may be unknown
  unsigned bytes = 0;

  /// Reports whether it may have changed the byte at `flag`.
  [[nodiscard]] bool may_cover(const Value& flag) const;
};

/// Flags that are assumed to be 0.
struct ClearFlags {
  std::vector<Value> places;
  std::vector<std::uint64_t> offsets;  ///< in objects of unknown identity, as those in containers
};

/// Reports whether a byte at this place may be a flag: it belongs to one object behind a pointer.
bool is_flag_place(const Value& place);

/// Reports whether a pointer may lead to an object to which other pointers lead, too: its origin is
/// unknown, or code loaded it from memory.
bool may_be_shared(const Value& pointer);

/// Effects of instructions on a State, but for jumps and calls.
class Machine {
 public:
  Machine(const Program& program, Knowledge& knowledge, bool records, std::uint64_t function)
      : program_(program), knowledge_(knowledge), records_(records), function_(function) {}

  /// Executes an instruction in front of the address `next`.
  void step(State& state, const Instruction& instruction, std::uint64_t next);

  /// Returns the destination of an indirect jump or call.
  Value target_of(State& state, const Instruction& instruction, std::uint64_t next);

  /// Stores a number computed from the compute capability, as a call does.
  void store(State& state, const Value& place, unsigned bytes, const Value& value);
  /// Stores the members of a cudaDeviceProp that hold the compute capability.
  void store_properties(State& state, const Value& place);

  /// Assumes that properties lie in an object at an offset of Knowledge::property_offsets.
  void assume_properties() { assumes_properties_ = true; }
  void assume_clear(ClearFlags flags) { clear_flags_ = std::move(flags); }
  /// Returns the places of the flags of objects that code set to 1, or their offsets from unknown
  /// pointers; unsorted.
  [[nodiscard]] const std::vector<Value>& set_flags() const { return set_flags_; }
  /// Reports whether code may have stored another byte than 0 at the place of a flag.
  [[nodiscard]] bool may_have_set(const Value& flag) const;

  void note_capability() { uses_capability_ = true; }
  /// Notes that a call looked up whether a function is a getter.
  void note_call(std::uint64_t function, bool is_property_getter) {
    if (records_)
      (is_property_getter ? lookups_.property_getters : lookups_.missed).push_back(function);
  }
  /// Gives away the knowledge that was looked up, for a machine that records; unsorted.
  [[nodiscard]] Lookups take_lookups() { return std::move(lookups_); }
  /// Reports whether anything was recorded.
  [[nodiscard]] bool has_recorded() const { return has_recorded_; }
  /// Reports whether a value that depends on the compute capability was read.
  [[nodiscard]] bool uses_capability() const { return uses_capability_; }

 private:
  class Step;
  Value load(const State& state, const Value& place, unsigned bytes);
  Value load_pair(const State& state, const Value& place);
  Value load_any(const State& state, const Value& place, unsigned bytes);
  Value load_global(const Value& place, unsigned bytes);
  Value load_member(const Value& place, unsigned bytes);
  Value load_assumed(const Value& place);
  Value noted(const Value& value);
  void note_miss(std::uint64_t key) {
    if (records_) lookups_.missed.push_back(key);
  }

  const Program& program_;
  Knowledge& knowledge_;
  bool records_;
  std::uint64_t function_;
  bool uses_capability_ = false;
  ClearFlags clear_flags_;
  std::vector<Value> set_flags_;
  std::vector<Written> written_;
  Lookups lookups_;
  bool has_recorded_ = false;
  bool assumes_properties_ = false;
};

}  // namespace archgrid::launches

#endif
