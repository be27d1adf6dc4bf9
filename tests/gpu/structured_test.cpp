// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Tests of pruning, checks, compression and products of 2:4 matrices, on GPUs. tests/unit/kernels
// also compiles them for the CPU.
#include "sparse/structured.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "device_memory.hpp"
#include "gemm_cases.hpp"
#include "sparse/variant.h"

namespace archgrid::sparse {
namespace {

using gemm::Case;
using gemm::OnDevice;
using gemm::Stored;
using gemm::Type;
using gemm::Values;

constexpr std::array<Type, 3> types = {Type::f16, Type::bf16, Type::s8};

/// Returns the two of four elements that the header says are kept.
std::array<int, 2> kept_of(const std::array<double, 4>& four) {
  std::array<int, 4> order = {0, 1, 2, 3};
  const auto magnitude = [&](int i) {
    const double value = four[static_cast<std::size_t>(i)];
    return std::isnan(value) ? std::numeric_limits<double>::infinity() : std::abs(value);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return magnitude(a) > magnitude(b); });
  return {std::min(order[0], order[1]), std::max(order[0], order[1])};
}

std::array<double, 4> four_of(const Stored& a, int row, int k, int columns) {
  std::array<double, 4> four = {};
  for (int i = 0; i < 4 && k + i < columns; ++i)
    four[static_cast<std::size_t>(i)] = a.value(a.index_of(0, row, k + i));
  return four;
}

void prune_on_the_host(Stored& a, int rows, int columns, Type type) {
  for (int row = 0; row < rows; ++row) {
    for (int k = 0; k < columns; k += 4) {
      const auto kept = kept_of(four_of(a, row, k, columns));
      for (int i = 0; i < 4 && k + i < columns; ++i) {
        if (i != kept[0] && i != kept[1]) gemm::put(0, type, a.at(a.index_of(0, row, k + i)));
      }
    }
  }
}

/// A matrix in host memory, and its view in a copy on the device.
struct Matrix {
  Matrix(Type of, Layout layout, int rows_, int k_, const Case& c = {1, 1, 1})
      : type(of), rows(rows_), k(k_), host(of, layout, rows_, k_, 1, c) {
    host.fill(Values::integers, 7);
  }

  template <class Pointer>
  DenseRows<Pointer> on(const OnDevice& memory) const {
    const auto view = host.view<Pointer>(memory.data(), false);
    return {type, rows, k, {view.data, view.layout, view.leading}};
  }

  Type type;
  int rows;
  int k;
  Stored host;
};

struct Compressed {
  Compressed(Type type, int rows, int k)
      : value(
            std::vector<unsigned char>(std::max<std::size_t>(1, value_bytes(type, rows, k)), 0xa5)),
        metadata(std::vector<unsigned char>(std::max<std::size_t>(1, metadata_bytes(type, rows, k)),
                                            0xa5)),
        matrix{type, rows, k, value.data(), metadata.data()} {}

