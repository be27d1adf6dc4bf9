// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks that unneeded PTX stays unread, but only if machine code shows which kernels it has.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "made.hpp"
#include "samples.hpp"

namespace archgrid::fatbin {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using Names = std::set<std::string>;

ReadOptions nobody_needs_ptx(Detail detail) {
  ReadOptions options = detail;
  options.needs_ptx = [](const auto&) { return false; };
  return options;
}

/// Returns the images that were not read: "ptx 80".
Names unread_of(const File& file) {
  Names unread;
  for (const auto& image : file.images) {
    if (image.unread) unread.insert(fmt::format("{} {}", name_of(image.kind), image.arch.text()));
  }
  return unread;
}

Names kernels_of(const File& file, Kind kind) {
  Names names;
  for (const auto& image : file.images) {
    if (image.kind != kind) continue;
    for (const auto& kernel : image.kernels) names.insert(kernel.name);
  }
  return names;
}

/// Returns the source of each machine code: "80 of 75", or "90a of ?" if it is unknown.
Names sources_of(const File& file) {
  Names sources;
  for (const auto& image : file.images) {
    if (image.kind != Kind::sass) continue;
    const auto& from = image.compiled_from;
    sources.insert(fmt::format("{} of {}", image.arch.text(), from ? from->text() : "?"));
  }
  return sources;
}

class UntakenPtx : public ::testing::TestWithParam<std::string> {
 protected:
  static std::filesystem::path path(const std::string& name) {
    return tests::sample_path(GetParam(), name);
  }
  /// Reports whether cubins record the PTX that they were compiled from.
  static bool is_told() { return tests::is_13(GetParam()); }
};

TEST_P(UntakenPtx, IsLeftUnreadWhereMachineCodeTellsThatItWasCompiledFromIt) {
  const auto unread = is_told() ? Names{"ptx 80"} : Names{};
  for (const auto* name : {"plain.o", "packed.o", "libsample.so", "large.o", "linked"}) {
    for (const auto detail : {Detail::bodies, Detail::everything}) {
      const auto file = read(path(name), nobody_needs_ptx(detail));
      EXPECT_EQ(tests::complaints(file), "") << name;
      EXPECT_EQ(unread_of(file), unread) << name;
      EXPECT_EQ(kernels_of(file, Kind::ptx).empty(), is_told()) << name;
      const auto whole = read(path(name), detail);
      EXPECT_THAT(unread_of(whole), IsEmpty()) << name;
      EXPECT_EQ(kernels_of(file, Kind::sass), kernels_of(whole, Kind::sass)) << name;
      EXPECT_EQ(kernels_of(whole, Kind::sass), kernels_of(whole, Kind::ptx)) << name;
    }
  }
}

TEST_P(UntakenPtx, IsReadWhereSomebodyTakesIt) {
  std::size_t asked = 0;
  ReadOptions options = Detail::bodies;
  options.needs_ptx = [&asked](const auto& images) {
    ++asked;
    return std::any_of(images.begin(), images.end(), [](const auto* image) {
      return image->kind == Kind::ptx && image->arch == Arch{80};
    });
  };
  const auto file = read(path("plain.o"), options);
  EXPECT_EQ(asked, 1U);
  EXPECT_THAT(unread_of(file), IsEmpty());
  EXPECT_THAT(kernels_of(file, Kind::ptx), Contains("_Z7guardedPf"));
}

// Containers that are not registered may contain anything, as host code picks from them.
TEST_P(UntakenPtx, IsReadWhereTheFatBinaryIsNotRegistered) {
  const auto file = read(path("sample.fatbin"), nobody_needs_ptx(Detail::bodies));
  EXPECT_THAT(unread_of(file), IsEmpty());
  EXPECT_THAT(kernels_of(file, Kind::ptx), Not(IsEmpty()));
}

TEST_P(UntakenPtx, IsReadBesideMachineCodeOfOtherPtx) {
  const auto file = read(path("lower.o"), nobody_needs_ptx(Detail::bodies));
  EXPECT_EQ(sources_of(file), is_told() ? Names{"80 of 75"} : Names{"80 of ?"});
  EXPECT_THAT(unread_of(file), IsEmpty());
}

TEST_P(UntakenPtx, IsReadWhereItIsAlone) {
  const auto file = read(path("ptx.o"), nobody_needs_ptx(Detail::bodies));
  EXPECT_THAT(unread_of(file), IsEmpty());
  EXPECT_THAT(kernels_of(file, Kind::ptx), Not(IsEmpty()));
}

TEST_P(UntakenPtx, IsReadWherePtxasLeftKernelsOut) {
  const auto file = read(path("entry.o"), nobody_needs_ptx(Detail::bodies));
  EXPECT_EQ(kernels_of(file, Kind::sass), Names{"_Z7guardedPf"});
  EXPECT_THAT(unread_of(file), IsEmpty());
  EXPECT_GT(kernels_of(file, Kind::ptx).size(), 1U);
}

// nvcc compiles for sm_90a from other PTX than compute_90a, too.
TEST_P(UntakenPtx, WithASuffixIsReadUnlessItsOwnIsKnown) {
  if (!is_told()) {
    EXPECT_THAT(sources_of(read(path("large_suffixed.o"))), Each(HasSubstr("?")));
    return;
  }
  for (const auto detail : {Detail::bodies, Detail::everything}) {
    const auto file = read(path("large_suffixed.o"), nobody_needs_ptx(detail));
    EXPECT_EQ(tests::complaints(file), "");
    EXPECT_EQ(unread_of(file), Names{"ptx 100f"});
    EXPECT_EQ(sources_of(file), (Names{"80 of 80", "90a of ?", "100f of 100f", "120 of 120"}));
  }
}

TEST_P(UntakenPtx, ThatIsDamagedIsAnErrorWhereThatShows) {
  const auto bytes = tests::contents_of(path("packed.o"));
  const auto whole = read_bytes(bytes, "packed.o", nobody_needs_ptx(Detail::bodies));
  if (!is_told()) {
    EXPECT_THAT(unread_of(whole), IsEmpty());
    return;
  }
  const auto ptx = std::find_if(whole.images.begin(), whole.images.end(),
                                [](const Image& image) { return image.unread; });
  ASSERT_NE(ptx, whole.images.end());
  auto grown = bytes;
  tests::put<std::uint64_t>(grown, ptx->offset + 0x38, std::uint64_t{1} << 40);
  EXPECT_THAT(tests::complaints(read_bytes(grown, "packed.o", nobody_needs_ptx(Detail::bodies))),
              HasSubstr("the image claims to be 1099511627776 bytes"));
  ASSERT_EQ(ptx->compression, Compression::zstd);
  auto broken = bytes;
  broken[broken.find("\x28\xb5\x2f\xfd", ptx->offset) + 3] = 'X';
  EXPECT_THAT(tests::complaints(read_bytes(broken, "packed.o", nobody_needs_ptx(Detail::bodies))),
              HasSubstr("the zstd frame is corrupt"));
}

INSTANTIATE_TEST_SUITE_P(Toolkit, UntakenPtx, ::testing::ValuesIn(tests::toolkits()),
                         [](const auto& test) {
                           auto name = test.param;
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

}  // namespace
}  // namespace archgrid::fatbin
