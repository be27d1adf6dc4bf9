// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "loaded_files.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "folders.hpp"

namespace archgrid::gtest {
namespace {

namespace fs = std::filesystem;

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
  LoadedFilesWatch watch;
  const auto loaded = watch.fresh();
  ASSERT_GT(loaded.judged.size(), 1U);
  EXPECT_EQ(fs::path(loaded.judged[0]).filename(), "gtest_test");
  EXPECT_EQ(loaded.left_out, 0U);
  EXPECT_EQ(loaded.vanished, 0U);
  EXPECT_TRUE(watch.fresh().judged.empty());
}

/// A shared object that this program has not loaded yet.
constexpr const char* kLibrary = "libanl.so.1";

TEST(LoadedFiles, AreToldOnce) {
  LoadedFilesWatch watch;
  watch.fresh();
  void* const library = dlopen(kLibrary, RTLD_NOW);
  ASSERT_NE(library, nullptr) << dlerror();
  const auto loaded = watch.fresh();
  ASSERT_EQ(loaded.judged.size(), 1U);
  EXPECT_EQ(fs::path(loaded.judged[0]).filename(), kLibrary);
  EXPECT_EQ(loaded.vanished, 0U);
  EXPECT_TRUE(watch.fresh().judged.empty());
  dlclose(library);
}

TEST(LoadedFiles, ThatAreGoneAgainAreCounted) {
  LoadedFilesWatch watch;
  watch.fresh();
  void* const library = dlopen(kLibrary, RTLD_NOW);
  ASSERT_NE(library, nullptr) << dlerror();
  ASSERT_EQ(dlclose(library), 0);
  const auto loaded = watch.fresh();
  EXPECT_TRUE(loaded.judged.empty());
  EXPECT_EQ(loaded.vanished, 1U);
  EXPECT_EQ(watch.fresh().vanished, 0U);
}

}  // namespace
}  // namespace archgrid::gtest
