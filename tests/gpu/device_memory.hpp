// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Device memory for tests that run on GPUs and on the CPU. Uses only functions of the runtime.
#ifndef ARCHGRID_TESTS_GPU_DEVICE_MEMORY_HPP
#define ARCHGRID_TESTS_GPU_DEVICE_MEMORY_HPP

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "sparse/integers.h"

namespace archgrid::sparse {

using Numbers = std::vector<std::int64_t>;

/// Bytes in device memory, between margins that must not be written.
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
  std::size_t size() const { return size_; }
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

/// Exactly `size` bytes of device memory, with a fill pattern. If accesses are checked, the next
/// byte is out of bounds.
class ExactBytes {
 public:
  explicit ExactBytes(std::size_t size) : filled_(size, 0x5a) {
    EXPECT_EQ(cudaMalloc(&memory_, size), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(memory_, filled_.data(), size, cudaMemcpyHostToDevice), cudaSuccess);
  }
  ~ExactBytes() { cudaFree(memory_); }
  ExactBytes(const ExactBytes&) = delete;
  ExactBytes& operator=(const ExactBytes&) = delete;

  void* data() const { return memory_; }
  bool is_untouched() const {
    std::vector<unsigned char> bytes(filled_.size());
    EXPECT_EQ(cudaMemcpy(bytes.data(), memory_, bytes.size(), cudaMemcpyDeviceToHost), cudaSuccess);
    return bytes == filled_;
  }

 private:
  std::vector<unsigned char> filled_;
  void* memory_ = nullptr;
};

/// Expects that launch(memory, bytes) needs exactly `needed` bytes at a multiple of 8, and refuses
/// other memory without writing to it. Expects the reason from reason(memory, bytes).
template <class Launch, class Reason>
void expect_just_enough(std::size_t needed, Launch launch, Reason reason) {
  ASSERT_GT(needed, 0u);
  const std::string needs = std::to_string(needed) + " bytes are needed";
  const ExactBytes too_small(needed - 1);
  EXPECT_EQ(reason(too_small.data(), needed - 1), "the workspace is too small: " + needs +
                                                      ", and " + std::to_string(needed - 1) +
                                                      " are given");
  EXPECT_EQ(launch(too_small.data(), needed - 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_TRUE(too_small.is_untouched());
  EXPECT_EQ(reason(nullptr, needed), "the workspace is a null pointer, and " + needs);
  EXPECT_EQ(launch(nullptr, needed), cudaErrorInvalidValue);
  const ExactBytes longer(needed + 8);
  void* const between = static_cast<char*>(longer.data()) + 4;
  EXPECT_EQ(reason(between, needed), "the workspace does not begin at a multiple of 8 bytes");
  EXPECT_EQ(launch(between, needed), cudaErrorInvalidValue);
  EXPECT_TRUE(longer.is_untouched());
  const ExactBytes enough(needed);
  EXPECT_EQ(reason(enough.data(), needed), "");
  EXPECT_EQ(launch(enough.data(), needed), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_FALSE(enough.is_untouched());
}

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
      // Little-endian: the lower half of a number comes first.
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
