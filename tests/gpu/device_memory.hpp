// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Device memory for tests that run on GPUs and on the CPU, by the runtime's functions alone.
#ifndef ARCHGRID_TESTS_GPU_DEVICE_MEMORY_HPP
#define ARCHGRID_TESTS_GPU_DEVICE_MEMORY_HPP

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "sparse/integers.h"

namespace archgrid::sparse {

using Numbers = std::vector<std::int64_t>;

/// Bytes in device memory, between margins that nothing may write.
class DeviceBytes {
 public:
  explicit DeviceBytes(std::vector<unsigned char> bytes) : size_(bytes.size()) {
    bytes.insert(bytes.begin(), margin, filling);
    bytes.insert(bytes.end(), margin, filling);
    if (cudaMalloc(&memory_, bytes.size()) != cudaSuccess ||
        cudaMemcpy(memory_, bytes.data(), bytes.size(), cudaMemcpyHostToDevice) != cudaSuccess) {
      ADD_FAILURE() << "no device memory";
    }
  }
  ~DeviceBytes() { cudaFree(memory_); }
  DeviceBytes(const DeviceBytes&) = delete;
  DeviceBytes& operator=(const DeviceBytes&) = delete;

  void* data() const { return static_cast<unsigned char*>(memory_) + margin; }
  std::vector<unsigned char> to_host() const {
    std::vector<unsigned char> bytes(size_ + 2 * margin);
    EXPECT_EQ(cudaMemcpy(bytes.data(), memory_, bytes.size(), cudaMemcpyDeviceToHost), cudaSuccess);
    for (std::size_t i = 0; i < margin; ++i) {
      EXPECT_TRUE(bytes[i] == filling && bytes[margin + size_ + i] == filling)
          << "something outside of the memory was written";
    }
    return {bytes.begin() + margin, bytes.end() - margin};
  }

 private:
  static constexpr std::size_t margin = 256;
  static constexpr unsigned char filling = 0xa5;
  std::size_t size_;
  void* memory_ = nullptr;
};

/// Numbers in device memory, as integers of a type.
class DeviceNumbers : public DeviceBytes {
 public:
  DeviceNumbers(const Numbers& numbers, Integer type)
      : DeviceBytes(stored(numbers, type)), type_(type) {}
  DeviceNumbers(std::size_t count, Integer type)
      : DeviceBytes(std::vector<unsigned char>(count * bytes_of(type), 0x5a)), type_(type) {}

  static std::vector<unsigned char> stored(const Numbers& numbers, Integer type) {
    std::vector<unsigned char> bytes(numbers.size() * bytes_of(type));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      // The lower half of a number comes first.
      std::memcpy(bytes.data() + i * bytes_of(type), &numbers[i], bytes_of(type));
    }
    return bytes;
  }
  Numbers numbers() const {
    const std::vector<unsigned char> bytes = to_host();
    Numbers read(bytes.size() / bytes_of(type_), 0);
    for (std::size_t i = 0; i < read.size(); ++i)
      std::memcpy(&read[i], bytes.data() + i * bytes_of(type_), bytes_of(type_));
    return read;
  }

 private:
  Integer type_;
};

}  // namespace archgrid::sparse

#endif
