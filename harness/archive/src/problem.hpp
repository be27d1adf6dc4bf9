// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_ARCHIVE_PROBLEM_HPP
#define ARCHGRID_ARCHIVE_PROBLEM_HPP

#include <stdexcept>

namespace archgrid::archive {

/// An error that loses one member.
struct Problem : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// An error that also loses the rest of the archive.
struct Broken : Problem {
  using Problem::Problem;
};

/// An input that exceeds its limits; nothing more of it is read.
struct Exhausted : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace archgrid::archive

#endif
