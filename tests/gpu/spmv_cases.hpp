// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Sparse matrices and vectors of each type in device memory.
#ifndef ARCHGRID_TESTS_GPU_SPMV_CASES_HPP
#define ARCHGRID_TESTS_GPU_SPMV_CASES_HPP

#include <cuda_fp16.h>

#include <cstring>
#include <ostream>
#include <string>
#include <vector>

#include "device_memory.hpp"
#include "sparse/formats.h"
#include "sparse/generate.h"
#include "sparse/spmv.h"
#include "sparse/spmv_reference.h"

namespace archgrid::sparse {

/// Rounds numbers to a type, and returns their bytes.
inline std::vector<unsigned char> stored(const std::vector<double>& numbers, Number type) {
  std::vector<unsigned char> bytes(numbers.size() * static_cast<std::size_t>(bytes_of(type)));
  const auto put = [&](std::size_t i, const auto& number) {
    std::memcpy(bytes.data() + i * sizeof number, &number, sizeof number);
  };
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (type == Number::f16) put(i, __double2half(numbers[i]));
    if (type == Number::f32) put(i, static_cast<float>(numbers[i]));
    if (type == Number::f64) put(i, numbers[i]);
  }
  return bytes;
}

inline std::vector<double> numbers_in(const std::vector<unsigned char>& bytes, Number type) {
  std::vector<double> numbers(bytes.size() / static_cast<std::size_t>(bytes_of(type)));
  const auto get = [&](std::size_t i, auto number) {
    std::memcpy(&number, bytes.data() + i * sizeof number, sizeof number);
    return number;
  };
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = type == Number::f16   ? static_cast<double>(__half2float(get(i, __half())))
                 : type == Number::f32 ? static_cast<double>(get(i, float()))
                                       : get(i, double());
  }
  return numbers;
}

/// Returns numbers rounded to a type.
inline std::vector<double> rounded(const std::vector<double>& numbers, Number type) {
  return numbers_in(stored(numbers, type), type);
}

inline double unit_of(Number sum) {
  return sum == Number::f64 ? 0x1p-53 : 0x1p-24;
}

/// A variant of a product, for matrices of some types.
template <class Variant>
struct TestedVariant {
  const Variant* variant;
  Number type;
  Integer index_type;
};

inline const char* name(Number type) {
  return type == Number::f16 ? "f16" : type == Number::f32 ? "f32" : "f64";
}

template <class Variant>
std::string test_name(const TestedVariant<Variant>& tested) {
  return std::string(tested.variant->name) + "_" + name(tested.type) +
         (tested.index_type == Integer::i32 ? "_i32" : "_i64");
}
template <class Variant>
void PrintTo(const TestedVariant<Variant>& tested, std::ostream* out) {
  *out << test_name(tested);
}

template <class Variant>
std::vector<TestedVariant<Variant>> with_all_types(const std::vector<Variant>& variants) {
  std::vector<TestedVariant<Variant>> all;
  for (const Variant& variant : variants) {
    for (const Number type : {Number::f16, Number::f32, Number::f64}) {
      for (const Integer index_type : {Integer::i32, Integer::i64})
        all.push_back({&variant, type, index_type});
    }
  }
  return all;
}

/// A matrix in device memory, its values rounded to a type.
struct CsrMemory {
  CsrMemory(const Csr& m, Number value_type, Integer index_type)
      : offsets(m.offsets, index_type),
        column(m.column, index_type),
        value(stored(m.value, value_type)),
        matrix{m.rows,     m.columns,      static_cast<std::int64_t>(m.column.size()),
               index_type, offsets.data(), column.data(),
               value_type, value.data()} {}

  DeviceNumbers offsets;
  DeviceNumbers column;
  DeviceBytes value;
  CsrOnDevice matrix;
};

}  // namespace archgrid::sparse

#endif
