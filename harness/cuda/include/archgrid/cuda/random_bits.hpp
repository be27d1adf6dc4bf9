// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_CUDA_RANDOM_BITS_HPP
#define ARCHGRID_CUDA_RANDOM_BITS_HPP

#include <cstdint>

namespace archgrid {

/// Random bits by integer arithmetic alone. Source: G. L. Steele, D. Lea, C. H. Flood, Fast
/// splittable pseudorandom number generators, OOPSLA 2014 (SplitMix64).
class RandomBits {
 public:
  explicit RandomBits(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15u;
    std::uint64_t bits = state_;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
    return bits ^ (bits >> 31);
  }

 private:
  std::uint64_t state_;
};

}  // namespace archgrid

#endif
