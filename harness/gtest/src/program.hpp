// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The main() of archgrid::gtest, for programs without one.
#ifndef ARCHGRID_GTEST_PROGRAM_HPP
#define ARCHGRID_GTEST_PROGRAM_HPP

namespace archgrid::gtest {

int main_of(int argc, char** argv);

}  // namespace archgrid::gtest

#endif
