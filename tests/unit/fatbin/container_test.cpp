// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests handmade containers: forms that no toolkit at hand writes, and false claims.
#include "container.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <lz4.h>
#include <lz4frame.h>
#include <zstd.h>

#include <archgrid/fatbin.hpp>
#include <string>

#include "made.hpp"

namespace archgrid::fatbin {
namespace {

using ::testing::HasSubstr;
using tests::put;

const std::string kPtx =
    ".version 8.4\n.target sm_90\n.visible .entry k(){\n\tst.global.u32 [%rd1], 1;\n\tret;\n}\n";

struct Entry {
  std::uint16_t kind = 1;
  std::uint32_t header_size = 64;
  std::uint64_t flags = 0x11;
  std::uint64_t unpacked = 0;
  std::string payload = kPtx;
  std::uint64_t payload_size = 0;  ///< 0: the real one
};

std::string bytes_of(const Entry& entry) {
  std::string text(64, '\0');
  put<std::uint16_t>(text, 0x00, entry.kind);
  put<std::uint16_t>(text, 0x02, 0x101);
  put<std::uint32_t>(text, 0x04, entry.header_size);
  put<std::uint64_t>(text, 0x08,
                     entry.payload_size != 0 ? entry.payload_size : entry.payload.size());
  put<std::uint32_t>(text, 0x10,
                     entry.unpacked != 0 ? static_cast<std::uint32_t>(entry.payload.size()) : 0);
  put<std::uint16_t>(text, 0x18, 4);
  put<std::uint16_t>(text, 0x1a, 8);
  put<std::uint32_t>(text, 0x1c, 90);
  put<std::uint64_t>(text, 0x28, entry.flags);
  put<std::uint64_t>(text, 0x38, entry.unpacked);
  return text + entry.payload;
}

File read_entries(const std::string& entries) {
  std::string text;
  put<std::uint32_t>(text, 0, 0xba55ed50);
  put<std::uint16_t>(text, 4, 1);
  put<std::uint16_t>(text, 6, 16);
  put<std::uint64_t>(text, 8, entries.size());
  return read_bytes(text + entries, "made.fatbin");
}

File read_entry(const Entry& entry) {
  return read_entries(bytes_of(entry));
}

Entry packed(std::uint64_t flag, std::string payload, std::uint64_t unpacked = kPtx.size()) {
  Entry entry;
  entry.flags = 0x11 | flag;
  entry.payload = std::move(payload);
  entry.unpacked = unpacked;
  return entry;
}

std::string zstd() {
  std::string text(ZSTD_compressBound(kPtx.size()), '\0');
  text.resize(ZSTD_compress(text.data(), text.size(), kPtx.data(), kPtx.size(), 3));
  return text;
}

std::string lz4() {
  std::string text(256, '\0');
  text.resize(static_cast<std::size_t>(
      LZ4_compress_default(kPtx.data(), text.data(), static_cast<int>(kPtx.size()), 256)));
  return text;
}

std::string lz4_frame() {
  std::string text(LZ4F_compressFrameBound(kPtx.size(), nullptr), '\0');
  text.resize(LZ4F_compressFrame(text.data(), text.size(), kPtx.data(), kPtx.size(), nullptr));
  return text;
}

TEST(Container, EveryCompressionIsRead) {
  for (const auto& entry :
       {Entry{}, packed(0x2000, lz4()), packed(0x4000, lz4_frame()), packed(0x8000, zstd())}) {
    const auto file = read_entry(entry);
    ASSERT_EQ(file.images.size(), 1U);
    EXPECT_EQ(file.images[0].error, "");
    ASSERT_EQ(file.images[0].kernels.size(), 1U) << name_of(file.images[0].compression);
    EXPECT_EQ(file.images[0].kernels[0].name, "k");
  }
}

std::string image_error(const Entry& entry) {
  return read_entry(entry).images.at(0).error;
}

TEST(Container, AHeaderMayBeLong) {
  for (const std::uint32_t more : {8, 192, 200, 5000}) {
    Entry entry;
    entry.header_size = 64 + more;
    auto text = bytes_of(entry);
    // The offset of the options, and the options, at the very end of the header.
    std::string tail(more, '\0');
    put<std::uint32_t>(tail, 0, entry.header_size - 3);
    put<std::uint32_t>(tail, 4, 3);
    if (more > 8) tail.replace(more - 3, 3, "-O1");
    put<std::uint32_t>(text, 0x14, 64);
    text.insert(64, tail);
    const auto file = read_entries(text);
    EXPECT_TRUE(file.errors.empty()) << more;
    ASSERT_EQ(file.images.size(), 1U) << more;
    EXPECT_EQ(file.images[0].kernels.size(), 1U) << more;
    EXPECT_EQ(file.images[0].options, more > 8 ? "-O1" : "") << more;
  }
}

TEST(Container, CorruptStreamsAreErrors) {
  for (const std::uint64_t flag : {0x2000U, 0x4000U, 0x8000U}) {
    EXPECT_THAT(image_error(packed(flag, std::string(64, '\xff'))), HasSubstr("corrupt")) << flag;
  }
  auto cut = lz4_frame();
  cut.resize(cut.size() - 8);
  EXPECT_NE(image_error(packed(0x4000, cut)), "");
}

TEST(Container, LyingSizesAreErrors) {
  EXPECT_THAT(image_error(packed(0x8000, zstd(), kPtx.size() + 1)), HasSubstr("are claimed"));
  EXPECT_THAT(image_error(packed(0x2000, lz4(), kPtx.size() + 1)), HasSubstr("are claimed"));
  EXPECT_NE(image_error(packed(0x4000, lz4_frame(), kPtx.size() + 1)), "");
  EXPECT_NE(image_error(packed(0x8000, zstd(), kPtx.size() - 1)), "");
}

TEST(Container, ClaimsOfGigabytesAreRefused) {
  for (const std::uint64_t flag : {0x2000U, 0x4000U, 0x8000U}) {
    const std::uint64_t claim = std::uint64_t{1} << 40;
    EXPECT_THAT(image_error(packed(flag, zstd(), claim)), HasSubstr("refused")) << flag;
  }
}

TEST(Container, EntriesThatLeaveItAreErrors) {
  Entry entry;
  entry.payload_size = kPtx.size() + 1;
  EXPECT_THAT(read_entry(entry).errors.at(0).message, HasSubstr("image"));
  entry.payload_size = ~std::uint64_t{0} - 8;
  EXPECT_THAT(read_entry(entry).errors.at(0).message, HasSubstr("image"));
  Entry small;
  small.header_size = 0;
  EXPECT_THAT(read_entry(small).errors.at(0).message, HasSubstr("entry header size is 0"));
}

TEST(Container, KindsThatAreNotReadAreListed) {
  const std::pair<std::uint16_t, Kind> kinds[] = {
      {8, Kind::lto}, {0x80, Kind::tile}, {0x20, Kind::other}};
  for (const auto& [code, kind] : kinds) {
    Entry entry;
    entry.kind = code;
    const auto file = read_entry(entry);
    ASSERT_EQ(file.images.size(), 1U);
    EXPECT_EQ(file.images[0].kind, kind);
    EXPECT_EQ(file.images[0].kind_code, code);
    EXPECT_EQ(file.images[0].error, "");
  }
}

constexpr std::uint64_t kPlain = 0x11;
constexpr std::uint64_t kSuffixA = 0x100011;
constexpr std::uint64_t kSuffixF = 0x200011;

Entry ptx_entry(std::uint64_t flags, const std::string& target) {
  Entry entry;
  entry.flags = flags;
  entry.payload = ".version 8.4\n.target " + target + "\n.entry k { ret; }\n";
  return entry;
}

TEST(Container, SuffixesComeFromTheFlags) {
  EXPECT_EQ(read_entry(ptx_entry(kSuffixA, "sm_90a")).images.at(0).arch.text(), "90a");
  EXPECT_EQ(read_entry(ptx_entry(kSuffixF, "sm_90f")).images.at(0).arch.text(), "90f");
  EXPECT_EQ(image_error(ptx_entry(kSuffixA, "sm_90a")), "");
  EXPECT_EQ(image_error(ptx_entry(kSuffixF, "sm_90f")), "");
}

TEST(Container, ASuffixOfEntryOrPtxHolds) {
  EXPECT_EQ(read_entry(ptx_entry(kPlain, "sm_90a")).images.at(0).arch.text(), "90a");
  EXPECT_EQ(read_entry(ptx_entry(kSuffixA, "sm_90")).images.at(0).arch.text(), "90a");
  EXPECT_EQ(image_error(ptx_entry(kPlain, "sm_90a")), "");
}

TEST(Container, PtxThatContradictsItsEntryIsUnreadable) {
  EXPECT_THAT(image_error(ptx_entry(kSuffixF, "sm_90a")), HasSubstr("the PTX sm_90a"));
  EXPECT_THAT(image_error(ptx_entry(kPlain, "sm_100")), HasSubstr("the PTX sm_100"));
  EXPECT_THAT(image_error(ptx_entry(kPlain, "sm_80a")), HasSubstr("the PTX sm_80a"));
}

TEST(Container, PtxMayBeForAnOlderArchThanItsEntry) {
  const auto file = read_entry(ptx_entry(kPlain, "sm_80"));
  EXPECT_EQ(file.images.at(0).error, "");
  EXPECT_EQ(file.images.at(0).arch.text(), "90") << "drivers choose it by the entry";
}

Entry cubin_entry(std::uint64_t flags, std::uint32_t elf_flags) {
  Entry entry;
  entry.kind = 2;
  entry.flags = flags;
  entry.payload = tests::bytes_of(
      tests::made_cubin({tests::kernel_symbol(1)}, {"\0k\0", 3}, /*code=*/16, elf_flags));
  return entry;
}

TEST(Container, ACubinThatContradictsItsEntryIsUnreadable) {
  constexpr std::uint32_t kCubinSuffixA = 0x800;
  EXPECT_EQ(image_error(cubin_entry(kPlain, 90)), "");
  EXPECT_EQ(image_error(cubin_entry(kSuffixA, 90 | kCubinSuffixA)), "");
  EXPECT_THAT(image_error(cubin_entry(kPlain, 90 | kCubinSuffixA)),
              HasSubstr("the entry says sm_90 but the cubin sm_90a"));
  EXPECT_THAT(image_error(cubin_entry(kSuffixF, 90 | kCubinSuffixA)),
              HasSubstr("the entry says sm_90f but the cubin sm_90a"));
  EXPECT_THAT(image_error(cubin_entry(kPlain, 80)), HasSubstr("but the cubin sm_80"));
}

TEST(Container, ACubinMayKeepItsSuffixToItself) {
  EXPECT_EQ(image_error(cubin_entry(kSuffixA, 90)), "");
  EXPECT_EQ(image_error(cubin_entry(kSuffixF, 90)), "");
}

TEST(Container, ManyBadOnesAreCountedNotListed) {
  std::string text;
  for (int count = 0; count < 1000; ++count) {
    text += std::string("\x50\xed\x55\xba\x01\x00\x10\x00", 8) + std::string(7, '\xff') + '\x7f';
  }
  const auto file = read_bytes(text, "made.fatbin");
  ASSERT_EQ(file.errors.size(), 65U);
  EXPECT_THAT(file.errors[64].message, HasSubstr("936 more places could not be read"));
  EXPECT_EQ(file.modules.size(), 64U);
}

TEST(Container, TheKernelsOfAFileTakeNoMoreThanTheyMay) {
  std::string text = tests::empty_container();
  for (int count = 0; count < 4; ++count) text += bytes_of(Entry{});
  put<std::uint64_t>(text, 8, text.size() - 16);
  File file;
  ContainerReader reader(file, Detail::everything, 2 * sizeof(Kernel) + 100);
  reader.read(Bytes(text), "");
  reader.close();
  ASSERT_EQ(file.images.size(), 4U);
  // The threads determine which images are left.
  const auto refused =
      std::count_if(file.images.begin(), file.images.end(), [](const Image& image) {
        return image.error.find("the file's kernels take more than") != std::string::npos &&
               image.kernels.empty();
      });
  EXPECT_EQ(refused, 2);
}

/// Returns the entry `count` times, in containers of `in_each`.
std::string containers_of(const std::string& entry, std::size_t count, std::size_t in_each) {
  std::string text;
  for (std::size_t index = 0; index < count; ++index) {
    if (index % in_each == 0) {
      const auto at = text.size();
      put<std::uint32_t>(text, at, 0xba55ed50);
      put<std::uint16_t>(text, at + 4, 1);
      put<std::uint16_t>(text, at + 6, 16);
      put<std::uint64_t>(text, at + 8, std::min(in_each, count - index) * entry.size());
    }
    text += entry;
  }
  return text;
}

TEST(Container, AFileHoldsNoMoreImagesThanMemoryBears) {
  Entry entry;
  entry.kind = 0x40;
  entry.payload = "";
  const auto text = containers_of(bytes_of(entry), kMaxImages + 2, kMaxImages + 2);
  const auto file = read_bytes(text, "made.fatbin");
  EXPECT_EQ(file.images.size(), kMaxImages);
  ASSERT_EQ(file.errors.size(), 1U);
  EXPECT_THAT(file.errors[0].message, HasSubstr("more than 131072 images"));
  EXPECT_EQ(file.errors[0].offset, 16 + kMaxImages * 64);
  const auto most = containers_of(bytes_of(entry), kMaxImages, kMaxImages);
  EXPECT_TRUE(read_bytes(most, "made.fatbin").errors.empty());
}

TEST(Container, AFileHoldsNoMoreContainersThanMemoryBears) {
  Entry entry;
  entry.kind = 0x40;
  entry.payload = "";
  const auto text = containers_of(bytes_of(entry), kMaxImages + 2, 1);
  const auto file = read_bytes(text, "made.fatbin");
  EXPECT_EQ(file.modules.size(), kMaxImages);
  ASSERT_EQ(file.errors.size(), 1U);
  EXPECT_THAT(file.errors[0].message, HasSubstr("more than 131072 fat binaries"));
}

TEST(Container, ObfuscatedCodeIsUnreadable) {
  Entry entry;
  entry.flags = 0x10011;
  EXPECT_THAT(image_error(entry), HasSubstr("obfuscated"));
}

TEST(Container, JunkAfterItIsAnError) {
  const auto body = bytes_of(Entry{});
  std::string text;
  put<std::uint32_t>(text, 0, 0xba55ed50);
  put<std::uint16_t>(text, 4, 1);
  put<std::uint16_t>(text, 6, 16);
  put<std::uint64_t>(text, 8, body.size());
  EXPECT_TRUE(read_bytes(text + body + std::string(8, '\0'), "x").errors.empty());
  EXPECT_THAT(read_bytes(text + body + "junkjunk", "x").errors.at(0).message,
              HasSubstr("expected here"));
}

}  // namespace
}  // namespace archgrid::fatbin
