// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Input data for tests: the same on every machine for the same seed.
#ifndef ARCHGRID_NUMBERS_HPP
#define ARCHGRID_NUMBERS_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

namespace archgrid {

/// Integers from -4 to 4. Sums of up to 2^20 products of two of them are exact in single precision.
std::vector<float> small_integers(std::size_t count, std::uint32_t seed);

/// Uniform in [-1, 1).
std::vector<float> uniform(std::size_t count, std::uint32_t seed);

}  // namespace archgrid

#endif
