// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// The memory that a matrix occupies, and a test whether two matrices share memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

namespace archgrid::gemm {

// The bytes of a batch of matrices: lines begin `pitch` bytes apart, batches `stride` bytes apart.
// A footprint without lines or data is empty.
struct Footprint {
  const void* data = nullptr;
  long long length = 0;  // bytes of a line
  long long lines = 1;
  long long pitch = 0;
  long long batches = 1;
  long long stride = 0;
};

namespace footprint {

// The integers from `first` to `last`; empty if `last` is smaller.
struct Range {
  long long first;
  long long last;
};
inline long long rounded_down(long long number, long long step) {
  return number / step - (number % step < 0 ? 1 : 0);
}
// Returns the integers i for which above < i * step < below.
inline Range multiples_between(long long above, long long below, long long step) {
  return {rounded_down(above, step) + 1, rounded_down(below - 1, step)};
}

inline bool is_of_nothing(const Footprint& f) {
  return f.data == nullptr || f.length <= 0 || f.lines <= 0 || f.batches <= 0;
}

// Returns an equal footprint with as few batches and lines as possible.
inline Footprint joined(Footprint f) {
  if (f.stride == 0) f.batches = 1;
  // The batches lie side by side within the pitch.
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

// Reports whether lines of the first batch of a and of b overlap, if b begins `distance` bytes
// after a. Line i of a and line j of b overlap if (i - j) * pitch is between distance - a.length
// and distance + b.length.
inline bool lines_meet(long long distance, const Footprint& a, const Footprint& b,
                       long long pitch) {
  const Range found = multiples_between(distance - a.length, distance + b.length, pitch);
  return std::max(found.first, 1 - b.lines) <= std::min(found.last, a.lines - 1);
}
inline bool matrices_meet(long long distance, const Footprint& a, const Footprint& b) {
  if (a.lines == 1) return lines_meet(distance, a, b, std::max(b.pitch, 1ll));
  if (b.lines == 1 || a.pitch == b.pitch) return lines_meet(distance, a, b, a.pitch);
  // If the pitches differ, only the first line of each is compared with all lines of the other.
  Footprint line_of_a = a;
  Footprint line_of_b = b;
  line_of_a.lines = line_of_b.lines = 1;
  return lines_meet(distance, line_of_a, b, b.pitch) || lines_meet(distance, a, line_of_b, a.pitch);
}

// Reports whether the first or the last batch of b overlaps a. Compares each with the first and the
// last batch of a in its range.
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

// Reports whether two footprints share a byte. Returns true only if they do, so matrices that lie
// between each other's lines are accepted. May miss an overlap if the pitches or batch strides
// differ.
inline bool share_memory(const Footprint& one, const Footprint& other) {
  if (footprint::is_of_nothing(one) || footprint::is_of_nothing(other)) return false;
  const Footprint a = footprint::joined(one);
  const Footprint b = footprint::joined(other);
  return footprint::batches_meet(a, b) || footprint::batches_meet(b, a);
}

// Returns an error message if the memory written overlaps the memory read, or an empty string.
inline std::string validate_disjoint(const std::string& written, const Footprint& to,
                                     const std::string& read, const Footprint& from) {
  if (!share_memory(to, from)) return "";
  return written + " and " + read + " share memory: " + written + " is written while " + read +
         " is read";
}

}  // namespace archgrid::gemm
