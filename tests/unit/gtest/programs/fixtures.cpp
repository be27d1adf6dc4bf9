// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Tests of the fixtures of archgrid::gtest. The fake runtime executes no kernel, so copies of
// memory stand for kernels that write. Tests of Planted* contain an error that must be noticed, and
// fail; tests of Fixtures do the same correctly, and pass.
#include <archgrid/gtest.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using archgrid::DeviceBuffer;
using archgrid::equal;
using archgrid::GuardedMemory;
using archgrid::PinnedBuffer;
using archgrid::within;

constexpr std::ptrdiff_t kGuard = GuardedMemory::kGuardBytes;

/// Copies bytes to or from any address.
void copy(void* to, const void* from, std::size_t bytes) {
  static_cast<void>(cudaMemcpy(to, from, bytes, cudaMemcpyDefault));
}

/// Writes one element, within the buffer or not.
template <class T>
void write(const DeviceBuffer<T>& buffer, std::ptrdiff_t index, T value) {
  copy(buffer.data() + index, &value, sizeof value);
}

/// Returns one element, within the buffer or not.
template <class T>
T read(const DeviceBuffer<T>& buffer, std::ptrdiff_t index) {
  T value{};
  copy(&value, buffer.data() + index, sizeof value);
  return value;
}

/// Changes the byte at that distance from a buffer's first element.
template <class Buffer>
void poke(const Buffer& buffer, std::ptrdiff_t byte) {
  auto* const address = reinterpret_cast<unsigned char*>(buffer.data()) + byte;
  unsigned char value = 0;
  copy(&value, address, 1);
  value ^= 0x55;
  copy(address, &value, 1);
}

/// Writes all elements.
template <class T>
void write_all(const DeviceBuffer<T>& buffer, T value) {
  const std::vector<T> values(buffer.size(), value);
  copy(buffer.data(), values.data(), values.size() * sizeof(T));
}

TEST(Planted, WritesOneByteBefore) {
  const DeviceBuffer<float> c(1000, {"C"});
  poke(c, -1);
  EXPECT_EQ(c.to_host().size(), 1000u);
  SCOPED_TRACE("after it was read");
}

TEST(Planted, WritesOneBytePast) {
  const DeviceBuffer<float> c(1000, {"C"});
  poke(c, 4000);
}

TEST(Planted, WritesFarPast) {
  const DeviceBuffer<double> c(10, {"C"});
  poke(c, 80 + 100);
  poke(c, 80 + kGuard - 1);
}

TEST(Planted, WritesFarBefore) {
  const DeviceBuffer<double> c(10);
  poke(c, -kGuard);
}

TEST(Planted, WritesBeforeAnOffsetBuffer) {
  const DeviceBuffer<float> c(10, {"C", 1});
  poke(c, -2);
}

TEST(Planted, WritesPastAPinnedBuffer) {
  const PinnedBuffer<int> c(10, {"C"});
  c.data()[10] = 0;
}

TEST(Planted, WritesPastAnEmptyBuffer) {
  const DeviceBuffer<int> c(0, {"C"});
  write(c, 0, 0);
}

TEST(Planted, WritesPastTheEndOfAView) {
  const DeviceBuffer<int> c(10, {"C"});
  poke(c, 40);
  EXPECT_EQ(c.view(0, 5).to_host().size(), 5u);
}

TEST(Planted, IsSeenByACheck) {
  const DeviceBuffer<int> c(10, {"C"});
  poke(c, 40);
  c.check();
  GTEST_FAIL() << "checked";
}

// A kernel that copies without regard to the number of elements.
TEST(Planted, CopiesOneGuardIntoAnother) {
  const DeviceBuffer<float> a(std::vector<float>(10, 1.0f), {"A"});
  const DeviceBuffer<float> c(10, {"C"});
  copy(c.data(), a.data(), 32 * sizeof(float));
}

// A kernel that copies unwritten elements.
TEST(Planted, CopiesPoisonIntoAGuard) {
  const DeviceBuffer<float> a(100, {"A"});
  const DeviceBuffer<float> c(10, {"C"});
  copy(c.data(), a.data(), 11 * sizeof(float));
}

DeviceBuffer<int>& of_the_program() {
  static DeviceBuffer<int> buffer(10, {"of the program"});
  return buffer;
}

TEST(PlantedInAProgram, WritesPastABufferThatLivesOn) {
  poke(of_the_program(), 40);
}

