// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "kernel_check.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

namespace archgrid::gtest {
namespace {

namespace fs = std::filesystem;

/// A folder of the running test's own, empty at first.
fs::path empty_folder() {
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  const auto path = fs::path(::testing::TempDir()) / "archgrid-gtest" / test->name();
  fs::remove_all(path);
  fs::create_directories(path);
  return path;
}

fs::path touch(const fs::path& path) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << "x";
  return path;
}

TEST(LibrariesOfNvidia, AreKnownByTheirNames) {
  for (const auto* name :
       {"libcublas.so.13", "libcublasLt.so.13.2.0.9", "libcusparse.so", "libcufft.so.12",
        "libcudnn.so.9", "libcudnn_ops.so.9", "libcudnn_engines_precompiled.so.9",
        "libcudnn_engines_tensor_ir.so.9", "libcudnn_cnn_infer.so.8",
        "libcudnn_graph-0a1b2c3d.so.9", "libnccl.so.2", "libcurand.so.10", "libcusolver.so.12",
        "libnvrtc.so.13", "libnvrtc-builtins.so.13.0", "libnvJitLink.so.13", "libcudart.so.13",
        "libcublas-3b81d170.so.11", "/opt/packages/nvidia/cublas/lib/libcublas.so.13"}) {
    EXPECT_TRUE(is_of_nvidia(name)) << name;
  }
}

TEST(LibrariesOfNvidia, AreNotThoseOfTheProject) {
  for (const auto* name : {"libgemm.so", "libcufft_of_mine.so", "libcudnn_of_mine.so",
                           "libcudnn_ops_of_mine.so.9", "libcublas-like.so.1", "libmycublas.so",
                           "/opt/libcublas/libgemm.so", "libcublas.a", "served_test"}) {
    EXPECT_FALSE(is_of_nvidia(name)) << name;
  }
}

TEST(LibrariesOfNvidia, LieInAToolkit) {
  const auto root = empty_folder();
  const auto part = touch(root / "cuda" / "targets" / "x86_64-linux" / "lib" / "libnppif.so.13");
  const auto mine = touch(root / "lib" / "libmine.so");
  EXPECT_FALSE(is_of_nvidia(part.string())) << "no toolkit yet";
  touch(root / "cuda" / "bin" / "nvcc");
  touch(root / "cuda" / "nvvm" / "libdevice" / "libdevice.10.bc");
  EXPECT_TRUE(is_of_nvidia(part.string()));
  EXPECT_FALSE(is_of_nvidia(mine.string()));
  fs::create_symlink(part, root / "lib" / "libnppif.so.13");
  EXPECT_TRUE(is_of_nvidia((root / "lib" / "libnppif.so.13").string()));
}

TEST(LibrariesOfNvidia, AreNotAllThatACondaEnvironmentHolds) {
  const auto root = empty_folder();
  const auto mine = touch(root / "lib" / "libmine.so");
  touch(root / "bin" / "nvcc");
  touch(root / "nvvm" / "libdevice" / "libdevice.10.bc");
  EXPECT_TRUE(is_of_nvidia(mine.string()));
  fs::create_directories(root / "conda-meta");
  EXPECT_FALSE(is_of_nvidia(mine.string()));
}

TEST(LoadedFiles, BeginWithTheProgram) {
  const auto loaded = loaded_files();
  ASSERT_GT(loaded.judged.size(), 1U);
  EXPECT_EQ(fs::path(loaded.judged[0]).filename(), "gtest_test");
  EXPECT_EQ(loaded.left_out, 0U);
}

/// A check by a matrix file that promises 8.0 and 9.0 with CUDA 13.5.
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
