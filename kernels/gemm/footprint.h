// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Where the elements of matrices lie, and whether those of two share memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

namespace archgrid::gemm {

// Lines of bytes that begin `pitch` bytes apart, and again in each batch, `stride` bytes apart. One
// without lines or data is of nothing.
struct Footprint {
  const void* data = nullptr;
  long long length = 0;  // of a line
  long long lines = 1;
  long long pitch = 0;
  long long batches = 1;
  long long stride = 0;
};

namespace footprint {

// The numbers whose multiples of `step` lie between two others, and are neither.
struct Range {
  long long first;
  long long last;
};
inline long long rounded_down(long long number, long long step) {
  return number / step - (number % step < 0 ? 1 : 0);
}
inline Range multiples_between(long long above, long long below, long long step) {
  return {rounded_down(above, step) + 1, rounded_down(below - 1, step)};
}

inline bool is_of_nothing(const Footprint& f) {
  return f.data == nullptr || f.length <= 0 || f.lines <= 0 || f.batches <= 0;
}

// The same with as few batches and lines as it can be said with.
inline Footprint joined(Footprint f) {
  if (f.stride == 0) f.batches = 1;
  // Side by side within the pitch.
  if (f.batches > 1 && f.lines > 1 && f.stride == f.length && f.length * f.batches <= f.pitch) {
    f.length *= f.batches;
    f.batches = 1;
  }
  if (f.batches > 1 && (f.lines == 1 || f.stride == f.lines * f.pitch)) {
    f.pitch = f.lines == 1 ? f.stride : f.pitch;
    f.lines *= f.batches;
    f.batches = 1;
  }
  if (f.batches == 1 && f.lines > 1 && f.pitch == f.length) {
    f.length *= f.lines;
    f.lines = 1;
  }
  return f;
}

inline long long span_of(const Footprint& f) {
  return (f.lines - 1) * f.pitch + f.length;
}

// Of the first batch of each, where b begins `distance` bytes behind a. Line i of a and line j of b
// meet where (i - j) * pitch is in the range that their lengths leave.
inline bool lines_meet(long long distance, const Footprint& a, const Footprint& b,
                       long long pitch) {
  const Range found = multiples_between(distance - a.length, distance + b.length, pitch);
  return std::max(found.first, 1 - b.lines) <= std::min(found.last, a.lines - 1);
}
inline bool matrices_meet(long long distance, const Footprint& a, const Footprint& b) {
  if (a.lines == 1) return lines_meet(distance, a, b, std::max(b.pitch, 1ll));
  if (b.lines == 1 || a.pitch == b.pitch) return lines_meet(distance, a, b, a.pitch);
  // Of lines that lie in different ways the first alone is looked at.
  Footprint line_of_a = a;
  Footprint line_of_b = b;
  line_of_a.lines = line_of_b.lines = 1;
  return lines_meet(distance, line_of_a, b, b.pitch) || lines_meet(distance, a, line_of_b, a.pitch);
}

// Looks from the first and from the last batch of b.
inline bool batches_meet(const Footprint& a, const Footprint& b) {
  for (const long long batch : {0ll, b.batches - 1}) {
    const long long distance = static_cast<long long>(reinterpret_cast<std::uintptr_t>(b.data) -
                                                      reinterpret_cast<std::uintptr_t>(a.data)) +
                               batch * b.stride;
    Range near = {0, 0};
    if (a.batches > 1) {
      near = multiples_between(distance - span_of(a), distance + span_of(b), a.stride);
      near = {std::max(near.first, 0ll), std::min(near.last, a.batches - 1)};
    }
    if (near.first > near.last) continue;
    if (matrices_meet(distance - near.first * a.stride, a, b) ||
        matrices_meet(distance - near.last * a.stride, a, b))
      return true;
  }
  return false;
}

}  // namespace footprint

// Whether they have a byte in common. True only where they do, so that matrices which lie between
// each other's lines are told apart; false as well for some that do, of those whose lines or
// batches lie in different ways.
inline bool share_memory(const Footprint& one, const Footprint& other) {
  if (footprint::is_of_nothing(one) || footprint::is_of_nothing(other)) return false;
  const Footprint a = footprint::joined(one);
  const Footprint b = footprint::joined(other);
  return footprint::batches_meet(a, b) || footprint::batches_meet(b, a);
}

// What is wrong with writing the one while the other is read; empty if nothing is.
inline std::string mistake_in_sharing(const std::string& written, const Footprint& to,
                                      const std::string& read, const Footprint& from) {
  if (!share_memory(to, from)) return "";
  return written + " and " + read + " share memory: " + written + " is written while " + read +
         " is read";
}

}  // namespace archgrid::gemm
