// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "compression.hpp"

#include <gmock/gmock.h>
#include <zstd.h>

#include <algorithm>
#include <functional>
#include <random>

#include "made_fatbin.hpp"

namespace archgrid::fatbin {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

using tests::lz4_of;
using tests::zstd_of;

constexpr std::uint64_t kUnpackedSize = 1 << 20;

/// Returns text that takes several blocks in any format.
std::string text() {
  std::string text;
  std::uint32_t state = 1;
  while (text.size() < kUnpackedSize) {
    state = state * 1664525 + 1013904223;
    text += "_Z4tileILi" + std::to_string(state >> 20) + "EEvPfi";
  }
  text.resize(kUnpackedSize);
  return text;
}

std::string complaint(const std::function<void()>& step) {
  try {
    step();
  } catch (const Unreadable& error) {
    return error.what();
  }
  return {};
}

TEST(Decompressing, TheFirstBytesGoOnToTheWhole) {
  const auto whole = text();
  Decompressor decompressor;
  for (const auto& [compression, packed] :
       {std::pair{Compression::zstd, zstd_of(whole)}, std::pair{Compression::lz4, lz4_of(whole)}}) {
    for (int round = 0; round < 2; ++round) {  // leftovers of one image must not affect the next
      decompressor.begin(compression, Bytes(packed), kUnpackedSize);
      for (const std::uint64_t wanted : {1000ULL, 70000ULL, 300000ULL, 1ULL << 30}) {
        const auto first = decompressor.first(wanted);
        EXPECT_GE(first.size(), std::min(wanted, kUnpackedSize));
        EXPECT_EQ(first, std::string_view(whole).substr(0, first.size()));
      }
    }
  }
}

/// Returns bytes of which a share is random, which zstd stores as they are, and the rest are
/// repeats.
std::string mixed(std::size_t size, unsigned any_in_16) {
  std::mt19937 random(any_in_16);
  std::string bytes;
  while (bytes.size() < size) {
    const bool again = bytes.size() > 2000 && random() % 16 >= any_in_16;
    const auto length = 1 + random() % 200;
    if (again) {
      bytes += bytes.substr(random() % (bytes.size() - length), length);
    } else {
      for (unsigned at = 0; at < length; ++at) bytes += static_cast<char>(random());
    }
  }
  bytes.resize(size);
  return bytes;
}

/// Returns a zstd frame with a window of 2^`window` bytes; 0: zstd's choice.
std::string zstd_of_window(const std::string& text, int level, int window) {
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(),
                                                                     &ZSTD_freeCCtx);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, level);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_windowLog, window);
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(
      ZSTD_compress2(context.get(), packed.data(), packed.size(), text.data(), text.size()));
  return packed;
}

/// Returns a frame without its content size.
std::string zstd_of_stream(const std::string& text) {
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(),
                                                                     &ZSTD_freeCCtx);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_contentSizeFlag, 0);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_windowLog, 20);
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(
      ZSTD_compress2(context.get(), packed.data(), packed.size(), text.data(), text.size()));
  return packed;
}

std::string_view glimpse(Decompressor& decompressor, const std::string& packed, std::size_t size,
                         std::uint64_t wanted) {
  decompressor.begin(Compression::zstd, Bytes(packed), size);
  return decompressor.glimpse(wanted);
}

// Newer versions are not known yet, so everything is decoded the ordinary way.
constexpr bool kMayGlimpse = ZSTD_VERSION_NUMBER <= 10507;

// zstd does not promise the behaviour that this relies on, so the zstd at hand is tested.
TEST(Glimpse, OfAZstdFrameIsItsFirstBytes) {
  Decompressor decompressor;
  std::size_t found = 0;
  for (const std::size_t size : {20000, 100000, 1000000}) {
    for (const unsigned any_in_16 : {0, 1, 4, 8, 15, 16}) {
      auto whole = mixed(size, any_in_16);
      // Long runs are one match, which may end the bytes early.
      std::fill_n(whole.begin() + 9000, 7000, '\0');
      for (const int level : {1, 3, 19}) {
        const auto packed = zstd_of_window(whole, level, 0);
        for (std::uint64_t wanted = 100; wanted < 64 * 1024; wanted = wanted * 3 / 2) {
          const auto first = glimpse(decompressor, packed, size, wanted);
          EXPECT_LT(first.size(), size);
          if (!first.empty()) ++found;
          EXPECT_EQ(first, std::string_view(whole).substr(0, first.size()))
              << size << ' ' << any_in_16 << ' ' << level << ' ' << wanted;
        }
      }
    }
  }
  EXPECT_TRUE(found > 100 || !kMayGlimpse) << found;
}

TEST(Glimpse, HoldsNearlyAllThatWasWanted) {
  if (!kMayGlimpse) GTEST_SKIP() << "this version of zstd is not known yet";
  Decompressor decompressor;
  const auto whole = text();
  const auto packed = zstd_of(whole);
  for (const std::uint64_t wanted : {8 * 1024, 12 * 1024, 30 * 1024, 64 * 1024}) {
    const auto first = glimpse(decompressor, packed, kUnpackedSize, wanted);
    EXPECT_GT(first.size(), wanted - 1024);
    EXPECT_EQ(first, std::string_view(whole).substr(0, first.size()));
  }
}

