// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory that runs out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <archgrid/fatbin.hpp>
#include <cstdlib>
#include <limits>
#include <new>

namespace {

constexpr std::size_t kEverything = std::numeric_limits<std::size_t>::max();
std::size_t largest_allocation = kEverything;

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
