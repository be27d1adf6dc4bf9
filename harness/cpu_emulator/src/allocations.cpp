// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "allocations.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <utility>

namespace archgrid::cpu_emulator::detail {
namespace {

constexpr std::size_t alignment = 256;
constexpr int initial_byte = 0xff;

std::shared_mutex allocations_mutex;
std::map<const std::byte*, std::size_t> allocations;
std::atomic<std::uint64_t> frees = 0;  // incremented under the mutex
// Recently freed memory, the oldest first. It is not reused, so that later accesses to it are
// found.
std::deque<std::pair<std::byte*, std::size_t>> freed_allocations;

// Requires that the caller holds the mutex.
void keep_freed(void* pointer, std::size_t bytes) {
  constexpr std::size_t max_bytes = 64 << 20;
  constexpr std::size_t max_allocations = 256;
  static std::size_t kept_bytes = 0;
  freed_allocations.emplace_back(static_cast<std::byte*>(pointer), bytes);
  kept_bytes += bytes;
  while (kept_bytes > max_bytes || freed_allocations.size() > max_allocations) {
    kept_bytes -= freed_allocations.front().second;
    std::free(freed_allocations.front().first);
    freed_allocations.pop_front();
  }
}

}  // namespace

void* allocate(std::size_t bytes) {
  // Exactly the requested size, so that AddressSanitizer sees the end. The checks see it
  // themselves, and need a gap to the next allocation instead. Untouched pages cost nothing.
  const std::size_t gap = checker == nullptr ? 0 : gap_between_allocations;
  void* pointer = nullptr;
  if (bytes > SIZE_MAX - gap || posix_memalign(&pointer, alignment, bytes + gap) != 0) {
    return nullptr;
  }
  std::memset(pointer, initial_byte, bytes);
  const std::unique_lock lock(allocations_mutex);
  allocations[static_cast<const std::byte*>(pointer)] = bytes;
  return pointer;
}

bool release(void* pointer) {
  const std::unique_lock lock(allocations_mutex);
  const auto freed = allocations.find(static_cast<const std::byte*>(pointer));
  if (freed == allocations.end()) return false;
  if (checker == nullptr) {
    std::free(pointer);
  } else {
    keep_freed(pointer, freed->second);
  }
  allocations.erase(freed);
  ++frees;
  return true;
}

Extent allocation_of(const void* address) {
  const auto* const place = static_cast<const std::byte*>(address);
  // A cache, because checked kernels call this at every access, and alternate among a few
  // allocations.
  thread_local std::array<Extent, 8> recent;
  thread_local std::size_t oldest = 0;
  thread_local std::uint64_t last_frees = 0;
  if (const std::uint64_t now = frees.load(std::memory_order_acquire); now != last_frees) {
    recent.fill(Extent{});
    last_frees = now;
  }
  for (const Extent& extent : recent) {
    if (extent.contains(place)) return extent;
  }
  const std::shared_lock lock(allocations_mutex);
  auto after = allocations.upper_bound(place);
  if (after == allocations.begin()) return {};
  --after;
  const Extent extent{after->first, after->first + after->second};
  if (!extent.contains(place)) return {};
  recent[oldest++ % recent.size()] = extent;
  return extent;
}

Extent freed_allocation_of(const void* address) {
  const std::shared_lock lock(allocations_mutex);
  for (const auto& [begin, bytes] : freed_allocations) {
    const Extent extent = extent_of(begin, bytes);
    if (extent.contains(static_cast<const std::byte*>(address))) return extent;
  }
  return {};
}

Extent nearest_allocation(const void* address) {
  const auto* const place = static_cast<const std::byte*>(address);
  const std::shared_lock lock(allocations_mutex);
  const auto after = allocations.upper_bound(place);
  Extent nearest;
  if (after != allocations.end()) nearest = {after->first, after->first + after->second};
  if (after != allocations.begin()) {
    const auto before = std::prev(after);
    const Extent extent{before->first, before->first + before->second};
    if (nearest.begin == nullptr || place - extent.end < nearest.begin - place) nearest = extent;
  }
  return nearest;
}

}  // namespace archgrid::cpu_emulator::detail
