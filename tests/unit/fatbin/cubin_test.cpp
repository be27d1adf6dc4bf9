// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests small cubins that claim a lot.
#include "cubin.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels.hpp"
#include "made.hpp"
#include "reading.hpp"
#include "samples.hpp"

namespace archgrid::tests {
namespace {

using ::testing::HasSubstr;

TEST(MadeCubin, IsRead) {
  const auto file =
      read_made(made_cubin({kernel_symbol(1), kernel_symbol(7)}, {"\0first\0second\0", 14},
                           /*code=*/32));
  EXPECT_EQ(complaints(file), "");
  ASSERT_EQ(file.images.size(), 1U);
  ASSERT_EQ(file.images[0].kernels.size(), 2U);
  EXPECT_EQ(file.images[0].kernels[1].name, "second");
}

TEST(MadeCubin, NamesMayShareTheirEndings) {
  const auto file =
      read_made(made_cubin({kernel_symbol(1), kernel_symbol(4)}, {"\0subkernel\0", 11}));
  EXPECT_EQ(complaints(file), "");
  EXPECT_EQ(file.images.at(0).kernels.at(1).name, "kernel");
}

TEST(MadeCubin, TellsWhetherItHoldsVariables) {
  for (const auto* section :
       {".nv.global", ".nv.global.init", ".nv.constant3", ".nv.constant0.k"}) {
    auto cubin = made_cubin({kernel_symbol(1)}, {"\0k\0", 3});
    EXPECT_FALSE(read_made(cubin).images.at(0).variables);
    cubin.sections.push_back({section, 1, "data"});
    EXPECT_EQ(read_made(cubin).images.at(0).variables, section != std::string(".nv.constant0.k"));
  }
}

TEST(MadeCubin, RelocatableOnesNameWhatTheyLackAndWhatTheyOffer) {
  const std::string names("\0k\0need\0vprintf\0give\0cudaMalloc\0tab\0dyn\0", 40);
  const std::vector<MadeSymbol> symbols = {kernel_symbol(1),
                                           {3, 0, 0x12},
                                           {8, 0, 0x12},
                                           {16, 1, 0x12},
                                           {21, 0, 0x12},
                                           {32, 0, 0x1d, 0x20, 0, 16},
                                           {36, 0, 0x1d, 0x40, 0, 0}};
  auto cubin = made_cubin(symbols, names);
  const auto linked = read_made(cubin);
  EXPECT_TRUE(linked.images.at(0).undefined.empty());
  EXPECT_TRUE(linked.images.at(0).defined.empty());
  cubin.type = 1;
  const auto file = read_made(cubin);
  EXPECT_EQ(complaints(file), "");
  EXPECT_THAT(file.images.at(0).undefined, ::testing::ElementsAre("need", "tab"));
  EXPECT_THAT(file.images.at(0).defined, ::testing::ElementsAre("give"));
}

TEST(MadeCubin, TellsProductsOf2To4SparseMatricesFromDenseOnes) {
  std::string code;
  for (const std::uint64_t word :
       {0x0004000c0804723cULL, 0x044ff60000005a04ULL,     // HMMA.SP.16832.F32
        0x0000000c0804723cULL, 0x0c4ff60000001804ULL}) {  // HMMA.16816.F32
    put(code, code.size(), word);
  }
  MadeSymbol dense = kernel_symbol(8);
  dense.value = 16;
  auto cubin = made_cubin({kernel_symbol(1), dense}, {"\0sparse\0dense\0", 14});
  cubin.sections[0].data = code;
  const auto file = read_made(cubin);
  EXPECT_EQ(complaints(file), "");
  ASSERT_EQ(file.images.size(), 1U);
  ASSERT_EQ(file.images[0].kernels.size(), 2U);
  for (const auto& kernel : file.images[0].kernels) {
    EXPECT_TRUE(kernel.opcodes.test(fatbin::opcode::kHmma)) << kernel.name;
    EXPECT_EQ(kernel.uses_sparse_mma, kernel.name == "sparse") << kernel.name;
  }
}

TEST(MadeCubin, ManyNamesOutOfOneLongStringAreRefused) {
  const std::string names = '\0' + std::string(20000, 'k') + '\0';
  const auto file = read_made(made_cubin(std::vector<MadeSymbol>(2000, kernel_symbol(1)), names));
  EXPECT_THAT(complaints(file), HasSubstr("symbol names overlap"));
  for (const auto& image : file.images) EXPECT_EQ(image.kernels.size(), 0U);
}

TEST(MadeCubin, ManyKernelsOfTheSameCodeAreRefused) {
  const auto kernels = std::vector<MadeSymbol>(2000, kernel_symbol(1, 1U << 16));
  const auto file = read_made(made_cubin(kernels, {"\0k\0", 3}, /*code=*/1U << 16));
  EXPECT_THAT(complaints(file), HasSubstr("code overlaps"));
}

TEST(MadeCubin, ASecondSymbolTableIsRefused) {
  auto cubin = made_cubin({kernel_symbol(1)}, {"\0k\0", 3});
  cubin.sections.push_back(cubin.sections.back());
  EXPECT_THAT(complaints(read_made(cubin)), HasSubstr("second symbol table"));
}

/// Returns a note of ptxas with a release: its texts are the tool and the release.
std::string tool_note(const std::string& release) {
  std::string note;
  put<std::uint32_t>(note, 12 + 12, 6);
  note.resize(12 + 24, '\0');
  return note + "ptxas" + '\0' + "tools, release " + release + '\0';
}

TEST(MadeCubin, ReleasesThatNoToolkitHasTellNothingOfSpills) {
  constexpr std::uint32_t kNote = 7;
  for (const auto* release : {"", ".", "12", "x.1", "99999999999.1", "4294967295.4294967295"}) {
    auto cubin = made_cubin({kernel_symbol(1)}, {"\0k\0", 3}, 16, 100U << 8);
    cubin.abi = 8;
    cubin.sections.push_back({".note.nv.tkinfo", kNote, tool_note(release)});
    const auto file = read_made(cubin);
    EXPECT_EQ(complaints(file), "") << release;
    EXPECT_EQ(file.images.at(0).kernels.size(), 1U) << release;
  }
}

TEST(MadeCubin, ArchsBeforeSuffixesHaveNone) {
  const auto arch_of = [](std::uint32_t flags) {
    return read_made(made_cubin({kernel_symbol(1)}, {"\0k\0", 3}, 16, flags))
        .images.at(0)
        .arch.text();
  };
  EXPECT_EQ(arch_of(0x320d32), "50") << "of an old cuBLAS";
  EXPECT_EQ(arch_of(0x5a0d5a), "90a");
}

TEST(MadeCubin, AVersionThatNoToolkitHasIsRead) {
  auto text = bytes_of(made_cubin({kernel_symbol(1)}, {"\0k\0", 3}));
  put<std::uint32_t>(text, 20, 0xfffffff9);
  EXPECT_EQ(complaints(fatbin::read_bytes(text, "made")), "");
}

TEST(KernelList, RefusesNamesThatTheImageCannotHold) {
  const std::string image(1000, ' ');
  fatbin::KernelList kernels{fatbin::Bytes(image)};
  for (int round = 0; round < 10; ++round) kernels.add(std::string(100, 'k'));
  EXPECT_THROW(kernels.add("k"), fatbin::Unreadable);
}

TEST(KernelList, RefusesALongName) {
  const std::string image(fatbin::kLongestName * 2, ' ');
  fatbin::KernelList kernels{fatbin::Bytes(image)};
  kernels.add(std::string(fatbin::kLongestName, 'k'));
  EXPECT_THROW(kernels.add(std::string(fatbin::kLongestName + 1, 'k')), fatbin::Unreadable);
}

TEST(KernelList, RefusesMoreKernelsThanAnyImageHas) {
  const std::string image(fatbin::kMaxKernels * 2, ' ');
  fatbin::KernelList kernels{fatbin::Bytes(image)};
  for (std::uint64_t count = 0; count < fatbin::kMaxKernels; ++count) kernels.add("k");
  EXPECT_THROW(kernels.add("k"), fatbin::Unreadable);
}

}  // namespace
}  // namespace archgrid::tests
