// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <archgrid/project/arch_lists.hpp>
#include <filesystem>
#include <fstream>

namespace archgrid::tests {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Returns "2 CMAKE_CUDA_ARCHITECTURES: 80 90a" for each list.
std::vector<std::string> lists_in(const std::string& text) {
  std::vector<std::string> found;
  for (const auto& list : project::arch_lists_in("x", text)) {
    std::vector<std::string> archs;
    for (const auto& arch : list.archs) archs.push_back(arch.text());
    found.push_back(fmt::format("{} {}: {}", list.line, list.name, fmt::join(archs, " ")));
  }
  return found;
}

TEST(ArchLists, OfCMakeAreFound) {
  EXPECT_THAT(lists_in("project(x)\nset(CMAKE_CUDA_ARCHITECTURES 75 80-real\n  90a)\n"),
              ElementsAre("2 CMAKE_CUDA_ARCHITECTURES: 75 80-real 90a"));
  EXPECT_THAT(lists_in("set_target_properties(x PROPERTIES CUDA_ARCHITECTURES \"80;90\")"),
              ElementsAre("1 CUDA_ARCHITECTURES: 80 90"));
  EXPECT_THAT(lists_in("cmake -DCMAKE_CUDA_ARCHITECTURES=\"80;90\" -DX=70"),
              ElementsAre("1 CMAKE_CUDA_ARCHITECTURES: 80 90"));
  EXPECT_THAT(lists_in("\"CMAKE_CUDA_ARCHITECTURES\": \"80-virtual\","),
              ElementsAre("1 CMAKE_CUDA_ARCHITECTURES: 80-virtual"));
}

TEST(ArchLists, OfOneNameAreOne) {
  EXPECT_THAT(lists_in("set(MY_CUDA_ARCHS 80)\nif(NEW)\n  list(APPEND MY_CUDA_ARCHS 120 100)\n"
                       "endif()\n"),
              ElementsAre("1 MY_CUDA_ARCHS: 80 100 120"));
}

TEST(ArchLists, OfPyTorchAreFound) {
  for (const auto* line :
       {"ENV TORCH_CUDA_ARCH_LIST=\"8.0;8.6+PTX\"", "TORCH_CUDA_ARCH_LIST: 8.0 8.6",
        "os.environ[\"TORCH_CUDA_ARCH_LIST\"] = \"8.0 8.6\""}) {
    EXPECT_THAT(lists_in(line), ElementsAre("1 TORCH_CUDA_ARCH_LIST: 80 86")) << line;
  }
}

TEST(ArchLists, OfNvccAreFound) {
  EXPECT_THAT(lists_in("FLAGS = -gencode=arch=compute_80,code=sm_80 \\\n"
                       "  -gencode arch=compute_90,code=\"sm_90a\" -gencode "
                       "arch=compute_90,code=compute_90\n"),
              ElementsAre("1 -gencode: 80-real 90a-real 90-virtual"));
  EXPECT_THAT(lists_in("nvcc -arch=sm_75 x.cu"), ElementsAre("1 -gencode: 75-real"));
}

TEST(ArchLists, ThatMakeComputesAreFound) {
  EXPECT_THAT(lists_in("SMS ?= 75 80 86\n"
                       "GENCODE := $(foreach s,$(SMS),-gencode arch=compute_$(s),code=sm_$(s))\n"
                       "slow.o:\n\tnvcc -gencode arch=compute_80,code=sm_80 -c slow.cu\n"),
              ElementsAre("1 SMS: 75 80 86", "4 -gencode: 80-real"));
  EXPECT_THAT(lists_in("ifeq ($(ARCH),x)\nSMS ?= 50 60\nelse\nSMS ?= 60 90\nendif\n"
                       "$(foreach sm,$(SMS),$(eval FLAGS += -gencode "
                       "arch=compute_$(sm),code=sm_$(sm)))\n"),
              ElementsAre("2 SMS: 50 60 90"));
  EXPECT_THAT(lists_in("SM ?= 80\nall:\n\tnvcc -gencode arch=compute_$(SM),code=sm_${SM} x.cu\n"),
              ElementsAre("1 SM: 80"));
  EXPECT_THAT(lists_in("ARCH := sm_90a\nall:\n\tnvcc -arch=$(ARCH) x.cu\n"),
              ElementsAre("1 ARCH: 90a-real"));
  EXPECT_THAT(lists_in("F := $(foreach n,75 80,-gencode \\\n  arch=compute_$(n),code=sm_$(n))\n"),
              ElementsAre("1 n: 75 80"));
  EXPECT_THAT(lists_in("SMS = 75 80\nF = $(SMS:%=-gencode=arch=compute_%,code=sm_%)\n"),
              ElementsAre("1 SMS: 75 80"));
  EXPECT_THAT(lists_in("NUMBERS = 75 80\nX := $(foreach n,$(NUMBERS),file_$(n).o)\n"),
              testing::IsEmpty());
}

/// Returns the line of a Makefile whose archs are not read, or 0.
std::size_t unread_line(const std::string& text, const std::string& path = "Makefile") {
  const auto unread = project::unread_archs_in(path, text);
  return unread ? unread->line : 0;
}

TEST(ArchLists, ThatAreComputedButNotReadAreNoted) {
  const std::string use = "all:\n\tnvcc -gencode arch=compute_$(SM),code=sm_$(SM) x.cu\n";
  EXPECT_EQ(unread_line("SM := $(shell ./gpu)\n" + use), 3U);
  EXPECT_EQ(unread_line(use), 2U) << "of the environment, or another file";
  EXPECT_EQ(unread_line("SM = $(SM)\n" + use), 3U);
  EXPECT_EQ(unread_line("SM = native\n" + use), 3U);
  EXPECT_EQ(unread_line("all:\n\tfor s in 75 80; do nvcc -arch=sm_$$s x.cu; done\n"), 2U);
  EXPECT_EQ(unread_line("define flags\n-gencode arch=compute_$(1),code=sm_$(1)\nendef\n"), 2U);
  EXPECT_EQ(unread_line("A = 80\nF = $(foreach s,$(A) $(B),-gencode arch=compute_$(s))\n"), 2U);
  EXPECT_EQ(unread_line("all:\n\tnvcc -arch=$(GPU) x.cu\n"), 2U);
  EXPECT_EQ(unread_line("all:\n\t$(NVCC) -O3 -arch $(GPU) x.cu\n"), 2U);
  EXPECT_EQ(unread_line(use, "GNUmakefile"), 2U);
}

TEST(ArchLists, ThatAreReadOrNotOfCudaAreNotNoted) {
  const std::string use = "all:\n\tnvcc -gencode arch=compute_$(SM),code=sm_$(SM) x.cu\n";
  EXPECT_EQ(unread_line("SM ?= 80\n" + use), 0U);
  EXPECT_EQ(unread_line("# archgrid: ignore\n" + use.substr(use.find('\t'))), 0U);
  EXPECT_EQ(unread_line("# " + use.substr(use.find('\t'))), 0U);
  EXPECT_EQ(unread_line(use, "build.yml"), 0U);
  EXPECT_EQ(unread_line("all:\n\tclang -arch $(MACHINE) x.c\n"), 0U) << "Apple's option";
  EXPECT_EQ(unread_line("NVCC = nvcc\nCCFLAGS += -arch $(HOST_ARCH)\n"), 0U);
  EXPECT_EQ(unread_line("NVCC = nvcc\nimage:\n\tdebootstrap --arch=$(MACHINE) x\n"), 0U);
  EXPECT_EQ(unread_line("ARCH ?= sm_75\nNVCCFLAGS = -gencode "
                        "arch=compute_$(subst sm_,,$(ARCH)),code=$(ARCH)\n"),
            0U);
  EXPECT_EQ(unread_line("ARCHS ?= 75 80\nNVCC_PTX := -gencode "
                        "arch=compute_$(lastword $(ARCHS)),code=compute_$(lastword $(ARCHS))\n"),
            0U);
  EXPECT_EQ(unread_line("out/sm_$(SM)/x.o: x.cu\n\tnvcc -arch=sm_80 x.cu\n"), 0U);
  // As in NVIDIA's samples.
  EXPECT_EQ(unread_line("SMS ?= 50 60\nifeq ($(GENCODE_FLAGS),)\n"
                        "$(foreach sm,$(SMS),$(eval GENCODE_FLAGS += -gencode "
                        "arch=compute_$(sm),code=sm_$(sm)))\n"
                        "HIGHEST_SM := $(lastword $(sort $(SMS)))\n"
                        "ifneq ($(HIGHEST_SM),)\nGENCODE_FLAGS += -gencode "
                        "arch=compute_$(HIGHEST_SM),code=compute_$(HIGHEST_SM)\nendif\nendif\n"),
            0U);
}

TEST(ArchLists, AreOfArchsAlone) {
  EXPECT_THAT(lists_in("set(CMAKE_CUDA_ARCHITECTURES native)\nset(ARCH x86_64)\n"
                       "if(CUDA_ARCH VERSION_LESS 95)\nARCHIVE=80 files\nARCHS: 7\n"),
              IsEmpty());
}

TEST(ArchLists, EndsOfRangesAreNone) {
  EXPECT_THAT(lists_in("set(LATEST_SUPPORTED_CUDA_ARCHITECTURE 90)\nset(MIN_ARCHS 75)\n"
                       "set(CUDA_ARCH_max 90)\n"),
              IsEmpty());
  EXPECT_THAT(lists_in("set(MINE_ARCHS 75)"), ElementsAre("1 MINE_ARCHS: 75"));
  EXPECT_THAT(lists_in("MAX_CUDA_ARCHS \"80;90\""), ElementsAre("1 MAX_CUDA_ARCHS: 80 90"));
}

TEST(ArchLists, LongLinesAreData) {
  constexpr std::size_t kMillion = 1 << 20;
  const std::string list = "\nX_ARCHS = 80 90\n";
  for (const auto& word : {std::string(kMillion, 'a'), '"' + std::string(kMillion, '0') + '"',
                           "Y_ARCHS = " + std::string(kMillion, ' ')}) {
    EXPECT_THAT(lists_in(word + list), ElementsAre("2 X_ARCHS: 80 90"));
  }
  std::string words;  // a search from each letter would take a minute
  while (words.size() < kMillion) words += std::string(9000, 'a') + "\n";
  EXPECT_THAT(lists_in(words + "X_ARCHS = 80"), ElementsAre("118 X_ARCHS: 80"));
  std::string comments = "X_ARCHS =\n";
  while (comments.size() < kMillion) comments += "# a comment\n";
  EXPECT_THAT(lists_in(comments + "80 90\n"), ElementsAre("1 X_ARCHS: 80 90"));
}

TEST(ArchLists, IgnoredLinesAreLeftOut) {
  EXPECT_THAT(lists_in("# archgrid: ignore\nset(A_ARCHS 80)\nset(B_ARCHS 90)\n"
                       "set(C_ARCHS 70) # archgrid: ignore\nset(D_ARCHS 75)\n"),
              ElementsAre("3 B_ARCHS: 90", "5 D_ARCHS: 75"));
}

TEST(ArchLists, CommentsAndMacrosAreNone) {
  EXPECT_THAT(
      lists_in("# X_ARCHS=80\n  // X_ARCHS=80\n-D__CUDA_ARCH__=750\nset(__CUDA_ARCH__ 75)\n"),
      IsEmpty());
}

TEST(ArchLists, KnowTheToolkitOfTheirImage) {
  const auto toolkit = [](const std::string& text) {
    const auto lists = project::arch_lists_in("Dockerfile", text + "\nENV CUDAARCHS=80\n");
    return lists.at(0).toolkit ? lists[0].toolkit->text() : "";
  };
  EXPECT_EQ(toolkit("FROM nvidia/cuda:12.4.1-devel-ubuntu22.04"), "12.4");
  EXPECT_EQ(toolkit("FROM nvidia/cuda:12.4.1-devel\nFROM nvidia/cuda:11.8.0-base"), "");
  EXPECT_EQ(toolkit("FROM debian"), "");
}

TEST(ArchLists, AreLookedForInBuildFilesOfTheProject) {
  const auto folder = fs::temp_directory_path() / "archgrid-project" / "find";
  fs::remove_all(folder);
  const auto write = [&](const std::string& name) {
    fs::create_directories((folder / name).parent_path());
    std::ofstream(folder / name) << "X_ARCHS=80\n";
  };
  for (const auto* name :
       {"CMakeLists.txt", ".github/workflows/ci.yml", "docker/Dockerfile.cuda", "src/x.cu",
        "third_party/y/CMakeLists.txt", ".hidden/Makefile", "build/CMakeCache.txt",
        "build/Makefile", "tests/CMakeLists.txt", "nested/.git/HEAD", "nested/Makefile"}) {
    write(name);
  }
  std::vector<std::string> paths;
  for (const auto& list : project::find_project_archs(folder).lists) paths.push_back(list.path);
  EXPECT_THAT(paths,
              ElementsAre(".github/workflows/ci.yml", "CMakeLists.txt", "docker/Dockerfile.cuda"));
  EXPECT_THROW(project::find_project_archs(folder / "nowhere"), std::runtime_error);
}

}  // namespace
}  // namespace archgrid::tests
