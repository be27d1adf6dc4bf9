// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Wraps the functions that end the program without the handlers of exit().
#include "early_end.hpp"

extern "C" [[noreturn]] void __real__exit(int status);
extern "C" [[noreturn]] void __wrap__exit(int status) {
  __real__exit(archgrid::gtest::exit_code_of_handler(status));
}

extern "C" [[noreturn]] void __real__Exit(int status);
extern "C" [[noreturn]] void __wrap__Exit(int status) {
  __real__Exit(archgrid::gtest::exit_code_of_handler(status));
}

extern "C" [[noreturn]] void __real_quick_exit(int status);
extern "C" [[noreturn]] void __wrap_quick_exit(int status) {
  __real_quick_exit(archgrid::gtest::exit_code_of_handler(status));
}
