// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Where things of this build are. They stand in one source, paths.cpp, and not in the command lines
// of all tests, so that a compiler cache knows the tests of another checkout.
#ifndef ARCHGRID_TESTS_PATHS_HPP
#define ARCHGRID_TESTS_PATHS_HPP

#include <cstddef>

namespace archgrid::tests {

extern const char* const kCommand;  ///< the program archgrid
extern const bool kCommandIsSanitized;
extern const char* const kSource;   ///< the checkout
extern const char* const kSamples;  ///< the folder of samples: one folder a toolkit

/// Returns how many elements a test of large inputs takes: `count`, or a tenth of it where the code
/// under test is instrumented. That is many times slower, and what it finds in a loop it finds in a
/// shorter one.
inline std::size_t many(std::size_t count) {
  return kCommandIsSanitized ? count / 10 : count;
}

}  // namespace archgrid::tests

#endif
