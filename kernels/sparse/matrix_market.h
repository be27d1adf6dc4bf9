// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Files of the Matrix Market exchange format (Boisvert, Pozo, Remington: NISTIR 5935), as in the
// SuiteSparse collection.
#pragma once

#include <istream>
#include <ostream>
#include <string>

#include "sparse/formats.h"

namespace archgrid::sparse {

// Reads a matrix of real, integer or pattern entries (whose values are 1), as coordinates or as an
// array. Returns symmetric and skew-symmetric matrices whole. Values may have Fortran exponents
// ("1.0D+03"). Values too small for a double are rounded. Values too large for a double, and
// integers that a double cannot represent, are errors. A symmetric file has no entry above its
// diagonal, a skew-symmetric one no nonzero entry on it either. `name` is the stream's name in
// messages. Throws std::runtime_error, such as "web.mtx:17: column 9 is not one of 1 to 8".
Coo read_matrix_market(std::istream& stream, const std::string& name);
// Reads a file. Also throws std::runtime_error if the file cannot be read.
Coo read_matrix_market(const std::string& file);

// Writes the entries as real coordinates, in their order. They are read back as the same numbers.
// Throws std::invalid_argument with the first error in the matrix.
void write_matrix_market(const Coo& matrix, std::ostream& stream);
// Writes to a file, through a second one beside it, so that no half-written file appears. Throws
// std::runtime_error if the file cannot be written.
void write_matrix_market(const Coo& matrix, const std::string& file);

}  // namespace archgrid::sparse
