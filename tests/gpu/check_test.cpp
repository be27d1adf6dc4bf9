// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// What is found wrong with a matrix on the device is what is found on the host: on GPUs, and on the
// CPU, where tests/unit/kernels compiles this too.
#include "sparse/check.h"

#include <gtest/gtest.h>

#include "bucketize_cases.hpp"
#include "sparse/generate.h"

namespace archgrid::sparse {
namespace {

std::string found_on_device(const Csr& m, Integer type) {
  const DeviceNumbers offsets(m.offsets, type);
  const DeviceNumbers columns(m.column, type);
  const DeviceBytes workspace(std::vector<unsigned char>(8, 0x5a));
  Mistake mistake;
  EXPECT_EQ(check({m.rows, m.columns, static_cast<Index>(m.column.size()), type, offsets.data(),
                   columns.data()},
                  workspace.data(), &mistake, nullptr),
            cudaSuccess);
  return mistake.text();
}

void expect_same(const Csr& m) {
  for (const Integer type : {Integer::i32, Integer::i64})
    EXPECT_EQ(found_on_device(m, type), mistake_in(m).text());
}

TEST(Check, FindsNothingWrongWithWhatIsRight) {
  for (const auto& [name, matrix] : matrices_of_every_kind(Entries::integers)) {
    SCOPED_TRACE(name);
    EXPECT_EQ(mistake_in(matrix).text(), "");
    expect_same(matrix);
  }
}

TEST(Check, FindsTheFirstMistakeOfAnyKind) {
  const Csr good = uniform(700, 90, 5, Entries::integers, 2);
  const auto with = [&](auto change) {
    Csr m = good;
    change(m);
    EXPECT_NE(mistake_in(m).text(), "");
    expect_same(m);
  };
  for (const std::size_t entry : {std::size_t{0}, std::size_t{1777}, good.column.size() - 1}) {
    SCOPED_TRACE(entry);
    with([&](Csr& m) { m.column[entry] = 90; });
    with([&](Csr& m) { m.column[entry] = -1; });
    with([&](Csr& m) { m.column[entry] = m.column[entry == 0 ? 1 : entry - 1]; });
    with([&](Csr& m) { std::swap(m.column[entry], m.column[entry == 0 ? 1 : entry - 1]); });
  }
  for (const std::size_t row : {0u, 1u, 350u, 700u}) {
    SCOPED_TRACE(row);
    with([&](Csr& m) { m.offsets[row] = -5; });
    with([&](Csr& m) { m.offsets[row] = 1 << 30; });
    with([&](Csr& m) { m.offsets[row] += 1000; });
  }
  with([](Csr& m) {
    m.column[3000] = 95;
    m.column[2000] = 95;
  });
}

TEST(Check, RefusesWhatItCannotRead) {
  Mistake mistake;
  std::int64_t memory = 0;
  EXPECT_EQ(check({-1, 1, 0, Integer::i32, &memory, nullptr}, &memory, &mistake, nullptr),
            cudaErrorInvalidValue);
  EXPECT_EQ(check({1, 1, 1, Integer::i32, &memory, nullptr}, &memory, &mistake, nullptr),
            cudaErrorInvalidValue);
  EXPECT_EQ(check({1, 1, 0, Integer::i32, nullptr, nullptr}, &memory, &mistake, nullptr),
            cudaErrorInvalidValue);
  EXPECT_EQ(check({0, 1, 1, Integer::i32, nullptr, &memory}, nullptr, &mistake, nullptr),
            cudaSuccess);
  EXPECT_EQ(mistake.text(), "there are entries, and no row");
}

}  // namespace
}  // namespace archgrid::sparse
