// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_LAUNCHES_STATE_HPP
#define ARCHGRID_LAUNCHES_STATE_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "value.hpp"

namespace archgrid::launches {

/// Numbers of the registers in machine code.
enum Register : int { kRax, kRcx, kRdx, kRbx, kRsp, kRbp, kRsi, kRdi, kR8, kR9, kR10, kR11 };
constexpr std::array<int, 6> kArguments = {kRdi, kRsi, kRdx, kRcx, kR8, kR9};

/// Known contents of memory: on the stack, behind arguments and behind opaque pointers. Sorted, and
/// limited in size.
class Memory {
 public:
  /// Returns what is known about `bytes` bytes at `place`.
  [[nodiscard]] Value read(const Value& place, unsigned bytes) const;
  /// Replaces what is known; an unknown value forgets it.
  void write(const Value& place, unsigned bytes, const Value& value);
  /// Forgets numbers that do not depend on the compute capability: a call may change them.
  void forget_numbers();
  /// Forgets a number that begins at `place`, which a call may write.
  void forget_number(const Value& place);
  /// Forgets what the stack holds below `top`: other functions overwrite it.
  void forget_below(const Value& top);
  /// Forgets all but numbers that depend on the compute capability, and properties.
  void keep_capability();
  /// Keeps the knowledge of `other`, too; reports whether anything was forgotten.
  bool intersect(const Memory& other);
  [[nodiscard]] std::size_t size() const { return cells_.size(); }

 private:
  struct Cell {
    Value place;
    Value value;
    unsigned bytes = 0;
  };
  using Position = std::vector<Cell>::iterator;
  Position forget(const Value& place, unsigned bytes);
  static bool is_before(const Cell& cell, const Value& place);

  std::vector<Cell> cells_;
};

/// The operands from which the processor's flags were computed.
struct Flags {
  enum class Of : std::uint8_t {
    unknown,
    comparison,  ///< left - right
    logic,       ///< left, by an operation that clears carry and overflow
    sum          ///< left, by one that sets them
  };
  Of of = Of::unknown;
  std::uint8_t bits = 0;
  Value left;
  Value right;
  friend bool operator==(const Flags&, const Flags&) = default;
};

struct State {
  std::array<Value, 16> registers;
  Memory memory;
  Flags flags;
  bool holds_stub = false;  ///< code has loaded the address of the stub that is looked for
};

/// Keeps in `state` the knowledge of `other`, too; reports whether anything was forgotten.
bool merge(State& state, const State& other);

/// Returns the state at the entry of a function about whose arguments nothing is known.
State unknown_entry();

}  // namespace archgrid::launches

#endif
