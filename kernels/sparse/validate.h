// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Validation of extents, arrays and matrices, with messages that all products share. Each
// validate_X() returns why X is invalid, or an empty string. `name` is the argument's name in the
// message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>

#include "gemm/footprint.h"
#include "gemm/workspace.h"
#include "sparse/spmm.h"

namespace archgrid::sparse {

using gemm::Footprint;
using gemm::overlap;
using gemm::validate_disjoint;
using gemm::validate_workspace;

// Returns the first string that is not empty.
std::string first_of(std::initializer_list<std::string> reasons);

std::string validate_extent(const char* name, std::int64_t extent, std::int64_t max);
// Checks that integers of a type can represent a count.
std::string validate_count(const char* name, std::int64_t count, Integer type);
// Checks the numbers of features, of their bags and of their indices.
std::string validate_features(int features, int bags, long long count);
// Checks an array. Without elements, any pointer is valid.
std::string validate_array(const char* name, const void* data, std::int64_t elements,
                           std::size_t alignment);
// Checks a dense matrix with elements of `bytes` bytes.
std::string validate_dense(const char* name, const Dense<const void*>& matrix, std::int64_t rows,
                           std::int64_t columns, int bytes);
// Checks the extents and the arrays of a matrix in compressed rows.
std::string validate_csr(const CsrOnDevice& matrix);

// Returns the memory of a valid array or matrix.
Footprint footprint_of(const void* data, std::int64_t elements, std::size_t bytes);
Footprint footprint_of(const Dense<const void*>& matrix, std::int64_t rows, std::int64_t columns,
                       int bytes);

// Checks that writing `to`, whose name is `written`, leaves the arrays of a matrix alone.
std::string validate_disjoint(const char* written, const Footprint& to, const CsrOnDevice& from);

template <class Pointer>
Dense<const void*> read_only(const Dense<Pointer>& matrix) {
  return {matrix.data, matrix.layout, matrix.leading};
}

}  // namespace archgrid::sparse
