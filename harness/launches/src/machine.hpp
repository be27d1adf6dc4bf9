// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_LAUNCHES_MACHINE_HPP
#define ARCHGRID_LAUNCHES_MACHINE_HPP

#include <cstdint>
#include <optional>
#include <vector>

#include "decoder.hpp"
#include "knowledge.hpp"
#include "state.hpp"

namespace archgrid::launches {

/// Returns whether the condition of a jump, `setcc` or `cmovcc` holds, or nothing if unknown.
std::optional<bool> condition_of(ZydisMnemonic mnemonic, const Flags& flags);

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

  /// Assumes that the flags at these offsets of any object are 0. The list must outlive evaluations.
  void assume_clear(const std::vector<std::uint64_t>* flags) { clear_flags_ = flags; }
  /// Returns the offsets at which code set flags of objects to 1; unsorted.
  [[nodiscard]] const std::vector<std::uint64_t>& set_flags() const { return set_flags_; }
  /// Returns those at which it may have stored another byte than 0.
  [[nodiscard]] const std::vector<std::uint64_t>& written_flags() const { return written_flags_; }

  void note_capability() { uses_capability_ = true; }
  /// Reports whether a value that depends on the compute capability was read.
  [[nodiscard]] bool uses_capability() const { return uses_capability_; }

 private:
  class Step;
  Value load(const State& state, const Value& place, unsigned bytes);
  Value load_pair(const State& state, const Value& place);
  Value load_any(const State& state, const Value& place, unsigned bytes);
  Value load_global(const Value& place, unsigned bytes);
  Value load_member(const Value& place, unsigned bytes);
  Value noted(const Value& value);

  const Program& program_;
  Knowledge& knowledge_;
  bool records_;
  std::uint64_t function_;
  bool uses_capability_ = false;
  const std::vector<std::uint64_t>* clear_flags_ = nullptr;
  std::vector<std::uint64_t> set_flags_;
  std::vector<std::uint64_t> written_flags_;
};

}  // namespace archgrid::launches

#endif
