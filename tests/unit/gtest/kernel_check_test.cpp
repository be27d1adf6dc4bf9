// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "kernel_check.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "folders.hpp"

namespace archgrid::gtest {
namespace {

namespace fs = std::filesystem;

/// Checks with a matrix file that promises 8.0 and 9.0 with CUDA 13.5.
std::string not_for(const std::string& arch, device::Capability gpu) {
  const auto matrix = empty_folder() / "matrix.json";
  std::ofstream(matrix) << R"({"name": "m", "toolkits": [{"cuda": "13.5", "archs": ["80"]}],
    "promises": [{"devices": ["8.0", "9.0"]}]})";
  Settings settings;
  settings.matrix = matrix.string();
  settings.toolkit = "13.5";
  settings.arch = arch;
  return KernelCheck(settings).not_for(gpu);
}

KernelCheck without_matrix(const std::string& arch) {
  Settings settings;
  settings.toolkit = "13.5";
  settings.arch = arch;
  return KernelCheck(settings);
}

TEST(NotFor, ASingleCellRunsOnAGpuThatItServesThoughNobodyPromisedIt) {
  EXPECT_EQ(not_for("88", {8, 8}), "");
  EXPECT_EQ(not_for("80", {8, 8}), "") << "compatible";
  EXPECT_NE(not_for("90a", {8, 8}).find("90a, which does not serve 8.8"), std::string::npos);
}

TEST(NotFor, ACellOfPtxAcceptsJitPromisedOrNot) {
  EXPECT_EQ(not_for("80-virtual", {9, 0}), "");
  EXPECT_EQ(not_for("88-virtual", {8, 8}), "") << "not promised";
  EXPECT_NE(not_for("88-virtual", {8, 6}).find("88-virtual, which does not serve 8.6"),
            std::string::npos);
  EXPECT_EQ(without_matrix("75-virtual").not_for({7, 5}), "");
  EXPECT_TRUE(without_matrix("75-virtual").accepts_jit());
  EXPECT_FALSE(without_matrix("75").accepts_jit());
}

TEST(NotFor, TellsCodeThatIsNotAcceptedFromNoCode) {
  EXPECT_EQ(without_matrix("80").not_for({9, 0}),
            "this cell is compiled for 80, which does not serve 9.0 in a way that is accepted");
  EXPECT_EQ(without_matrix("90").not_for({8, 0}),
            "this cell is compiled for 90, which does not serve 8.0");
}

TEST(NotFor, AFatCellIsForThePromisedGpus) {
  EXPECT_EQ(not_for("", {8, 0}), "");
  EXPECT_NE(not_for("", {8, 8}).find("promises nothing for 8.8"), std::string::npos);
}

}  // namespace
}  // namespace archgrid::gtest
