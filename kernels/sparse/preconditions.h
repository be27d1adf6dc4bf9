// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Why extents, arrays and matrices are none, in words that all products share. Each is empty where
// there is no mistake, and `name` is what the words call it.
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
using gemm::mistake_in_sharing;
using gemm::mistake_in_workspace;
using gemm::share_memory;

// The first that is not empty.
std::string first_of(std::initializer_list<std::string> mistakes);

std::string mistake_in_extent(const char* name, std::int64_t extent, std::int64_t most);
// Of one that integers of a type count.
std::string mistake_in_count(const char* name, std::int64_t count, Integer type);
// Of features, their bags and indices.
std::string mistake_in_features(int features, int bags, long long count);
// Of one with so many elements, none of which may be there.
std::string mistake_in_array(const char* name, const void* data, std::int64_t elements,
                             std::size_t alignment);
// Of a dense matrix with elements of so many bytes.
std::string mistake_in_dense(const char* name, const Dense<const void*>& matrix, std::int64_t rows,
                             std::int64_t columns, int bytes);
// Of a matrix in compressed rows: of its extents, and of its arrays.
std::string mistake_in_csr(const CsrOnDevice& matrix);

// Where those lie that have no mistake in them.
Footprint footprint_of(const void* data, std::int64_t elements, std::size_t bytes);
Footprint footprint_of(const Dense<const void*>& matrix, std::int64_t rows, std::int64_t columns,
                       int bytes);

// Of writing what is called `written` while the arrays of a matrix are read.
std::string mistake_in_sharing(const char* written, const Footprint& to, const CsrOnDevice& from);

template <class Pointer>
Dense<const void*> read_only(const Dense<Pointer>& matrix) {
  return {matrix.data, matrix.layout, matrix.leading};
}

}  // namespace archgrid::sparse
