// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Comparisons of GPU results with a reference, for every type that NumberType supports. Operands
// are anything with data() and size() in host memory, or a buffer of archgrid, which is copied back
// first. A failure reports how many elements are wrong, how many of them are not finite, and the
// worst or the first of them.
#ifndef ARCHGRID_GTEST_COMPARE_HPP
#define ARCHGRID_GTEST_COMPARE_HPP

#include <gtest/gtest.h>

#include <archgrid/cuda/poison.hpp>
#include <archgrid/gtest/number_type.hpp>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace archgrid {

/// The layout of elements: a vector, a row-major matrix, or a batch of consecutive matrices.
/// Messages name elements by it. A comparison fails if the number of elements does not match it.
struct Shape {
  Shape() = default;
  /// A matrix with as many rows as the elements fill; 0 columns: a vector of any size.
  Shape(std::size_t row_length) : columns(row_length) {}
  Shape(std::size_t row_count, std::size_t row_length) : rows(row_count), columns(row_length) {}
  Shape(std::size_t matrix_count, std::size_t row_count, std::size_t row_length)
      : matrices(matrix_count), rows(row_count), columns(row_length) {}

  std::size_t matrices = 0;
  std::size_t rows = 0;
  std::size_t columns = 0;
};

/// The treatment of NaN and infinite elements: always a failure, or correct where the reference is
/// NaN too, or infinite with the same sign.
enum class NotFinite { fails, passes_where_wanted };

/// Returns the largest error of a sum that is computed in `Accumulator` and then stored as
/// `Stored`: a sum of `terms` products whose magnitudes add up to `magnitude`, with the exact
/// result `value` (if unknown, pass nothing: no sum exceeds its magnitude). The bound grows with
/// the length of the sum. It is valid for any order of summation, with and without fused
/// multiply-add:
///
///   e = gamma(n) * magnitude + n * t,       gamma(n) = n u / (1 - n u),  n = terms + 2
///   e + u' * (|value| + e) + t'             if the sum is stored as another type, else e
///
/// u is the type's unit roundoff, 2^-digits: 2^-53 for double, 2^-24 for float, 2^-11 for __half,
/// 2^-8 for __nv_bfloat16, 2^-4 and 2^-3 for __nv_fp8_e4m3 and __nv_fp8_e5m2; t is half the
/// smallest positive number, the error of a subnormal result. The 2 in n stands for the
/// multiplication by alpha and the addition of beta times the old value. A sum of zeros has no
/// error. Source: N. J. Higham, Accuracy and Stability of Numerical Algorithms, sections 2.2 (the
/// model, and underflow) and 3.1 (gamma).
///
/// The bound is not valid if subnormals are flushed to zero (-ftz=true), nor for a sum that leaves
/// the range of a type. Tensor cores that add in float may truncate instead of rounding: use
/// TruncatedFloat for them.
///
/// Throws std::invalid_argument for negative `terms`, and if the bound would reach `magnitude`, so
/// that zeros would pass: for float from 2^23 - 2 terms on, for __half from 1022. Split a longer
/// sum, or compare it with a bound of your own.
template <class Accumulator = float, class Stored = Accumulator>
double rounding_bound(long long terms, double magnitude, double value);
template <class Accumulator = float, class Stored = Accumulator>
double rounding_bound(long long terms, double magnitude);

/// An accumulator for rounding_bound(): float arithmetic that truncates, with u = 2^-23, as tensor
/// cores add the products of 16-bit numbers. Source: M. Fasi, N. J. Higham, M. Mikaitis, S.
/// Pranesh, Numerical behavior of NVIDIA tensor cores, PeerJ Computer Science 7:e330, 2021. Sums of
/// 8-bit numbers keep fewer bits on Hopper, about 14: DeepSeek-V3 Technical Report, section 3.3.2.
struct TruncatedFloat {};