TEST(Glimpse, IsNoneWhereMoreMustBeDecoded) {
  Decompressor decompressor;
  const auto whole = text();
  EXPECT_EQ(glimpse(decompressor, zstd_of(whole), kUnpackedSize, 64 * 1024 + 1), "");
  // A window of 32 KiB leads to blocks of 32 KiB, in which zstd uses its output for other data.
  EXPECT_EQ(glimpse(decompressor, zstd_of_window(whole, 3, 15), kUnpackedSize, 12 * 1024), "");
  EXPECT_EQ(glimpse(decompressor, zstd_of_window(whole, 3, 17), kUnpackedSize, 12 * 1024).empty(),
            !kMayGlimpse);
  // zstd does not start on literals that do not fit.
  const auto any = mixed(kUnpackedSize, 16);
  EXPECT_EQ(glimpse(decompressor, zstd_of_window(any, 3, 0), kUnpackedSize, 12 * 1024), "");
  const auto small = text().substr(0, 10000);
  EXPECT_EQ(glimpse(decompressor, zstd_of(small), small.size(), 12 * 1024), "");
  decompressor.begin(Compression::lz4, Bytes(lz4_of(whole)), kUnpackedSize);
  EXPECT_EQ(decompressor.glimpse(12 * 1024), "");
}

TEST(Glimpse, GoesOnToTheWhole) {
  if (!kMayGlimpse) GTEST_SKIP() << "this version of zstd is not known yet";
  Decompressor decompressor;
  const auto whole = text();
  const auto packed = zstd_of(whole);
  for (const std::uint64_t wanted : {1000, 200000, 1 << 20}) {
    EXPECT_NE(glimpse(decompressor, packed, kUnpackedSize, 12 * 1024), "");
    const auto first = decompressor.first(wanted);
    EXPECT_GE(first.size(), wanted);
    EXPECT_EQ(first, std::string_view(whole).substr(0, first.size()));
  }
}

TEST(Glimpse, HidesNoDamage) {
  const auto packed = zstd_of(text());
  std::size_t complaints = 0;
  for (std::size_t at = 20; at < 2000; at += 7) {
    auto damaged = packed;
    damaged[at] = static_cast<char>(~damaged[at]);
    Decompressor decompressor;
    const auto whole = [&](bool glimpses) {
      return complaint([&] {
        decompressor.begin(Compression::zstd, Bytes(damaged), kUnpackedSize);
        if (glimpses) decompressor.glimpse(12 * 1024);
        decompressor.first(kUnpackedSize);
      });
    };
    const auto expected = whole(false);
    if (!expected.empty()) ++complaints;
    EXPECT_EQ(whole(true), expected) << at;
  }
  EXPECT_GT(complaints, 20U);  // no checksum reveals the other ones
}

// Only the first bytes of many images are decoded, so the frame has to reveal a truncated one.
TEST(Decompressing, AZstdFrameMustBeWholeAndOfTheClaimedSize) {
  const auto packed = zstd_of(text());
  Decompressor decompressor;
  const auto begin = [&](std::string_view bytes, std::uint64_t size) {
    return complaint([&] { decompressor.begin(Compression::zstd, Bytes(bytes), size); });
  };
  EXPECT_EQ(begin(packed, kUnpackedSize), "");
  for (const std::size_t size : {packed.size() - 1, packed.size() / 2}) {
    EXPECT_THAT(begin(packed.substr(0, size), kUnpackedSize),
                StartsWith("the zstd frame is corrupt"))
        << size;
  }
  EXPECT_THAT(begin(packed, kUnpackedSize + 1),
              HasSubstr("holds 1048576 bytes, but 1048577 are claimed"));
  EXPECT_THAT(begin(packed, kUnpackedSize - 1),
              HasSubstr("holds 1048576 bytes, but 1048575 are claimed"));
  EXPECT_THAT(begin("no frame", 100), StartsWith("the zstd frame is corrupt"));
  EXPECT_THAT(begin(packed + "more", kUnpackedSize),
              StartsWith("the zstd frame ends 4 bytes before"));
  EXPECT_THAT(begin(packed + zstd_of("more"), kUnpackedSize), StartsWith("the zstd frame ends"));
  EXPECT_THAT(begin(zstd_of_stream(text().substr(0, 5000)) + packed, kUnpackedSize),
              StartsWith("the zstd frame ends"));
}

TEST(Decompressing, IsOfTheWholeWhereAFrameTellsTooLittle) {
  const auto whole = text();
  EXPECT_FALSE(must_decode(Compression::zstd, Bytes(zstd_of(whole))));
  EXPECT_TRUE(must_decode(Compression::zstd, Bytes(zstd_of_stream(whole))));
  EXPECT_TRUE(must_decode(Compression::zstd, Bytes(zstd_of(whole, true))));
  EXPECT_TRUE(must_decode(Compression::lz4, Bytes(lz4_of(whole))));
  EXPECT_TRUE(must_decode(Compression::zstd, Bytes("")));
}

}  // namespace
}  // namespace archgrid::fatbin
