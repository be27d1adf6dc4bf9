// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the decision which tests must run again on a GPU.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <archgrid/evidence/needed_runs.hpp>
#include <fstream>

#include "executions.hpp"

namespace archgrid::tests {
namespace {

namespace fs = std::filesystem;

using evidence::Evidence;
using ::testing::IsEmpty;

File program(std::vector<fatbin::Kernel> kernels) {
  return file_of({sass("90", std::move(kernels))});
}

/// Returns evidence of a run on 9.0 that launched the kernel k with the identity a.
Evidence evidence_of(const File& file) {
  Evidence evidence;
  evidence.add(execution("k", "9.0", 'a'));
  const coverage::ImageSelector selector(file);
  evidence.add(passed("9.0", coverage::code_hash_of(selector, device("9.0"))));
  return evidence;
}

std::string why_needed(const File& file, coverage::ComputeCapability device,
                       const Evidence& evidence) {
  return evidence::why_needed("cell/x_test", file, device, evidence);
}

TEST(NeededRuns, SameCodeNeedsNone) {
  const auto file = program({coded("k", 'a'), coded("unlaunched", 'b')});
  const auto evidence = evidence_of(file);
  EXPECT_EQ(why_needed(file, device("9.0"), evidence), "");
  EXPECT_NE(why_needed(file, device("12.0"), evidence), "");
  EXPECT_NE(evidence::why_needed("cell/y_test", file, device("9.0"), evidence), "")
      << "a pass of another program";
}

TEST(NeededRuns, NamesWhatChanged) {
  const auto evidence = evidence_of(program({coded("k", 'a'), coded("unlaunched", 'b')}));
  EXPECT_EQ(
      why_needed(program({coded("k", 'c'), coded("unlaunched", 'b')}), device("9.0"), evidence),
      "other code than on 2026-11-01 in 1 kernel: k");
  EXPECT_EQ(
      why_needed(program({coded("k", 'a'), coded("unlaunched", 'c')}), device("9.0"), evidence),
      "1 kernel without a run there, or changed: unlaunched");
  EXPECT_EQ(why_needed(program({coded("k", 'a')}), device("9.0"), evidence),
            "its tests have not all passed there with this code");
  EXPECT_EQ(why_needed(program({coded("l", 'a')}), device("9.0"), evidence),
            "no test of its kernels is known to have passed there");
}

TEST(NeededRuns, CodeWithoutIdentityIsNeverKnown) {
  const auto file = program({coded("k", 0)});
  const coverage::ImageSelector selector(file);
  EXPECT_EQ(coverage::code_hash_of(selector, device("9.0")), "");
  EXPECT_NE(why_needed(file, device("9.0"), evidence_of(file)), "");
}

TEST(NeededRuns, FindsTheProgramsOfATree) {
  const auto folder = fs::path(::testing::TempDir()) / "archgrid_needed";
  fs::remove_all(folder);
  fs::create_directories(folder / "sub");
  const auto list = [](const std::string& path) {
    return "add_test([=[\nsteps]=] [=[\n" + path + "]=])\nset_tests_properties([=[\nsteps]=] [=[\n";
  };
  std::ofstream(folder / "a_test") << "";
  std::ofstream(folder / "a_test-tests.cmake") << list((folder / "a_test").string());
  std::ofstream(folder / "sub/b_test-tests.cmake") << list("/elsewhere/b_test");
  std::ofstream(folder / "empty-tests.cmake") << "# not built\n";
  const auto programs = evidence::test_programs_in(folder);
  ASSERT_EQ(programs.size(), 3U);
  EXPECT_EQ(programs[0].name, "a_test");
  EXPECT_EQ(programs[0].path, folder / "a_test");
  EXPECT_EQ(programs[1].name, "b_test");
  EXPECT_EQ(programs[1].path, "") << "it is outside of the tree";
  EXPECT_EQ(programs[2].name, "empty");
  EXPECT_EQ(programs[2].path, "");
  EXPECT_THAT(evidence::test_programs_in(folder / "nowhere"), IsEmpty());
}

}  // namespace
}  // namespace archgrid::tests
