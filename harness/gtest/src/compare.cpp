// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <archgrid/gtest/compare.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>

namespace archgrid::detail {
namespace {

using ::testing::AssertionFailure;
using ::testing::AssertionResult;
using ::testing::AssertionSuccess;

constexpr std::size_t kShown = 5;

std::string name_of(std::size_t index, const Shape& shape) {
  if (shape.columns == 0) return "element " + std::to_string(index);
  std::string name = std::to_string(index % shape.columns) + ")";
  std::size_t row = index / shape.columns;
  if (shape.matrices > 0) {
    name = std::to_string(row % shape.rows) + ", " + name;
    row /= shape.rows;
  }
  return "element (" + std::to_string(row) + ", " + name;
}

std::string text_of(const Shape& shape) {
  if (shape.matrices > 0) {
    return std::to_string(shape.matrices) + " matrices of " + std::to_string(shape.rows) + " x " +
           std::to_string(shape.columns);
  }
  if (shape.rows > 0) {
    return "a matrix of " + std::to_string(shape.rows) + " x " + std::to_string(shape.columns);
  }
  return "rows of " + std::to_string(shape.columns);
}

bool has_shape(std::size_t size, const Shape& shape) {
  if (shape.columns == 0) return shape.rows == 0;
  if (shape.rows == 0) return size % shape.columns == 0;
  return size / shape.columns == shape.rows * std::max<std::size_t>(shape.matrices, 1) &&
         size % shape.columns == 0;
}

/// Returns why the operands cannot be compared, or an empty string.
std::string hindrance(const Pair& pair, const Shape& shape) {
  const std::size_t size = pair.got.size;
  if (size != pair.want.size) {
    return "has " + std::to_string(size) + " elements instead of " + std::to_string(pair.want.size);
  }
  if (size == 0) return "has no elements, which proves nothing";
  if (!has_shape(size, shape)) {
    return "has " + std::to_string(size) + " elements, which are not " + text_of(shape);
  }
  return "";
}

/// Returns the distance of two elements: 0 for accepted non-finite values, infinite for others.
double error_at(const Pair& pair, std::size_t index, NotFinite not_finite) {
  const double got = pair.got.value(pair.got.data, index);
  const double want = pair.want.value(pair.want.data, index);
  if (std::isfinite(got) && std::isfinite(want)) {
    return pair.distance(pair.got.data, pair.want.data, index);
  }
  const bool wanted = (std::isnan(got) && std::isnan(want)) || got == want;
  return wanted && not_finite == NotFinite::passes_where_wanted ? 0.0 : HUGE_VAL;
}

/// The number of wrong elements, how many of them are not finite, and the first few.
struct Wrong {
  std::size_t count = 0;
  std::size_t nans = 0;
  std::size_t infinities = 0;
  std::vector<std::size_t> first;

