// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Test cases of the GEMM variants, shared by GPUs (gemm_test.cpp) and the CPU (tests/unit/kernels).
#ifndef ARCHGRID_TESTS_GPU_GEMM_CASES_HPP
#define ARCHGRID_TESTS_GPU_GEMM_CASES_HPP

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "gemm/gemm.h"
#include "gemm/reference.h"

namespace archgrid::gemm {

/// The values of elements: integers from -4 to 4, whose products and sums are exact in every type,
/// or reals from -1 to 1 (for s8, integers from -127 to 127).
enum class Values { integers, reals };

/// The contents of A and B: numbers, NaN (0xff bytes for s8), or null pointers.
enum class Operands { numbers, not_numbers, null };

struct Case {
  int m, n, k;
  Layout a = Layout::row;
  Layout b = Layout::row;
  Layout c = Layout::row;
  Values values = Values::integers;
  double alpha = 1;
  double beta = 0;
  int gap = 0;             ///< elements added to leading dimensions
  bool is_padded = false;  ///< then rounds them up to 64 elements, which aligns every row
  int offset = 0;          ///< elements between an aligned address and the matrices
  int bias_offset = 0;     ///< additional elements before the bias
  int batches = 1;
  bool is_one_b = false;         ///< all products of the batch share B
  bool is_side_by_side = false;  ///< matrices of the batch share rows
  int splits = 1;
  bool has_bias = false;
  Activation activation = Activation::none;
  bool is_wide_output = false;            ///< f32 if the types allow it, see output_of()
  Operands operands = Operands::numbers;  ///< others only if A and B must not be read
};

inline std::string described(const Case& c) {
  const auto letter = [](Layout layout) { return layout == Layout::row ? 'r' : 'c'; };
  std::string text =
      std::to_string(c.m) + "x" + std::to_string(c.n) + "x" + std::to_string(c.k) + " ";
  text += {letter(c.a), letter(c.b), letter(c.c)};
  if (c.is_padded) text += " padded";
  text += " alpha " + std::to_string(c.alpha) + " beta " + std::to_string(c.beta) + " gap " +
          std::to_string(c.gap) + " offset " + std::to_string(c.offset) + " batches " +
          std::to_string(c.batches) + " splits " + std::to_string(c.splits);
  if (c.is_side_by_side) text += " side by side";
  if (c.has_bias) text += " bias offset " + std::to_string(c.bias_offset);
  if (c.activation != Activation::none)
    text += " activation " + std::to_string(static_cast<int>(c.activation));
  if (c.operands == Operands::not_numbers) text += " A and B NaN";
  if (c.operands == Operands::null) text += " A and B null";
  return text;
}

/// Returns the output type of a case.
inline Type output_of(Type input, bool is_wide) {
  switch (input) {
    case Type::s8:
      return Type::s32;
    case Type::f16:
    case Type::bf16:
      return is_wide ? Type::f32 : input;
    case Type::e4m3:
    case Type::e5m2:
      return is_wide ? Type::f32 : Type::bf16;
    default:
      return input;
  }
}

/// Rounds a number to a type and writes it to `to`.
inline void put(double value, Type type, void* to) {
  const auto copy = [to](auto number) { std::memcpy(to, &number, sizeof(number)); };
  switch (type) {
    case Type::f64:
      return copy(value);
    case Type::f32:
      return copy(static_cast<float>(value));
    case Type::f16:
      return copy(__double2half(value));
    case Type::bf16:
      return copy(__double2bfloat16(value));
    case Type::e4m3:
      return copy(__nv_fp8_e4m3(value));
    case Type::e5m2:
      return copy(__nv_fp8_e5m2(value));
    case Type::s8:
      return copy(static_cast<std::int8_t>(value));
    case Type::s32:
      return copy(static_cast<std::int32_t>(value));
  }
}

inline double rounded(double value, Type type) {
  unsigned char bytes[8];
  put(value, type, bytes);
  return element(bytes, type, 0);
}

class Generator {
 public:
  explicit Generator(std::uint32_t seed) : state_(seed) {}
  double next(Values values) {
    state_ = state_ * 1664525u + 1013904223u;
    const std::uint32_t bits = state_ >> 8;
    return values == Values::integers ? static_cast<double>(bits % 9) - 4 : bits / 8388608.0 - 1.0;
  }

