// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// The memory that a matrix occupies, and a test whether two matrices share memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

namespace archgrid::gemm {

// The bytes of a batch of matrices: rows of contiguous bytes (of a column-major matrix: its
// columns) begin `pitch` bytes apart, batches `batch_stride` bytes apart. A footprint without rows
// or data is empty.
struct Footprint {
  const void* data = nullptr;
  long long row_bytes = 0;
  long long rows = 1;
  long long pitch = 0;
  long long batches = 1;
  long long batch_stride = 0;
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

inline bool is_empty(const Footprint& f) {
  return f.data == nullptr || f.row_bytes <= 0 || f.rows <= 0 || f.batches <= 0;
}

// Returns an equal footprint with as few batches and rows as possible.
inline Footprint coalesced(Footprint f) {
  if (f.batch_stride == 0) f.batches = 1;
  // The batches lie side by side within the pitch.
  if (f.batches > 1 && f.rows > 1 && f.batch_stride == f.row_bytes &&
      f.row_bytes * f.batches <= f.pitch) {
    f.row_bytes *= f.batches;
    f.batches = 1;
  }
  if (f.batches > 1 && (f.rows == 1 || f.batch_stride == f.rows * f.pitch)) {
    f.pitch = f.rows == 1 ? f.batch_stride : f.pitch;
    f.rows *= f.batches;
    f.batches = 1;
  }
  if (f.batches == 1 && f.rows > 1 && f.pitch == f.row_bytes) {
    f.row_bytes *= f.rows;
    f.rows = 1;
  }
  return f;
}

inline long long span_of(const Footprint& f) {
  return (f.rows - 1) * f.pitch + f.row_bytes;
}

// Reports whether rows of the first batch of a and of b overlap, if b begins `distance` bytes after
// a. Row i of a and row j of b overlap if (i - j) * pitch is between distance - a.row_bytes and
// distance + b.row_bytes.
inline bool rows_overlap(long long distance, const Footprint& a, const Footprint& b,
                         long long pitch) {
  const Range found = multiples_between(distance - a.row_bytes, distance + b.row_bytes, pitch);
  return std::max(found.first, 1 - b.rows) <= std::min(found.last, a.rows - 1);
}
inline bool matrices_overlap(long long distance, const Footprint& a, const Footprint& b) {
  if (a.rows == 1) return rows_overlap(distance, a, b, std::max(b.pitch, 1ll));
  if (b.rows == 1 || a.pitch == b.pitch) return rows_overlap(distance, a, b, a.pitch);
  // If the pitches differ, only the first row of each is compared with all rows of the other.
  Footprint row_of_a = a;
  Footprint row_of_b = b;
  row_of_a.rows = row_of_b.rows = 1;
  return rows_overlap(distance, row_of_a, b, b.pitch) ||
         rows_overlap(distance, a, row_of_b, a.pitch);
}

// Reports whether the first or the last batch of b overlaps a. Compares each with the first and the
// last batch of a in its range.
inline bool batches_overlap(const Footprint& a, const Footprint& b) {
  for (const long long batch : {0ll, b.batches - 1}) {
    const long long distance = static_cast<long long>(reinterpret_cast<std::uintptr_t>(b.data) -
                                                      reinterpret_cast<std::uintptr_t>(a.data)) +
                               batch * b.batch_stride;
    Range near = {0, 0};
    if (a.batches > 1) {
      near = multiples_between(distance - span_of(a), distance + span_of(b), a.batch_stride);
      near = {std::max(near.first, 0ll), std::min(near.last, a.batches - 1)};
    }
    if (near.first > near.last) continue;
    if (matrices_overlap(distance - near.first * a.batch_stride, a, b) ||
        matrices_overlap(distance - near.last * a.batch_stride, a, b))
      return true;
  }
  return false;
}

}  // namespace footprint

// Reports whether two footprints share a byte. Returns true only if they do, so matrices that lie
// between each other's rows are accepted. May miss an overlap if the pitches or batch strides
// differ.
inline bool overlap(const Footprint& one, const Footprint& other) {
  if (footprint::is_empty(one) || footprint::is_empty(other)) return false;
  const Footprint a = footprint::coalesced(one);
  const Footprint b = footprint::coalesced(other);
  return footprint::batches_overlap(a, b) || footprint::batches_overlap(b, a);
}

// Returns an error message if the memory written overlaps the memory read, or an empty string.
inline std::string validate_disjoint(const std::string& written, const Footprint& to,
                                     const std::string& read, const Footprint& from) {
  if (!overlap(to, from)) return "";
  return written + " and " + read + " share memory: " + written + " is written while " + read +
         " is read";
}

}  // namespace archgrid::gemm
