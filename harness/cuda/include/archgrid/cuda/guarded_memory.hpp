// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_CUDA_GUARDED_MEMORY_HPP
#define ARCHGRID_CUDA_GUARDED_MEMORY_HPP

#include <cstddef>
#include <string>

namespace archgrid {

/// Optional arguments of a buffer: `DeviceBuffer<float> c(1000, {"C", 1})`.
struct BufferOptions {
  std::string name = {};   ///< shown in messages
  std::size_t offset = 0;  ///< shift of data() from an aligned address, in elements
};

/// The memory of a buffer, which has only the size of elements, not their type. The first element
/// is at a multiple of 256 bytes, unless an offset is requested. Before the first and after the
/// last element are guards of kGuardBytes or a little more each.
///
/// Guards contain numbers that are NaN as double, float, __half and __nv_bfloat16, so that reading
/// beyond an end is visible. They differ between buffers, so that copying one guard to another is
/// visible, too. A write into a guard fails the current test, with the name and place, when the
/// memory is next read, when it is freed, and when a test ends; each write is reported once. A
/// check costs a copy of the guards.
///
/// Functions that wait for the device wait for all work of the device that was current at
/// allocation. If that work ends in an error, guards are not checked: the error stays in the
/// runtime, and a test of archgrid::gtest fails because of it.
class GuardedMemory {
 public:
  enum class Place { device, pinned };
  enum class Content { poison, unset };  ///< unset: the caller writes all of it at once

  static constexpr std::size_t kGuardBytes = 4096;
  static_assert(kGuardBytes % 256 == 0, "the first element is as aligned as the allocation");

  /// Throws CudaError if the allocation fails, std::length_error if the size exceeds any memory.
  GuardedMemory(Place place, std::size_t count, std::size_t element_bytes, BufferOptions options,
                Content content);
  ~GuardedMemory();
  GuardedMemory(const GuardedMemory&) = delete;
  GuardedMemory& operator=(const GuardedMemory&) = delete;

  void* data() const { return data_; }

  /// Copies from the host into elements, and returns after the copy is complete. Throws CudaError,
  /// and std::out_of_range beyond the elements.
  void write(std::size_t first, const void* from, std::size_t count);

  /// Waits for the device, checks the guards, and copies elements to the host. Throws as write()
  /// does.
  void read(std::size_t first, void* to, std::size_t count);

  /// Waits for the device and checks the guards.
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
  int device_;  ///< device of the allocation, whose work is waited for
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
