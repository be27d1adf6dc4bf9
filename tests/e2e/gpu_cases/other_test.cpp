// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <archgrid/gtest.hpp>

void launch_fill(float* out);

namespace {

TEST(One, Launches) {
  launch_fill(nullptr);
}

TEST(Two, Launches) {
  launch_fill(nullptr);
}

TEST(Two, DISABLED_Launches) {
  launch_fill(nullptr);
}

TEST(DISABLED_Three, Launches) {
  launch_fill(nullptr);
}

}  // namespace