namespace detail {

/// Type-erased elements in host memory.
struct Elements {
  const void* data;
  std::size_t size;
  double (*value)(const void* data, std::size_t index);
  std::string (*text)(const void* data, std::size_t index);
};

/// `distance` is 0 only between equal elements, even where double cannot represent the difference.
struct Pair {
  Elements got;
  Elements want;
  double (*distance)(const void* got, const void* want, std::size_t index);
};

constexpr std::size_t kAnySize = static_cast<std::size_t>(-1);

struct Bounds {
  const void* object;
  std::size_t size;  ///< kAnySize: one for every index
  double (*at)(const void* object, std::size_t index);
};

struct Precision {
  int digits;
  int min_exponent;
};

::testing::AssertionResult within(const Pair& pair, const Bounds& bounds, const Shape& shape,
                                  NotFinite not_finite);
::testing::AssertionResult equal(const Pair& pair, const Shape& shape, NotFinite not_finite);
double rounding_bound(long long terms, double magnitude, Precision accumulator);
double stored_bound(double bound, double magnitude, double value, Precision stored);
std::string described(double value, int digits);
double distance_of_integers(bool a_is_negative, std::uint64_t a, bool b_is_negative,
                            std::uint64_t b);

template <class T, class = void>
struct IsBuffer : std::false_type {};
template <class T>
struct IsBuffer<T, std::void_t<decltype(std::declval<const T&>().to_host())>> : std::true_type {};

/// Returns `range`, or a buffer's copy of itself on the host.
template <class Range>
decltype(auto) on_host(const Range& range) {
  if constexpr (IsBuffer<Range>::value) {
    return range.to_host();
  } else {
    return (range);
  }
}

template <class Range>
using ElementOf =
    std::remove_cv_t<std::remove_pointer_t<decltype(std::data(std::declval<const Range&>()))>>;

template <class T>
const T& element(const void* data, std::size_t index) {
  return static_cast<const T*>(data)[index];
}

template <class T>
std::string text_at(const void* data, std::size_t index) {
  const T& number = element<T>(data, index);
  std::string text;
  if constexpr (std::is_integral<T>::value) {
    text = std::to_string(number);
  } else {
    text = described(NumberType<T>::to_double(number), NumberType<T>::digits);
  }
  return is_poison(&number, sizeof number) ? text + ", never written," : text;
}

template <class T>
double value_at(const void* data, std::size_t index) {
  return NumberType<T>::to_double(element<T>(data, index));
}

template <class T>
Elements elements_of(const T* data, std::size_t size) {
  return {data, size, value_at<T>, text_at<T>};
}

template <class T>
std::uint64_t magnitude_of(T number) {
  const auto bits = static_cast<std::uint64_t>(number);
  return number < T{} ? std::uint64_t{0} - bits : bits;
}

template <class Got, class Want>
double distance_at(const void* got, const void* want, std::size_t index) {
  constexpr bool both = std::is_integral<Got>::value && std::is_integral<Want>::value;
  if constexpr (both) {
    const Got a = element<Got>(got, index);
    const Want b = element<Want>(want, index);
    return distance_of_integers(a < Got{}, magnitude_of(a), b < Want{}, magnitude_of(b));
  } else {
    static_assert(NumberType<Got>::digits <= 53 && NumberType<Want>::digits <= 53,
                  "compare 64-bit integers with integers: a double does not hold them all");
    const double difference = value_at<Got>(got, index) - value_at<Want>(want, index);
    return difference < 0 ? -difference : difference;
  }
}

template <class Got, class Want>
Pair pair_of(const Got& got, const Want& want) {
  return {elements_of(std::data(got), std::size(got)),
          elements_of(std::data(want), std::size(want)),
          distance_at<ElementOf<Got>, ElementOf<Want>>};
}

template <class Bound>
Bounds bounds_of(const Bound& bound) {
  if constexpr (std::is_arithmetic<Bound>::value) {
    return {&bound, kAnySize, [](const void* object, std::size_t) {
              return static_cast<double>(*static_cast<const Bound*>(object));
            }};
  } else if constexpr (std::is_invocable<const Bound&, std::size_t>::value) {
    return {&bound, kAnySize, [](const void* object, std::size_t index) {
              return static_cast<double>((*static_cast<const Bound*>(object))(index));
            }};
  } else {
    return {std::data(bound), std::size(bound), value_at<ElementOf<Bound>>};
  }
}

template <class T>
constexpr Precision precision_of() {
  if constexpr (std::is_same<T, TruncatedFloat>::value) {
    return {NumberType<float>::digits - 1, NumberType<float>::min_exponent};
  } else {
    static_assert(!std::is_integral<T>::value, "integers do not round");
    return {NumberType<T>::digits, NumberType<T>::min_exponent};
  }
}

}  // namespace detail