 private:
  std::uint32_t state_;
};

/// A batch of matrices in memory, between margins. Memory outside of elements has 0xff bytes, which
/// are NaN in floating-point types.
class Stored {
 public:
  Stored(Type type, Layout layout, int rows, int columns, int batches, const Case& c)
      : type_(type), layout_(layout), rows_(rows), columns_(columns), batches_(batches) {
    const int along = layout == Layout::row ? columns : rows;
    const int across = layout == Layout::row ? rows : columns;
    leading_ = along + c.gap;
    if (c.is_padded) leading_ = (leading_ + 63) / 64 * 64;
    stride_ = leading_ * across + c.gap;
    if (c.is_side_by_side) std::tie(leading_, stride_) = std::pair(leading_ * batches, leading_);
    // A multiple of 16 bytes, so that only the offset determines the alignment of the matrix.
    first_ = 64 + c.offset;
    const long long elements = first_ + std::max(stride_ * batches, leading_ * across) + 64;
    bytes_.assign(static_cast<std::size_t>(elements * bytes_of(type)), 0xff);
  }

  void fill(Values values, std::uint32_t seed) {
    Generator generator(seed);
    const double unit = type_ == Type::s8 && values == Values::reals ? 127 : 1;
    for_each([&](long long index) { put(unit * generator.next(values), type_, at(index)); });
  }

  template <class Visit>
  void for_each(Visit visit) const {
    for (int batch = 0; batch < batches_; ++batch) {
      for (int row = 0; row < rows_; ++row) {
        for (int column = 0; column < columns_; ++column) visit(index_of(batch, row, column));
      }
    }
  }

  long long index_of(int batch, int row, int column) const {
    const long long across = layout_ == Layout::row ? row : column;
    const long long along = layout_ == Layout::row ? column : row;
    return first_ + batch * stride_ + across * leading_ + along;
  }

  template <class Pointer>
  Matrix<Pointer> view(void* memory, bool is_shared) const {
    auto* const first = static_cast<unsigned char*>(memory) + first_ * bytes_of(type_);
    return {first, layout_, leading_, is_shared ? 0 : stride_};
  }

  unsigned char* at(long long index) { return bytes_.data() + index * bytes_of(type_); }
  double value(long long index) const { return element(bytes_.data(), type_, index); }
  std::vector<unsigned char>& bytes() { return bytes_; }
  const std::vector<unsigned char>& bytes() const { return bytes_; }

