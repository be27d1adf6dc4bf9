// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_DEVICE_BUFFER_HPP
#define ARCHGRID_DEVICE_BUFFER_HPP

#include <cuda_runtime_api.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace archgrid {

/// A CUDA call that failed where there is no test to tell.
struct CudaError : std::runtime_error {
  CudaError(const std::string& what, cudaError_t error);
  cudaError_t error;
};

/// Throws CudaError unless `error` is cudaSuccess.
void throw_on_error(const std::string& what, cudaError_t error);

/// An array in device memory, freed at the end of its scope. Every failure throws CudaError, which
/// GoogleTest reports as a failure of the test; an error while freeing is left in the runtime,
/// where archgrid::gtest finds it at the end of the test.
template <class T>
class DeviceBuffer {
  static_assert(std::is_trivially_copyable<T>::value, "elements are copied as bytes");

 public:
  DeviceBuffer() = default;

  /// `size` elements, not initialised.
  explicit DeviceBuffer(std::size_t size) : size_(size) {
    void* memory = nullptr;
    if (size > 0) throw_on_error("cudaMalloc", cudaMalloc(&memory, bytes()));
    data_ = static_cast<T*>(memory);
  }

  /// A copy of `host`.
  explicit DeviceBuffer(const std::vector<T>& host) : DeviceBuffer(host.size()) { copy_from(host); }

  DeviceBuffer(DeviceBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;
  ~DeviceBuffer() { static_cast<void>(cudaFree(data_)); }

  T* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(T); }

  /// Copies `host`, which must have this buffer's size, to the device.
  void copy_from(const std::vector<T>& host) {
    if (host.size() != size_) throw std::invalid_argument("DeviceBuffer: sizes differ");
    if (size_ == 0) return;
    throw_on_error("cudaMemcpy to the device",
                   cudaMemcpy(data_, host.data(), bytes(), cudaMemcpyHostToDevice));
  }

  /// Copies the elements back; waits for the kernels of the default stream.
  std::vector<T> to_host() const {
    std::vector<T> host(size_);
    if (size_ == 0) return host;
    throw_on_error("cudaMemcpy to the host",
                   cudaMemcpy(host.data(), data_, bytes(), cudaMemcpyDeviceToHost));
    return host;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace archgrid

#endif
