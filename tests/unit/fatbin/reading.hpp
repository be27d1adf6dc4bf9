// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_TESTS_READING_HPP
#define ARCHGRID_TESTS_READING_HPP

#include <archgrid/fatbin.hpp>
#include <string_view>
#include <vector>

#include "made.hpp"

namespace archgrid::tests {

inline fatbin::File read_made(const MadeElf& elf) {
  return fatbin::read_bytes(bytes_of(elf), "made");
}

/// Reads a heap copy of exactly these bytes, so that a sanitizer detects any read beyond them.
inline fatbin::File read_copy(std::string_view bytes) {
  const std::vector<char> copy(bytes.begin(), bytes.end());
  return fatbin::read_bytes({copy.data(), copy.size()}, "made");
}

}  // namespace archgrid::tests

#endif
