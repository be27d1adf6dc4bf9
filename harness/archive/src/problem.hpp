// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_ARCHIVE_PROBLEM_HPP
#define ARCHGRID_ARCHIVE_PROBLEM_HPP

#include <stdexcept>

namespace archgrid::archive {

/// One member cannot be read.
struct Problem : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Nor can what follows it in the same archive.
struct Broken : Problem {
  using Problem::Problem;
};

/// The input asks for more than it may: nothing more of it is read.
struct Exhausted : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace archgrid::archive

#endif
