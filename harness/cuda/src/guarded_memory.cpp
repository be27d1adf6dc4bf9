// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <archgrid/cuda/error.hpp>
#include <archgrid/cuda/guarded_memory.hpp>
#include <archgrid/cuda/on_device.hpp>
#include <archgrid/cuda/poison.hpp>
#include <archgrid/cuda/random_bits.hpp>
#include <atomic>
#include <cstring>
#include <limits>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace archgrid {
namespace {

using Bytes = std::vector<unsigned char>;

/// Returns the content of a guard: 16-bit numbers from 0x7FF1 to 0x7FFE and from 0xFFF1 to 0xFFFF,
/// in pseudo-random order. At any given place the guards of 28 consecutive buffers differ, and none
/// equals the poison.
Bytes guard_content(unsigned serial, std::size_t bytes) {
  constexpr unsigned kPositive = 14;
  constexpr unsigned kNumbers = 29;
  RandomBits disorder(0);
  Bytes content;
  while (content.size() < bytes) {
    const auto number = static_cast<unsigned>((disorder.next() % kNumbers + serial) % kNumbers);
    const bool positive = number < kPositive;
    content.push_back(static_cast<unsigned char>(0xF1 + (positive ? number : number - kPositive)));
    content.push_back(positive ? 0x7F : 0xFF);
  }
  content.resize(bytes);
  return content;
}

Bytes poison(std::size_t bytes) {
  Bytes content(bytes);
  for (std::size_t i = 0; i < bytes; ++i) content[i] = kPoison[i % 2];
  return content;
}

/// Returns "element -1 (byte -4)" for the byte at that distance from the first element.
std::string place_of(std::ptrdiff_t byte, std::size_t element_bytes) {
  const auto size = static_cast<std::ptrdiff_t>(element_bytes);
  const std::ptrdiff_t element = byte >= 0 ? byte / size : -((-byte + size - 1) / size);
  return "element " + std::to_string(element) + " (byte " + std::to_string(byte) + ")";
}

}  // namespace

/// All live memories. Never destroyed, so that memory of any lifetime can deregister.
class GuardedMemories {
 public:
  static GuardedMemories& instance() {
    static auto* const memories = new GuardedMemories;
    return *memories;
  }

  static unsigned next_serial() {
    static std::atomic<unsigned> serial{0};
    return ++serial;
  }

  void add(GuardedMemory* memory) {
    const std::lock_guard<std::mutex> lock(mutex_);
    all_.insert(memory);
  }
  void remove(GuardedMemory* memory) {
    const std::lock_guard<std::mutex> lock(mutex_);
    all_.erase(memory);
  }
  void check() {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (GuardedMemory* memory : all_) memory->check_guards();
  }

 private:
  class AtEndOfTest : public ::testing::EmptyTestEventListener {
    void OnTestEnd(const ::testing::TestInfo&) override { instance().check(); }
  };

  GuardedMemories() { ::testing::UnitTest::GetInstance()->listeners().Append(new AtEndOfTest); }

  std::mutex mutex_;
  std::set<GuardedMemory*> all_;
};

GuardedMemory::GuardedMemory(Place place, std::size_t count, std::size_t element_bytes,
                             BufferOptions options, Content content)
    : place_(place),
      device_(current_or_first_device()),
      count_(count),
      element_bytes_(element_bytes),
      options_(std::move(options)),
      serial_(GuardedMemories::next_serial()) {
  const std::size_t most = std::numeric_limits<std::size_t>::max() / 4 / element_bytes;
  if (count > most || options_.offset > most) {
    throw std::length_error(described() + " is larger than any memory");
  }
  const std::size_t before = kGuardBytes + options_.offset * element_bytes;
  const std::size_t bytes = before + count * element_bytes + kGuardBytes;
  void* memory = nullptr;
  if (place == Place::device) {
    throw_on_error("cudaMalloc of " + described(), cudaMalloc(&memory, bytes));
  } else {
    throw_on_error("cudaMallocHost of " + described(), cudaMallocHost(&memory, bytes));
  }
  begin_ = static_cast<unsigned char*>(memory);
  data_ = begin_ + before;
  end_ = begin_ + bytes;
  try {
    fill(content);
    GuardedMemories::instance().add(this);
  } catch (...) {
    release();
    throw;
  }
}

GuardedMemory::~GuardedMemory() {
  GuardedMemories::instance().remove(this);
  try {
    check_guards();
  } catch (...) {  // thrown by --gtest_throw_on_failure; the failure is recorded
  }
  release();
}

void GuardedMemory::release() const {
  static_cast<void>(place_ == Place::device ? cudaFree(begin_) : cudaFreeHost(begin_));
}

