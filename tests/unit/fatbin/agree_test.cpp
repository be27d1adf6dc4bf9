// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks that less detail yields the same facts about crafted and damaged images as full detail.
#include <gmock/gmock.h>
#include <lz4frame.h>

#include <algorithm>
#include <map>
#include <set>

#include "compression.hpp"
#include "made_fatbin.hpp"
#include "made_stale.hpp"
#include "samples.hpp"

namespace archgrid::fatbin {
namespace {

using ::testing::HasSubstr;

using RepeatedNames = std::multiset<std::string>;

RepeatedNames names_in(const File& file) {
  RepeatedNames names;
  for (const auto& image : file.images) {
    for (const auto& kernel : image.kernels) names.insert(kernel.name);
  }
  return names;
}

/// Returns the first cubin of a sample, decompressed.
std::string cubin_in(const std::string& path) {
  const auto bytes = tests::contents_of(path);
  for (const auto& image : read_bytes(bytes, path).images) {
    if (image.kind != Kind::sass) continue;
    const auto header = tests::get<std::uint32_t>(bytes, image.offset + 4);
    const auto packed = tests::get<std::uint32_t>(bytes, image.offset + 0x10);
    const auto payload = bytes.substr(image.offset + header, packed);
    return std::string(
        Decompressor().whole(image.compression, Bytes(payload), image.decompressed_bytes));
  }
  return {};
}

constexpr std::array<Compression, 3> kCompressions = {Compression::none, Compression::lz4,
                                                      Compression::zstd};
constexpr std::array<Detail, 2> kLess = {Detail::names, Detail::bodies};

/// Reads a fat binary with one image, with this detail.
File read_with_detail(const tests::MadeEntry& entry, Detail detail) {
  return read_bytes(tests::fatbin_of({entry}), "made.fatbin", detail);
}

class Agreement : public ::testing::TestWithParam<std::string> {
 protected:
  /// Returns one cubin with kernels that are too long to be idle, and one with others.
  static std::vector<std::string> cubins() {
    return {cubin_in(tests::sample_path(GetParam(), "large.o")),
            tests::contents_of(tests::sample_path(GetParam(), "sample.cubin"))};
  }

  static Arch arch_of(const std::string& cubin) {
    return read_bytes(cubin, "x.cubin").images.at(0).arch;
  }
};

TEST_P(Agreement, OnCubinsWithStaleTables) {
  for (const auto& cubin : cubins()) {
    const auto kernels = names_in(read_bytes(cubin, "x.cubin")).size();
    ASSERT_GT(kernels, 0U);
    for (const auto hiding : tests::kHidings) {
      for (const auto compression : kCompressions) {
        const auto entry = tests::packed_entry(Kind::sass, arch_of(cubin), compression,
                                               tests::hide_kernel(cubin, hiding));
        const auto whole = read_with_detail(entry, Detail::everything);
        ASSERT_EQ(tests::complaints(whole), "");
        ASSERT_EQ(names_in(whole).size() + 1, kernels);
        for (const auto detail : kLess) {
          EXPECT_EQ(names_in(read_with_detail(entry, detail)), names_in(whole))
              << static_cast<int>(hiding) << ' ' << name_of(compression);
        }
      }
    }
  }
}

// With zstd only decoding everything reveals it (docs/audit.md).
TEST_P(Agreement, OnSectionTablesThatAloneTellWhereNotOfZstd) {
  for (const auto& cubin : cubins()) {
    for (const auto compression : {Compression::none, Compression::lz4}) {
      const auto entry = tests::packed_entry(Kind::sass, arch_of(cubin), compression,
                                             tests::hide_kernel_perfectly(cubin));
      const auto whole = read_with_detail(entry, Detail::everything);
      ASSERT_EQ(names_in(whole).size() + 1, names_in(read_bytes(cubin, "x.cubin")).size());
      for (const auto detail : kLess) {
        EXPECT_EQ(names_in(read_with_detail(entry, detail)), names_in(whole))
            << name_of(compression);
      }
    }
  }
}

/// Expects an error for the damaged payload, and none for the whole one.
void expect_refused(const tests::MadeEntry& whole, const std::string& damaged,
                    const std::string& complaint) {
  auto entry = whole;
  entry.payload = damaged;
  for (const auto detail : {Detail::names, Detail::bodies, Detail::everything}) {
    EXPECT_EQ(tests::complaints(read_with_detail(whole, detail)), "");
    EXPECT_THAT(tests::complaints(read_with_detail(entry, detail)), HasSubstr(complaint));
    EXPECT_TRUE(names_in(read_with_detail(entry, detail)).empty());
  }
}

TEST_P(Agreement, OnZstdFramesThatAreNotOneWholeFrame) {
  for (const auto& cubin : cubins()) {
    const auto whole = tests::packed_entry(Kind::sass, arch_of(cubin), Compression::zstd, cubin);
    expect_refused(whole, whole.payload + tests::zstd_of("more"), "the zstd frame ends");
    expect_refused(whole, whole.payload + std::string(8, '\0'), "the zstd frame ends");
    expect_refused(whole, whole.payload.substr(0, whole.payload.size() / 2),
                   "the zstd frame is corrupt");
    const auto half = cubin.size() / 2;
    expect_refused(whole,
                   tests::zstd_of(cubin.substr(0, half)) + tests::zstd_of(cubin.substr(half)),
                   "the zstd frame ends");
  }
}

TEST_P(Agreement, OnWrongChecksumsOfZstd) {
  for (const auto& cubin : cubins()) {
    auto whole = tests::packed_entry(Kind::sass, arch_of(cubin), Compression::zstd, cubin);
    whole.payload = tests::zstd_of(cubin, true);
    auto damaged = whole.payload;
    damaged.back() = static_cast<char>(~damaged.back());
    expect_refused(whole, damaged, "checksum");
  }
}

TEST_P(Agreement, OnLz4ThatIsCut) {
  for (const auto& cubin : cubins()) {
    const auto whole = tests::packed_entry(Kind::sass, arch_of(cubin), Compression::lz4, cubin);
    for (const auto size : {whole.payload.size() / 2, whole.payload.size() - 1}) {
      expect_refused(whole, whole.payload.substr(0, size), "");
    }
    expect_refused(whole, whole.payload + "more", "the LZ4 block is corrupt");
  }
}

TEST_P(Agreement, OnBytesBehindAnLz4Frame) {
  const auto cubin = cubins().front();
  std::string frame(LZ4F_compressFrameBound(cubin.size(), nullptr), '\0');
  frame.resize(LZ4F_compressFrame(frame.data(), frame.size(), cubin.data(), cubin.size(), nullptr));
  const tests::MadeEntry whole = {Kind::sass, arch_of(cubin), Compression::lz4_frame, frame,
                                  cubin.size()};
  expect_refused(whole, frame + "more", "the LZ4 frame ends before the image does");
}

INSTANTIATE_TEST_SUITE_P(Toolkit, Agreement, ::testing::ValuesIn(tests::toolkits()),
                         [](const auto& test) {
                           auto name = test.param;
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

}  // namespace
}  // namespace archgrid::fatbin
