// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// An object file of its own: a program that has a main() takes all but this from the library.
#include "program.hpp"

int main(int argc, char** argv) {
  return archgrid::gtest::main_of(argc, argv);
}
