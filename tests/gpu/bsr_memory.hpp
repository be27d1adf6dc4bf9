// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Matrices of dense blocks in device memory.
#ifndef ARCHGRID_TESTS_GPU_BSR_MEMORY_HPP
#define ARCHGRID_TESTS_GPU_BSR_MEMORY_HPP

#include "sparse/bsrmm.h"
#include "spmv_cases.hpp"

namespace archgrid::sparse {

/// A matrix in device memory, its values rounded to a type.
struct BsrMemory {
  BsrMemory(const Bsr& m, Number value_type, Integer index_type)
      : offsets(m.offsets, index_type),
        column(m.column, index_type),
        value(stored(m.value, value_type)),
        matrix{m.rows,
               m.columns,
               static_cast<int>(m.block_rows),
               static_cast<int>(m.block_columns),
               static_cast<std::int64_t>(m.column.size()),
               index_type,
               offsets.data(),
               column.data(),
               value_type,
               value.data()} {}

  DeviceNumbers offsets;
  DeviceNumbers column;
  DeviceBytes value;
  BsrOnDevice matrix;
};

}  // namespace archgrid::sparse

#endif