 private:
  Type type_;
  Layout layout_;
  int rows_, columns_, batches_;
  long long leading_, stride_, first_;
  std::vector<unsigned char> bytes_;
};

/// Device memory with a copy of host memory.
class OnDevice {
 public:
  explicit OnDevice(const std::vector<unsigned char>& bytes) : size_(bytes.size()) {
    if (size_ == 0) return;
    EXPECT_EQ(cudaMalloc(&data_, size_), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(data_, bytes.data(), size_, cudaMemcpyHostToDevice), cudaSuccess);
  }
  ~OnDevice() { cudaFree(data_); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

  void* data() const { return data_; }
  std::size_t size() const { return size_; }
  void copy_to(std::vector<unsigned char>& bytes) const {
    EXPECT_EQ(cudaMemcpy(bytes.data(), data_, size_, cudaMemcpyDeviceToHost), cudaSuccess);
  }

 private:
  void* data_ = nullptr;
  std::size_t size_;
};

/// Returns the arithmetic of a variant on the current device.
inline Arithmetic arithmetic_of(const Variant& variant, int splits) {
  Device device;
  EXPECT_EQ(current_device(&device), cudaSuccess);
  const bool is_fp8 = variant.input == Type::e4m3 || variant.input == Type::e5m2;
  return {splits, variant.is_tf32, is_fp8 && device.capability == 89};
}

/// Reports whether the bounds are so wide that a product of nothing but zeros is within them.
inline bool accepts_zeros(const Reference& expected) {
  for (std::size_t i = 0; i < expected.value.size(); ++i) {
    if (std::abs(expected.value[i]) > expected.bound[i]) return false;
  }
  return true;
}

/// The implementation that computes a case, and its inputs.
struct Tried {
  std::string name;
  Type input = Type::f32;
  bool is_tf32 = false;
  Arithmetic arithmetic;
  /// Changes the generated A, if set.
  std::function<void(Stored& a)> change_a = {};
  /// Launches the product of matrices in device memory. Returns an error message, or an empty
  /// string.
  std::function<std::string(const Problem&)> begin;
};

/// Computes a case. Checks every element of C, and that no other byte changes.
inline ::testing::AssertionResult computes(const Tried& tried, const Case& c) {
  const auto failure = [&] {
    return ::testing::AssertionFailure() << tried.name << " " << described(c) << ": ";
  };
  Problem p;
  p.m = c.m;
  p.n = c.n;
  p.k = c.k;
  p.batches = c.batches;
  p.input = tried.input;
  p.output = output_of(tried.input, c.is_wide_output);
  p.allow_tf32 = tried.is_tf32;
  p.alpha = c.alpha;
  p.beta = c.beta;
  p.activation = c.activation;

  Stored a(p.input, c.a, c.m, c.k, c.batches, c);
  Stored b(p.input, c.b, c.k, c.n, c.is_one_b ? 1 : c.batches, c);
  Stored out(p.output, c.c, c.m, c.n, c.batches, c);
  Case of_bias = c;
  of_bias.offset += c.bias_offset;
  Stored bias(p.output, Layout::row, 1, c.n, 1, of_bias);
  if (c.operands == Operands::numbers) {
    a.fill(c.values, 1);
    b.fill(c.values, 2);
  }
  if (tried.change_a) tried.change_a(a);
  // With beta = 0, C is not read.
  if (c.beta != 0) out.fill(c.values, 3);
  bias.fill(c.values, 4);
  p.a = a.view<const void*>(a.bytes().data(), false);
  p.b = b.view<const void*>(b.bytes().data(), c.is_one_b);
  p.c = out.view<void*>(out.bytes().data(), false);
  if (c.has_bias) p.bias = bias.view<const void*>(bias.bytes().data(), false).data;
  if (c.operands == Operands::null) p.a.data = p.b.data = nullptr;
  const Reference expected = reference(p, tried.arithmetic);

  const OnDevice device_a(a.bytes());
  const OnDevice device_b(b.bytes());
  const OnDevice device_out(out.bytes());
  const OnDevice device_bias(bias.bytes());
  p.a = a.view<const void*>(device_a.data(), false);
  p.b = b.view<const void*>(device_b.data(), c.is_one_b);
  p.c = out.view<void*>(device_out.data(), false);
  if (c.has_bias) p.bias = bias.view<const void*>(device_bias.data(), false).data;
  if (c.operands == Operands::null) p.a.data = p.b.data = nullptr;
  const std::string wrong = tried.begin(p);
  if (!wrong.empty()) return failure() << wrong;
  const cudaError_t done = cudaDeviceSynchronize();
  if (done != cudaSuccess) return failure() << cudaGetErrorName(done);

  const std::vector<unsigned char> before = out.bytes();
  device_out.copy_to(out.bytes());
  const bool is_exact = c.values == Values::integers && c.activation != Activation::gelu &&
                        c.activation != Activation::silu;
  if (!is_exact && accepts_zeros(expected)) return failure() << "C of zeros would pass as well";
  std::size_t next = 0;
  std::vector<bool> is_element(out.bytes().size(), false);
  for (int batch = 0; batch < c.batches; ++batch) {
    for (int row = 0; row < c.m; ++row) {
      for (int column = 0; column < c.n; ++column, ++next) {
        const long long index = out.index_of(batch, row, column);
        for (int i = 0; i < bytes_of(p.output); ++i) {
          is_element[static_cast<std::size_t>(index * bytes_of(p.output) + i)] = true;
        }
        const double got = out.value(index);
        const double want =
            is_exact ? rounded(expected.value[next], p.output) : expected.value[next];
        const double bound = is_exact ? 0 : expected.bound[next];
        // NaN is within no bound.
        if (!(std::abs(got - want) <= bound)) {
          return failure() << "batch " << batch << " row " << row << " column " << column << " is "
                           << got << ", not " << want << " within " << bound;
        }
      }
    }
  }
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (!is_element[i] && before[i] != out.bytes()[i]) {
      return failure() << "byte " << i << " outside of C was written";
    }
  }
  return ::testing::AssertionSuccess();
}

/// Computes a case with a variant of the dense products.
inline ::testing::AssertionResult computes(const Variant& variant, const Case& c) {
  const std::size_t sums = static_cast<std::size_t>(c.m) * static_cast<std::size_t>(c.n) *
                           static_cast<std::size_t>(c.batches) *
                           static_cast<std::size_t>(c.splits) * 8;
  const OnDevice workspace(std::vector<unsigned char>(c.splits > 1 ? sums : 0, 0xff));
  Tried tried;
  tried.name = variant.name;
  tried.input = variant.input;
  tried.is_tf32 = variant.is_tf32;
  tried.arithmetic = arithmetic_of(variant, c.splits);
  tried.begin = [&](const Problem& problem) -> std::string {
    Options options;
    options.variant = &variant;
    options.splits = c.splits;
    options.workspace = workspace.data();
    options.workspace_bytes = c.splits > 1 ? sums : 0;
    Choice choice;
    const cudaError_t launched = gemm(problem, options, &choice);
    return launched == cudaSuccess ? "" : cudaGetErrorName(launched) + (": " + choice.reason);
  };
  return computes(tried, c);
}

/// Returns cases in which A and B must not be read, because alpha or K is 0. C is read if beta is
/// not 0.
inline std::vector<Case> cases_without_operands(const Variant& v) {
  std::vector<Case> cases;
  for (const Operands operands : {Operands::not_numbers, Operands::null}) {
    for (const double beta : {0.0, 1.0, -3.0}) {
      for (int layouts = 0; layouts < 8; ++layouts) {
        Case c{v.tile_m + 3, 13, v.tile_k + 5};
        c.a = layouts & 1 ? Layout::column : Layout::row;
        c.b = layouts & 2 ? Layout::column : Layout::row;
        c.c = layouts & 4 ? Layout::column : Layout::row;
        c.operands = operands;
        c.alpha = 0;
        c.beta = beta;
        c.has_bias = (layouts & 1) != 0;
        c.is_padded = (layouts & 2) != 0;
        c.gap = layouts & 4 ? 3 : 0;
        cases.push_back(c);
      }
      Case other{21, 18, 9 * v.tile_k + 2};
      other.operands = operands;
      other.alpha = 0;
      other.beta = beta;
      other.activation = Activation::relu;
      other.is_wide_output = true;
      other.batches = 3;
      cases.push_back(other);
      other.is_one_b = true;
      other.splits = 3;
      cases.push_back(other);
      other.batches = 1;
      other.splits = 2;
      cases.push_back(other);
      other.k = 0;
      // There is no sum for alpha to scale.
      other.alpha = v.input == Type::s8 ? 5 : std::numeric_limits<double>::infinity();
      cases.push_back(other);
      other.splits = 1;
      other.alpha = v.input == Type::s8 ? 1 : std::numeric_limits<double>::quiet_NaN();
      cases.push_back(other);
    }
  }
  return cases;
}

/// Returns hard cases for a tile of tile_m x tile_n with k-tiles of tile_k: one below, at and above
/// its edges, ones, zeros, primes, long and thin matrices.
inline std::vector<Case> cases_around(const Variant& v) {
  std::vector<Case> cases;
  const int m = v.tile_m;
  const int n = v.tile_n;
  const int k = v.tile_k;
  const int sizes[][3] = {{1, 1, 1},
                          {m, n, k},
                          {m - 1, n + 1, k - 1},
                          {m + 1, n - 1, k + 1},
                          {m + 1, n + 1, 2 * k},
                          {3, 2 * n + 5, 7},
                          {2 * m + 3, 2, 4 * k + 1},
                          {17, 19, 0},
                          {37, 41, 101},
                          {1, 1, 1009},
                          {1, n, 3 * k},
                          {m, 1, 5 * k - 3}};
  for (const auto& s : sizes) cases.push_back({s[0], s[1], s[2]});
  // Every layout, aligned and unaligned, with and without gaps between rows.
  for (int layouts = 0; layouts < 8; ++layouts) {
    for (const int offset : {0, 1}) {
      Case c{m / 2 + 9, n / 2 + 3, 2 * k + 5};
      c.a = layouts & 1 ? Layout::column : Layout::row;
      c.b = layouts & 2 ? Layout::column : Layout::row;
      c.c = layouts & 4 ? Layout::column : Layout::row;
      c.offset = offset;
      c.gap = offset == 0 ? 16 - (layouts & 1) * 16 : 3;
      c.alpha = -2;
      c.beta = layouts % 3;
      c.has_bias = offset == 1;
      cases.push_back(c);
      // Aligned throughout, so that copies have 16 bytes.
      Case aligned{64, 48, 2 * k};
      aligned.a = c.a;
      aligned.b = c.b;
      aligned.c = c.c;
      aligned.values = Values::reals;
      aligned.is_wide_output = offset == 1;
      cases.push_back(aligned);
    }
  }
  // Aligned rows that do not end with a whole copy of 16 bytes.
  for (int layouts = 0; layouts < 4; ++layouts) {
    for (const int beyond : {1, 7, 15}) {
      Case c{m / 2 + beyond, n / 2 + beyond, k + beyond};
      c.a = layouts & 1 ? Layout::column : Layout::row;
      c.b = layouts & 2 ? Layout::column : Layout::row;
      c.is_padded = true;
      cases.push_back(c);
    }
  }
  for (const int splits : {2, 3, 7}) {
    // Aligned and unaligned rows of partial sums.
    for (const int columns : {18, 20}) {
      Case c{33, columns, 9 * k + 2};
      c.splits = splits;
      c.beta = 3;
      c.c = splits == 3 ? Layout::column : Layout::row;
      c.has_bias = splits == 3;
      c.batches = splits == 7 ? 2 : 1;
      cases.push_back(c);
    }
  }
  Case batch{20, 30, k + 3};
  batch.batches = 3;
  batch.gap = 5;
  cases.push_back(batch);
  batch.is_one_b = true;
  cases.push_back(batch);
  batch.is_side_by_side = true;
  for (const Layout layout : {Layout::row, Layout::column}) {
    batch.a = batch.c = layout;
    batch.is_padded = layout == Layout::column;
    batch.is_one_b = batch.is_padded;
    batch.splits = batch.is_padded ? 2 : 1;
    cases.push_back(batch);
  }
  Case zero_alpha{20, 30, 10};
  zero_alpha.alpha = 0;
  zero_alpha.beta = 1;
  cases.push_back(zero_alpha);
  for (const Values values : {Values::integers, Values::reals}) {
    for (const Activation activation :
         {Activation::none, Activation::relu, Activation::gelu, Activation::silu}) {
      if (v.input == Type::s8 && (activation == Activation::gelu || activation == Activation::silu))
        continue;
      Case c{35, 29, 3 * k + 1};
      c.values = values;
      c.activation = activation;
      c.has_bias = true;
      if (v.input != Type::s8) c.alpha = values == Values::reals ? 0.7 : 1;
      c.beta = v.input != Type::s8 && values == Values::reals ? -1.3 : 2;
      cases.push_back(c);
      // Aligned rows, with an aligned and an unaligned bias.
      c.is_padded = true;
      for (const int layouts : {0, 1}) {
        c.c = layouts == 0 ? Layout::row : Layout::column;
        c.bias_offset = activation == Activation::relu ? 1 : 0;
        cases.push_back(c);
      }
    }
  }
  if (v.input == Type::s8) {
    // Sums, factors and their products exceed 32 bits.
    Case wraps{9, 11, 77};
    wraps.alpha = 1999999999;
    wraps.beta = -1234567891;
    cases.push_back(wraps);
  }
  Case deep{40, 24, 2000};
  deep.values = Values::reals;
  deep.is_wide_output = true;
  cases.push_back(deep);
  return cases;
}

}  // namespace archgrid::gemm

#endif
