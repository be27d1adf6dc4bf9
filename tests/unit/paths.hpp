// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Paths of this build. One source, paths.cpp, contains them, not the command lines of all tests, so
// that a compiler cache shares tests between checkouts.
#ifndef ARCHGRID_TESTS_PATHS_HPP
#define ARCHGRID_TESTS_PATHS_HPP

#include <cstddef>

namespace archgrid::tests {

extern const char* const kCommand;  ///< the program archgrid
extern const bool kCommandIsSanitized;
extern const char* const kSource;   ///< the checkout
extern const char* const kSamples;  ///< the folder of samples, with one folder per toolkit

/// Returns the number of elements for a test of large inputs: `count`, or a tenth if the code under
/// test is instrumented. Instrumented code is many times slower, and a shorter loop finds the same
/// defects.
inline std::size_t many(std::size_t count) {
  return kCommandIsSanitized ? count / 10 : count;
}

}  // namespace archgrid::tests

#endif
