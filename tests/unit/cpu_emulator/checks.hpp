// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs a kernel with a planted defect, and the same kernel without it.
#ifndef ARCHGRID_TESTS_CHECKS_HPP
#define ARCHGRID_TESTS_CHECKS_HPP

#include <cuda_runtime.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <archgrid/cpu_emulator.hpp>
#include <archgrid/cpu_emulator/device_code.hpp>
#include <cstddef>
#include <optional>

namespace archgrid::cpu_emulator {

template <class T>
class Memory {
 public:
  explicit Memory(std::size_t count) : count_(count) { cudaMalloc(&data_, count * sizeof(T)); }
  ~Memory() { cudaFree(data_); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  T* data() { return data_; }
  T& operator[](std::size_t i) { return data_[i]; }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

template <class Launch>
std::optional<Defect> defect_of(Launch launch_kernel) {
  try {
    launch_kernel();
  } catch (const Defect& defect) {
    return defect;
  }
  return std::nullopt;
}

#define EXPECT_DEFECT(kind_, text, ...)                                                       \
  do {                                                                                        \
    const std::optional<Defect> found = defect_of([&] { __VA_ARGS__; });                      \
    ASSERT_TRUE(found.has_value()) << "nothing was found";                                    \
    EXPECT_EQ(found->kind(), DefectKind::kind_) << found->what();                             \
    EXPECT_THAT(found->what(),                                                                \
                ::testing::AllOf(::testing::HasSubstr(text), ::testing::HasSubstr("block ("), \
                                 ::testing::HasSubstr("thread ("),                            \
                                 ::testing::HasSubstr("checks_test.cpp:")));                  \
    ::testing::Test::RecordProperty("message", found->what());                                \
  } while (false)

#define EXPECT_CLEAN(...)                                                \
  do {                                                                   \
    const std::optional<Defect> found = defect_of([&] { __VA_ARGS__; }); \
    EXPECT_FALSE(found.has_value()) << found->what();                    \
  } while (false)

// Tests in all orders, so that finding a defect does not depend on luck.
class Checks : public ::testing::TestWithParam<Order> {
 protected:
  void SetUp() override {
    Options chosen;
    chosen.order = GetParam();
    set_options(chosen);
  }
  void TearDown() override { set_options({}); }
};

}  // namespace archgrid::cpu_emulator

#endif
