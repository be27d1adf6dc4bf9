// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "spills.hpp"

namespace archgrid::fatbin {
namespace {

constexpr std::uint32_t kSpillAnnotation = 1;
constexpr std::uint64_t kStoreLocal = 0x387;
constexpr std::uint64_t kLoadLocal = 0x983;

/// Returns the bytes that one access moves, from bits 73 to 75 of the instruction.
std::uint32_t width_of(std::uint64_t upper_word) {
  switch ((upper_word >> 9) & 7) {
    case 0:
    case 1:
      return 1;
    case 2:
    case 3:
      return 2;
    case 4:
      return 4;
    case 5:
      return 8;
    case 6:
      return 16;
    default:
      return 0;
  }
}

}  // namespace

void add_spills(Bytes annotations, Bytes code, Spills& spills) {
  for (std::uint64_t at = 0; annotations.contains(at, 8); at += 8) {
    if (annotations.at<std::uint32_t>(at, "annotation type") != kSpillAnnotation) continue;
    const auto offset = annotations.at<std::uint32_t>(at + 4, "annotated offset");
    if (!code.contains(offset, 16)) {
      spills.certain = false;
      continue;
    }
    const auto opcode = code.at<std::uint64_t>(offset, "instruction") & 0xfff;
    const auto width = width_of(code.at<std::uint64_t>(offset + 8, "instruction"));
    if (width == 0 || (opcode != kStoreLocal && opcode != kLoadLocal)) {
      spills.certain = false;
    } else if (opcode == kStoreLocal) {
      spills.stores += width;
    } else {
      spills.loads += width;
    }
  }
}

}  // namespace archgrid::fatbin
