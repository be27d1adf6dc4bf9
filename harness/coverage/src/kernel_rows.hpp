// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_COVERAGE_KERNEL_ROWS_HPP
#define ARCHGRID_COVERAGE_KERNEL_ROWS_HPP

#include <archgrid/coverage/verdict.hpp>
#include <vector>

#include "file_index.hpp"

namespace archgrid::coverage {

/// Returns the kernels of a file, and its modules with nameless kernels.
std::vector<KernelRow> kernel_rows_of(const FileIndex& index);

}  // namespace archgrid::coverage

#endif
