// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Input data for tests, for every type that NumberType supports: identical on every machine for the
// same seed.
#ifndef ARCHGRID_GTEST_NUMBERS_HPP
#define ARCHGRID_GTEST_NUMBERS_HPP

#include <archgrid/cuda/random_bits.hpp>
#include <archgrid/gtest/number_type.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace archgrid {

namespace detail {

// Uses only conversions, sums and powers of two, which are exact: the standard's distributions
// differ between libraries, and the logarithm of a normal distribution between machines.
template <class T, class Next>
std::vector<T> generate(std::size_t count, std::uint64_t seed, Next next) {
  RandomBits bits(seed);
  std::vector<T> numbers;
  numbers.reserve(count);
  for (std::size_t i = 0; i < count; ++i) numbers.push_back(next(bits));
  return numbers;
}

}  // namespace detail

/// Returns integers from -4 to 4, or from 0 to 4 for unsigned types. Every type represents them
/// exactly, and float represents the sums of up to 2^20 products of two of them.
template <class T = float>
std::vector<T> small_integers(std::size_t count, std::uint64_t seed) {
  return detail::generate<T>(count, seed, [](RandomBits& bits) {
    constexpr bool is_unsigned = std::is_unsigned<T>::value;
    const auto number = static_cast<int>(bits.next() % (is_unsigned ? 5 : 9));
    return NumberType<T>::from_double(is_unsigned ? number : number - 4);
  });
}

/// Returns numbers uniform in [-1, 1), multiples of 2^(1 - digits), which the type represents
/// exactly. For an integer type they are uniform over all its values.
template <class T = float>
std::vector<T> uniform(std::size_t count, std::uint64_t seed) {
  return detail::generate<T>(count, seed, [](RandomBits& bits) {
    if constexpr (std::is_integral<T>::value) {
      return static_cast<T>(bits.next());
    } else {
      constexpr int digits = NumberType<T>::digits;
      const auto steps = static_cast<double>(bits.next() >> (64 - digits));
      return NumberType<T>::from_double(std::ldexp(steps, 1 - digits) - 1.0);
    }
  });
}

/// Returns nearly normal numbers of mean 0 and variance 1: the sum of twelve numbers uniform in
/// [0, 1), less 6 (Irwin and Hall), rounded to the type. None is beyond 6, and the tails are
/// lighter than those of a normal distribution: 2 in 1000 beyond 3 instead of 2.7.
template <class T = float>
std::vector<T> normal(std::size_t count, std::uint64_t seed) {
  static_assert(!std::is_integral<T>::value, "integers of mean 0 and variance 1 are of little use");
  return detail::generate<T>(count, seed, [](RandomBits& bits) {
    std::int64_t sum = -(std::int64_t{6} << 32);
    for (int i = 0; i < 6; ++i) {
      const std::uint64_t pair = bits.next();
      sum += static_cast<std::int64_t>(pair >> 32) + static_cast<std::int64_t>(pair & 0xFFFFFFFFu);
    }
    return NumberType<T>::from_double(std::ldexp(static_cast<double>(sum), -32));
  });
}

}  // namespace archgrid

#endif
