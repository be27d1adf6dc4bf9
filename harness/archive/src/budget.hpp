// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_ARCHIVE_BUDGET_HPP
#define ARCHGRID_ARCHIVE_BUDGET_HPP

#include <fmt/format.h>

#include <archgrid/archive.hpp>

#include "problem.hpp"

namespace archgrid::archive {

/// Cost of one input so far, checked against its limits.
class Budget {
 public:
  Budget(const Limits& limits, std::uint64_t input)
      : limits_(limits), bytes_(limits.unpacked + limits.unpacked_times * input) {}

  /// Throws Exhausted.
  void add_member() {
    if (++members_ <= limits_.members) return;
    throw Exhausted(fmt::format(
        "it holds more than {} members: unpack it, and name what matters in it", limits_.members));
  }

  /// Throws Exhausted.
  void add_bytes(std::uint64_t bytes) {
    unpacked_ += bytes;
    if (unpacked_ <= bytes_) return;
    throw Exhausted(fmt::format(
        "it unpacks to more than {} MB, which no honest archive of its size does: unpack it, and "
        "name what matters in it",
        bytes_ >> 20));
  }

 private:
  const Limits& limits_;
  std::uint64_t bytes_;
  std::uint64_t unpacked_ = 0;
  std::uint64_t members_ = 0;
};

}  // namespace archgrid::archive

#endif