  OnDevice value;
  OnDevice metadata;
  Structured matrix;
};

const OnDevice& workspace() {
  static const OnDevice memory(std::vector<unsigned char>(8, 0x5a));
  return memory;
}

std::string check_text(const Matrix& matrix) {
  const OnDevice memory(matrix.host.bytes());
  FormatError reason;
  EXPECT_EQ(check(matrix.on<const void*>(memory), workspace().data(), workspace().size(), &reason,
                  nullptr),
            cudaSuccess);
  return reason.text();
}

std::string compress_text(const Matrix& matrix) {
  const OnDevice memory(matrix.host.bytes());
  const Compressed compressed(matrix.type, matrix.rows, matrix.k);
  FormatError reason;
  EXPECT_EQ(compress(matrix.on<const void*>(memory), compressed.matrix, workspace().data(),
                     workspace().size(), &reason, nullptr),
            cudaSuccess);
  return reason.text();
}

/// Runs a body for matrices of each type and layout, with and without gaps.
template <class Body>
void for_each_matrix(Body body) {
  for (const Type type : types) {
    for (const Layout layout : {Layout::row, Layout::column}) {
      for (const auto& [rows, k] :
           {std::pair{1, 1}, {3, 4}, {5, 6}, {2, 31}, {33, 64}, {7, 130}, {70, 259}}) {
        Case c{1, 1, 1};
        c.gap = k % 3;
        c.offset = k % 2;
        SCOPED_TRACE(std::string(gemm::name(type)) + (layout == Layout::row ? " row" : " column") +
                     "-major " + std::to_string(rows) + " x " + std::to_string(k));
        Matrix matrix(type, layout, rows, k, c);
        ASSERT_NO_FATAL_FAILURE(body(matrix));
      }
    }
  }
}

TEST(Prune, LeavesTheTwoLargestOfEachFour) {
  for_each_matrix([](Matrix& matrix) {
    Matrix expected = matrix;
    prune_on_the_host(expected.host, matrix.rows, matrix.k, matrix.type);
    const OnDevice from(matrix.host.bytes());
    const OnDevice to(std::vector<unsigned char>(matrix.host.bytes().size(), 0xff));
    ASSERT_EQ(prune(matrix.on<const void*>(from), matrix.on<void*>(to), nullptr), cudaSuccess);
    // Also prune in place.
    ASSERT_EQ(prune(matrix.on<const void*>(from), matrix.on<void*>(from), nullptr), cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    std::vector<unsigned char> got(matrix.host.bytes().size());
    to.copy_to(got);
    EXPECT_EQ(got, expected.host.bytes());
    from.copy_to(got);
    EXPECT_EQ(got, expected.host.bytes());
    EXPECT_EQ(check_text(expected), "");
  });
}

TEST(Prune, KeepsTheFirstOfEqualOnesAndWhatIsNoNumber) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> before = {2, -2, 2, 2, 1, nan, 3, -infinity, 0, 0, 0, 0, -1, 3, -4, 2};
  const std::vector<double> after = {2, -2, 0, 0, 0, nan, 0, -infinity, 0, 0, 0, 0, 0, 3, -4, 0};
  for (const Type type : {Type::f16, Type::bf16}) {
    Matrix matrix(type, Layout::row, 1, 16);
    for (int i = 0; i < 16; ++i)
      gemm::put(before[static_cast<std::size_t>(i)], type,
                matrix.host.at(matrix.host.index_of(0, 0, i)));
    const OnDevice memory(matrix.host.bytes());
    ASSERT_EQ(prune(matrix.on<const void*>(memory), matrix.on<void*>(memory), nullptr),
              cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    memory.copy_to(matrix.host.bytes());
    for (int i = 0; i < 16; ++i) {
      const double got = matrix.host.value(matrix.host.index_of(0, 0, i));
      const double want = after[static_cast<std::size_t>(i)];
      EXPECT_TRUE(got == want || (std::isnan(got) && std::isnan(want))) << i << " is " << got;
    }
  }
  // -128, which has no positive counterpart, has the largest magnitude.
  Matrix bytes(Type::s8, Layout::row, 1, 4);
  for (const auto& [i, value] : {std::pair{0, 127}, {1, 126}, {2, 127}, {3, -128}})
    gemm::put(value, Type::s8, bytes.host.at(bytes.host.index_of(0, 0, i)));
  const OnDevice memory(bytes.host.bytes());
  ASSERT_EQ(prune(bytes.on<const void*>(memory), bytes.on<void*>(memory), nullptr), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  memory.copy_to(bytes.host.bytes());
  EXPECT_EQ(four_of(bytes.host, 0, 0, 4), (std::array<double, 4>{127, 0, 0, -128}));
}

TEST(Check, NamesTheFirstFourThatHasTooMany) {
  for_each_matrix([](Matrix& matrix) {
    if (matrix.k < 3) return;
    prune_on_the_host(matrix.host, matrix.rows, matrix.k, matrix.type);
    ASSERT_EQ(check_text(matrix), "");
    ASSERT_EQ(compress_text(matrix), "");
    const auto plant = [&](int row, int k, int count) {
      for (int i = 0; i < 4 && k + i < matrix.k; ++i)
        gemm::put(i < count ? 1 : 0, matrix.type,
                  matrix.host.at(matrix.host.index_of(0, row, k + i)));
      return "row " + std::to_string(row) + ": " + std::to_string(count) + " of columns " +
             std::to_string(k) + " to " + std::to_string(std::min(k + 3, matrix.k - 1)) +
             " are not zero, and 2:4 allows two";
    };
    // Plant an error in the last four with room for three elements, then one in an earlier four,
    // which is then reported instead.
    const int last = matrix.k % 4 == 3 ? matrix.k / 4 * 4 : matrix.k / 4 * 4 - 4;
    const std::string at_the_end = plant(matrix.rows - 1, last, 3);
    EXPECT_EQ(check_text(matrix), at_the_end);
    EXPECT_EQ(compress_text(matrix), at_the_end);
    if (matrix.k < 4) return;
    const std::string before = plant(matrix.rows / 2, 0, 4);
    EXPECT_EQ(check_text(matrix), before);
    EXPECT_EQ(compress_text(matrix), before);
  });
}

TEST(Compress, StoresTheTwoOfEachFourAndTheirIndices) {
  for_each_matrix([](Matrix& matrix) {
    prune_on_the_host(matrix.host, matrix.rows, matrix.k, matrix.type);
    const OnDevice from(matrix.host.bytes());
    const Compressed compressed(matrix.type, matrix.rows, matrix.k);
    FormatError reason;
    ASSERT_EQ(compress(matrix.on<const void*>(from), compressed.matrix, workspace().data(),
                       workspace().size(), &reason, nullptr),
              cudaSuccess);
    ASSERT_EQ(reason.text(), "");
    std::vector<unsigned char> value(value_bytes(matrix.type, matrix.rows, matrix.k));
    std::vector<unsigned char> metadata(metadata_bytes(matrix.type, matrix.rows, matrix.k));
    compressed.value.copy_to(value);
    compressed.metadata.copy_to(metadata);
    const int padded = padded_k(matrix.type, matrix.k);
    ASSERT_EQ(padded % (64 / gemm::bytes_of(matrix.type)), 0);
    ASSERT_GE(padded, matrix.k);
    for (int row = 0; row < matrix.rows; ++row) {
      for (int k = 0; k < padded; k += 4) {
        const int byte = metadata[static_cast<std::size_t>((row * padded + k) / 8)];
        const int indices = k % 8 == 0 ? byte & 15 : byte >> 4;
        ASSERT_LT(indices & 3, indices >> 2) << "row " << row << " column " << k;
        std::array<double, 4> stored = {};
        for (int i = 0; i < 2; ++i) {
          stored[static_cast<std::size_t>(indices >> (2 * i) & 3)] =
              gemm::element(value.data(), matrix.type, (row * padded + k) / 2 + i);
        }
        ASSERT_EQ(stored, four_of(matrix.host, row, k, matrix.k))
            << "row " << row << " column " << k;
      }
    }
  });
}

TEST(Structured, DataErrorsAreNamedAndRefused) {
  Matrix matrix(Type::f16, Layout::row, 4, 64);
  prune_on_the_host(matrix.host, 4, 64, Type::f16);
  const OnDevice memory(matrix.host.bytes());
  const Compressed compressed(Type::f16, 4, 64);
  FormatError reason;
  const auto said = [&](auto change) {
    DenseRows<const void*> from = matrix.on<const void*>(memory);
    DenseRows<void*> to = matrix.on<void*>(memory);
    change(from);
    to.type = from.type;
    EXPECT_EQ(prune(from, to, nullptr), cudaErrorInvalidValue);
    EXPECT_EQ(check(from, workspace().data(), workspace().size(), &reason, nullptr),
              cudaErrorInvalidValue);
    EXPECT_EQ(
        compress(from, compressed.matrix, workspace().data(), workspace().size(), &reason, nullptr),
        cudaErrorInvalidValue);
    EXPECT_EQ(reason.text(), validate_compress(from, compressed.matrix, workspace().data(), 8));
    const std::string found = validate_prune(from, to);
    EXPECT_EQ(validate_compress(from, compressed.matrix, workspace().data(), 8), found);
    EXPECT_EQ(validate_check(from, workspace().data(), 8).size(),
              found.substr(0, 4) == "from" ? found.size() + 2 : found.size())
        << "which is called matrix there";
    return found;
  };
  EXPECT_EQ(said([](auto& m) { m.type = Type::f32; }),
            "2:4 matrices are of f16, bf16 or s8, not of f32");
  EXPECT_EQ(said([](auto& m) { m.rows = -1; }), "rows is -1, and cannot be negative");
  EXPECT_EQ(said([](auto& m) {
              m.k = std::numeric_limits<int>::max();
              m.elements.leading = m.k;
            }),
            "k is 2147483647, and at most 2147483391 is taken");
  EXPECT_EQ(said([](auto& m) { m.elements.leading = 63; }),
            "from's leading dimension is 63, and its rows have 64 elements");
  EXPECT_EQ(said([](auto& m) { m.elements.leading = 1ll << 62; }),
            "from's leading dimension is 4611686018427387904, and it has 4 rows: more than any "
            "device has room for");
  EXPECT_EQ(said([](auto& m) { m.elements.data = nullptr; }), "from is a null pointer");
  EXPECT_EQ(said([](auto& m) { m.elements.data = static_cast<const char*>(m.elements.data) + 1; }),
            "from does not begin at a multiple of 2 bytes");
}

TEST(Structured, ErrorsInWhatIsStoredAreNamedAndRefused) {
  const Matrix matrix(Type::f16, Layout::row, 4, 64);
  const OnDevice memory(matrix.host.bytes());
  const Compressed compressed(Type::f16, 4, 64);
  const auto from = matrix.on<const void*>(memory);
  const auto said = [&](auto change) {
    Structured to = compressed.matrix;
    void* some_memory = workspace().data();
    change(to, some_memory);
    FormatError reason;
    EXPECT_EQ(compress(from, to, some_memory, 8, &reason, nullptr), cudaErrorInvalidValue);
    EXPECT_EQ(reason.text(), validate_compress(from, to, some_memory, 8));
    return reason.text();
  };
  EXPECT_EQ(said([](Structured& to, void*&) { to.k = 60; }), "to's k is 60, and from's is 64");
  EXPECT_EQ(said([](Structured& to, void*&) { to.rows = 5; }),
            "to's number of rows is 5, and from's is 4");
  EXPECT_EQ(said([](Structured& to, void*&) { to.type = Type::bf16; }),
            "to's type is bf16, and from's is f16");
  EXPECT_EQ(said([](Structured& to, void*&) { to.value = static_cast<char*>(to.value) + 8; }),
            "value does not begin at a multiple of 16 bytes");
  EXPECT_EQ(said([](Structured& to, void*&) { to.metadata = nullptr; }),
            "metadata is a null pointer");
  EXPECT_EQ(said([](Structured&, void*& w) { w = nullptr; }),
            "the workspace is a null pointer, and 8 bytes are needed");
  EXPECT_EQ(said([](Structured&, void*& w) { w = static_cast<char*>(w) + 4; }),
            "the workspace does not begin at a multiple of 8 bytes");
  EXPECT_EQ(validate_check(from, nullptr, 8),
            "the workspace is a null pointer, and 8 bytes are needed");
  EXPECT_EQ(said([](Structured& to, void*&) { to.metadata = to.value; }),
            "value and metadata share memory: both are written");
  EXPECT_EQ(said([&](Structured& to, void*&) { to.value = memory.data(); }),
            "value and from share memory: value is written while from is read");
  EXPECT_EQ(
      said([&](Structured& to, void*&) { to.metadata = const_cast<void*>(from.elements.data); }),
      "metadata and from share memory: metadata is written while from is read");
}

TEST(Structured, ChecksNeedTheirWorkspaceInFull) {
  Matrix matrix(Type::f16, Layout::row, 4, 64);
  prune_on_the_host(matrix.host, 4, 64, Type::f16);
  const OnDevice memory(matrix.host.bytes());
  const Compressed compressed(Type::f16, 4, 64);
  const auto from = matrix.on<const void*>(memory);
  FormatError reason;
  expect_just_enough(
      check_2_4_bytes,
      [&](void* w, std::size_t bytes) { return check(from, w, bytes, &reason, nullptr); },
      [&](void* w, std::size_t bytes) { return validate_check(from, w, bytes); });
  expect_just_enough(
      check_2_4_bytes,
      [&](void* w, std::size_t bytes) {
        return compress(from, compressed.matrix, w, bytes, &reason, nullptr);
      },
      [&](void* w, std::size_t bytes) {
        return validate_compress(from, compressed.matrix, w, bytes);
      });
}

TEST(Structured, PrunesInPlaceOrElsewhere) {
  const OnDevice memory(std::vector<unsigned char>(4096, 0));
  auto* const first = static_cast<unsigned char*>(memory.data());
  const auto reason = [&](Dense<void*> elements) {
    const DenseRows<const void*> from = {Type::f16, 4, 8, {first, Layout::row, 16}};
    const DenseRows<void*> to = {Type::f16, 4, 8, elements};
    EXPECT_EQ(prune(from, to, nullptr) == cudaSuccess, validate_prune(from, to).empty());
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    return validate_prune(from, to);
  };
  const std::string shared = "to and from share memory: to is written while from is read";
  EXPECT_EQ(reason({first, Layout::row, 16}), "");
  EXPECT_EQ(reason({first, Layout::row, 8}), shared);
  EXPECT_EQ(reason({first, Layout::column, 16}), shared);
  EXPECT_EQ(reason({first + 2, Layout::row, 16}), shared);
  EXPECT_EQ(reason({first + 16, Layout::row, 16}), "") << "beside it";
}

TEST(Structured, SizesOfWhatIsNoMatrixAreZero) {
  constexpr int max = std::numeric_limits<int>::max();
  EXPECT_EQ(padded_k(Type::s8, max), 0);
  EXPECT_EQ(padded_k(Type::s8, -1), 0);
  EXPECT_EQ(value_bytes(Type::f16, -1, 64), 0u);
  EXPECT_EQ(metadata_bytes(Type::f16, -1, 64), 0u);
}

std::vector<const StructuredVariant*> pointers() {
  std::vector<const StructuredVariant*> all;
  for (const StructuredVariant& variant : structured_variants()) all.push_back(&variant);
  return all;
}

class StructuredOf : public ::testing::TestWithParam<const StructuredVariant*> {
 protected:
  void SetUp() override {
    int device = 0;
    ASSERT_EQ(current_device(&device), cudaSuccess);
    if (device < row(GetParam()->name).first_device)
      GTEST_SKIP() << GetParam()->name << " needs a device from 8.0 on";
    ASSERT_NE(GetParam()->launch, nullptr) << "this build left it out";
  }

  ::testing::AssertionResult computes(const Case& c) const {
    const StructuredVariant& variant = *GetParam();
    const Compressed compressed(variant.type, c.m, c.k);
    gemm::Tried tried;
    tried.name = variant.name;
    tried.input = variant.type;
    tried.change_a = [&](Stored& a) { prune_on_the_host(a, c.m, c.k, variant.type); };
    tried.begin = [&](const gemm::Problem& p) -> std::string {
      if (c.operands == gemm::Operands::null) {
        const Structured none = {variant.type, p.m, p.k, nullptr, nullptr};
        const cudaError_t error = variant.launch(none, p, nullptr);
        return error == cudaSuccess ? "" : validate(none, p);
      }
      const DenseRows<const void*> a = {
          variant.type, p.m, p.k, {p.a.data, p.a.layout, p.a.leading}};
      FormatError reason;
      cudaError_t error =
          compress(a, compressed.matrix, workspace().data(), workspace().size(), &reason, nullptr);
      if (reason) return reason.text();
      gemm::Problem without_a = p;
      without_a.a = {};
      if (error == cudaSuccess) error = variant.launch(compressed.matrix, without_a, nullptr);
      return error == cudaSuccess ? "" : cudaGetErrorName(error);
    };
    return gemm::computes(tried, c);
  }
};
INSTANTIATE_TEST_SUITE_P(Variants, StructuredOf, ::testing::ValuesIn(pointers()),
                         [](const auto& tested) { return std::string(tested.param->name); });

TEST_P(StructuredOf, ComputesEveryCase) {
  gemm::Variant around{};
  around.tile_m = 128;
  around.tile_n = 128;
  around.tile_k = padded_k(GetParam()->type, 1);
  around.input = GetParam()->type;
  for (const Case& c : gemm::cases_around(around)) {
    if (c.batches != 1 || c.splits != 1) continue;
    ASSERT_TRUE(computes(c));
  }
}

TEST_P(StructuredOf, ReadsNeitherANorBWhereAlphaOrKIs0) {
  gemm::Variant around{};
  around.tile_m = 128;
  around.tile_k = padded_k(GetParam()->type, 1);
  around.input = GetParam()->type;
  for (const Case& c : gemm::cases_without_operands(around)) {
    if (c.batches != 1 || c.splits != 1) continue;
    ASSERT_TRUE(computes(c));
  }
}

TEST_P(StructuredOf, ComputesManyTiles) {
  for (const auto& [m, n] : {std::pair{300, 140}, {140, 300}}) {
    for (const Layout layout : {Layout::row, Layout::column}) {
      Case c{m, n, 70};
      c.c = layout;
      c.has_bias = true;
      c.beta = 1;
      ASSERT_TRUE(computes(c));
    }
  }
}

TEST_P(StructuredOf, ComputesTheSameEachTime) {
  Case c{130, 70, 200};
  c.values = Values::reals;
  std::vector<unsigned char> results[2];
  const Type type = GetParam()->type;
  for (auto& result : results) {
    Matrix a(type, Layout::row, c.m, c.k);
    prune_on_the_host(a.host, c.m, c.k, type);
    const Matrix b(type, Layout::row, c.k, c.n);
    const OnDevice a_memory(a.host.bytes());
    const OnDevice b_memory(b.host.bytes());
    const std::vector<unsigned char> before(static_cast<std::size_t>(c.m * c.n * 4), 0x5a);
    const OnDevice c_memory(before);
    const Compressed compressed(type, c.m, c.k);
    FormatError reason;
    ASSERT_EQ(compress(a.on<const void*>(a_memory), compressed.matrix, workspace().data(),
                       workspace().size(), &reason, nullptr),
              cudaSuccess);
    gemm::Problem p;
    p.m = c.m;
    p.n = c.n;
    p.k = c.k;
    p.input = type;
    p.output = gemm::output_of(type, true);
    p.b = b.host.view<const void*>(b_memory.data(), false);
    p.c = {c_memory.data(), Layout::row, c.n, 0};
    ASSERT_EQ(validate(compressed.matrix, p), "");
    ASSERT_EQ(GetParam()->launch(compressed.matrix, p, nullptr), cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    result.resize(static_cast<std::size_t>(c.m * c.n * 4));
    c_memory.copy_to(result);
    EXPECT_NE(result, before);
  }
  EXPECT_EQ(results[0], results[1]);
}

/// Returns validate() of a product that `change` makes invalid. Expects the same message for
/// every type, and that each variant refuses the product of its type.
template <class Change>
std::string reason_after(Change change) {
  const OnDevice a_memory(std::vector<unsigned char>(4096, 0));
  const OnDevice b_memory(std::vector<unsigned char>(4096, 0));
  const OnDevice c_memory(std::vector<unsigned char>(4096, 0));
  std::vector<std::string> said;
  for (const StructuredVariant& variant : structured_variants()) {
    Structured a = {variant.type, 4, 32, a_memory.data(),
                    static_cast<unsigned char*>(a_memory.data()) + 2048};
    gemm::Problem p;
    p.m = 4;
    p.n = 8;
    p.k = 32;
    p.input = variant.type;
    p.output = gemm::output_of(variant.type, true);
    p.b = {b_memory.data(), Layout::row, 8, 0};
    p.c = {c_memory.data(), Layout::row, 8, 0};
    EXPECT_EQ(validate(a, p), "");
    change(a, p);
    said.push_back(validate(a, p));
    EXPECT_EQ(said.front(), said.back());
    if (variant.launch == nullptr) continue;
    EXPECT_EQ(variant.launch(a, p, nullptr), cudaErrorInvalidValue) << variant.name;
  }
  return said.front();
}

TEST(StructuredErrors, AreNamedAndRefused) {
  EXPECT_EQ(reason_after([](Structured& a, gemm::Problem&) { a.type = Type::f32; }),
            "2:4 matrices are of f16, bf16 or s8, not of f32");
  EXPECT_EQ(reason_after([](Structured&, gemm::Problem& p) { p.k = 16; }),
            "the problem's k is 16, and A's is 32");
  EXPECT_EQ(reason_after([](Structured& a, gemm::Problem&) { a.rows = 5; }),
            "the problem's m is 4, and A's is 5");
  EXPECT_EQ(reason_after([](Structured& a, gemm::Problem& p) { p.k = a.k = -1; }),
            "k is -1, and cannot be negative");
  EXPECT_EQ(reason_after([](Structured&, gemm::Problem& p) { p.batches = 2; }),
            "batches is 2, and a 2:4 product is one");
  EXPECT_EQ(reason_after([](Structured& a, gemm::Problem&) { a.metadata = nullptr; }),
            "metadata is a null pointer");
  EXPECT_EQ(reason_after(
                [](Structured& a, gemm::Problem&) { a.value = static_cast<char*>(a.value) + 8; }),
            "value does not begin at a multiple of 16 bytes");
  EXPECT_EQ(reason_after([](Structured&, gemm::Problem& p) { p.b.leading = 7; }),
            "B's leading dimension is 7, and its rows have 8 elements");
}

TEST(StructuredErrors, AreMatricesThatAreReadAndWritten) {
  EXPECT_EQ(
      reason_after([](Structured&, gemm::Problem& p) { p.c.data = const_cast<void*>(p.b.data); }),
      "C and B share memory: C is written while B is read");
  EXPECT_EQ(reason_after([](Structured& a, gemm::Problem& p) { p.c.data = a.value; }),
            "C and value share memory: C is written while value is read");
  EXPECT_EQ(reason_after([](Structured& a, gemm::Problem& p) {
              p.c.data = static_cast<char*>(a.metadata) - 4;
            }),
            "C and metadata share memory: C is written while metadata is read");
  EXPECT_EQ(reason_after([](Structured&, gemm::Problem& p) { p.bias = p.c.data; }),
            "C and the bias share memory: C is written while the bias is read");
  // C begins right after the values. A dense A would have twice as many.
  const OnDevice memory(std::vector<unsigned char>(8192, 0));
  auto* const first = static_cast<unsigned char*>(memory.data());
  const Structured a = {Type::f16, 4, 32, first, first + 4096};
  gemm::Problem p;
  p.m = 4;
  p.n = 8;
  p.k = 32;
  p.input = p.output = Type::f16;
  p.b = {first + 5120, Layout::row, 8, 0};
  p.c = {first + value_bytes(Type::f16, 4, 32), Layout::row, 8, 0};
  EXPECT_EQ(validate(a, p), "");
}

TEST(StructuredErrors, OfTheTypeAreRefusedByEachVariant) {
  const OnDevice memory(std::vector<unsigned char>(4096, 0));
  for (const StructuredVariant& variant : structured_variants()) {
    if (variant.launch == nullptr) continue;
    for (const Type type : types) {
      if (type == variant.type) continue;
      auto* const first = static_cast<unsigned char*>(memory.data());
      const Structured a = {type, 4, 32, first, first + 1024};
      gemm::Problem p;
      p.m = 4;
      p.n = 8;
      p.k = 32;
      p.input = type;
      p.output = gemm::output_of(type, true);
      p.b = {first + 2048, Layout::row, 8, 0};
      p.c = {first + 3072, Layout::row, 8, 0};
      EXPECT_EQ(validate(a, p), "");
      EXPECT_EQ(variant.launch(a, p, nullptr), cudaErrorInvalidValue) << variant.name;
    }
  }
}

TEST(StructuredChoice, GoesByTheTypeAndTheDevice) {
  const auto chosen = [](Type type, int device) {
    const StructuredChoice choice =
        choose(type, device, [](const StructuredVariant&) { return true; });
    return (choice.variant == nullptr ? "none" : std::string(choice.variant->name)) + ": " +
           choice.reason;
  };
  for (const StructuredVariant& variant : structured_variants()) {
    if (variant.launch == nullptr) continue;
    EXPECT_EQ(chosen(variant.type, 80),
              std::string(variant.name) + ": the variant for " + gemm::name(variant.type));
  }
  EXPECT_EQ(chosen(Type::f16, 75), "none: structured_f16 needs a device from 8.0 on, this is 7.5");
  EXPECT_EQ(chosen(Type::f64, 90), "none: 2:4 matrices are of f16, bf16 or s8, not of f64");
  EXPECT_EQ(find_structured_variant("structured_by_hand"), nullptr);
}

}  // namespace
}  // namespace archgrid::sparse
