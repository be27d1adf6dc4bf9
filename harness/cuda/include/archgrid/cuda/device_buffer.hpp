// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Arrays for tests, freed at the end of their scope. Unwritten elements read as kPoison
// (poison.hpp), a NaN; a write beyond an end fails the test (guarded_memory.hpp). Every other
// failure throws CudaError, which GoogleTest reports as a failure of the test. An error while
// freeing stays in the runtime, where archgrid::gtest finds it at the end of the test.
#ifndef ARCHGRID_CUDA_DEVICE_BUFFER_HPP
#define ARCHGRID_CUDA_DEVICE_BUFFER_HPP

#include <archgrid/cuda/error.hpp>
#include <archgrid/cuda/guarded_memory.hpp>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

namespace archgrid {

/// A range of consecutive elements of a buffer. It is valid as long as the buffer exists, even if
/// the buffer was moved.
template <class T>
class BufferView {
  static_assert(std::is_trivially_copyable<T>::value, "elements are copied as bytes");

 public:
  BufferView() = default;
  BufferView(GuardedMemory* memory, std::size_t first, std::size_t size)
      : memory_(memory), first_(first), size_(size) {
    if (memory != nullptr) memory->require(first, size);
  }

  T* data() const {
    return memory_ == nullptr ? nullptr : static_cast<T*>(memory_->data()) + first_;
  }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(T); }

  /// Copies `host`, which must have this size, into the elements.
  void copy_from(const std::vector<T>& host) const {
    if (host.size() != size_) throw std::invalid_argument("copy_from: sizes differ");
    if (memory_ != nullptr) memory_->write(first_, host.data(), size_);
  }

  /// Waits for all work of the device, copies the elements back, and checks the guards of the whole
  /// buffer.
  std::vector<T> to_host() const {
    std::vector<T> host(size_);
    if (memory_ != nullptr) memory_->read(first_, host.data(), size_);
    return host;
  }

  /// Returns `size` elements from `first` on. Throws std::out_of_range if there are fewer.
  BufferView view(std::size_t first, std::size_t size) const {
    if (first > size_ || size > size_ - first) throw std::out_of_range("view: no such elements");
    return BufferView(memory_, first_ + first, size);
  }

 private:
  GuardedMemory* memory_ = nullptr;
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

/// Common base of DeviceBuffer and PinnedBuffer: a view of all elements of memory that it owns.
template <class T, GuardedMemory::Place kPlace>
class Buffer : public BufferView<T> {
 public:
  Buffer() = default;

  /// Allocates `size` elements of poison.
  explicit Buffer(std::size_t size, BufferOptions options = {})
      : Buffer(size, std::move(options), GuardedMemory::Content::poison) {}

  /// Allocates a copy of `host`.
  explicit Buffer(const std::vector<T>& host, BufferOptions options = {})
      : Buffer(host.size(), std::move(options), GuardedMemory::Content::unset) {
    this->copy_from(host);
  }

  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    swap(other);
    return *this;
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() = default;

  /// Waits for the device, and fails the test if something was written beyond an end.
  void check() const {
    if (memory_) memory_->check();
  }

 private:
  Buffer(std::size_t size, BufferOptions options, GuardedMemory::Content content)
      : memory_(
            std::make_unique<GuardedMemory>(kPlace, size, sizeof(T), std::move(options), content)) {
    all() = BufferView<T>(memory_.get(), 0, size);
  }

  BufferView<T>& all() { return *this; }
  void swap(Buffer& other) {
    std::swap(memory_, other.memory_);
    std::swap(all(), other.all());
  }

  std::unique_ptr<GuardedMemory> memory_;
};

/// An array in device memory.
template <class T>
using DeviceBuffer = Buffer<T, GuardedMemory::Place::device>;

/// An array in page-locked host memory, which the device can access directly.
template <class T>
class PinnedBuffer : public Buffer<T, GuardedMemory::Place::pinned> {
 public:
  using Buffer<T, GuardedMemory::Place::pinned>::Buffer;

  T& operator[](std::size_t index) const { return this->data()[index]; }
  T* begin() const { return this->data(); }
  T* end() const { return this->data() + this->size(); }
};

}  // namespace archgrid

#endif
