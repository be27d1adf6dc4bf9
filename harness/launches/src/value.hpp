// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_LAUNCHES_VALUE_HPP
#define ARCHGRID_LAUNCHES_VALUE_HPP

#include <cstdint>

namespace archgrid::launches {

/// The known content of a register or of memory.
enum class Kind : std::uint8_t {
  unknown,
  number,      ///< `offset` is the number
  address,     ///< `offset` is an address in the file
  stack,       ///< `offset` bytes from the stack pointer at entry
  argument,    ///< the argument number `id` of the function, plus `offset`
  opaque,      ///< what `id`, a function or a place in memory, returned or held, plus `offset`
  properties,  ///< a cudaDeviceProp, plus `offset`
  import       ///< the address of the imported function number `id`
};

/// Marks a number that a call left in its result register and that nothing has touched since.
constexpr std::uint64_t kReturned = 1;

/// Marks an unknown value of less than 64 bits, which is no pointer.
constexpr std::uint64_t kNarrow = 2;

/// Marks an unknown value that is 0 or 1 on a path, because of the compute capability.
constexpr std::uint64_t kCheck = 4;

/// Marks an unknown value that is, on a path, another number, or what a comparison of unknown
/// values yields.
constexpr std::uint64_t kChoice = 8;

/// Marks an unknown value that depends on an argument of the function.
constexpr std::uint64_t kInput = 16;

/// Marks opaque values that code loaded from an object. They are no addresses in a file.
constexpr std::uint64_t kLoaded = std::uint64_t{1} << 60;

struct Value {
  Kind kind = Kind::unknown;
  bool from_capability = false;  ///< a number computed from the compute capability
  bool is_element = false;       ///< stands for an element of an array with an unknown index
  std::uint64_t id = 0;          ///< of a number: `kReturned` or 0; if unknown: its marks
  std::uint64_t offset = 0;

  friend bool operator==(const Value&, const Value&) = default;
  [[nodiscard]] bool is_number() const { return kind == Kind::number; }
  [[nodiscard]] bool is_narrow() const {
    return is_number() || (kind == Kind::unknown && (id & kNarrow) != 0);
  }
  [[nodiscard]] bool is(std::uint64_t number) const { return is_number() && offset == number; }
  /// Reports whether memory at this address is tracked in a State.
  [[nodiscard]] bool is_object() const {
    return kind == Kind::stack || kind == Kind::argument || kind == Kind::opaque;
  }
};

Value number(std::uint64_t value, bool from_capability = false);
Value address(std::uint64_t value);
Value stack(std::uint64_t offset);
Value argument(std::uint64_t index);
Value unknown(unsigned bits);
/// Returns the value of what `id` returned or held.
Value opaque(std::uint64_t id);
/// Returns a value that stands for the 64 bits at `place` in memory.
Value pointer_at(const Value& place);

/// Returns the marks `kCheck` and `kChoice` that a number stands for, `kInput` of an argument, or
/// those that an unknown value has.
std::uint64_t marks_of(const Value& value);

/// Keeps in `value` what holds for `other`, too; reports whether it changed.
bool meet(Value& value, const Value& other);

Value plus(Value value, std::uint64_t distance);
/// Returns a value that stands for any element of the array at `base`, or an unknown one.
Value element_of(const Value& base);
Value sum(const Value& left, const Value& right);
Value difference(const Value& left, const Value& right);
Value product(const Value& value, std::uint64_t factor);

/// Returns the lowest `bits` of a value; only numbers keep their kind below 64 bits.
Value truncated(const Value& value, unsigned bits);
Value sign_extended(const Value& value, unsigned bits);
std::uint64_t low_bits(std::uint64_t number, unsigned bits);
std::int64_t signed_bits(std::uint64_t number, unsigned bits);

}  // namespace archgrid::launches

#endif
