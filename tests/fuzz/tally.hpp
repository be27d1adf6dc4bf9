// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_TESTS_FUZZ_TALLY_HPP
#define ARCHGRID_TESTS_FUZZ_TALLY_HPP

#include <array>
#include <cstddef>
#include <cstdio>

namespace archgrid::fuzz {

/// Counts the inputs in which something was found, and reports the counts at the end: seeds that
/// reach no parser must not pass for a test.
template <std::size_t Count>
class Tally {
 public:
  explicit Tally(const std::array<const char*, Count>& names) : names_(names) {}
  Tally(const Tally&) = delete;
  Tally& operator=(const Tally&) = delete;
  ~Tally() {
    for (std::size_t choice = 0; choice < Count; ++choice) {
      std::fprintf(stderr, "read as %s: %zu\n", names_[choice], read_[choice]);
    }
  }

  void add(std::size_t choice) { ++read_[choice]; }

 private:
  std::array<const char*, Count> names_;
  std::array<std::size_t, Count> read_ = {};
};

}  // namespace archgrid::fuzz

#endif
