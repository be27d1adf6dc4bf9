// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "format.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "packed.hpp"

namespace archgrid::archive {
namespace {

using tests::compressed;
using tests::packed;

TEST(FormatOf, KnowsArchivesByTheirFirstBytes) {
  const std::vector<tests::Item> items = {{"a.ptx", tests::ptx("k")}};
  EXPECT_EQ(format_of(packed(items, tests::kZip)), Format::zip);
  EXPECT_EQ(format_of(packed({}, tests::kZip)), Format::zip);
  EXPECT_EQ(format_of(packed(items, tests::kTar)), Format::tar);
  EXPECT_EQ(format_of(packed(items, {"", ARCHIVE_FORMAT_TAR_GNUTAR})), Format::tar);
  EXPECT_EQ(format_of(packed(items, {"", ARCHIVE_FORMAT_TAR_USTAR})), Format::tar);
  EXPECT_EQ(format_of(packed(items, {"", ARCHIVE_FORMAT_AR_GNU})), Format::ar);
  EXPECT_EQ(format_of("!<thin>\n"), Format::thin_ar);
  EXPECT_EQ(format_of(compressed("text", ARCHIVE_FILTER_GZIP)), Format::gzip);
  EXPECT_EQ(format_of(compressed("text", ARCHIVE_FILTER_BZIP2)), Format::bzip2);
  EXPECT_EQ(format_of(compressed("", ARCHIVE_FILTER_BZIP2)), Format::bzip2);
  EXPECT_EQ(format_of(compressed("text", ARCHIVE_FILTER_XZ)), Format::xz);
  EXPECT_EQ(format_of(compressed("text", ARCHIVE_FILTER_ZSTD)), Format::zstd);
  EXPECT_EQ(format_of(compressed("text", ARCHIVE_FILTER_LZ4)), Format::lz4);
}

TEST(FormatOf, KnowsATarWithoutMagic) {
  auto tar = packed({{"a.ptx", tests::ptx("k")}}, {"", ARCHIVE_FORMAT_TAR_USTAR});
  constexpr std::size_t kChecksum = 148;
  std::fill_n(tar.begin() + 257, 8, '\0');
  std::fill_n(tar.begin() + kChecksum, 8, ' ');
  const auto sum = std::accumulate(tar.begin(), tar.begin() + 512, 0U);
  std::snprintf(tar.data() + kChecksum, 8, "%06o", sum);
  EXPECT_EQ(format_of(tar), Format::tar);
  tar[0] = 'b';  // which invalidates the checksum
  EXPECT_EQ(format_of(tar), Format::none);
}

TEST(FormatOf, KnowsNothingElse) {
  for (const std::string text : {"", "text", "BZh9 is a word", "PK", "!<arch>", "\x1f\x8b"}) {
    EXPECT_EQ(format_of(text), Format::none) << text;
  }
  EXPECT_EQ(format_of(std::string(1024, ' ')), Format::none);
  EXPECT_EQ(format_of(std::string(1024, '\0')), Format::none);
}

}  // namespace
}  // namespace archgrid::archive
