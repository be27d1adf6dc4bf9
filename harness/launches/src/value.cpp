// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "value.hpp"

namespace archgrid::launches {

Value number(std::uint64_t value, bool from_capability) {
  return {Kind::number, from_capability, false, 0, value};
}

Value address(std::uint64_t value) {
  return {Kind::address, false, false, 0, value};
}

Value stack(std::uint64_t offset) {
  return {Kind::stack, false, false, 0, offset};
}

Value argument(std::uint64_t index) {
  return {Kind::argument, false, false, index, 0};
}

Value unknown(unsigned bits) {
  return {Kind::unknown, false, false, bits < 64 ? kNarrow : 0, 0};
}

Value opaque(std::uint64_t id) {
  return {Kind::opaque, false, false, id, 0};
}

Value pointer_at(const Value& place) {
  auto pointer = opaque(place.offset);
  pointer.is_element = place.is_element;
  if (place.kind == Kind::address) return pointer;
  const auto base = (static_cast<std::uint64_t>(place.kind) << 56) + place.id;
  const auto mixed = base * 0x9E3779B97F4A7C15ULL + place.offset * 0xC2B2AE3D27D4EB4FULL;
  pointer.id = (mixed >> 8) | kLoaded;
  return pointer;
}

Value element_of(const Value& base) {
  if (base.kind != Kind::address && base.kind != Kind::opaque) return {};
  auto element = base;
  element.is_element = true;
  return element;
}

std::uint64_t marks_of(const Value& value) {
  if (value.kind == Kind::unknown) return value.id & (kCheck | kChoice | kInput);
  if (value.kind == Kind::argument) return kInput;
  if (!value.is_number()) return 0;
  const auto number = low_bits(value.offset, 32);
  if (value.from_capability && number <= 1) return kCheck;
  return number == 0 ? 0 : kChoice;
}

bool meet(Value& value, const Value& other) {
  if (value == other) return false;
  Value met = value.is_narrow() && other.is_narrow() ? unknown(32) : Value();
  met.id |= marks_of(value) | marks_of(other);
  if (value.is_number() && other.is(value.offset)) {
    met = number(value.offset, value.from_capability || other.from_capability);
    met.id = value.id | other.id;
  }
  if (met == value) return false;
  value = met;
  return true;
}

Value plus(Value value, std::uint64_t distance) {
  if (value.kind == Kind::unknown || value.kind == Kind::import) return {};
  value.offset += distance;
  return value;
}

Value sum(const Value& left, const Value& right) {
  if (left.is_number() && right.is_number()) {
    return number(left.offset + right.offset, left.from_capability || right.from_capability);
  }
  if (right.is_number()) return plus(left, right.offset);
  if (left.is_number()) return plus(right, left.offset);
  return {};
}

Value difference(const Value& left, const Value& right) {
  if (!right.is_number()) return {};
  return sum(left, number(0 - right.offset, right.from_capability));
}

Value product(const Value& value, std::uint64_t factor) {
  return value.is_number() ? number(value.offset * factor, value.from_capability) : Value();
}

std::uint64_t low_bits(std::uint64_t number, unsigned bits) {
  return bits >= 64 ? number : number & ((std::uint64_t{1} << bits) - 1);
}

std::int64_t signed_bits(std::uint64_t number, unsigned bits) {
  if (bits == 0 || bits >= 64) return static_cast<std::int64_t>(number);
  const auto shift = 64 - bits;
  return static_cast<std::int64_t>(number << shift) >> shift;
}

Value truncated(const Value& value, unsigned bits) {
  if (bits >= 64) return value;
  if (!value.is_number()) return {Kind::unknown, false, false, marks_of(value), 0};
  return number(low_bits(value.offset, bits), value.from_capability);
}

Value sign_extended(const Value& value, unsigned bits) {
  if (!value.is_number()) return {Kind::unknown, false, false, marks_of(value), 0};
  return number(static_cast<std::uint64_t>(signed_bits(value.offset, bits)), value.from_capability);
}

}  // namespace archgrid::launches
