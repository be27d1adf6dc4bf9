// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Less detail is faster, and what it tells is the same.
#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "samples.hpp"

namespace archgrid::fatbin {
namespace {

using ::testing::IsEmpty;

class Details : public ::testing::TestWithParam<std::string> {
 protected:
  static const std::vector<std::string>& samples() {
    static const std::vector<std::string> names = {
        "plain.o",       "packed.o", "raw.o",   "ptx.o",    "libsample.so",
        "sample.fatbin", "linked",   "first.o", "stores.o", "large.o"};
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

bool is_idle(const Kernel& kernel) {
  return kernel.body == Body::empty || kernel.body == Body::trap;
}

/// What verdicts ask: the idle bodies, and which kernels work somewhere although idle elsewhere.
std::multiset<std::string> idle_of(const File& file) {
  std::set<std::string> idle;
  std::multiset<std::string> facts;
  for (const auto& image : file.images) {
    for (const auto& kernel : image.kernels) {
      if (!is_idle(kernel)) continue;
      idle.insert(kernel.name);
      facts.insert(image.arch.text() + (kernel.body == Body::empty ? " empty " : " trap ") +
                   kernel.name);
    }
  }
  std::set<std::string> working;
  for (const auto& image : file.images) {
    for (const auto& kernel : image.kernels) {
      if (kernel.stores && idle.count(kernel.name) != 0) working.insert(kernel.name);
    }
  }
  for (const auto& name : working) facts.insert("works elsewhere " + name);
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
  auto bytes = tests::contents(path);
  const auto whole = read_bytes(bytes, "packed.o");
  // Nothing of the images is left but their headers.
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

INSTANTIATE_TEST_SUITE_P(Toolkit, Details, ::testing::ValuesIn(tests::toolkits()),
                         [](const auto& test) {
                           auto name = test.param;
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

}  // namespace
}  // namespace archgrid::fatbin
