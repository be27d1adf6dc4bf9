// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx_scan.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>
#include <string>

#include "kernels.hpp"

namespace archgrid::fatbin {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Several times longer than the part that is scanned at once.
constexpr std::size_t kLong = 10'000;

std::string filler(std::size_t size) {
  return std::string(size, 'x');
}

/// Returns the same result, from a scan byte by byte.
PtxScan scanned_slowly(const std::string& bytes) {
  PtxScan scan;
  const auto text = bytes.substr(0, bytes.find('\0'));
  scan.size = text.size();
  const auto opened = std::count(text.begin(), text.end(), '{');
  const auto closed = std::count(text.begin(), text.end(), '}');
  scan.plain = opened == closed && text.find("/*") == std::string::npos;
  for (auto at = text.find(".entry"); at != std::string::npos; at = text.find(".entry", at + 1)) {
    scan.entries.push_back(at);
    const auto before = text.substr(0, at);
    const auto depth = std::count(before.begin(), before.end(), '{') -
                       std::count(before.begin(), before.end(), '}');
    if (depth != 0) scan.plain = false;
  }
  return scan;
}

TEST(PtxScan, FindsAWordWhereverItBegins) {
  for (std::size_t at = 0; at + 6 <= kLong; ++at) {
    auto text = filler(kLong);
    text.replace(at, 6, ".entry");
    const auto scan = scan_ptx(text);
    ASSERT_THAT(scan.entries, ElementsAre(at));
    ASSERT_TRUE(scan.plain) << at;
  }
}

TEST(PtxScan, EndsAtTheFirstZeroWhereverItIs) {
  for (std::size_t at = 0; at < kLong; ++at) {
    auto text = filler(kLong) + "{/*.entry";
    text[at] = '\0';
    const auto scan = scan_ptx(text);
    ASSERT_EQ(scan.size, at);
    ASSERT_THAT(scan.entries, IsEmpty());
    ASSERT_TRUE(scan.plain) << at;
  }
}

TEST(PtxScan, SeesOneBraceTooManyWhereverItIs) {
  for (std::size_t at = 0; at < kLong; ++at) {
    auto text = filler(kLong);
    text[at] = at % 2 == 0 ? '{' : '}';
    ASSERT_FALSE(scan_ptx(text).plain) << at;
  }
}

TEST(PtxScan, SeesAnEntryInABlockWhereverItIs) {
  for (std::size_t at = 1; at + 8 <= kLong; ++at) {
    auto text = filler(kLong);
    text.replace(at, 6, ".entry");
    text.front() = '{';
    text.back() = '}';
    ASSERT_FALSE(scan_ptx(text).plain) << at;
    text.back() = '.';
    text[at - 1] = at == 1 ? '.' : '}';
    ASSERT_TRUE(scan_ptx(text).plain) << at;
  }
}

TEST(PtxScan, SeesALongCommentWhereverItBegins) {
  for (std::size_t at = 0; at + 2 <= kLong; ++at) {
    auto text = filler(kLong);
    text.replace(at, 2, "/*");
    ASSERT_FALSE(scan_ptx(text).plain) << at;
  }
}

TEST(PtxScan, CountsMoreBracesThanALaneHolds) {
  const std::string open(kLong, '{');
  const std::string close(kLong, '}');
  EXPECT_TRUE(scan_ptx(open + close).plain);
  EXPECT_FALSE(scan_ptx(open + "{" + close).plain);
  EXPECT_FALSE(scan_ptx(open).plain);
  // 256 of them would be none in an eight-bit count.
  EXPECT_FALSE(scan_ptx(filler(kLong) + std::string(256, '{')).plain);
}

TEST(PtxScan, TellsOfRandomTextWhatALookAtEachByteTells) {
  constexpr unsigned kSeed = 20261122;
  std::mt19937 random(kSeed);
  const std::vector<std::string> words = {".entry", "/*", "{", "}", ".",   "y",
                                          "\n",     "/",  "*", "e", "ntry"};
  for (int round = 0; round < 500; ++round) {
    std::string text;
    const auto size = random() % kLong;
    while (text.size() < size) {
      text += random() % 3 == 0 ? words[random() % words.size()] : filler(random() % 90);
    }
    if (round % 4 == 0) text += '\0' + text;
    const auto scan = scan_ptx(text);
    const auto expected = scanned_slowly(text);
    ASSERT_EQ(scan.size, expected.size) << round;
    ASSERT_EQ(scan.entries, expected.entries) << round;
    ASSERT_EQ(scan.plain, expected.plain) << round;
  }
}

TEST(PtxScan, KeepsNoMoreEntriesThanAnImageMayHaveKernels) {
  std::string text;
  for (std::size_t entry = 0; entry <= kMaxKernels; ++entry) text += ".entry";
  const auto scan = scan_ptx(text);
  EXPECT_EQ(scan.entries.size(), kMaxKernels);
  EXPECT_FALSE(scan.plain);
}

}  // namespace
}  // namespace archgrid::fatbin
