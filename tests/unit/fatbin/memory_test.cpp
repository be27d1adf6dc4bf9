// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests reading without enough memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <archgrid/fatbin.hpp>

#include "../limited_memory.hpp"

namespace archgrid::fatbin {
namespace {

TEST(Memory, AFileThatTakesTooMuchIsAnErrorOfThatFile) {
  const auto text = ".version 8.4\n.target sm_80\n" + std::string(100000, '\n');
  EXPECT_TRUE(read_bytes(text, "large.ptx").errors.empty());
  largest_allocation = 50000;
  const auto file = read_bytes(text, "large.ptx");
  largest_allocation = kEverything;
  EXPECT_EQ(file.path, "large.ptx");
  EXPECT_TRUE(file.images.empty());
  ASSERT_EQ(file.errors.size(), 1U);
  EXPECT_EQ(file.errors[0].message, "there is not enough memory to read it");
}

}  // namespace
}  // namespace archgrid::fatbin
