// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Tests the choice of a variant for a problem, and the refusal of invalid problems.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <archgrid/cpu_emulator.hpp>
#include <cstdint>
#include <limits>
#include <vector>

#include "gemm/gemm.h"

namespace archgrid::gemm {
namespace {

using ::testing::HasSubstr;

constexpr std::size_t kPlenty = std::numeric_limits<std::size_t>::max();

bool has_all(const Variant&) {
  return true;
}
bool has_no_tensor_cores(const Variant& variant) {
  return std::string(variant.source).substr(0, 4) == "simt";
}

void* at(std::uintptr_t place) {
  return reinterpret_cast<void*>(place << 56);
}

Problem problem(Type input, int m, int n, int k) {
  Problem p;
  p.m = m;
  p.n = n;
  p.k = k;
  p.input = input;
  p.output = input == Type::s8                            ? Type::s32
             : input == Type::e4m3 || input == Type::e5m2 ? Type::bf16
                                                          : input;
  // Never read, as nothing is launched. Far enough apart for any matrices.
  p.a = {at(1), Layout::row, k};
  p.b = {at(2), Layout::row, n};
  p.c = {at(3), Layout::row, n};
  return p;
}

std::string chosen(const Problem& p, int capability, int multiprocessors) {
  const Choice choice = choose(p, 0, Device{capability, multiprocessors}, has_all);
  return choice.variant == nullptr ? "none: " + choice.reason : choice.variant->name;
}

TEST(Choice, IsTheLargestTileThatKeepsTheDeviceBusy) {
  EXPECT_EQ(chosen(problem(Type::bf16, 4096, 4096, 4096), 90, 132), "mma_bf16_128x128");
  EXPECT_EQ(chosen(problem(Type::bf16, 128 * 11, 128 * 12, 64), 90, 132), "mma_bf16_128x128");
  EXPECT_EQ(chosen(problem(Type::bf16, 128 * 11, 128 * 11, 64), 90, 132), "mma_bf16_64x64");
  EXPECT_EQ(chosen(problem(Type::bf16, 1, 1, 64), 90, 132), "mma_bf16_64x64");
  Problem batched = problem(Type::bf16, 128, 128, 64);
  batched.batches = 132;
  batched.c.batch_stride = 128 * 128;
  EXPECT_EQ(chosen(batched, 90, 132), "mma_bf16_128x128");
}

TEST(Choice, IsForTheTypesOfTheProblem) {
  for (const Type type : {Type::f16, Type::bf16, Type::e4m3, Type::e5m2, Type::s8}) {
    EXPECT_EQ(chosen(problem(type, 4096, 4096, 64), 90, 132),
              std::string("mma_") + name(type) + "_128x128");
  }
  Problem f32 = problem(Type::f32, 4096, 4096, 64);
  EXPECT_EQ(chosen(f32, 90, 132), "simt_f32_128x128");
  f32.allow_tf32 = true;
  EXPECT_EQ(chosen(f32, 90, 132), "mma_tf32_128x128");
  EXPECT_EQ(chosen(f32, 75, 40), "simt_f32_128x128") << "it is allowed, not asked for";
}

TEST(Choice, IsWhatTheDeviceHas) {
  EXPECT_EQ(chosen(problem(Type::f64, 4096, 4096, 64), 80, 108), "mma_f64_64x64");
  EXPECT_EQ(chosen(problem(Type::f64, 4096, 4096, 64), 75, 40), "simt_f64_64x64");
  EXPECT_EQ(chosen(problem(Type::f64, 8, 8, 64), 90, 132), "mma_f64_64x64");
  EXPECT_THAT(chosen(problem(Type::e4m3, 4096, 4096, 64), 86, 84),
              HasSubstr("mma_e4m3_128x128 needs a device from 8.9 on, this is 8.6"));
}

TEST(Choice, IsWhatTheBinaryHas) {
  const Problem f64 = problem(Type::f64, 4096, 4096, 64);
  EXPECT_STREQ(choose(f64, 0, {90, 132}, has_no_tensor_cores).variant->name, "simt_f64_64x64");
  const Choice none = choose(problem(Type::f16, 64, 64, 64), 0, {90, 132}, has_no_tensor_cores);
  EXPECT_EQ(none.variant, nullptr);
  EXPECT_THAT(none.reason,
              HasSubstr("mma_f16_128x128 this binary has no image of it for device 9.0"));
}

TEST(Choice, CutsKWhereTilesAreTooFew) {
  const Device h100{90, 132};
  const Problem decode = problem(Type::bf16, 16, 4096, 4096);
  EXPECT_EQ(choose(decode, kPlenty, h100, has_all).splits, 2) << "64 tiles for 132 multiprocessors";
  EXPECT_EQ(choose(decode, 0, h100, has_all).splits, 1) << "there is no workspace";
  EXPECT_EQ(choose(decode, 2 * 16 * 4096 * 4 - 1, h100, has_all).splits, 1) << "it is too small";
  EXPECT_EQ(choose(problem(Type::bf16, 16, 64, 65536), kPlenty, h100, has_all).splits, 132);
  EXPECT_EQ(choose(problem(Type::bf16, 16, 64, 256), kPlenty, h100, has_all).splits, 1)
      << "parts would be short";
  EXPECT_EQ(choose(problem(Type::bf16, 4096, 4096, 4096), kPlenty, h100, has_all).splits, 1);
}

TEST(Choice, SaysWhy) {
  const Device h100{90, 132};
  EXPECT_THAT(choose(problem(Type::bf16, 4096, 4096, 64), 0, h100, has_all).reason,
              HasSubstr("the largest tile that keeps all 132 multiprocessors busy"));
  EXPECT_THAT(choose(problem(Type::bf16, 16, 64, 65536), kPlenty, h100, has_all).reason,
              HasSubstr("there are only 1 of them for 132 multiprocessors; K in 132 parts"));
}

TEST(Choice, SaysWhatWasPassedOver) {
  EXPECT_EQ(
      choose(problem(Type::f64, 4096, 4096, 64), 0, {90, 132}, has_no_tensor_cores).reason,
      "the largest tile that keeps all 132 multiprocessors busy; mma_f64_64x64 this binary has "
      "no image of it for device 9.0");
  EXPECT_THAT(choose(problem(Type::f64, 8, 8, 64), 0, {70, 80}, has_all).reason,
              HasSubstr("; mma_f64_64x64 needs a device from 8.0 on, this is 7.0"));
}

TEST(Choice, IsTheSameForACallerWhoDoesNotAsk) {
  cpu_emulator::set_device(90);
  for (const int size : {8, 40, 300}) {
    std::vector<float> a(static_cast<std::size_t>(size * size), 1);
    std::vector<float> b(a.size(), 2);
    std::vector<float> asked(a.size());
    std::vector<float> not_asked(a.size());
    Problem p = problem(Type::f32, size, size, size);
    p.a.data = a.data();
    p.b.data = b.data();
    p.c.data = asked.data();
    Choice choice;
    ASSERT_EQ(gemm(p, {}, &choice), cudaSuccess);
    EXPECT_NE(choice.reason, "");
    p.c.data = not_asked.data();
    ASSERT_EQ(gemm(p), cudaSuccess);
    EXPECT_EQ(asked, not_asked);
    EXPECT_EQ(not_asked.front(), 2.0f * static_cast<float>(size));
  }
}

TEST(Gemm, TakesACopyOfARow) {
  cpu_emulator::set_device(90);
  const float a = 2;
  const float b = 3;
  float c = 0;
  Problem p = problem(Type::f32, 1, 1, 1);
  p.a.data = &a;
  p.b.data = &b;
  p.c.data = &c;
  const Variant copy = *find_variant("simt_f32_64x64");
  Options options;
  options.variant = &copy;
  EXPECT_EQ(gemm(p, options), cudaSuccess);
  EXPECT_EQ(c, 6);
}

TEST(Gemm, RefusesAVariantThatTheDeviceLacks) {
  cpu_emulator::set_device(80);
  Options options;
  options.variant = find_variant("mma_e4m3_64x64");
  ASSERT_NE(options.variant, nullptr);
  Choice choice;
  EXPECT_EQ(gemm(problem(Type::e4m3, 8, 8, 8), options, &choice), cudaErrorNotSupported);
  EXPECT_EQ(choice.reason, "mma_e4m3_64x64 needs a device from 8.9 on, this is 8.0");
  cpu_emulator::set_device(90);
  EXPECT_EQ(gemm(problem(Type::bf16, 8, 8, 8), options, &choice), cudaErrorNotSupported);
  EXPECT_EQ(choice.reason, "mma_e4m3_64x64 computes other types than the problem's");
  EXPECT_EQ(find_variant("mma_fp4"), nullptr);
  options.variant = find_variant("mma_tf32_64x64");
  EXPECT_EQ(gemm(problem(Type::f32, 8, 8, 8), options, &choice), cudaErrorNotSupported);
  EXPECT_THAT(choice.reason, HasSubstr("Problem::allow_tf32"));
}

TEST(Gemm, RefusesWhatIsNoProblem) {
  const auto reason = [](auto change) {
    Problem p = problem(Type::f32, 4, 5, 6);
    change(p);
    Choice choice;
    EXPECT_EQ(gemm(p, {}, &choice), cudaErrorInvalidValue);
    EXPECT_EQ(choice.reason, validate(p).empty() ? choice.reason : validate(p));
    return choice.reason;
  };
  EXPECT_THAT(reason([](Problem& p) { p.m = -1; }), HasSubstr("m is -1, and cannot be"));
  EXPECT_EQ(reason([](Problem& p) { p.batches = -2; }), "batches is -2, and cannot be negative");
  EXPECT_EQ(reason([](Problem& p) { p.k = 2147483647; }),
            "k is 2147483647, and at most 2147483391 is taken");
  EXPECT_EQ(reason([](Problem& p) { p.a.leading = 5; }),
            "A's leading dimension is 5, and its rows have 6 elements");
  EXPECT_EQ(reason([](Problem& p) {
              p.b.layout = Layout::column;
              p.b.leading = 5;
            }),
            "B's leading dimension is 5, and its columns have 6 elements");
  EXPECT_EQ(reason([](Problem& p) { p.c.data = nullptr; }), "C is a null pointer");
  EXPECT_EQ(reason([](Problem& p) { p.output = Type::f16; }),
            "products of f32 are not stored as f16");
  EXPECT_EQ(reason([](Problem& p) { p.a.batch_stride = -1; }),
            "A's batch stride is -1, and cannot be negative");
  EXPECT_THAT(reason([](Problem& p) {
                p.m = p.n = 2000000000;
                p.a.leading = p.b.leading = p.c.leading = 2000000000;
                p.batches = 100;
              }),
              HasSubstr("more elements than any device"));
  EXPECT_THAT(reason([](Problem& p) {
                p.m = p.n = 1 << 24;
                p.b.leading = p.c.leading = 1 << 24;
              }),
              HasSubstr("more tiles than a grid holds"));
  EXPECT_EQ(reason([](Problem& p) {
              p.batches = 2;
              p.c.batch_stride = 19;
            }),
            "C's batch stride is 19: 2 products of 20 elements lie neither one behind another, nor "
            "side by side within its leading dimension of 5");
  EXPECT_EQ(reason([](Problem& p) { p.a.data = static_cast<const char*>(p.a.data) + 2; }),
            "A does not begin at a multiple of 4 bytes");
  EXPECT_EQ(reason([](Problem& p) { p.bias = static_cast<const char*>(at(9)) + 1; }),
            "the bias does not begin at a multiple of 4 bytes");
  EXPECT_EQ(reason([](Problem& p) { p.b.leading = std::numeric_limits<long long>::max(); }),
            "B's leading dimension is 9223372036854775807 and its batch stride 0: it has more "
            "elements than any device has room for");
  EXPECT_EQ(reason([](Problem& p) {
              p.batches = 3;
              p.c.batch_stride = 20;
              p.a.batch_stride = 1ll << 62;
            }),
            "A's leading dimension is 6 and its batch stride 4611686018427387904: it has more "
            "elements than any device has room for");
  const auto reason_of_s8 = [](auto change) {
    Problem p = problem(Type::s8, 4, 4, 4);
    change(p);
    return validate(p);
  };
  EXPECT_EQ(reason_of_s8([](Problem& p) { p.beta = 0.5; }),
            "beta is 0.5, and those of a product of s8 are whole numbers of 32 bits");
  EXPECT_THAT(reason_of_s8([](Problem& p) { p.activation = Activation::gelu; }),
              HasSubstr("no activation but relu"));
  EXPECT_EQ(reason_of_s8([](Problem&) {}), "");
}

// C is written while A, B and the bias are read.
TEST(Gemm, RefusesMatricesThatShareElements) {
  const auto reason = [](auto change) {
    Problem p = problem(Type::f32, 4, 5, 6);
    change(p);
    const std::string found = validate(p);
    if (!found.empty()) {
      EXPECT_EQ(gemm(p), cudaErrorInvalidValue);
    }
    return found;
  };
  const auto behind = [](const void* data, long long elements) {
    return const_cast<char*>(static_cast<const char*>(data)) + elements * 4;
  };
  const std::string a_and_c = "C and A share memory: C is written while A is read";
  EXPECT_EQ(reason([](Problem& p) { p.c.data = const_cast<void*>(p.a.data); }), a_and_c);
  EXPECT_EQ(reason([&](Problem& p) { p.c.data = behind(p.a.data, 23); }), a_and_c);
  EXPECT_EQ(reason([&](Problem& p) { p.c.data = behind(p.a.data, 24); }), "");
  EXPECT_EQ(reason([&](Problem& p) { p.a.data = behind(p.c.data, 20); }), "");
  EXPECT_EQ(reason([](Problem& p) { p.c.data = const_cast<void*>(p.b.data); }),
            "C and B share memory: C is written while B is read");
  EXPECT_EQ(reason([&](Problem& p) { p.bias = behind(p.c.data, 19); }),
            "C and the bias share memory: C is written while the bias is read");
  EXPECT_EQ(reason([&](Problem& p) { p.bias = behind(p.c.data, 20); }), "");
  EXPECT_EQ(reason([](Problem& p) { p.b.data = p.a.data; }), "") << "both are read";
  EXPECT_EQ(reason([](Problem& p) {
              p.k = 0;
              p.c.data = const_cast<void*>(p.a.data);
            }),
            "")
      << "A has no elements";
}

TEST(Gemm, TakesPanelsOfOneBuffer) {
  const auto reason = [](int first_column, long long leading_of_c) {
    Problem p = problem(Type::f32, 4, 5, 6);
    // Columns 0 to 5 of a buffer whose rows have 100.
    p.a.leading = 100;
    p.c = {static_cast<char*>(at(1)) + 4 * first_column, Layout::row, leading_of_c, 0};
    return validate(p);
  };
  const std::string shared = "C and A share memory: C is written while A is read";
  EXPECT_EQ(reason(5, 100), shared);
  EXPECT_EQ(reason(6, 100), "");
  EXPECT_EQ(reason(10, 100), "");
  EXPECT_EQ(reason(95, 100), "");
  EXPECT_EQ(reason(96, 100), shared) << "where the next row begins";
  EXPECT_EQ(reason(400, 100), "");
  EXPECT_EQ(reason(200, 70), shared) << "its first row is the third of A";
  EXPECT_EQ(reason(10, 90), "") << "rows that lie in different ways are the caller's";
  Problem p = problem(Type::f32, 4, 5, 6);
  p.b = {at(2), Layout::column, 100};
  p.c = {static_cast<char*>(at(2)) + 40, Layout::column, 100, 0};
  EXPECT_EQ(validate(p), "");
  p.c.data = static_cast<char*>(at(2)) + 20;
  EXPECT_EQ(validate(p), "C and B share memory: C is written while B is read");
}

TEST(Gemm, LooksAtAllProductsOfABatch) {
  const auto reason = [](long long stride_of_a, long long stride_of_c, long long first) {
    Problem p = problem(Type::f32, 4, 5, 6);
    p.batches = 10;
    p.a.batch_stride = stride_of_a;
    p.c = {static_cast<char*>(at(1)) + 4 * first, Layout::row, 5, stride_of_c};
    return validate(p);
  };
  const std::string shared = "C and A share memory: C is written while A is read";
  EXPECT_EQ(reason(24, 20, 24), shared) << "of the second product";
  EXPECT_EQ(reason(24, 20, 240), "");
  EXPECT_EQ(reason(0, 20, 24), "") << "one A for all";
  EXPECT_EQ(reason(0, 20, -180), shared) << "the last of C";
  EXPECT_EQ(reason(0, 20, -200), "");
  // A and C alternate.
  EXPECT_EQ(reason(44, 44, 24), "");
  EXPECT_EQ(reason(44, 44, 23), shared);
  EXPECT_EQ(reason(44, 44, 24 + 5 * 44), "");
  EXPECT_EQ(reason(44, 44, 25 + 5 * 44), shared);
}

// 4 x 5 matrices C side by side, like heads in the rows of their tokens.
TEST(Gemm, TakesBatchesThatLieWithinLines) {
  const auto reason = [](Layout layout, int batches, long long leading, long long stride) {
    Problem p = problem(Type::f32, 4, 5, 6);
    p.batches = batches;
    p.c = {at(3), layout, leading, stride};
    return validate(p);
  };
  const auto refused = [](const std::string& stride, const std::string& products,
                          const std::string& leading) {
    return "C's batch stride is " + stride + ": " + products +
           " elements lie neither one behind another, nor side by side within its leading "
           "dimension of " +
           leading;
  };
  EXPECT_EQ(reason(Layout::row, 3, 15, 5), "");
  EXPECT_EQ(reason(Layout::row, 3, 14, 5), refused("5", "3 products of 47", "14"));
  EXPECT_EQ(reason(Layout::row, 3, 15, 4), refused("4", "3 products of 50", "15"));
  EXPECT_EQ(reason(Layout::row, 3, 19, 7), "") << "and gaps between them";
  EXPECT_EQ(reason(Layout::row, 3, 18, 7), refused("7", "3 products of 59", "18"));
  EXPECT_EQ(reason(Layout::row, 3, 15, 0), refused("0", "3 products of 50", "15"));
  EXPECT_EQ(reason(Layout::column, 3, 12, 4), "");
  EXPECT_EQ(reason(Layout::column, 3, 11, 4), refused("4", "3 products of 48", "11"));
}

// A has rows of 6 elements. C's 10 matrices lie side by side in 50 of each 100 elements.
TEST(Gemm, LooksAtAllProductsThatLieWithinLines) {
  const auto reason = [](long long first_of_a) {
    Problem p = problem(Type::f32, 4, 5, 6);
    p.batches = 10;
    p.c = {at(1), Layout::row, 100, 5};
    p.a = {static_cast<char*>(at(1)) + 4 * first_of_a, Layout::row, 100, 0};
    return validate(p);
  };
  const std::string shared = "C and A share memory: C is written while A is read";
  for (const long long first : {0, 20, 49, 149, 249, 195}) EXPECT_EQ(reason(first), shared);
  EXPECT_EQ(reason(50), "");
  EXPECT_EQ(reason(94), "");
  EXPECT_EQ(reason(350), "") << "behind the last";
}

TEST(Choice, IsNoneForWhatIsNoProblem) {
  Problem p = problem(Type::f32, 4, 5, 6);
  p.n = -1;
  const Choice choice = choose(p, 0, {90, 132}, has_all);
  EXPECT_EQ(choice.variant, nullptr);
  EXPECT_EQ(choice.reason, "n is -1, and cannot be negative");
  EXPECT_EQ(choose(p, 0).reason, choice.reason);
  EXPECT_EQ(choose(p, 0, *find_variant("simt_f32_64x64")).reason, choice.reason);
  p.m = p.n = p.batches = 2147483391;
  EXPECT_EQ(choose(p, kPlenty, {90, 132}, has_all).variant, nullptr);
  EXPECT_EQ(useful_workspace(p), 0u);
  Problem sizes = problem(Type::f32, 4, 5, 6);
  sizes.a.data = nullptr;
  EXPECT_EQ(choose(sizes, 0, {90, 132}, has_all).reason, "A is a null pointer");
  EXPECT_EQ(validate_extents(sizes), "");
  EXPECT_EQ(validate_except_a(sizes), "");
}

TEST(Gemm, RefusesMoreSplitsThanTheWorkspaceHolds) {
  Problem p = problem(Type::f32, 8, 8, 64);
  Options options;
  options.splits = 2;
  Choice choice;
  alignas(8) unsigned char memory[512 + 4];
  const auto refused = [&](void* workspace, std::size_t bytes) {
    options.workspace = workspace;
    options.workspace_bytes = bytes;
    EXPECT_EQ(gemm(p, options, &choice), cudaErrorInvalidValue);
    return choice.reason;
  };
  // Two parts of 64 sums of 4 bytes.
  EXPECT_EQ(refused(nullptr, 0),
            "the workspace is a null pointer, and 512 bytes are needed, for K in 2 parts");
  EXPECT_EQ(refused(nullptr, 512),
            "the workspace is a null pointer, and 512 bytes are needed, for K in 2 parts");
  EXPECT_EQ(
      refused(memory, 511),
      "the workspace is too small: 512 bytes are needed, and 511 are given, for K in 2 parts");
  EXPECT_EQ(refused(memory + 4, 512),
            "the workspace does not begin at a multiple of 8 bytes, for K in 2 parts");
  options.splits = 1;
  EXPECT_EQ(refused(memory + 4, 512), "the workspace does not begin at a multiple of 8 bytes");
  for (const int splits : {1025, 2147483647}) {
    options.splits = splits;
    EXPECT_EQ(refused(memory, 512),
              "K in " + std::to_string(splits) + " parts, and at most 1024 are taken");
  }
}

TEST(Choice, NeedsNeitherANorBWhereAlphaIs0) {
  Problem p = problem(Type::f32, 1, 64, 1 << 20);
  p.alpha = 1e-60;  // 0 as f32
  p.beta = 2;
  p.a = {nullptr, Layout::row, -1, -1};
  p.b.data = p.c.data;
  EXPECT_EQ(validate(p), "");
  EXPECT_EQ(choose(p, kPlenty, {90, 132}, has_all).splits, 1) << "no part of K is worth a block";
  p.alpha = 1;
  EXPECT_EQ(validate(p), "A's leading dimension is -1, and its rows have 1048576 elements");
}

TEST(Gemm, HasNothingToDoForAnEmptyC) {
  for (Problem p : {problem(Type::f32, 0, 4, 4), problem(Type::f32, 4, 0, 4)}) {
    EXPECT_EQ(gemm(p), cudaSuccess);
  }
}

TEST(Table, NamesEachVariantOnce) {
  for (const Variant& variant : variants()) {
    EXPECT_EQ(find_variant(variant.name), &variant);
    EXPECT_EQ(variant.name, std::string(variant.source) + "_" + std::to_string(variant.tile_m) +
                                "x" + std::to_string(variant.tile_n));
  }
}

}  // namespace
}  // namespace archgrid::gemm
