// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests running out of memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "../limited_memory.hpp"
#include "files.hpp"

namespace archgrid::tests {
namespace {

TEST(Memory, TheFileThatTakesTooMuchIsNamed) {
  std::vector<File> files;
  for (const std::string name : {"a.so", "large.so", "z.so"}) {
    files.push_back(file_of({sass("80")}));
    files.back().path = name;
  }
  files[1].images[0].kernels[0].name = std::string(100000, 'k');
  coverage::Request request;
  request.promises.emplace_back();
  request.promises[0].devices = {device("8.0")};
  request.promises[0].accept = coverage::default_verdicts();
  EXPECT_EQ(coverage::audit(files, request).files.size(), 3U);
  auto again = files;
  std::string message;
  largest_allocation = 50000;
  try {
    coverage::audit(std::move(again), request);
  } catch (const std::runtime_error& error) {
    largest_allocation = kEverything;
    message = error.what();
  }
  largest_allocation = kEverything;
  EXPECT_THAT(message, ::testing::HasSubstr("large.so: there is not enough memory to judge it"));
}

}  // namespace
}  // namespace archgrid::tests
