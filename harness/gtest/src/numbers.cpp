// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <archgrid/numbers.hpp>
#include <cmath>
#include <random>

namespace archgrid {
namespace {

// Own arithmetic on the generator's bits: the standard's distributions differ between libraries.
template <class Next>
std::vector<float> generate(std::size_t count, std::uint32_t seed, Next next) {
  std::mt19937 generator(seed);
  std::vector<float> numbers(count);
  std::generate(numbers.begin(), numbers.end(), [&] { return next(generator()); });
  return numbers;
}

}  // namespace

std::vector<float> small_integers(std::size_t count, std::uint32_t seed) {
  return generate(count, seed,
                  [](std::uint_fast32_t bits) { return static_cast<float>(bits % 9) - 4.0f; });
}

std::vector<float> uniform(std::size_t count, std::uint32_t seed) {
  return generate(count, seed, [](std::uint_fast32_t bits) {
    const auto fraction = static_cast<float>(bits >> 8);  // 24 bits: exact
    return std::ldexp(fraction, -23) - 1.0f;
  });
}

}  // namespace archgrid