TEST(PlantedInAProgram, IsNotBlamedForIt) {
  EXPECT_EQ(of_the_program().to_host().size(), 10u);
}

TEST(Planted, ReadsWhatWasNeverWritten) {
  const DeviceBuffer<float> c(3);
  write(c, 0, 1.0f);
  write(c, 2, 1.0f);
  EXPECT_TRUE(within(c, std::vector<double>(3, 1.0), 0.5));
}

TEST(Planted, ReadsAnIntegerThatWasNeverWritten) {
  EXPECT_TRUE(equal(DeviceBuffer<int>(1), std::vector<int>{1}));
}

TEST(Planted, ComputesNan) {
  DeviceBuffer<float> c(2);
  c.copy_from({std::numeric_limits<float>::quiet_NaN(), 1.0f});
  EXPECT_TRUE(within(c, std::vector<double>(2, 1.0), 0.5));
}

TEST(Planted, ComputesInfinity) {
  DeviceBuffer<float> c(2);
  c.copy_from({1.0f, -std::numeric_limits<float>::infinity()});
  EXPECT_TRUE(within(c, std::vector<double>(2, 1.0), 0.5));
}

TEST(Planted, ComparesAnotherSize) {
  EXPECT_TRUE(within(DeviceBuffer<float>(2), std::vector<double>(3, 1.0), 0.5));
}

TEST(Planted, ComparesNothing) {
  EXPECT_TRUE(equal(DeviceBuffer<float>(0), std::vector<float>()));
}

// In this test cudaDeviceSynchronize() returns an error.
TEST(Planted, DestroysABufferAfterAnIllegalAddress) {
  const DeviceBuffer<float> c(1000, {"C"});
  poke(c, 4000);
}

TEST(Planted, ReadsABufferAfterAnIllegalAddress) {
  const DeviceBuffer<float> c(1000, {"C"});
  EXPECT_EQ(c.to_host().size(), 1000u);
}

TEST(Planted, HasNoMemory) {
  const DeviceBuffer<float> c(1000, {"C"});
  EXPECT_NE(c.data(), nullptr);
}

TEST(Planted, ExpectsAnotherError) {
  EXPECT_CUDA_ERROR(cudaErrorInvalidValue, cudaSetDevice(99)) << "the message";
}

TEST(Planted, ExpectsAnErrorOfACallThatPasses) {
  EXPECT_CUDA_ERROR(cudaErrorInvalidDevice, cudaSetDevice(0));
}

TEST(PlantedSeed, IsPrinted) {
  RecordProperty("first", std::to_string(archgrid::seed()));
  FAIL();
}

TEST(PlantedSeed, IsNotPrintedWhereNoneWasAsked) {
  FAIL();
}

template <class T>
std::vector<T> poisoned(std::size_t size) {
  return DeviceBuffer<T>(size).to_host();
}

TEST(Fixtures, NewMemoryIsPoison) {
  EXPECT_TRUE(std::isnan(poisoned<float>(1)[0]));
  EXPECT_TRUE(std::isnan(poisoned<double>(1)[0]));
  EXPECT_EQ(poisoned<std::uint16_t>(3), (std::vector<std::uint16_t>{0x7FFF, 0x7FFF, 0x7FFF}));
  EXPECT_EQ(poisoned<int>(1)[0], 2147450879);
  EXPECT_EQ(poisoned<std::int64_t>(1)[0], 9223231297218904063);
  const std::size_t large = (std::size_t{5} << 20) / 4 + 3;
  EXPECT_EQ(poisoned<int>(large), std::vector<int>(large, 2147450879));
  const PinnedBuffer<int> pinned(large);
  EXPECT_EQ(pinned.to_host(), std::vector<int>(large, 2147450879));
}

TEST(Fixtures, WritingEveryElementIsNotBeyondTheEnds) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{1000}}) {
    for (const std::size_t offset : {std::size_t{0}, std::size_t{1}, std::size_t{7}}) {
      const DeviceBuffer<float> c(size, {"C", offset});
      write_all(c, 1.0f);
      EXPECT_EQ(c.to_host(), std::vector<float>(size, 1.0f));
      EXPECT_EQ(c.to_host(), std::vector<float>(size, 1.0f));
      c.check();
    }
  }
}

TEST(Fixtures, GuardsReadAsNan) {
  const DeviceBuffer<float> c(5);
  const DeviceBuffer<double> d(5);
  for (std::ptrdiff_t i = 1; i < 100; ++i) {
    EXPECT_TRUE(std::isnan(read(c, -i)) && std::isnan(read(c, 4 + i))) << i;
    EXPECT_TRUE(std::isnan(read(d, -i)) && std::isnan(read(d, 4 + i))) << i;
  }
}

