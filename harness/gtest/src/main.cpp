// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// A separate object file: the linker leaves it out of a program that has its own main().
#include "program.hpp"

int main(int argc, char** argv) {
  return archgrid::gtest::main_of(argc, argv);
}
