// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// archgrid::gtest as one translation unit, as archgrid::cuda is (cuda/src/all.cpp).
#include "device/src/survey.cpp"
#include "gtest/src/assertions.cpp"
#include "gtest/src/command_line.cpp"
#include "gtest/src/compare.cpp"
#include "gtest/src/exits.cpp"
#include "gtest/src/googletest.cpp"
#include "gtest/src/left_behind.cpp"
#include "gtest/src/number_type.cpp"
#include "gtest/src/proof.cpp"
#include "gtest/src/run.cpp"
#include "gtest/src/seed.cpp"
#include "gtest/src/unloading.cpp"
#include "gtest/src/watch.cpp"
#include "gtest/src/wrap.cpp"
