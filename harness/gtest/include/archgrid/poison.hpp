// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// What new memory of DeviceBuffer and PinnedBuffer holds until it is written.
#ifndef ARCHGRID_POISON_HPP
#define ARCHGRID_POISON_HPP

#include <cstddef>

namespace archgrid {

/// Repeated from a buffer's first element on: 0x7FFF in every 16 bits. It is a NaN as double,
/// float, __half, __nv_bfloat16 and both 8-bit floats, and absurd as an integer: 32767 in 16 bits,
/// 2147450879 in 32, 9223231297218904063 in 64, -1 and 127 by turns in 8.
inline constexpr unsigned char kPoison[2] = {0xFF, 0x7F};

/// Whether an element of `size` bytes still holds it. Never of single bytes, where it is too common
/// a value to tell.
inline bool is_poison(const void* element, std::size_t size) {
  const auto* bytes = static_cast<const unsigned char*>(element);
  for (std::size_t i = 0; i < size; ++i) {
    if (bytes[i] != kPoison[i % 2]) return false;
  }
  return size >= 2;
}

}  // namespace archgrid

#endif
