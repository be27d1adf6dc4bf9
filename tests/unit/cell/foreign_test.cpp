// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "cells.hpp"

namespace archgrid::tests {
namespace {

/// Two toolkits, a project and a folder of unrelated files.
class Foreign : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = folder();
    for (const auto* toolkit : {"own", "other"}) {
      write(root_ / toolkit / "bin/nvcc", "");
      write(root_ / toolkit / "include/cuda_runtime_api.h", "");
      write(root_ / toolkit / "lib64/libcudart_static.a", "");
      write(root_ / toolkit / "lib64/libcublas.so", "");
      write(root_ / toolkit / "lib64/stubs/libcuda.so", "");
    }
    write(root_ / "other/include/cublas_v2.h", "");
    write(root_ / "other/include/zlib.h", "");
    write(root_ / "elsewhere/include/cublas_v2.h", "");
    write(root_ / "elsewhere/libcublas.so", "");
    write(root_ / "elsewhere/libcudart_static.a", "");
    fs::create_directories(root_ / "build");
    place_ = {root_ / "own", root_ / "build", ""};
  }

  std::string tools(const std::string& command) {
    std::string text;
    for (const auto& part : cell::foreign_tools(cell::parse_commands(command), place_)) {
      text += fs::path(part.path).lexically_relative(root_).string() + "|" + part.library + "\n";
    }
    return text;
  }

  std::string headers(const std::string& header) {
    std::string text;
    const auto deps = "x.o: #deps 1, deps mtime 1 (VALID)\n    " + header + "\n\n";
    for (const auto& part : cell::foreign_headers(deps, place_)) {
      text += fs::path(part.path).lexically_relative(root_).string() + "|" + part.library + "\n";
    }
    return text;
  }

  [[nodiscard]] std::string at(const std::string& path) const { return (root_ / path).string(); }

  fs::path root_;
  cell::Surroundings place_;
};

TEST_F(Foreign, TheOwnToolkitIsNot) {
  EXPECT_EQ(tools(at("own/bin/nvcc") + " -c a.cu"), "");
  EXPECT_EQ(tools("g++ a.o " + at("own/lib64/libcublas.so")), "");
  EXPECT_EQ(tools("g++ a.o -L" + at("own/lib64") + " -lcudart_static"), "");
  EXPECT_EQ(headers(at("own/include/cuda_runtime_api.h")), "");
}

TEST_F(Foreign, Compilers) {
  EXPECT_EQ(tools("ccache " + at("other/bin/nvcc") + " -c a.cu"), "other/bin/nvcc|\n");
}

TEST_F(Foreign, TheCompilerOfFindCUDAIsInItsScripts) {
  const auto script = at("build/x.cu.o.cmake");
  const auto command = "cmake -D generated_file:STRING=x.cu.o -P " + script;
  write(script, "set(CUDA_NVCC_EXECUTABLE \"" + at("other/bin/nvcc") + "\") # path\n");
  EXPECT_EQ(tools(command), "other/bin/nvcc|\n");
  write(script, "set(CUDA_NVCC_EXECUTABLE \"" + at("own/bin/nvcc") + "\") # path\n");
  EXPECT_EQ(tools(command), "");
}

TEST_F(Foreign, Libraries) {
  EXPECT_EQ(tools("g++ a.o " + at("other/lib64/libcublas.so")),
            "other/lib64/libcublas.so|cublas\n");
  EXPECT_EQ(tools("g++ a.o -L" + at("other/lib64") + " -L" + at("own/lib64") + " -lcublas"),
            "other/lib64/libcublas.so|cublas\n");
  EXPECT_EQ(tools("g++ a.o \"-L" + at("own/lib64") + "\" -L" + at("other/lib64") + " -lcublas"),
            "");
  EXPECT_EQ(tools("cd include && g++ a.o other/lib64/libcublas.so"), "");
  EXPECT_EQ(tools("cd " + root_.string() + " && g++ a.o other/lib64/libcublas.so"),
            "other/lib64/libcublas.so|cublas\n");
}

TEST_F(Foreign, LibrariesOfTheEnvironment) {
  place_.library_path = at("other/lib64");
  EXPECT_EQ(tools("g++ a.o -lcublas"), "other/lib64/libcublas.so|cublas\n");
}

TEST_F(Foreign, LibrariesOfNoToolkitAreNotButTheRuntimeIs) {
  EXPECT_EQ(tools("g++ a.o " + at("elsewhere/libcublas.so")), "");
  EXPECT_EQ(tools("g++ a.o " + at("elsewhere/libcudart_static.a")),
            "elsewhere/libcudart_static.a|\n");
}

TEST_F(Foreign, StubsOfTheDriverAreNot) {
  EXPECT_EQ(tools("g++ a.o " + at("other/lib64/stubs/libcuda.so")), "");
}

TEST_F(Foreign, Headers) {
  EXPECT_EQ(headers(at("other/include/cublas_v2.h")), "other/include/cublas_v2.h|cublas\n");
  EXPECT_EQ(headers("../other/include/cuda_runtime_api.h"), "other/include/cuda_runtime_api.h|\n");
  EXPECT_EQ(headers(at("other/include/zlib.h")), "") << "not NVIDIA's";
  EXPECT_EQ(headers(at("elsewhere/include/cublas_v2.h")), "") << "in no toolkit";
}