std::string GuardedMemory::described() const {
  const std::string name = options_.name.empty() ? "" : options_.name + ", ";
  return name + "a buffer of " + std::to_string(count_) + " elements of " +
         std::to_string(element_bytes_) + " bytes in " +
         (place_ == Place::device ? "device" : "pinned") + " memory";
}

void GuardedMemory::require(std::size_t first, std::size_t count) const {
  if (first <= count_ && count <= count_ - first) return;
  throw std::out_of_range(described() + " has no " + std::to_string(count) +
                          " elements from element " + std::to_string(first) + " on");
}

void GuardedMemory::write(std::size_t first, const void* from, std::size_t count) {
  require(first, count);
  copy_in(data_ + first * element_bytes_, from, count * element_bytes_);
}

void GuardedMemory::read(std::size_t first, void* to, std::size_t count) {
  require(first, count);
  check();
  copy_out(to, data_ + first * element_bytes_, count * element_bytes_);
}

void GuardedMemory::check() {
  const OnDevice own(device_);
  throw_on_error("cudaDeviceSynchronize before " + described() + " is read",
                 cudaDeviceSynchronize());
  check_guards();
}

void GuardedMemory::fill(Content content) {
  for (const Guard& guard : {front(), back()}) {
    copy_in(guard.begin, guard_content(serial_, guard.bytes).data(), guard.bytes);
  }
  if (content == Content::unset) return;
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  const std::size_t bytes = count_ * element_bytes_;
  std::size_t filled = std::min(bytes, kPiece);
  copy_in(data_, poison(filled).data(), filled);
  while (filled < bytes) {
    const std::size_t next = std::min(filled, bytes - filled);
    copy_inside(data_ + filled, data_, next);
    filled += next;
  }
}

GuardedMemory::Guard GuardedMemory::front() const {
  return {begin_, static_cast<std::size_t>(data_ - begin_)};
}

GuardedMemory::Guard GuardedMemory::back() const {
  unsigned char* const begin = data_ + count_ * element_bytes_;
  return {begin, static_cast<std::size_t>(end_ - begin)};
}

void GuardedMemory::check_guards() {
  const OnDevice own(device_);
  if (cudaDeviceSynchronize() != cudaSuccess) return;  // a check for CUDA errors reports it
  check_guard(front(), "before its start");
  check_guard(back(), "beyond its end");
}

void GuardedMemory::check_guard(const Guard& guard, const char* where) {
  const Bytes want = guard_content(serial_, guard.bytes);
  Bytes got(guard.bytes);
  try {
    copy_out(got.data(), guard.begin, guard.bytes);
    if (got == want) return;
    copy_in(guard.begin, want.data(), guard.bytes);
  } catch (const CudaError& error) {
    ADD_FAILURE() << "whether something was written " << where << " is unknown: " << error.what();
    return;
  }
  std::vector<std::ptrdiff_t> written;
  for (std::size_t i = 0; i < guard.bytes; ++i) {
    if (got[i] != want[i]) written.push_back(guard.begin - data_ + static_cast<std::ptrdiff_t>(i));
  }
  const std::string first = place_of(written.front(), element_bytes_);
  const std::string last = place_of(written.back(), element_bytes_);
  ADD_FAILURE() << described() << ", was written " << where << ": " << written.size()
                << (written.size() == 1 ? " byte changed, of " + first
                                        : " bytes changed, from " + first + " to " + last);
}

void GuardedMemory::copy_in(void* to, const void* from, std::size_t bytes) const {
  if (bytes == 0) return;
  if (place_ == Place::pinned) {
    std::memcpy(to, from, bytes);
    return;
  }
  const std::string what = "cudaMemcpy to " + described();
  throw_on_error(what, cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
  // Makes the data visible to streams that do not wait for the default stream.
  throw_on_error(what, cudaStreamSynchronize(nullptr));
}

void GuardedMemory::copy_out(void* to, const void* from, std::size_t bytes) const {
  if (bytes == 0) return;
  if (place_ == Place::pinned) {
    std::memcpy(to, from, bytes);
    return;
  }
  throw_on_error("cudaMemcpy from " + described(),
                 cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost));
}

void GuardedMemory::copy_inside(void* to, const void* from, std::size_t bytes) const {
  if (place_ == Place::pinned) {
    std::memcpy(to, from, bytes);
    return;
  }
  const std::string what = "cudaMemcpy inside " + described();
  throw_on_error(what, cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice));
  throw_on_error(what, cudaStreamSynchronize(nullptr));
}

}  // namespace archgrid