TEST(Fixtures, BuffersAreAlignedUnlessAnOffsetIsAskedFor) {
  const DeviceBuffer<float> aligned(5);
  const DeviceBuffer<float> offset(5, {"", 3});
  const auto remainder = [](const float* pointer) {
    return reinterpret_cast<std::uintptr_t>(pointer) % 256;
  };
  EXPECT_EQ(remainder(aligned.data()), 0u);
  EXPECT_EQ(remainder(offset.data()), 3 * sizeof(float));
}

TEST(Fixtures, ViewsArePartsOfABuffer) {
  DeviceBuffer<int> c(std::vector<int>{0, 1, 2, 3, 4, 5});
  const archgrid::BufferView<int> part = c.view(2, 3);
  EXPECT_EQ(part.data(), c.data() + 2);
  part.copy_from({12, 13, 14});
  const DeviceBuffer<int> moved = std::move(c);
  EXPECT_EQ(part.to_host(), (std::vector<int>{12, 13, 14}));
  EXPECT_EQ(part.view(1, 2).to_host(), (std::vector<int>{13, 14}));
  EXPECT_EQ(moved.to_host(), (std::vector<int>{0, 1, 12, 13, 14, 5}));
  EXPECT_TRUE(equal(part, std::vector<int>{12, 13, 14}));
  EXPECT_THROW(static_cast<void>(moved.view(4, 3)), std::out_of_range);
  EXPECT_THROW(static_cast<void>(part.view(3, 1)), std::out_of_range);
  EXPECT_THROW(part.copy_from({1}), std::invalid_argument);
}

TEST(Fixtures, BuffersOfNoElementsAndOfTooMany) {
  EXPECT_EQ(DeviceBuffer<int>().data(), nullptr);
  EXPECT_TRUE(DeviceBuffer<int>().to_host().empty());
  EXPECT_TRUE(DeviceBuffer<int>(0).to_host().empty());
  EXPECT_THROW(DeviceBuffer<int>(std::numeric_limits<std::size_t>::max() / 4), std::length_error);
}

TEST(Fixtures, PinnedBuffersAreArraysOfTheHost) {
  PinnedBuffer<int> c(std::vector<int>{1, 2, 3}, {"C"});
  c[1] = 5;
  int sum = 0;
  for (const int element : c) sum += element;
  EXPECT_EQ(sum, 9);
  EXPECT_TRUE(equal(c, std::vector<int>{1, 5, 3}));
}

TEST(Fixtures, StreamsAndEvents) {
  const archgrid::Stream stream;
  const archgrid::Stream urgent(-1);
  archgrid::Event begin;
  archgrid::Event end;
  begin.record(stream);
  end.record(stream);
  EXPECT_GE(end.seconds_since(begin), 0.0);
  stream.synchronize();
  urgent.synchronize();
  unsigned flags = 0;
  EXPECT_CUDA(cudaStreamGetFlags(stream.get(), &flags));
  EXPECT_EQ(flags, static_cast<unsigned>(cudaStreamNonBlocking));
  int usual = 0;
  int higher = 0;
  EXPECT_CUDA(cudaStreamGetPriority(stream.get(), &usual));
  EXPECT_CUDA(cudaStreamGetPriority(urgent.get(), &higher));
  EXPECT_EQ(usual, 0);
  EXPECT_EQ(higher, -1);
}

TEST(Fixtures, AnExpectedErrorIsCleared) {
  EXPECT_CUDA_ERROR(cudaErrorInvalidDevice, cudaSetDevice(99));
  ASSERT_CUDA_ERROR(cudaErrorInvalidDevice, cudaSetDevice(99));
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
}

// Checking guards neither reports nor clears a pending error, such as that of a refused launch.
TEST(Fixtures, AnErrorThatIsPendingStays) {
  ASSERT_EQ(cudaSetDevice(99), cudaErrorInvalidDevice);
  EXPECT_EQ(DeviceBuffer<int>(std::vector<int>{1}).to_host(), std::vector<int>{1});
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
}

TEST(Fixtures, SeedsAreOfTheTest) {
  EXPECT_EQ(archgrid::seed(), archgrid::seed());
  EXPECT_NE(archgrid::seed(0), archgrid::seed(1));
}

}  // namespace
