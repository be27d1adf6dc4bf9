// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "state.hpp"

#include <algorithm>
#include <tuple>

namespace archgrid::launches {
namespace {

constexpr std::size_t kMaxCells = 512;
constexpr unsigned kMaxCellBytes = 8;

/// Offsets are signed: the stack grows down from 0.
auto order_of(const Value& place) {
  return std::tuple(place.kind, place.id, static_cast<std::int64_t>(place.offset));
}

bool is_same_object(const Value& left, const Value& right) {
  return left.kind == right.kind && left.id == right.id;
}

bool merge_registers(State& state, const State& other) {
  bool changed = false;
  for (std::size_t index = 0; index < state.registers.size(); ++index) {
    if (meet(state.registers[index], other.registers[index])) changed = true;
  }
  return changed;
}

}  // namespace

bool Memory::is_before(const Cell& cell, const Value& place) {
  return order_of(cell.place) < order_of(place);
}

Value Memory::read(const Value& place, unsigned bytes) const {
  const auto cell = std::lower_bound(cells_.begin(), cells_.end(), place, is_before);
  if (cell == cells_.end() || order_of(cell->place) != order_of(place)) return {};
  if (cell->bytes < bytes) return {};
  return truncated(cell->value, cell->bytes == bytes ? 64 : bytes * 8);
}

/// Forgets cells that overlap `bytes` bytes at `place`, and returns the position for a new one.
Memory::Position Memory::forget(const Value& place, unsigned bytes) {
  auto first = std::lower_bound(cells_.begin(), cells_.end(),
                                plus(place, std::uint64_t{1} - kMaxCellBytes), is_before);
  while (first != cells_.end() && is_before(*first, place) &&
         (!is_same_object(first->place, place) ||
          place.offset - first->place.offset >= first->bytes)) {
    ++first;
  }
  auto last = first;
  while (last != cells_.end() && is_same_object(last->place, place) &&
         static_cast<std::int64_t>(last->place.offset - place.offset) <
             static_cast<std::int64_t>(bytes)) {
    ++last;
  }
  return cells_.erase(first, last);
}

void Memory::write(const Value& place, unsigned bytes, const Value& value) {
  const auto position = forget(place, bytes);
  const bool is_known = value.kind != Kind::unknown && value.kind != Kind::import;
  if (!is_known || bytes > kMaxCellBytes || cells_.size() >= kMaxCells) return;
  auto key = place;
  key.is_element = false;
  cells_.insert(position, {key, value, bytes});
}

void Memory::forget_numbers() {
  std::erase_if(cells_, [](const Cell& cell) {
    return cell.value.is_number() && !cell.value.from_capability;
  });
}

void Memory::forget_number(const Value& place) {
  std::erase_if(cells_, [&](const Cell& cell) {
    return cell.value.is_number() && order_of(cell.place) == order_of(place);
  });
}

void Memory::forget_below(const Value& top) {
  std::erase_if(cells_, [&](const Cell& cell) {
    return is_same_object(cell.place, top) && is_before(cell, top);
  });
}

void Memory::keep_capability() {
  std::erase_if(cells_, [](const Cell& cell) {
    return !cell.value.from_capability && cell.value.kind != Kind::properties;
  });
}

bool Memory::intersect(const Memory& other) {
  auto theirs = other.cells_.begin();
  bool changed = false;
  const auto forgets = [&](Cell& cell) {
    while (theirs != other.cells_.end() && is_before(*theirs, cell.place)) ++theirs;
    const bool is_shared =
        theirs != other.cells_.end() && theirs->place == cell.place && theirs->bytes == cell.bytes;
    if (!is_shared || meet(cell.value, theirs->value)) changed = true;
    return !is_shared || cell.value.kind == Kind::unknown;
  };
  cells_.erase(std::remove_if(cells_.begin(), cells_.end(), forgets), cells_.end());
  return changed;
}

bool merge(State& state, const State& other) {
  bool changed = merge_registers(state, other);
  if (state.memory.intersect(other.memory)) changed = true;
  if (state.flags.of != Flags::Of::unknown && !(state.flags == other.flags)) {
    state.flags = {};
    changed = true;
  }
  if (other.holds_stub && !state.holds_stub) {
    state.holds_stub = true;
    changed = true;
  }
  return changed;
}

State unknown_entry() {
  State state;
  state.registers[kRsp] = stack(0);
  for (std::size_t index = 0; index < kArguments.size(); ++index) {
    state.registers[static_cast<std::size_t>(kArguments[index])] = argument(index);
  }
  return state;
}

}  // namespace archgrid::launches
