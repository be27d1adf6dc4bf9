// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks that less detail, which is faster, yields the same facts.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "made.hpp"
#include "paths.hpp"
#include "samples.hpp"

namespace archgrid::fatbin {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Details : public ::testing::TestWithParam<std::string> {
 protected:
  static const std::vector<std::string>& samples() {
    static const std::vector<std::string> names = {
        "plain.o",       "packed.o",       "raw.o",       "ptx.o",        "libsample.so",
        "sample.fatbin", "linked",         "first.o",     "stores.o",     "large.o",
        "stubs.o",       "stubs_packed.o", "stubs_rdc.o", "stubs_linked", "stubs_debug.o"};
    return names;
  }
  static File read(const std::string& name, Detail detail) {
    return fatbin::read(tests::sample_path(GetParam(), name), detail);
  }
};

std::multiset<std::string> names_of(const Image& image) {
  std::multiset<std::string> names;
  for (const auto& kernel : image.kernels) names.insert(kernel.name);
  return names;
}

bool has_sass(const File& file, std::size_t module) {
  return std::any_of(file.images.begin(), file.images.end(), [&](const Image& image) {
    return image.module == module && image.kind == Kind::sass;
  });
}

/// Returns the facts that verdicts need: the idle bodies, and which of their kernels work
/// elsewhere.
std::multiset<std::string> idle_of(const File& file) {
  std::set<std::string> idle;
  std::multiset<std::string> facts;
  for (const auto& image : file.images) {
    for (const auto& kernel : image.kernels) {
      if (!is_idle(kernel.body)) continue;
      idle.insert(kernel.name);
      facts.insert(image.arch.text() + ' ' + std::to_string(static_cast<int>(kernel.body)) + ' ' +
                   kernel.name);
    }
  }
  std::set<std::string> working;
  std::set<std::string> surely_working;
  for (const auto& image : file.images) {
    for (const auto& kernel : image.kernels) {
      if (!kernel.stores || idle.count(kernel.name) == 0) continue;
      working.insert(kernel.name);
      if (!kernel.may_store) surely_working.insert(kernel.name);
    }
  }
  for (const auto& name : working) facts.insert("may work elsewhere " + name);
  for (const auto& name : surely_working) facts.insert("works elsewhere " + name);
  return facts;
}

TEST_P(Details, NamesAreTheSame) {
  for (const auto& name : samples()) {
    const auto whole = read(name, Detail::everything);
    for (const auto detail : {Detail::names, Detail::bodies}) {
      const auto file = read(name, detail);
      EXPECT_EQ(tests::complaints(file), "") << name;
      ASSERT_EQ(file.images.size(), whole.images.size()) << name;
      for (std::size_t index = 0; index < file.images.size(); ++index) {
        const auto& image = file.images[index];
        if (detail == Detail::names && image.kind == Kind::ptx && has_sass(file, image.module)) {
          EXPECT_THAT(image.kernels, IsEmpty());
        } else {
          EXPECT_EQ(names_of(image), names_of(whole.images[index])) << name;
        }
      }
    }
  }
}

TEST_P(Details, BodiesAreTheSameWhereVerdictsNeedThem) {
  std::size_t idle = 0;
  for (const auto& name : samples()) {
    const auto expected = idle_of(read(name, Detail::everything));
    EXPECT_EQ(idle_of(read(name, Detail::bodies)), expected) << name;
    idle += expected.size();
  }
  EXPECT_GT(idle, 0U);
}

/// Returns the kernels whose instructions are known.
std::vector<std::string> scanned_in(const File& file) {
  std::vector<std::string> names;
  for (const auto& image : file.images) {
    for (const auto& kernel : image.kernels) {
      if (kernel.opcodes.any()) names.push_back(image.arch.text() + ' ' + kernel.name);
    }
  }
  return names;
}

TEST_P(Details, InstructionsAreKnownOfUnitsThatLackAnArchOfTheirFile) {
  const auto file = read("newer.so", Detail::bodies);
  ASSERT_THAT(scanned_in(file), ::testing::ElementsAre("80 _Z6copiesPKfPf"));
  EXPECT_TRUE(file.images.back().kernels.at(0).opcodes.test(opcode::kLdgsts));
  EXPECT_THAT(scanned_in(read("newer.so", Detail::names)), IsEmpty());
  EXPECT_THAT(scanned_in(read("libsample.so", Detail::bodies)), IsEmpty());
  ReadOptions without_evidence = Detail::bodies;
  without_evidence.host_names = false;
  const auto path = tests::sample_path(GetParam(), "newer.so");
  EXPECT_THAT(scanned_in(fatbin::read(path, without_evidence)), IsEmpty());
  ReadOptions of_some = Detail::bodies;
  of_some.wants_opcodes = [&](std::string_view asked) { return asked != path; };
  EXPECT_THAT(scanned_in(fatbin::read(path, of_some)), IsEmpty());
  of_some.wants_opcodes = [&](std::string_view asked) { return asked == path; };
  EXPECT_THAT(scanned_in(fatbin::read(path, of_some)), ::testing::SizeIs(1));
}

TEST_P(Details, ToolkitsAreTheSame) {
  std::size_t recorded = 0;
  for (const auto& name : samples()) {
    const auto whole = read(name, Detail::everything);
    const auto file = read(name, Detail::bodies);
    ASSERT_EQ(file.images.size(), whole.images.size()) << name;
    for (std::size_t index = 0; index < file.images.size(); ++index) {
      EXPECT_EQ(file.images[index].toolkit, whole.images[index].toolkit) << name;
      recorded += whole.images[index].toolkit.empty() ? 0 : 1;
    }
  }
  EXPECT_GT(recorded, 0U);
}

TEST_P(Details, ArchsNeedNoImage) {
  const auto path = tests::sample_path(GetParam(), "packed.o");
  auto bytes = tests::contents_of(path);
  const auto whole = read_bytes(bytes, "packed.o");
  // Erases the images except for their headers.
  for (const auto& image : whole.images) {
    std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(image.offset) + 256, image.stored - 256,
                '\0');
  }
  EXPECT_NE(tests::complaints(read_bytes(bytes, "packed.o")), "");
  const auto file = read_bytes(bytes, "packed.o", Detail::archs);
  EXPECT_EQ(tests::complaints(file), "");
  EXPECT_EQ(tests::archs(file, Kind::sass), tests::archs(whole, Kind::sass));
  for (const auto& image : file.images) EXPECT_THAT(image.kernels, IsEmpty());
}

