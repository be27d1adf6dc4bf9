// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests images that together decompress to too much.
#include <gmock/gmock.h>

#include "made_fatbin.hpp"

namespace archgrid::fatbin {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string ptx_of_size(std::size_t size) {
  std::string text =
      ".version 8.4\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\nret;\n}\n";
  text.resize(size, '\n');
  return text;
}

std::vector<std::string> errors_of(const File& file) {
  std::vector<std::string> errors;
  for (const auto& image : file.images) errors.push_back(image.error);
  return errors;
}

constexpr std::uint64_t kMegabyte = 1 << 20;

std::string fatbin_of_megabytes(std::size_t count, Compression compression) {
  const auto entry =
      tests::packed_entry(Kind::ptx, {80, '\0'}, compression, ptx_of_size(kMegabyte));
  return tests::fatbin_of(std::vector(count, entry));
}

TEST(DecompressionLimit, RefusesWhatComesAfterItIsUsedUp) {
  for (const auto compression : {Compression::lz4, Compression::zstd}) {
    const auto bytes = fatbin_of_megabytes(4, compression);
    ReadOptions options;
    options.decompression_limit =
        std::make_shared<DecompressionLimit>(2 * kMegabyte + kMegabyte / 2);
    const auto file = read_bytes(bytes, "x.fatbin", options);
    const auto refused = HasSubstr("the images decompress to more than 2 MB");
    EXPECT_THAT(errors_of(file), ::testing::ElementsAre("", "", refused, refused));
    EXPECT_EQ(file.images[1].kernels.size(), 1U);
    EXPECT_THAT(file.images[2].kernels, IsEmpty());
    EXPECT_THAT(errors_of(read_bytes(bytes, "x.fatbin")), ::testing::Each(""));
  }
}

TEST(DecompressionLimit, IsSharedByFilesThatAreReadWithIt) {
  const auto bytes = fatbin_of_megabytes(2, Compression::zstd);
  ReadOptions options;
  options.decompression_limit = std::make_shared<DecompressionLimit>(3 * kMegabyte);
  EXPECT_THAT(errors_of(read_bytes(bytes, "a", options)), ::testing::Each(""));
  EXPECT_THAT(errors_of(read_bytes(bytes, "b", options)),
              ::testing::ElementsAre("", HasSubstr("more than 3 MB")));
}

TEST(DecompressionLimit, OfBytesThatAreNotCompressedIsNotUsed) {
  const auto bytes = fatbin_of_megabytes(4, Compression::none);
  ReadOptions options;
  options.decompression_limit = std::make_shared<DecompressionLimit>(0);
  EXPECT_THAT(errors_of(read_bytes(bytes, "x", options)), ::testing::Each(""));
}

// Only the claimed sizes count: frames that cannot be decoded take no time.
TEST(DecompressionLimit, OfAFileGrowsWithItsSize) {
  tests::MadeEntry entry = {
      Kind::ptx, {80, '\0'}, Compression::zstd, std::string(8000, 'x'), 900 * kMegabyte};
  const auto small = read_bytes(tests::fatbin_of({entry, entry, entry}), "x");
  EXPECT_THAT(errors_of(small),
              ::testing::ElementsAre(HasSubstr("corrupt"), HasSubstr("more than 1028 MB"),
                                     HasSubstr("more than 1028 MB")));
  entry.payload.resize(10 * kMegabyte, 'x');
  EXPECT_THAT(errors_of(read_bytes(tests::fatbin_of({entry, entry, entry}), "x")),
              ::testing::Each(HasSubstr("corrupt")));
}

}  // namespace
}  // namespace archgrid::fatbin