TEST_F(Foreign, LinksAreWhatTheyLeadTo) {
  fs::create_directory_symlink(root_ / "own", root_ / "link");
  EXPECT_EQ(tools("g++ a.o " + at("link/lib64/libcublas.so")), "");
  fs::create_directory_symlink(root_ / "other", root_ / "own/extra");
  EXPECT_EQ(tools("g++ a.o " + at("own/extra/lib64/libcublas.so")),
            "own/extra/lib64/libcublas.so|cublas\n");
}

TEST_F(Foreign, AToolkitOfLinksIsOneWithWhatItLinksTo) {
  write(root_ / "linked/bin/nvcc", "");
  fs::create_directories(root_ / "linked/lib64");
  fs::create_symlink(root_ / "other/lib64/libcublas.so", root_ / "linked/lib64/libcublas.so");
  place_.root = root_ / "linked";
  EXPECT_EQ(tools("g++ a.o " + at("linked/lib64/libcublas.so")), "");
}

TEST_F(Foreign, HeadersOfOtherProjectsBesideAToolkitAreNot) {
  for (const auto* header :
       {"opencv4/opencv2/core/cuda_types.hpp", "hwloc/cudart.h", "mine/cublas_v2.h"}) {
    write(root_ / "other/include" / header, "");
    EXPECT_EQ(headers(at("other/include/") + header), "") << header;
  }
  for (const auto* header : {"cuda_fp16.h", "curand_kernel.h", "thrust/sort.h"}) {
    write(root_ / "other/include" / header, "");
    EXPECT_NE(headers(at("other/include/") + header), "") << header;
  }
}

TEST_F(Foreign, LibrariesNamedLikeTheRuntimeAreNot) {
  write(root_ / "elsewhere/libcudart_stub.so", "");
  EXPECT_EQ(tools("g++ a.o " + at("elsewhere/libcudart_stub.so")), "");
  EXPECT_NE(tools("g++ a.o " + at("elsewhere/libcudart_static.a")), "");
}

TEST_F(Foreign, FilesOfTheBuildAreNotUnlessTheyLeadOutOfIt) {
  write(root_ / "build/libcudart.so", "");
  EXPECT_EQ(tools("g++ a.o libcudart.so"), "");
  fs::create_symlink(root_ / "other/lib64/libcudart_static.a", root_ / "build/libcudart_static.a");
  EXPECT_NE(tools("g++ a.o libcudart_static.a"), "");
  write(root_ / "build/fetched/bin/nvcc", "");
  write(root_ / "build/fetched/lib64/libcublas.so", "");
  EXPECT_NE(tools("g++ a.o fetched/lib64/libcublas.so"), "") << "a whole toolkit";
}

TEST_F(Foreign, TheSamePartOfTheOwnToolkitIsKnown) {
  const auto own = [&](const std::string& command) {
    const auto found = cell::foreign_tools(cell::parse_commands(command), place_);
    return found.empty() ? "nothing" : found[0].own;
  };
  EXPECT_EQ(own("g++ a.o " + at("other/lib64/libcublas.so")), at("own/lib64/libcublas.so"));
  EXPECT_EQ(own(at("other/bin/nvcc") + " -c a.cu"), at("own/bin/nvcc"));
  EXPECT_EQ(own("g++ a.o " + at("elsewhere/libcudart_static.a")),
            at("own/lib64/libcudart_static.a"));
  write(root_ / "other/lib/libcublas.so.12", "");
  EXPECT_EQ(own("g++ a.o " + at("other/lib/libcublas.so.12")), at("own/lib64/libcublas.so"));
  write(root_ / "other/lib64/libcufft.so", "");
  EXPECT_EQ(own("g++ a.o " + at("other/lib64/libcufft.so")), "");
}

TEST(Describe, NamesTheFirstAndTheFix) {
  const std::string head = "uses another CUDA toolkit than its own: ";
  EXPECT_EQ(cell::describe({{"/o/libcublas.so", "cublas", ""}, {"/o/cufft.h", "cufft", ""}}),
            head +
                "/o/libcublas.so and 1 more: write \"libraries\": [\"cublas\", \"cufft\"] into "
                "the matrix file");
  EXPECT_EQ(cell::describe({}), "");
}

TEST(Describe, WhatTheOwnToolkitHasIsToBeReplaced) {
  const std::string head = "uses another CUDA toolkit than its own: ";
  EXPECT_EQ(cell::describe({{"/o/libcublas.so", "cublas", "/t/libcublas.so"}}),
            head +
                "/o/libcublas.so: replace it by /t/libcublas.so, as CUDAToolkit_ROOT says in a "
                "cell");
  EXPECT_EQ(cell::describe({{"/o/cufft.h", "cufft", ""}, {"/o/bin/nvcc", "", "/t/bin/nvcc"}}),
            head +
                "/o/cufft.h and 1 more: write \"libraries\": [\"cufft\"] into the matrix file; "
                "and replace /o/bin/nvcc by /t/bin/nvcc, as CUDAToolkit_ROOT says in a cell");
  EXPECT_EQ(cell::describe({{"/o/include/cuda/x.h", "", ""}}),
            head +
                "/o/include/cuda/x.h: take it from CUDAToolkit_ROOT, which is the cell's own "
                "toolkit");
}

}  // namespace
}  // namespace archgrid::tests
