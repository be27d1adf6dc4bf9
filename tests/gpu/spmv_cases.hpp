// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Sparse matrices and vectors of each type in device memory.
#ifndef ARCHGRID_TESTS_GPU_SPMV_CASES_HPP
#define ARCHGRID_TESTS_GPU_SPMV_CASES_HPP

#include <cuda_fp16.h>

#include <cstring>
#include <vector>

#include "device_memory.hpp"
#include "sparse/formats.h"
#include "sparse/generate.h"
#include "sparse/spmv.h"
#include "sparse/spmv_reference.h"

namespace archgrid::sparse {

/// Rounded to a type, as its bytes.
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

/// As a device of the type has them.
inline std::vector<double> rounded(const std::vector<double>& numbers, Number type) {
  return numbers_in(stored(numbers, type), type);
}

inline double unit_of(Number sum) {
  return sum == Number::f64 ? 0x1p-53 : 0x1p-24;
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
