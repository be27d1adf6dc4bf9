// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory that runs out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <limits>
#include <new>
#include <stdexcept>

#include "files.hpp"

namespace {

constexpr std::size_t kEverything = std::numeric_limits<std::size_t>::max();
std::atomic<std::size_t> largest_allocation = kEverything;

}  // namespace

// Inlined in one place and not in another, they look mismatched to the compiler.
[[gnu::noinline]] void* operator new(std::size_t size) {
  void* memory = size > largest_allocation ? nullptr : std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  return size > largest_allocation ? nullptr : std::malloc(size);
}

[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}

[[gnu::noinline]] void operator delete(void* memory, std::size_t /*size*/) noexcept {
  std::free(memory);
}

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
