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
  options.wants_identities = [](const fatbin::Image&) { return true; };
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
        const bool is_unlinked = arch == "compute_80" && name == "calls";
        EXPECT_EQ(identity.begin()->size(), is_unlinked ? 0U : 32U) << arch << ' ' << name;
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
  const auto before = of("identity_linked.so");
  const auto after = of("identity_changed.so");
  for (const auto& [arch, names] : changed(before, after)) {
    if (arch.rfind("sm_", 0) != 0) continue;
    EXPECT_THAT(names, IsSupersetOf({"calls", "beside"})) << arch;
    if (arch != "sm_60") EXPECT_EQ(names.size(), 2U) << arch;
  }
  EXPECT_THAT(before.at("compute_80").at("calls"), ElementsAre("")) << "PTX of parts is not linked";
}

TEST_P(Identity, WhatNoPartDefinesIsUnknown) {
  for (const auto& [arch, identities] : of("identity_part.o")) {
    EXPECT_THAT(identities.at("calls"), ElementsAre("")) << arch;
    EXPECT_NE(*identities.at("scaled").begin(), "") << arch;
  }
}

std::string identity_of_ptx(const std::string& text) {
  const auto file = read_bytes(".version 8.0\n.target sm_80\n.address_size 64\n" + text, "made.ptx",
                               with_identities());
  EXPECT_EQ(tests::complaints(file), "");
  return file.images.at(0).kernels.at(0).identity;
}

constexpr const char* kEmptyKernel = ".visible .entry k()\n{\nret;\n}\n";

TEST(PtxIdentities, ModuleStatementsCount) {
  const auto plain = identity_of_ptx(kEmptyKernel);
  EXPECT_EQ(plain.size(), 32U);
  EXPECT_NE(identity_of_ptx(std::string(".pragma \"nounroll\";\n") + kEmptyKernel), plain);
  EXPECT_EQ(identity_of_ptx(std::string("// a comment\n.file 1 \"/a/b.cu\"\n") + kEmptyKernel),
            plain);
}

TEST(PtxIdentities, NamesLikeThoseOfTheCompilerAreNames) {
  const auto with = [](const std::string& value) {
    return identity_of_ptx(
        ".const .b32 prototype_table = " + value +
        ";\n.visible .entry k()\n{\nld.const.b32 %r1, [prototype_table];\nret;\n}\n");
  };
  EXPECT_NE(with("1"), with("2"));
}

TEST(PtxIdentities, CallsByAddressReachAllFunctions) {
  const auto with = [](const std::string& body) {
    return identity_of_ptx(
        ".func f()\n{\n" + body +
        "ret;\n}\n.visible .entry k()\n{\ncall %rd1, (), prototype_0;\nret;\n}\n");
  };
  EXPECT_NE(with(""), with("trap;\n"));
}

TEST(PtxIdentities, FoldersOfAssertionsDoNotCount) {
  const auto with = [](const std::string& path, const std::string& name = "$str") {
    std::string bytes;
    for (const char c : path) bytes += std::to_string(static_cast<unsigned char>(c)) + ", ";
    return identity_of_ptx(".global .align 1 .b8 " + name + "[99] = {" + bytes +
                           "0};\n.visible .entry k()\n{\nmov.u64 %rd1, " + name + ";\nret;\n}\n");
  };
  EXPECT_EQ(with("/one folder/k.cu"), with("/another/f/k.cu"));
  EXPECT_EQ(with("/\xc3\xa4/k.cu"), with("/b/k.cu"));
  EXPECT_NE(with("%d/%d"), with("%x/%d")) << "a format";
  EXPECT_NE(with("/a/k.cu", "own"), with("/b/k.cu", "own")) << "a variable of the program";
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