template <class Accumulator, class Stored>
double rounding_bound(long long terms, double magnitude, double value) {
  const double bound =
      detail::rounding_bound(terms, magnitude, detail::precision_of<Accumulator>());
  if constexpr (std::is_same<Accumulator, Stored>::value) {
    return bound;
  } else {
    return detail::stored_bound(bound, magnitude, value, detail::precision_of<Stored>());
  }
}

template <class Accumulator, class Stored>
double rounding_bound(long long terms, double magnitude) {
  return rounding_bound<Accumulator, Stored>(terms, magnitude, magnitude);
}

/// Objects rather than functions, so that argument-dependent lookup does not find std::equal when
/// vectors of std are compared.
struct WithinFunction {
  template <class Got = std::vector<float>, class Want = std::vector<double>,
            class Bound = std::vector<double>>
  ::testing::AssertionResult operator()(const Got& got, const Want& want, const Bound& bound,
                                        Shape shape = {},
                                        NotFinite not_finite = NotFinite::fails) const {
    const auto& got_here = detail::on_host(got);
    const auto& want_here = detail::on_host(want);
    return detail::within(detail::pair_of(got_here, want_here), detail::bounds_of(bound), shape,
                          not_finite);
  }
};

struct EqualFunction {
  template <class Got = std::vector<float>, class Want = std::vector<double>>
  ::testing::AssertionResult operator()(const Got& got, const Want& want, Shape shape = {},
                                        NotFinite not_finite = NotFinite::fails) const {
    const auto& got_here = detail::on_host(got);
    const auto& want_here = detail::on_host(want);
    return detail::equal(detail::pair_of(got_here, want_here), shape, not_finite);
  }
};

/// Reports whether each element of `got` is finite and differs by at most its bound from that of
/// `want`: within(got, want, bound, shape, not_finite). `bound` is one number for all elements, one
/// number per element, or a function of an element's index.
///
/// The comparison fails, whatever the elements are, if there are none or the sizes differ; if a
/// bound is negative, infinite or NaN; and if each bound is as large as the wanted value, so that a
/// kernel that writes zeros would pass.
inline constexpr WithinFunction within{};

/// Reports whether each element of `got` has the value of that of `want`: equal(got, want, shape,
/// not_finite). Meant for sums of small integers, which a type represents exactly, so that any
/// difference is an indexing error. 0 and -0 are equal.
inline constexpr EqualFunction equal{};

namespace detail {

/// A matcher that calls `compare` with the actual value.
template <class Compare>
class ComparingMatcher {
 public:
  using is_gtest_matcher = void;

  ComparingMatcher(Compare compare, const char* description)
      : compare_(std::move(compare)), description_(description) {}

  template <class Got>
  bool MatchAndExplain(const Got& got, std::ostream* explanation) const {
    const ::testing::AssertionResult result = compare_(got);
    if (!result && explanation != nullptr) *explanation << result.message();
    return static_cast<bool>(result);
  }
  void DescribeTo(std::ostream* out) const { *out << "has all elements " << description_; }
  void DescribeNegationTo(std::ostream* out) const {
    *out << "has not all elements " << description_;
  }

 private:
  Compare compare_;
  const char* description_;
};

}  // namespace detail

/// Matchers for within() and equal(), for GoogleMock's EXPECT_THAT(got, Within(want, bound)).
template <class Want = std::vector<double>, class Bound = std::vector<double>>
auto Within(Want want, Bound bound, Shape shape = {}, NotFinite not_finite = NotFinite::fails) {
  auto compare = [want = std::move(want), bound = std::move(bound), shape, not_finite](
                     const auto& got) { return within(got, want, bound, shape, not_finite); };
  return detail::ComparingMatcher<decltype(compare)>(std::move(compare), "within their bounds");
}

template <class Want = std::vector<double>>
auto Equal(Want want, Shape shape = {}, NotFinite not_finite = NotFinite::fails) {
  auto compare = [want = std::move(want), shape, not_finite](const auto& got) {
    return equal(got, want, shape, not_finite);
  };
  return detail::ComparingMatcher<decltype(compare)>(std::move(compare), "equal to those wanted");
}

}  // namespace archgrid

#endif
