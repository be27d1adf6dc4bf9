// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <archgrid/compare.hpp>
#include <cmath>
#include <stdexcept>
#include <string>

namespace archgrid {
namespace {

std::string element(std::size_t index, std::size_t columns) {
  if (columns == 0) return "element " + std::to_string(index);
  return "element (" + std::to_string(index / columns) + ", " + std::to_string(index % columns) +
         ")";
}

::testing::AssertionResult sizes_differ(std::size_t got, std::size_t want) {
  return ::testing::AssertionFailure() << "has " << got << " elements instead of " << want;
}

bool is_no_bound(double bound) {
  return !std::isfinite(bound) || bound < 0.0;
}

}  // namespace

double rounding_bound(long long terms, double magnitude) {
  const double roundings = (static_cast<double>(terms) + 2) * std::ldexp(1.0, -24);
  if (terms < 0 || roundings >= 0.5) {
    throw std::invalid_argument("rounding_bound: a sum of " + std::to_string(terms) +
                                " terms has no useful bound in single precision");
  }
  return roundings / (1.0 - roundings) * magnitude;
}

::testing::AssertionResult within(const std::vector<float>& got, const std::vector<double>& want,
                                  const std::vector<double>& bound, std::size_t columns) {
  if (got.size() != want.size()) return sizes_differ(got.size(), want.size());
  if (bound.size() != want.size()) return sizes_differ(bound.size(), want.size());
  const auto no_bound = std::find_if(bound.begin(), bound.end(), is_no_bound);
  if (no_bound != bound.end()) {
    const auto index = static_cast<std::size_t>(no_bound - bound.begin());
    return ::testing::AssertionFailure()
           << "the bound of " << element(index, columns) << ", " << *no_bound << ", is none";
  }
  // A multiple of the bound; an exact element is 0 even where nothing but exactness is allowed.
  const auto error_of = [&](std::size_t i) {
    if (!std::isfinite(got[i])) return HUGE_VAL;
    const double error = std::abs(static_cast<double>(got[i]) - want[i]);
    return error == 0.0 ? 0.0 : error / std::abs(bound[i]);  // -0.0 is a bound too
  };
  std::size_t worst = 0;
  std::size_t beyond = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (error_of(i) > error_of(worst)) worst = i;
    if (!(error_of(i) <= 1.0)) ++beyond;
  }
  if (beyond == 0) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << beyond << " of " << got.size() << " elements are beyond the error bound; the worst, "
         << element(worst, columns) << ", is " << got[worst] << " instead of " << want[worst]
         << ", " << error_of(worst) << " times the bound of " << bound[worst];
}

::testing::AssertionResult equal(const std::vector<float>& got, const std::vector<double>& want,
                                 std::size_t columns) {
  if (got.size() != want.size()) return sizes_differ(got.size(), want.size());
  std::size_t first = got.size();
  std::size_t wrong = 0;
  for (std::size_t i = got.size(); i-- > 0;) {
    if (static_cast<double>(got[i]) == want[i]) continue;
    ++wrong;
    first = i;
  }
  if (wrong == 0) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << wrong << " of " << got.size() << " elements are wrong; the first, "
         << element(first, columns) << ", is " << got[first] << " instead of " << want[first];
}

}  // namespace archgrid
