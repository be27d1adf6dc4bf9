// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// archgrid::gtest as one translation unit: GoogleTest's headers are read once per cell instead of
// five times. CMake's UNITY_BUILD would write this file into each cell's tree, where a compiler
// cache would not recognise it.
#include "device/src/survey.cpp"
#include "gtest/src/command_line.cpp"
#include "gtest/src/compare.cpp"
#include "gtest/src/cuda.cpp"
#include "gtest/src/exits.cpp"
#include "gtest/src/googletest.cpp"
#include "gtest/src/guarded_memory.cpp"
#include "gtest/src/launches.cpp"
#include "gtest/src/left_behind.cpp"
#include "gtest/src/number_type.cpp"
#include "gtest/src/proof.cpp"
#include "gtest/src/run.cpp"
#include "gtest/src/seed.cpp"
#include "gtest/src/unloading.cpp"
#include "gtest/src/watch.cpp"
#include "gtest/src/wrap.cpp"
