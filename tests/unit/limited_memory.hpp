// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes memory run out when a test requests it. Replaces the program's operator new and delete:
// include it once in a program.
#ifndef ARCHGRID_TESTS_LIMITED_MEMORY_HPP
#define ARCHGRID_TESTS_LIMITED_MEMORY_HPP

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <new>

namespace {

constexpr std::size_t kEverything = std::numeric_limits<std::size_t>::max();
std::atomic<std::size_t> largest_allocation = kEverything;

}  // namespace

// Inlined in one place but not in another, they would look mismatched to the compiler.
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

#endif
