// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "cubin_start.hpp"

#include <gmock/gmock.h>

#include <cstring>
#include <map>

#include "bytes.hpp"
#include "cubin.hpp"
#include "made_stale.hpp"
#include "samples.hpp"

namespace archgrid::fatbin {
namespace {

using Kernels = std::map<std::string, std::uint64_t>;

Kernels kernels_of(const CubinStart& start) {
  Kernels kernels;
  for (const auto& kernel : start.kernels) kernels[std::string(kernel.name)] = kernel.code;
  return kernels;
}

Kernels kernels_of(const Cubin& cubin) {
  Kernels kernels;
  for (const auto& kernel : cubin.kernels) kernels[kernel.name] = kernel.code_bytes.value_or(0);
  return kernels;
}

/// Returns everything before the section table.
std::string start_of(const std::string& cubin) {
  std::uint64_t table = 0;
  std::memcpy(&table, cubin.data() + 40, sizeof(table));
  return cubin.substr(0, table);
}

/// Reads the start of a cubin from everything before the section table.
std::optional<CubinStart> started(const std::string& cubin) {
  const std::string_view bytes(cubin);
  return read_cubin_start(bytes.substr(0, start_of(cubin).size()), bytes.size());
}

class Start : public ::testing::TestWithParam<std::string> {
 protected:
  static std::string cubin() {
    return tests::contents_of(tests::sample_path(GetParam(), "sample.cubin"));
  }
};

TEST_P(Start, TellsWhatTheWholeTellsOrNothing) {
  const auto bytes = cubin();
  const auto whole = parse_cubin(Bytes(bytes));
  std::size_t told = 0;
  for (std::size_t size = 0; size <= bytes.size(); size += 8) {
    const auto start = read_cubin_start(std::string_view(bytes).substr(0, size), bytes.size());
    if (!start) continue;
    ++told;
    EXPECT_EQ(kernels_of(*start), kernels_of(whole)) << size;
    EXPECT_EQ(start->arch, whole.arch.number);
    if (start->suffix) {
      EXPECT_EQ(*start->suffix, whole.arch.suffix);
    }
  }
  EXPECT_GT(told, 0U);
}

TEST_P(Start, TellsWhetherACubinWithoutKernelsHoldsVariables) {
  auto bytes = tests::contents_of(tests::sample_path(GetParam(), "variables.cubin"));
  ASSERT_TRUE(parse_cubin(Bytes(bytes)).variables);
  // CUDA 11 writes names of sections that it omits: then only the whole cubin shows it.
  if (!started(bytes) && GetParam().substr(0, 2) == "11") return;
  ASSERT_TRUE(started(bytes));
  EXPECT_TRUE(started(bytes)->kernels.empty());
  EXPECT_TRUE(started(bytes)->variables);
  for (const std::string name : {".nv.global", ".nv.constant3"}) {
    for (auto at = bytes.find(name); at != std::string::npos; at = bytes.find(name))
      bytes[at] = 'X';
  }
  ASSERT_TRUE(started(bytes));
  EXPECT_FALSE(started(bytes)->variables);
}

TEST_P(Start, NeedsNeitherCodeNorSectionTable) {
  const auto bytes = cubin();
  EXPECT_TRUE(read_cubin_start(std::string_view(bytes).substr(0, bytes.size() / 2), bytes.size()));
}

TEST_P(Start, SaysNothingWhereTheTwoSourcesDisagree) {
  auto bytes = cubin();
  const auto name = bytes.find(".nv.constant0._Z4idlePf");
  ASSERT_NE(name, std::string::npos);
  bytes[name + 20] = 'X';
  EXPECT_FALSE(started(bytes));
}

TEST_P(Start, SaysNothingWhereAKernelHasNoSymbol) {
  auto bytes = cubin();
  const auto whole = parse_cubin(Bytes(bytes));
  // The first symbol of a kernel: a function (2, global 0x10) marked as an entry (0x10).
  const auto symbol = bytes.find("\x12\x10");
  ASSERT_NE(symbol, std::string::npos);
  bytes[symbol + 1] = 0;
  ASSERT_EQ(parse_cubin(Bytes(bytes)).kernels.size() + 1, whole.kernels.size());
  EXPECT_FALSE(started(bytes));
}

/// Returns the cubin as assemblers other than ptxas write it, such as cuBLAS's: the section table
/// first.
std::string with_table_first(const std::string& cubin) {
  constexpr std::size_t kHeader = 64;
  const auto table_at = start_of(cubin).size();
  std::uint16_t count = 0;
  std::memcpy(&count, cubin.data() + 60, sizeof(count));
  auto table = cubin.substr(table_at, count * kHeader);
  const auto moved = [&](std::uint64_t offset) { return offset + table.size(); };
  const auto move = [&](std::string& bytes, std::size_t at) {
    std::uint64_t offset = 0;
    std::memcpy(&offset, bytes.data() + at, sizeof(offset));
    if (offset != 0) tests::put<std::uint64_t>(bytes, at, moved(offset));
  };
  for (std::size_t section = 0; section < count; ++section) move(table, section * kHeader + 24);
  auto header = cubin.substr(0, kHeader);
  move(header, 32);
  tests::put<std::uint64_t>(header, 40, kHeader);
  return header + table + cubin.substr(kHeader);
}

TEST_P(Start, TellsTheSameWhereTheSectionTableComesFirst) {
  const auto bytes = with_table_first(cubin());
  const auto whole = parse_cubin(Bytes(bytes));
  ASSERT_EQ(kernels_of(whole), kernels_of(parse_cubin(Bytes(cubin()))));
  std::size_t first = bytes.size();
  for (std::size_t size = bytes.size() / 8 * 8; size > 0; size -= 8) {
    const auto start = read_cubin_start(std::string_view(bytes).substr(0, size), bytes.size());
    if (!start) continue;
    first = size;
    EXPECT_EQ(kernels_of(*start), kernels_of(whole)) << size;
    EXPECT_EQ(start->arch, whole.arch.number);
  }
  const auto code = whole.kernels.front().code_bytes.value_or(0);
  EXPECT_LT(first + code, bytes.size());
}

TEST_P(Start, SaysNothingWhereAKernelLiesInASectionThatIsNone) {
  auto bytes = with_table_first(cubin());
  // The first symbol of a kernel: a function (2, global 0x10) marked as an entry (0x10).
  const auto symbol = bytes.find("\x12\x10");
  ASSERT_NE(symbol, std::string::npos);
  ASSERT_TRUE(read_cubin_start(bytes, bytes.size()));
  tests::put<std::uint16_t>(bytes, symbol + 2, 0xfe00);
  EXPECT_FALSE(read_cubin_start(bytes, bytes.size()));
}

TEST_P(Start, SaysNothingWhereTheFirstBytesAreNoSectionTable) {
  auto bytes = cubin();
  ASSERT_TRUE(started(bytes));
  tests::put<std::uint64_t>(bytes, 40, 64);
  EXPECT_FALSE(read_cubin_start(bytes, bytes.size()));
}

TEST_P(Start, SaysNothingWhereTheFirstTableLeadsOutOfTheCubin) {
  const auto bytes = with_table_first(cubin());
  const auto start = bytes.substr(0, bytes.size() - 64);
  EXPECT_TRUE(read_cubin_start(start, bytes.size()));
  EXPECT_FALSE(read_cubin_start(start, bytes.size() - 1));
}

/// Returns the cubin with this many more zeros behind each section name.
std::string with_gaps(const std::string& cubin, std::size_t zeros) {
  constexpr std::size_t kTables = 64 + 27;  // behind the first three names
  auto parts = tests::take_apart(cubin);
  const auto end = 64 + tests::data_of(parts, 1).size();
  std::string gaps;
  for (auto at = kTables; at < end; ++at) {
    gaps += parts.bytes[at];
    if (parts.bytes[at] == '\0') gaps += std::string(zeros, '\0');
  }
  gaps.resize((gaps.size() - (end - kTables) + 127) / 128 * 128 + end - kTables, '\0');
  const auto more = gaps.size() - (end - kTables);
  for (auto& section : parts.sections) {
    const auto place = tests::get<std::uint64_t>(section, 24);
    if (place > 64) tests::put<std::uint64_t>(section, 24, place + more);
  }
  parts.bytes.replace(kTables, end - kTables, gaps);
  return tests::put_together(std::move(parts));
}

TEST_P(Start, IsReadThroughGapsBetweenNames) {
  const auto bytes = cubin();
  for (const std::size_t zeros : {0U, 9U, 40U}) {
    const auto gaps = with_gaps(bytes, zeros);
    const auto start = started(gaps);
    ASSERT_TRUE(start) << zeros;
    EXPECT_EQ(kernels_of(*start), kernels_of(parse_cubin(Bytes(bytes))));
  }
}

// In these cubins names and symbols seem to begin everywhere.
TEST_P(Start, IsGivenUpInTime) {
  const auto bytes = cubin();
  auto parts = tests::take_apart(bytes);
  parts.bytes.resize(64 + 27);
  parts.bytes += tests::repeated(
      std::string(31, '\0') + "\1" + std::string("\0\0\0\1\0\0\0", 7) + '\1', 100000);
  EXPECT_FALSE(started(tests::put_together(parts)));
  parts.bytes.resize(64 + 27);
  parts.bytes += tests::repeated(std::string("n\0\0", 3), 1000000);
  parts.bytes += tests::repeated(std::string(40, '\0') + "n", 1000);
  EXPECT_FALSE(started(tests::put_together(parts)));
}

// Each cubin has one kernel less than its first tables name.
TEST_P(Start, IsNotReadFromStaleTables) {
  const auto bytes = cubin();
  const auto kernels = parse_cubin(Bytes(bytes)).kernels.size();
  for (const auto hiding : tests::kHidings) {
    const auto hidden = tests::hide_kernel(bytes, hiding);
    const auto whole = parse_cubin(Bytes(hidden));
    ASSERT_EQ(whole.kernels.size() + 1, kernels) << static_cast<int>(hiding);
    EXPECT_FALSE(started(hidden)) << static_cast<int>(hiding);
    for (std::size_t size = 0; size <= hidden.size(); size += 64) {
      const auto start = read_cubin_start(std::string_view(hidden).substr(0, size), hidden.size());
      if (!start) continue;
      EXPECT_EQ(kernels_of(*start), kernels_of(whole)) << static_cast<int>(hiding) << ' ' << size;
    }
  }
}

TEST_P(Start, SaysNothingWhereTwoKernelsShareASection) {
  auto parts = tests::take_apart(cubin());
  auto symbols = tests::data_of(parts, tests::kSymbolsIndex);
  std::vector<std::size_t> places;
  for (std::size_t at = 0; at < symbols.size(); at += 24) {
    if ((symbols[at + 4] & 0xf) == 2 && (symbols[at + 5] & 0x10) != 0) places.push_back(at);
  }
  ASSERT_GT(places.size(), 1U);
  ASSERT_TRUE(started(tests::put_together(parts)));
  symbols.replace(places[1] + 6, 2, symbols.substr(places[0] + 6, 2));
  tests::overwrite(parts, tests::kSymbolsIndex, symbols);
  EXPECT_FALSE(started(tests::put_together(parts)));
}

TEST_P(Start, SaysNothingWhereTheTablesLeadOutOfTheCubin) {
  const auto bytes = cubin();
  const auto start = start_of(bytes);
  EXPECT_TRUE(read_cubin_start(start, bytes.size()));
  EXPECT_FALSE(read_cubin_start(start, bytes.size() - 1));
  for (const std::size_t table : {32U, 40U}) {
    auto changed = start;
    tests::put<std::uint64_t>(changed, table, ~std::uint64_t{0});
    EXPECT_FALSE(read_cubin_start(changed, bytes.size())) << table;
  }
}

/// Returns the cubins of an object whose images are not compressed.
std::vector<std::string> cubins_in(const std::string& object) {
  constexpr std::string_view kMagic(
      "\x7f"
      "ELF\x02\x01\x01",
      7);
  constexpr std::uint16_t kCuda = 190;
  std::vector<std::string> cubins;
  for (auto at = object.find(kMagic, 1); at != std::string::npos;
       at = object.find(kMagic, at + 1)) {
    std::uint16_t machine = 0;
    std::memcpy(&machine, object.data() + at + 18, sizeof(machine));
    if (machine != kCuda) continue;
    std::uint64_t segments = 0;
    std::uint16_t count = 0;
    std::memcpy(&segments, object.data() + at + 32, sizeof(segments));
    std::memcpy(&count, object.data() + at + 56, sizeof(count));
    cubins.push_back(object.substr(at, segments + count * std::uint64_t{56}));
  }
  return cubins;
}

bool only_reports(const Kernel& kernel) {
  return kernel.body == Body::print || kernel.body == Body::print_trap ||
         kernel.body == Body::assertion;
}

// Otherwise a kernel of more than 256 bytes that only prints would count as one that works.
TEST_P(Start, MarksEveryKernelThatReports) {
  std::size_t reporting = 0;
  std::size_t spared = 0;
  // Cubins without a bank of addresses, through which any kernel may call. Those of CUDA 12.4 have
  // one.
  std::size_t without_bank = 0;
  for (const auto* object : {"stubs.o", "stubs_lineinfo.o", "stubs_debug.o", "stubs_rdc.o"}) {
    for (const auto& bytes :
         cubins_in(tests::contents_of(tests::sample_path(GetParam(), object)))) {
      const auto start = started(bytes);
      if (!start) continue;
      if (bytes.find(".nv.constant4") == std::string::npos) ++without_bank;
      std::map<std::string_view, bool> marked;
      for (const auto& kernel : start->kernels) marked[kernel.name] = kernel.may_report;
      for (const auto& kernel : parse_cubin(Bytes(bytes)).kernels) {
        ASSERT_EQ(marked.count(kernel.name), 1U) << object << " " << kernel.name;
        if (only_reports(kernel)) {
          EXPECT_TRUE(marked[kernel.name]) << object << " " << kernel.name;
          ++reporting;
        }
        if (!marked[kernel.name]) ++spared;
      }
    }
  }
  EXPECT_GT(reporting, 20U);
  if (without_bank > 0) {
    EXPECT_GT(spared, 0U);
  } else {
    EXPECT_EQ(spared, 0U);
  }
}

TEST_P(Start, MarksNoKernelOfACubinThatNamesNoReport) {
  const auto bytes = cubin();
  const auto start = started(bytes);
  ASSERT_TRUE(start);
  for (const auto& kernel : start->kernels) EXPECT_FALSE(kernel.may_report) << kernel.name;
}

INSTANTIATE_TEST_SUITE_P(Toolkit, Start, ::testing::ValuesIn(tests::toolkits()),
                         [](const auto& test) {
                           auto name = test.param;
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

TEST(CubinStart, OtherBytesTellNothing) {
  const std::string zeros(4096, '\0');
  const std::string magic =
      "\x7f"
      "ELF";
  for (const auto& bytes : {std::string(), magic, zeros, magic + zeros}) {
    EXPECT_FALSE(read_cubin_start(bytes, bytes.size()));
    EXPECT_FALSE(read_cubin_start(bytes, std::uint64_t{1} << 40));
  }
}

}  // namespace
}  // namespace archgrid::fatbin
