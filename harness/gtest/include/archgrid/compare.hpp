// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Comparisons of what a GPU computed in single precision with a reference. Both name the worst or
// first element, and for a matrix its row and column.
#ifndef ARCHGRID_COMPARE_HPP
#define ARCHGRID_COMPARE_HPP

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace archgrid {

/// The largest error that single-precision sums may have: for a sum of `terms` products whose
/// magnitudes add up to `magnitude`, gamma(n) * magnitude with gamma(n) = n u / (1 - n u),
/// n = terms + 2 and u = 2^-24. It grows with the length of the sum, and holds in any order of
/// summation, with and without fused multiply-add.
/// Source: N. J. Higham, Accuracy and Stability of Numerical Algorithms, section 3.1; the 2 are
/// the multiplication by alpha and the addition of beta times the old value.
/// Throws std::invalid_argument for negative `terms`, and from 2^23 - 2 terms on: there the bound
/// reaches `magnitude`, so that zeros would be within it, and soon after it has no meaning at all.
/// Split a longer sum, or compare it with a bound of your own.
double rounding_bound(long long terms, double magnitude);

/// Whether each element of `got` is finite and at most `bound` from `want`. A bound that is
/// negative, infinite or NaN fails the comparison, whatever the elements are. `columns` is the row
/// length of a matrix, 0 for a vector.
::testing::AssertionResult within(const std::vector<float>& got, const std::vector<double>& want,
                                  const std::vector<double>& bound, std::size_t columns = 0);

/// Whether each element of `got` is `want` to the last bit: for sums of small integers, which
/// single precision represents exactly, so that any difference is an error of indexing.
::testing::AssertionResult equal(const std::vector<float>& got, const std::vector<double>& want,
                                 std::size_t columns = 0);

}  // namespace archgrid

#endif