  void add(std::size_t index, double got) {
    ++count;
    if (std::isnan(got)) ++nans;
    if (std::isinf(got)) ++infinities;
    if (first.size() < kShown) first.push_back(index);
  }
};

std::string summary(const Wrong& wrong, std::size_t size, const char* what) {
  std::string text =
      std::to_string(wrong.count) + " of " + std::to_string(size) + " elements are " + what;
  if (wrong.nans > 0) text += ", " + std::to_string(wrong.nans) + " of them NaN";
  if (wrong.infinities > 0) text += ", " + std::to_string(wrong.infinities) + " of them infinite";
  return text;
}

std::string got_and_want(const Pair& pair, std::size_t index) {
  return "is " + pair.got.text(pair.got.data, index) + " instead of " +
         pair.want.text(pair.want.data, index);
}

/// Lists the first few elements, one per line. Returns nothing for a single one, which is already
/// reported.
std::string listed(const Wrong& wrong, const Shape& shape,
                   const std::function<std::string(std::size_t)>& described_at) {
  if (wrong.count < 2) return "";
  std::string text;
  for (const std::size_t index : wrong.first) {
    text += "\n  " + name_of(index, shape) + " " + described_at(index);
  }
  const std::size_t more = wrong.count - wrong.first.size();
  return more == 0 ? text : text + "\n  and " + std::to_string(more) + " more";
}

bool is_no_bound(double bound) {
  return !std::isfinite(bound) || bound < 0.0;
}

/// Returns the error as a multiple of its bound. An exact element gives 0 even for a bound of 0.
double ratio_of(double error, double bound) {
  return error == 0.0 ? 0.0 : error / std::abs(bound);  // -0.0 is a valid bound, too
}

std::string beyond_at(const Pair& pair, const Bounds& bounds, std::size_t index, double error) {
  const double bound = bounds.at(bounds.object, index);
  const std::string times =
      std::isfinite(error) ? ", " + described(ratio_of(error, bound), 16) + " times the bound of "
                           : ", where the bound is ";
  return got_and_want(pair, index) + times + described(bound, 16);
}

}  // namespace

AssertionResult within(const Pair& pair, const Bounds& bounds, const Shape& shape,
                       NotFinite not_finite) {
  const std::string reason = hindrance(pair, shape);
  if (!reason.empty()) return AssertionFailure() << reason;
  const std::size_t size = pair.got.size;
  if (bounds.size != kAnySize && bounds.size != size) {
    return AssertionFailure() << "has " << size << " elements, but " << bounds.size << " bounds";
  }
  Wrong wrong;
  std::size_t worst = 0;
  double worst_ratio = 0.0;
  bool zeros_would_pass = true;
  bool zeros_are_wanted = true;
  for (std::size_t i = 0; i < size; ++i) {
    const double bound = bounds.at(bounds.object, i);
    if (is_no_bound(bound)) {
      return AssertionFailure() << "the bound of " << name_of(i, shape) << ", " << bound
                                << ", is none";
    }
    const double want = pair.want.value(pair.want.data, i);
    if (want != 0.0) zeros_are_wanted = false;
    if (!(std::abs(want) <= bound)) zeros_would_pass = false;
    const double ratio = ratio_of(error_at(pair, i, not_finite), bound);
    if (ratio > worst_ratio) worst = i;
    worst_ratio = std::max(worst_ratio, ratio);
    if (!(ratio <= 1.0)) wrong.add(i, pair.got.value(pair.got.data, i));
  }
  const auto described_at = [&](std::size_t index) {
    return beyond_at(pair, bounds, index, error_at(pair, index, not_finite));
  };
  if (wrong.count > 0) {
    return AssertionFailure() << summary(wrong, size, "beyond the error bound") << "; the worst, "
                              << name_of(worst, shape) << ", " << described_at(worst)
                              << listed(wrong, shape, described_at);
  }
  if (zeros_would_pass && !zeros_are_wanted) {
    return AssertionFailure() << "proves nothing: each of the " << size
                              << " bounds is as large as the value wanted, so that zeros would "
                                 "pass; use a tighter bound, or input that does not cancel";
  }
  return AssertionSuccess();
}

AssertionResult equal(const Pair& pair, const Shape& shape, NotFinite not_finite) {
  const std::string reason = hindrance(pair, shape);
  if (!reason.empty()) return AssertionFailure() << reason;
  Wrong wrong;
  for (std::size_t i = 0; i < pair.got.size; ++i) {
    if (error_at(pair, i, not_finite) == 0.0) continue;
    wrong.add(i, pair.got.value(pair.got.data, i));
  }
  if (wrong.count == 0) return AssertionSuccess();
  const auto described_at = [&](std::size_t index) { return got_and_want(pair, index); };
  return AssertionFailure() << summary(wrong, pair.got.size, "wrong") << "; the first, "
                            << name_of(wrong.first[0], shape) << ", "
                            << described_at(wrong.first[0]) << listed(wrong, shape, described_at);
}

double rounding_bound(long long terms, double magnitude, Precision accumulator) {
  const double operations = static_cast<double>(terms) + 2;
  const double roundings = std::ldexp(operations, -accumulator.digits);
  if (terms < 0 || roundings >= 0.5) {
    throw std::invalid_argument("rounding_bound: a sum of " + std::to_string(terms) +
                                " terms has no useful bound in arithmetic of " +
                                std::to_string(accumulator.digits) + " bits");
  }
  if (magnitude == 0.0) return 0.0;
  return roundings / (1.0 - roundings) * magnitude +
         std::ldexp(operations, accumulator.min_exponent - 1);
}

double stored_bound(double bound, double magnitude, double value, Precision stored) {
  if (magnitude == 0.0) return 0.0;
  const double unit = std::ldexp(1.0, -stored.digits);
  if (bound + unit * (magnitude + bound) >= magnitude) {
    throw std::invalid_argument("rounding_bound: a sum of magnitude " + described(magnitude, 53) +
                                " has no useful bound where it is stored in " +
                                std::to_string(stored.digits) + " bits");
  }
  return bound + unit * (std::abs(value) + bound) + std::ldexp(1.0, stored.min_exponent - 1);
}

// Returns the shortest decimal number that is closer to the value than to any other of that many
// bits.
std::string described(double value, int digits) {
  char text[32];
  for (int precision = 6;; ++precision) {
    std::snprintf(text, sizeof text, "%.*g", precision, value);
    const double error = std::abs(std::strtod(text, nullptr) - value);
    if (!(error > std::ldexp(std::abs(value), -digits - 1)) || precision == 17) return text;
  }
}

double distance_of_integers(bool a_is_negative, std::uint64_t a, bool b_is_negative,
                            std::uint64_t b) {
  if (a_is_negative != b_is_negative) return static_cast<double>(a) + static_cast<double>(b);
  return static_cast<double>(std::max(a, b) - std::min(a, b));
}

}  // namespace archgrid::detail
