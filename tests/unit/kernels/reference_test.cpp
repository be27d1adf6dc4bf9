// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Tests the error bound of the matrix product's reference: sums by archgrid::cpu_emulator's tensor
// cores are within it, and a result of zero is not, however long K is.
#include "../../gpu/gemm_cases.hpp"
#include "../cpu_emulator/warp_products.hpp"

namespace archgrid::gemm {
namespace {

constexpr int rows = 16;
constexpr int columns = 8;

std::vector<unsigned char> reals(Type type, int count, std::uint32_t seed) {
  Generator generator(seed);
  std::vector<unsigned char> bytes(static_cast<std::size_t>(count * bytes_of(type)));
  const double unit = type == Type::s8 ? 127 : 1;
  for (int i = 0; i < count; ++i) {
    put(unit * generator.next(Values::reals), type, bytes.data() + i * bytes_of(type));
  }
  return bytes;
}

struct Matrices {
  Matrices(Type type, int k) : a(reals(type, rows * k, 1)), b(reals(type, columns * k, 2)) {
    problem.m = rows;
    problem.n = columns;
    problem.k = k;
    problem.input = type;
    problem.output = output_of(type, true);
    problem.a = {a.data(), Layout::row, k};
    problem.b = {b.data(), Layout::column, k};
  }

  std::vector<unsigned char> a;
  std::vector<unsigned char> b;
  Problem problem;
};

struct Path {
  Type input;
  cpu_emulator::Number number;
  int k;  // K of one mma
  std::vector<int> devices;
};

const std::vector<Path>& paths() {
  static const std::vector<Path> all = {
      {Type::f16, cpu_emulator::Number::f16, 8, {75, 80, 86, 89, 90, 100, 120}},
      {Type::f16, cpu_emulator::Number::f16, 16, {80, 86, 89, 90, 100, 120}},
      {Type::bf16, cpu_emulator::Number::bf16, 16, {80, 86, 89, 90, 100, 120}},
      {Type::f32, cpu_emulator::Number::tf32, 8, {80, 86, 89, 90, 100, 120}},
      {Type::e4m3, cpu_emulator::Number::e4m3, 32, {89, 90, 100, 120}},
      {Type::e5m2, cpu_emulator::Number::e5m2, 32, {89, 90, 100, 120}}};
  return all;
}

// Returns the codes of `count` elements of each line, from `first` on. There are `lines` lines of
// `k` elements.
std::vector<std::uint32_t> codes(const std::vector<unsigned char>& bytes, Type type, int lines,
                                 int k, int first, int count) {
  std::vector<std::uint32_t> all;
  for (int line = 0; line < lines; ++line) {
    for (int i = first; i < first + count; ++i) {
      std::uint32_t code = 0;
      if (i < k) {
        const int at = (line * k + i) * bytes_of(type);
        std::memcpy(&code, bytes.data() + at, static_cast<std::size_t>(bytes_of(type)));
      }
      all.push_back(code);
    }
  }
  return all;
}

// Sums K from `first` to `end` by one mma after another.
std::vector<float> sums_by_mma(const Matrices& operands, const Path& path, int first, int end) {
  cpu_emulator::WarpProducts products;
  products.type = path.number;
  products.k = path.k;
  products.c.assign(rows * columns, 0.0f);
  for (; first < end; first += path.k) {
    products.a = codes(operands.a, path.input, rows, operands.problem.k, first, path.k);
    products.b = codes(operands.b, path.input, columns, operands.problem.k, first, path.k);
    products.c = cpu_emulator::multiply(products);
  }
  return products.c;
}

// Returns the sums of `splits` parts of K, added as in combine_splits.
std::vector<float> sums_by_parts(const Matrices& operands, const Path& path, int splits) {
  const int k = operands.problem.k;
  const int part = (k + 32 * splits - 1) / (32 * splits) * 32;
  std::vector<float> c(rows * columns, 0.0f);
  for (int first = 0; first < k; first += part) {
    const std::vector<float> sums = sums_by_mma(operands, path, first, std::min(k, first + part));
    for (std::size_t i = 0; i < c.size(); ++i) c[i] += sums[i];
  }
  return c;
}

void expect_bound(const Matrices& operands, const Path& path, int device, int splits) {
  const bool is_fp8 = bytes_of(path.input) == 1;
  const Arithmetic arithmetic = {splits, path.input == Type::f32, is_fp8 && device == 89};
  const Reference expected = reference(operands.problem, arithmetic);
  const std::vector<float> c = sums_by_parts(operands, path, splits);
  const std::string what = "mma " + std::to_string(&path - paths().data()) + ", k " +
                           std::to_string(operands.problem.k) + ", device " +
                           std::to_string(device) + ", splits " + std::to_string(splits);
  int zeros_within = 0;
  for (std::size_t i = 0; i < c.size(); ++i) {
    EXPECT_LE(std::abs(c[i] - expected.value[i]), expected.bound[i]) << what;
    if (std::abs(expected.value[i]) <= expected.bound[i]) ++zeros_within;
  }
  EXPECT_LT(zeros_within, rows * columns / 2) << what;
  EXPECT_FALSE(accepts_zeros(expected)) << what;
}

TEST(Reference, BoundIsKeptByTensorCoresAndNotByZero) {
  for (const Path& path : paths()) {
    for (const int k : {16, 333, 2000}) {
      const Matrices operands(path.input, k);
      for (const int device : path.devices) {
        cpu_emulator::set_device(device);
        for (const int splits : {1, 4}) expect_bound(operands, path, device, splits);
      }
    }
  }
  cpu_emulator::set_device(90);
}

TEST(Reference, ZeroIsNotWithinTheBoundOfLongSums) {
  for (const Type type :
       {Type::f32, Type::f64, Type::f16, Type::bf16, Type::e4m3, Type::e5m2, Type::s8}) {
    for (const int k : {16, 333, 2000, 8192}) {
      const Matrices operands(type, k);
      for (const int splits : {1, 7}) {
        for (const bool is_tf32 : {false, type == Type::f32}) {
          for (const bool keeps_13_bits : {false, bytes_of(type) == 1 && type != Type::s8}) {
            EXPECT_FALSE(
                accepts_zeros(reference(operands.problem, {splits, is_tf32, keeps_13_bits})))
                << static_cast<int>(type) << " " << k << " " << splits;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace archgrid::gemm
