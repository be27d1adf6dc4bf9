// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks that identities change with what a GPU executes, and with nothing else.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>

#include "made_fatbin.hpp"
#include "samples.hpp"

namespace archgrid::fatbin {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::IsSubsetOf;
using ::testing::IsSupersetOf;
using ::testing::UnorderedElementsAre;

/// Returns the source name of a kernel: "scaled" for "_Z6scaledPf". nvcc names internal ones after
/// the first variable of their file, too.
std::string short_name(const std::string& mangled) {
  auto name = demangle(mangled);
  name = name.substr(0, name.find('('));
  return mangled.find("8internal") != std::string::npos ? "internal" : name;
}

/// Identities by arch ("sm_80") and kernel, without the numbers of a build.
using Identities = std::map<std::string, std::map<std::string, std::set<std::string>>>;

Identities identities_in(const File& file) {
  Identities found;
  for (const auto& image : file.images) {
    const auto arch = (image.kind == Kind::ptx ? "compute_" : "sm_") + image.arch.text();
    for (const auto& kernel : image.kernels) {
      found[arch][short_name(kernel.name)].insert(kernel.identity);
    }
  }
  return found;
}

ReadOptions with_identities() {
  ReadOptions options;
  options.identities = true;
  return options;
}

class Identity : public ::testing::TestWithParam<std::string> {
 protected:
  [[nodiscard]] static Identities of(const std::string& sample) {
    const auto file = read(tests::sample_path(GetParam(), sample), with_identities());
    EXPECT_EQ(tests::complaints(file), "") << sample;
    return identities_in(file);
  }

  /// Returns the kernels of `before` with another identity in `after`, or with none, on each arch.
  [[nodiscard]] static std::map<std::string, std::set<std::string>> changed(
      const Identities& before, const Identities& after) {
    std::map<std::string, std::set<std::string>> kernels;
    for (const auto& [arch, identities] : before) {
      kernels[arch];
      for (const auto& [name, identity] : identities) {
        EXPECT_EQ(identity.size(), 1U) << arch << ' ' << name;
        EXPECT_EQ(identity.begin()->size(), 32U) << arch << ' ' << name;
        const auto& others = after.at(arch);
        const auto found = others.find(name);
        if (found == others.end() || found->second != identity) {
          kernels[arch].insert(name);
        }
      }
    }
    return kernels;
  }

  /// Expects that exactly these kernels change, on every arch.
  static void expect_changes(const std::string& sample, const std::set<std::string>& kernels) {
    const auto before = of("identity.fatbin");
    ASSERT_GE(before.size(), 3U);
    for (const auto& [arch, names] : changed(before, of(sample))) {
      EXPECT_EQ(names, kernels) << sample << ' ' << arch;
    }
  }
};

TEST_P(Identity, KernelsDiffer) {
  std::set<std::string> all;
  std::size_t count = 0;
  for (const auto& [arch, identities] : of("identity.fatbin")) {
    for (const auto& [name, identity] : identities) {
      all.insert(identity.begin(), identity.end());
      ++count;
    }
  }
  EXPECT_EQ(all.size(), count);
}

TEST_P(Identity, FoldersChangeNothing) {
  expect_changes("identity_moved.fatbin", {});
}

TEST_P(Identity, LineNumbersChangeNoMachineCode) {
  for (const auto& [arch, names] : changed(of("identity.fatbin"), of("identity_lineinfo.fatbin"))) {
    if (arch.rfind("sm_", 0) == 0) EXPECT_THAT(names, IsEmpty()) << arch;
  }
}

TEST_P(Identity, AConstantChangesItsKernel) {
  expect_changes("identity_constant.fatbin", {"scaled"});
}

TEST_P(Identity, AnInstructionChangesItsKernel) {
  expect_changes("identity_instruction.fatbin", {"combined"});
}

TEST_P(Identity, ALaunchBoundChangesItsKernel) {
  expect_changes("identity_bound.fatbin", {"bounded"});
}

TEST_P(Identity, TheContentOfAVariableChangesItsKernels) {
  for (const auto& [arch, names] : changed(of("identity.fatbin"), of("identity_table.fatbin"))) {
    EXPECT_THAT(names, IsSupersetOf({"looked_up", "generic", "initialized"})) << arch;
    if (arch == "sm_60") continue;
    EXPECT_THAT(names, IsSubsetOf({"looked_up", "generic", "initialized", "checked"})) << arch;
  }
}

// Code that selects addresses by an index, to call printf() or assert(), or that takes addresses of
// constants may refer to others. Code
// before 7.0 is not decoded.
TEST_P(Identity, ANeighbourChangesOnlyWhatMayReferToIt) {
  for (const auto& [arch, names] :
       changed(of("identity.fatbin"), of("identity_neighbour.fatbin"))) {
    if (arch == "sm_60") continue;
    EXPECT_THAT(names, IsSubsetOf({"checked", "generic"})) << arch;
    if (arch == "compute_80") EXPECT_THAT(names, IsEmpty()) << arch;
  }
}

TEST_P(Identity, TheOrderOfADeviceLinkChangesNothing) {
  const auto linked = of("identity_linked.so");
  EXPECT_EQ(linked.at("sm_80").count("calls"), 1U);
  for (const auto& [arch, names] : changed(linked, of("identity_reversed.so"))) {
    EXPECT_THAT(names, IsEmpty()) << arch;
  }
}

TEST_P(Identity, AFunctionOfAnotherPartChangesItsCallers) {
  for (const auto& [arch, names] : changed(of("identity_linked.so"), of("identity_changed.so"))) {
    if (arch.rfind("sm_", 0) == 0) {
      EXPECT_THAT(names, UnorderedElementsAre("calls", "beside")) << arch;
    } else {
      EXPECT_THAT(names, ElementsAre("beside")) << "PTX of other parts is unknown: " << arch;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Toolkits, Identity, ::testing::ValuesIn(tests::toolkits()),
                         [](const auto& info) {
                           auto name = info.param;
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

TEST(Identities, AreAbsentUnlessRequested) {
  const auto file = read(tests::sample_path(tests::toolkits().front(), "identity.fatbin"));
  ASSERT_FALSE(file.images.empty());
  for (const auto& image : file.images) {
    for (const auto& kernel : image.kernels) EXPECT_EQ(kernel.identity, "");
  }
}

}  // namespace
}  // namespace archgrid::fatbin
