// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "requests.hpp"

namespace archgrid::tests {
namespace {

TEST(Errors, TellsTheFirstErrorsAndCountsTheRest) {
  File file;
  file.path = "libx.so";
  for (std::uint64_t index = 0; index < 700; ++index) file.errors.push_back({index, "cut"});
  const auto errors = coverage::errors_of({file, file});
  ASSERT_EQ(errors.size(), 1001U);
  EXPECT_EQ(errors[0], "libx.so: cut");
  EXPECT_EQ(errors[999], "libx.so: at offset 0x12b: cut");
  EXPECT_EQ(errors[1000], "and 400 more errors");
  EXPECT_EQ(coverage::errors_of(file).size(), 700U);
  EXPECT_LT(coverage::error_text("x", {0, std::string(100000, 'm')}).size(), 1010U);
}

TEST(Errors, TellsErrorsInWordsThatHarmNoTerminal) {
  auto file = file_of({unreadable(sass("80"))});
  file.path = "lib\x1b[31mx.so";
  file.errors.push_back({4, "section \"a\n::error::b\a\xc2\x9b\""});
  file.images[0].error = "kernel \xe2\x80\xae\x1b]0;k\a";
  EXPECT_THAT(coverage::errors_of(file),
              ::testing::ElementsAre("lib?[31mx.so: at offset 0x4: section \"a?::error::b??\"",
                                     "lib?[31mx.so: sass image 80 of module 0: kernel ??]0;k?"));
}

}  // namespace
}  // namespace archgrid::tests
