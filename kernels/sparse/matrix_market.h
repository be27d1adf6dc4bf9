// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Files of the Matrix Market exchange format (Boisvert, Pozo, Remington: NISTIR 5935), as the
// SuiteSparse collection has them.
#pragma once

#include <istream>
#include <ostream>
#include <string>

#include "sparse/formats.h"

namespace archgrid::sparse {

// Matrices of real, integer and pattern entries (whose values are 1), as coordinates or as an
// array; symmetric and skew-symmetric ones are given whole. Values may have Fortran's exponents
// ("1.0D+03"); those too small for a double are rounded, those too large are refused,
// and so are whole numbers of integer entries that no double is. A symmetric file has no entry
// above its diagonal, a skew-symmetric one none on it either. `name` is what messages call the
// stream. Throws std::runtime_error: "web.mtx:17: column 9 is not one of 1 to 8".
Coo read_matrix_market(std::istream& stream, const std::string& name);
// Of a file; std::runtime_error, too, where it cannot be read.
Coo read_matrix_market(const std::string& file);

// Writes coordinates of real entries, in the order of the matrix, so that they are read as the same
// numbers. Throws std::invalid_argument with the first mistake in the matrix.
void write_matrix_market(const Coo& matrix, std::ostream& stream);
// To a file: beside it first, so that none is there half written. Throws std::runtime_error where
// it cannot be.
void write_matrix_market(const Coo& matrix, const std::string& file);

}  // namespace archgrid::sparse
