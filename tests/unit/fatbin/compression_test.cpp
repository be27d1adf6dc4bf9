// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "compression.hpp"

#include <gmock/gmock.h>
#include <lz4.h>
#include <zstd.h>

#include <functional>

namespace archgrid::fatbin {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::uint64_t kSize = 1 << 20;

/// Text that takes several blocks of any format.
std::string text() {
  std::string text;
  std::uint32_t state = 1;
  while (text.size() < kSize) {
    state = state * 1664525 + 1013904223;
    text += "_Z4tileILi" + std::to_string(state >> 20) + "EEvPfi";
  }
  text.resize(kSize);
  return text;
}

std::string zstd_of(const std::string& text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
  return packed;
}

std::string lz4_of(const std::string& text) {
  std::string packed(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(text.size()))),
                     '\0');
  packed.resize(static_cast<std::size_t>(LZ4_compress_default(
      text.data(), packed.data(), static_cast<int>(text.size()), static_cast<int>(packed.size()))));
  return packed;
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
    for (int round = 0; round < 2; ++round) {  // what one image left must not disturb the next
      decompressor.begin(compression, Bytes(packed), kSize);
      for (const std::uint64_t wanted : {1000ULL, 70000ULL, 300000ULL, 1ULL << 30}) {
        const auto first = decompressor.first(wanted);
        EXPECT_GE(first.size(), std::min(wanted, kSize));
        EXPECT_EQ(first, std::string_view(whole).substr(0, first.size()));
      }
    }
  }
}

// Only the first bytes are decoded of many images: a cut one is told by its frame.
TEST(Decompressing, AZstdFrameMustBeWholeAndOfTheClaimedSize) {
  const auto packed = zstd_of(text());
  Decompressor decompressor;
  const auto begin = [&](std::string_view bytes, std::uint64_t size) {
    return complaint([&] { decompressor.begin(Compression::zstd, Bytes(bytes), size); });
  };
  EXPECT_EQ(begin(packed, kSize), "");
  for (const std::size_t size : {packed.size() - 1, packed.size() / 2}) {
    EXPECT_THAT(begin(packed.substr(0, size), kSize), StartsWith("the zstd frame is corrupt"))
        << size;
  }
  EXPECT_THAT(begin(packed, kSize + 1), HasSubstr("holds 1048576 bytes, but 1048577 are claimed"));
  EXPECT_THAT(begin(packed, kSize - 1), HasSubstr("holds 1048576 bytes, but 1048575 are claimed"));
  EXPECT_THAT(begin("no frame", 100), StartsWith("the zstd frame is corrupt"));
}

}  // namespace
}  // namespace archgrid::fatbin
