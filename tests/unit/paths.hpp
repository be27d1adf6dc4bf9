// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Where things of this build are. They stand in one source, paths.cpp, and not in the command lines
// of all tests, so that a compiler cache knows the tests of another checkout.
#ifndef ARCHGRID_TESTS_PATHS_HPP
#define ARCHGRID_TESTS_PATHS_HPP

namespace archgrid::tests {

extern const char* const kCommand;  ///< the program archgrid
extern const bool kCommandIsSanitized;
extern const char* const kSource;   ///< the checkout
extern const char* const kSamples;  ///< the folder of samples: one folder a toolkit

}  // namespace archgrid::tests

#endif
