// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>

namespace archgrid::sparse {

// The type in which counts, offsets and indices are stored.
enum class Integer { i32, i64 };

constexpr std::size_t bytes_of(Integer type) {
  return type == Integer::i32 ? sizeof(std::int32_t) : sizeof(std::int64_t);
}

}  // namespace archgrid::sparse
