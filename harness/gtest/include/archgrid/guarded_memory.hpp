// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_GUARDED_MEMORY_HPP
#define ARCHGRID_GUARDED_MEMORY_HPP

#include <cstddef>
#include <string>

namespace archgrid {

/// What else a buffer may be told when it is made: `DeviceBuffer<float> c(1000, {"C", 1})`.
struct BufferOptions {
  std::string name = {};   ///< in messages
  std::size_t offset = 0;  ///< elements by which data() is moved off an aligned address
};

/// The memory of a buffer, which knows elements by their size alone. The first is at an address
/// that is a multiple of 256 bytes, unless an offset is asked for. Before the first and behind the
/// last lie guards of kGuardBytes each, or a little more.
///
/// Guards hold numbers that are NaN as double, float, __half and __nv_bfloat16, so that reading
/// beyond an end shows; and other ones in each buffer, so that copying one guard to another shows
/// too. A write into a guard fails the current test, by name and place, when the memory is next
/// read, when it goes, and when a test ends; each is told once. That costs a copy of the guards.
///
/// What waits for the device, that which was current when the memory was allocated, waits for all
/// of its work. Where that ends in an error, guards are not looked at: the error stays in the
/// runtime, and a test of archgrid::gtest fails for it.
class GuardedMemory {
 public:
  enum class Place { device, pinned };
  enum class Content { poison, unset };  ///< unset: the caller writes all of it at once

  static constexpr std::size_t kGuardBytes = 4096;
  static_assert(kGuardBytes % 256 == 0, "the first element is as aligned as the allocation");

  /// Throws CudaError where there is no memory, std::length_error where there never is so much.
  GuardedMemory(Place place, std::size_t count, std::size_t element_bytes, BufferOptions options,
                Content content);
  ~GuardedMemory();
  GuardedMemory(const GuardedMemory&) = delete;
  GuardedMemory& operator=(const GuardedMemory&) = delete;

  void* data() const { return data_; }

  /// Copies from the host into elements, and returns when they are there. Throws CudaError, and
  /// std::out_of_range beyond the elements.
  void write(std::size_t first, const void* from, std::size_t count);

  /// Copies elements to the host, after it waited for the device and checked the guards. Throws
  /// likewise.
  void read(std::size_t first, void* to, std::size_t count);

  /// Checks the guards now; waits for the device.
  void check();

  /// Throws std::out_of_range unless there are `count` elements from `first` on.
  void require(std::size_t first, std::size_t count) const;

 private:
  struct Guard {
    unsigned char* begin;
    std::size_t bytes;
  };
  friend class GuardedMemories;

  void fill(Content content);
  void check_guards();
  void check_guard(const Guard& guard, const char* where);
  Guard front() const;
  Guard back() const;
  void copy_in(void* to, const void* from, std::size_t bytes) const;
  void copy_out(void* to, const void* from, std::size_t bytes) const;
  void copy_inside(void* to, const void* from, std::size_t bytes) const;
  void release() const;
  std::string described() const;

  Place place_;
  int device_;  ///< on which it was allocated, and whose work is waited for
  std::size_t count_;
  std::size_t element_bytes_;
  BufferOptions options_;
  unsigned serial_;
  unsigned char* begin_ = nullptr;
  unsigned char* data_ = nullptr;
  unsigned char* end_ = nullptr;
};

}  // namespace archgrid

#endif
