// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The content of new memory of DeviceBuffer and PinnedBuffer until it is written.
#ifndef ARCHGRID_CUDA_POISON_HPP
#define ARCHGRID_CUDA_POISON_HPP

#include <cstddef>

namespace archgrid {

/// The pattern repeated from a buffer's first element on: 0x7FFF in every 16 bits. It is a NaN as
/// double, float, __half, __nv_bfloat16 and both 8-bit floats, and absurd as an integer: 32767 in
/// 16 bits, 2147450879 in 32, 9223231297218904063 in 64, alternately -1 and 127 in 8.
inline constexpr unsigned char kPoison[2] = {0xFF, 0x7F};

/// Reports whether an element of `size` bytes still contains the poison. Always false for single
/// bytes, whose poison is too common a value.
inline bool is_poison(const void* element, std::size_t size) {
  const auto* bytes = static_cast<const unsigned char*>(element);
  for (std::size_t i = 0; i < size; ++i) {
    if (bytes[i] != kPoison[i % 2]) return false;
  }
  return size >= 2;
}

}  // namespace archgrid

#endif
