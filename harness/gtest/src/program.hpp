// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// archgrid::gtest's own main(), for programs that have none.
#ifndef ARCHGRID_GTEST_PROGRAM_HPP
#define ARCHGRID_GTEST_PROGRAM_HPP

namespace archgrid::gtest {

int main_of(int argc, char** argv);

}  // namespace archgrid::gtest

#endif
