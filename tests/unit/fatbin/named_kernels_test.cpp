// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "named_kernels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "samples.hpp"

namespace archgrid::tests {
namespace {

using fatbin::File;
using fatbin::HostImage;
using fatbin::HostSection;

/// Reports whether host code with these bytes names the kernel `name`.
bool is_named(const std::string& name, const std::string& bytes, HostSection section = {}) {
  section.data = fatbin::Bytes(bytes);
  if (section.name.empty()) {
    section.name = ".rodata";
    section.is_text = true;
  }
  HostImage image;
  image.sections = {section};
  File file;
  file.modules.resize(1);
  file.images.resize(2);
  for (auto& each : file.images) {
    each.kernels.resize(1);
    each.kernels[0].name = name;
  }
  fatbin::mark_named_kernels(image, file);
  EXPECT_EQ(file.images[0].kernels[0].named_by_host, file.images[1].kernels[0].named_by_host);
  return file.images[0].kernels[0].named_by_host;
}

std::string zero_ended(const std::string& text) {
  return text + '\0';
}

TEST(NamedKernels, AWholeStringOfTheHostCodeIsAName) {
  EXPECT_TRUE(is_named("_Z1kPf", zero_ended("_Z1kPf")));
  EXPECT_TRUE(is_named("_Z1kPf", zero_ended("before") + zero_ended("_Z1kPf") + "after"));
  EXPECT_TRUE(is_named("_Z1kPf", "\x01\x02" + zero_ended("_Z1kPf"))) << "behind numbers";
  EXPECT_TRUE(is_named("_Z1kPf", "@" + zero_ended("_Z1kPf"))) << "the last byte of 2.0";
  EXPECT_TRUE(is_named("_Z1kPf", zero_ended(std::string(100, 'x') + "_Z1kPf")));
  EXPECT_TRUE(is_named("scale", zero_ended("my_scale"))) << "one string ends another";
}

/// Returns which of these kernels host code with these bytes names.
std::vector<std::string> named_among(const std::vector<std::string>& names,
                                     const std::string& bytes) {
  HostSection section;
  section.name = ".rodata";
  section.is_text = true;
  section.data = fatbin::Bytes(bytes);
  HostImage image;
  image.sections = {section};
  File file;
  file.modules.resize(1);
  file.images.resize(1);
  for (const auto& name : names) file.images[0].kernels.emplace_back().name = name;
  fatbin::mark_named_kernels(image, file);
  std::vector<std::string> named;
  for (const auto& kernel : file.images[0].kernels) {
    if (kernel.named_by_host) named.push_back(kernel.name);
  }
  return named;
}

TEST(NamedKernels, NamesWithOneEndingAreToldApart) {
  std::vector<std::string> names = {"plain_kernel", "another_plain_kernel", "_Z12plain_kernelPf",
                                    "_Z13a_plain_kernelPf"};
  const auto named = [&](const std::string& text) {
    return named_among(names, zero_ended("x") + zero_ended(text));
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(named("plain_kernel"), Names{"plain_kernel"});
  EXPECT_EQ(named("another_plain_kernel"), (Names{"plain_kernel", "another_plain_kernel"}));
  EXPECT_EQ(named("_Z12plain_kernelPf"), Names{"_Z12plain_kernelPf"});
  EXPECT_EQ(named("_Z13a_plain_kernelPf"), Names{"_Z13a_plain_kernelPf"});
  EXPECT_EQ(named("a_kernel"), Names());
  names.emplace_back("el");  // shorter than the part of a name that is compared first
  EXPECT_EQ(named("plain_kernel"), (Names{"plain_kernel", "el"}));
  EXPECT_EQ(named("el"), Names{"el"});
}

TEST(NamedKernels, PartsOfStringsAreNone) {
  EXPECT_FALSE(is_named("_Z1kPf", zero_ended("_Z1kPfS_")));
  EXPECT_FALSE(is_named("scale", zero_ended("scaled")));
  EXPECT_FALSE(is_named("_Z1kPf", "_Z1kPf")) << "no zero ends it";
  EXPECT_FALSE(is_named("_Z1kPf", ""));
}

TEST(NamedKernels, OnlyStringsOfTheProgramCount) {
  HostSection section;
  section.name = ".strtab";
  EXPECT_FALSE(is_named("_Z1kPf", zero_ended("_Z1kPf"), section)) << "a table of symbols";
  section.name = fatbin::kFatbinSection;
  section.is_text = true;
  EXPECT_FALSE(is_named("_Z1kPf", zero_ended("_Z1kPf"), section)) << "device code";
}

class NamedKernelsOfSamples : public ::testing::TestWithParam<std::string> {};

TEST_P(NamedKernelsOfSamples, AreThoseThatTheHostLaunches) {
  const auto file = fatbin::read(sample_path(GetParam(), "plain.o"));
  ASSERT_FALSE(file.images.empty());
  for (const auto& image : file.images) {
    for (const auto& kernel : image.kernels) EXPECT_TRUE(kernel.named_by_host) << kernel.name;
  }
  const auto linked = fatbin::read(sample_path(GetParam(), "linked"));
  ASSERT_FALSE(linked.images.empty());
  for (const auto& image : linked.images) {
    for (const auto& kernel : image.kernels) EXPECT_TRUE(kernel.named_by_host) << kernel.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Toolkit, NamedKernelsOfSamples, ::testing::ValuesIn(toolkits()),
                         [](const auto& test) {
                           auto name = test.param;
                           std::replace(name.begin(), name.end(), '.', '_');
                           return "cuda" + name;
                         });

TEST_P(NamedKernelsOfSamples, AreLookedForOnlyWhereThatIsWanted) {
  fatbin::ReadOptions options;
  options.host_names = false;
  const auto file = fatbin::read(sample_path(GetParam(), "plain.o"), options);
  ASSERT_FALSE(file.images.empty());
  for (const auto& image : file.images) {
    for (const auto& kernel : image.kernels) EXPECT_FALSE(kernel.named_by_host) << kernel.name;
  }
}

}  // namespace
}  // namespace archgrid::tests