/// Removes the suffix from the image's entry.
void forget_suffix(std::string& bytes, const Image& image) {
  constexpr std::uint64_t kSuffixes = 0x300000;
  const auto at = image.offset + 0x28;
  std::uint64_t flags = 0;
  std::memcpy(&flags, bytes.data() + at, sizeof(flags));
  tests::put<std::uint64_t>(bytes, at, flags & ~kSuffixes);
}

// Code for 9.0a does not run on all GPUs that run code for 9.0.
TEST_P(Details, AnEntryThatHidesTheSuffixIsSeenByAll) {
  const auto bytes = tests::contents_of(tests::sample_path(GetParam(), "large_suffixed.o"));
  for (const auto detail : {Detail::names, Detail::bodies, Detail::everything}) {
    const auto file = read_bytes(bytes, "large_suffixed.o", detail);
    EXPECT_EQ(tests::complaints(file), "");
    for (std::size_t index = 0; index < file.images.size(); ++index) {
      const auto& image = file.images[index];
      if (image.kind != Kind::sass || image.arch.suffix == '\0') continue;
      auto forged = bytes;
      forget_suffix(forged, image);
      const auto read = read_bytes(forged, "large_suffixed.o", detail);
      EXPECT_THAT(read.images.at(index).error, HasSubstr("but the cubin sm_" + image.arch.text()));
    }
  }
}

/// Returns a container with an uncompressed cubin, `count` times.
std::string repeated_container(const std::string& cubin, int count) {
  std::string container;
  tests::put<std::uint32_t>(container, 0, 0xba55ed50);
  tests::put<std::uint16_t>(container, 4, 1);
  tests::put<std::uint16_t>(container, 6, 16);
  const auto size = (cubin.size() + 7) / 8 * 8;
  tests::put<std::uint64_t>(container, 8, 64 + size);
  tests::put<std::uint16_t>(container, 16, 2);
  tests::put<std::uint16_t>(container, 16 + 2, 0x101);
  tests::put<std::uint32_t>(container, 16 + 4, 64);
  tests::put<std::uint64_t>(container, 16 + 8, size);
  tests::put<std::uint32_t>(container, 16 + 0x1c, 80);
  tests::put<std::uint64_t>(container, 16 + 0x28, 0x11);
  tests::put<std::uint64_t>(container, 16 + 0x38, 0);
  container += cubin;
  container.resize(16 + 64 + size);
  std::string text;
  for (int index = 0; index < count; ++index) text += container;
  return text;
}

// Thousands of modules contain the same idle kernel, as with CUB: it must not cause a read each.
TEST_P(Details, KernelsThatAreIdleEverywhereTakeNoTimeEach) {
  constexpr int kMany = 3000;
  const auto cubin = tests::contents_of(tests::sample_path(GetParam(), "sample.cubin"));
  const auto text = repeated_container(cubin, kMany);
  const auto file = read_bytes(text, "many.fatbin", Detail::bodies);
  ASSERT_EQ(file.images.size(), std::size_t{kMany});
  EXPECT_EQ(tests::complaints(file), "");
  EXPECT_EQ(idle_of(file), idle_of(read_bytes(text, "many.fatbin", Detail::everything)));
}

// Work on one image must not include all images beside it.
TEST(OneModule, OfTensOfThousandsOfImagesTakesNoTimeEach) {
  const std::size_t count = tests::many(100000);
  constexpr std::size_t kEntry = 64 + 8;
  std::string container;
  tests::put<std::uint32_t>(container, 0, 0xba55ed50);
  tests::put<std::uint16_t>(container, 4, 1);
  tests::put<std::uint16_t>(container, 6, 16);
  tests::put<std::uint64_t>(container, 8, count * kEntry);
  std::string entry;
  tests::put<std::uint16_t>(entry, 0, 1);
  tests::put<std::uint16_t>(entry, 2, 0x101);
  tests::put<std::uint32_t>(entry, 4, 64);
  tests::put<std::uint64_t>(entry, 8, 8);
  tests::put<std::uint32_t>(entry, 0x1c, 80);
  tests::put<std::uint64_t>(entry, 0x28, 0x11);
  tests::put<std::uint64_t>(entry, kEntry - 8, 0);
  for (std::size_t index = 0; index < count; ++index) container += entry;
  for (const auto detail : {Detail::archs, Detail::names, Detail::bodies, Detail::everything}) {
    const auto file = read_bytes(container, "many.fatbin", detail);
    EXPECT_EQ(file.images.size(), count);
    EXPECT_EQ(file.images.back().kind, Kind::ptx);
  }
}

INSTANTIATE_TEST_SUITE_P(Toolkit, Details, ::testing::ValuesIn(tests::toolkits()),
                         [](const auto& test) {
                           auto name = test.param;
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

}  // namespace
}  // namespace archgrid::fatbin
