// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests audits without a promise: units without an arch of their file, and what explains them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "packages.hpp"

namespace archgrid::tests {
namespace {

using coverage::State;
using coverage::Verdict;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Package, AUnitWithoutAnArchOfItsFileIsAnError) {
  EXPECT_THAT(errors_in(file_with({sass("75", {kernel("k")}), sass("80", {kernel("k")})})),
              IsEmpty());
  const auto file = file_with({sass("80", {kernel("a"), kernel("b")})}, "forgotten.cu");
  EXPECT_THAT(errors_in(file), ElementsAre("unit-lacks-arch by unit: 2 on 7.5"));
  const auto result = audit_one(file, like_others());
  EXPECT_EQ(text_of(result.devices), "7.5 8.0 8.6 8.9");
  EXPECT_THAT(result.findings.at(0).cause->units, ElementsAre("forgotten.cu"));
  EXPECT_EQ(result.findings.at(0).cause->archs, "80");
  EXPECT_EQ(result.files.at(0).rows.at(0).kernel.name, "a");
  EXPECT_EQ(result.files.at(0).rows.at(0).fields.at(0).state, State::broken);
}

TEST(Package, KernelsOfManyUnitsAreOneCause) {
  auto file = file_of_many(5, {sass("75"), sass("80")});
  add_module(file, {sass("80", {kernel("a")})}).unit = "a.cu";
  add_module(file, {sass("80", {kernel("b")})}).unit = "b.cu";
  EXPECT_THAT(errors_in(file), ElementsAre("unit-lacks-arch by unit: 2 on 7.5"));
  EXPECT_THAT(audit_one(file, like_others()).findings.at(0).cause->units,
              ElementsAre("a.cu", "b.cu"));
}

TEST(Package, AKernelThatTheTakenImageLacksIsAnErrorWhereHostCodeLaunchesIt) {
  EXPECT_THAT(errors_in(file_with(
                  {sass("75", {kernel("other")}), sass("80", {kernel("other"), kernel("k")})})),
              ElementsAre("not-in-image by registered: 1 on 7.5"));
  EXPECT_THAT(suspects_in(file_with(
                  {sass("75", {kernel("other")}), sass("80", {kernel("other"), unnamed("k")})})),
              ElementsAre("not-in-image by not-registered: 1 on 7.5"));
}

TEST(Package, ANameThatDependsOnTheArchIsAnErrorOfItsOwn) {
  const auto file = file_with({sass("75", {unnamed("_Z4tileI7myhalf_EvPT_")}),
                               sass("80", {kernel("_Z4tileI9cudahalf_EvPT_")})});
  const auto result = audit_one(file, like_others());
  EXPECT_THAT(texts_of(result.findings), ElementsAre("name-differs by registered: 1 on 7.5"));
  EXPECT_THAT(texts_of(result.suspects),
              ElementsAre("not-in-image by not-registered: 1 on 8.0 8.6 8.9"));
}

TEST(Package, CodeWithASuffixAloneIsMeantForItsGpu) {
  auto file = file_of_many(3, {sass("80"), sass("90")});
  add_module(file, {sass("90a", {kernel("k")})});
  EXPECT_THAT(suspects_in(file), ElementsAre("unit-lacks-arch by suffix: 1 on 8.0 8.6 8.9"));
}

TEST(Package, NamesSayWhichGpusKernelsAreMeantFor) {
  EXPECT_THAT(suspects_in(file_with({sass("80", {kernel("_Z10gemm_sm80_Pf")})})),
              ElementsAre("unit-lacks-arch by named: 1 on 7.5"));
  EXPECT_THAT(suspects_in(file_with({sass("80", {kernel("k")})}, "gemm_sm80.cu")),
              ElementsAre("unit-lacks-arch by named: 1 on 7.5"));
}

TEST(Package, TypesThatTheGpuLacksExplainUnitsOfThatListOfArchs) {
  const auto bf16 = kernel("_Z4tileI13__nv_bfloat16EvPT_");
  EXPECT_THAT(suspects_in(file_with({sass("80", {bf16, kernel("_Z4tileIfEvPT_")})})),
              ElementsAre("unit-lacks-arch by types: 2 on 7.5"));
  const auto result =
      audit_one(file_with({sass("80", {bf16, kernel("_Z5otherPf")})}), like_others());
  EXPECT_THAT(texts_of(result.findings), ElementsAre("unit-lacks-arch by unit: 1 on 7.5"))
      << "no variant";
  EXPECT_THAT(errors_in(file_with({sass("75", {kernel("x")}), sass("80", {kernel("x"), bf16})})),
              ElementsAre("not-in-image by registered: 1 on 7.5"))
      << "the launch fails, whatever the type";
}

/// Returns a file with two units for each of several arch lists, none of which serves 7.5.
File file_with_lists(std::size_t lists) {
  const std::vector<std::vector<std::string>> all = {
      {"80"}, {"80", "86"}, {"80", "89"}, {"80", "90"}, {"80", "86", "90"}};
  auto file = file_of_many(19, {sass("75"), sass("80"), sass("90")});
  for (std::size_t list = 0; list < lists; ++list) {
    for (const auto* unit : {"a", "b"}) {
      const auto name = unit + std::string(list + 1, 'x');
      std::vector<Image> images;
      for (const auto& arch : all.at(list)) images.push_back(sass(arch, {kernel(name)}));
      add_module(file, std::move(images));
    }
  }
  return file;
}

TEST(Package, ManyListsOfArchsAreChosenOneByOne) {
  EXPECT_THAT(errors_in(file_with_lists(4)),
              testing::Contains("unit-lacks-arch by unit: 6 on 7.5 9.0"));
  EXPECT_THAT(suspects_in(file_with_lists(5)),
              ElementsAre("unit-lacks-arch by arch-lists: 10 on 7.5 9.0"));
}

TEST(Package, WhatCannotBeJudgedIsASuspect) {
  EXPECT_THAT(suspects_in(file_with({lto("75"), sass("80", {kernel("x")})})),
              testing::Contains(HasSubstr("unknown by unknown: 1 on 7.5")));
}

TEST(Package, ALaunchThatFailsIsAnErrorHoweverFewKernelsRun) {
  EXPECT_THAT(errors_in(file_of({sass("75", {}), sass("80"), sass("90")})),
              ElementsAre("not-in-image by registered: 1 on 7.5"));
  auto file = file_of_many(1, {sass("75"), sass("80")});
  add_module(file, {sass("75", {kernel("other")}), sass("80", {kernel("other"), kernel("x")})});
  add_module(file, {sass("75", {unnamed("y")}), sass("80", {kernel("z")})});
  EXPECT_THAT(errors_in(file), testing::Contains(HasSubstr("not-in-image by registered")));
}

TEST(Package, KernelsThatNothingLaunchesDoNotCount) {
  auto file = file_of_many(2, {sass("75"), sass("80")});
  add_module(file, {sass("90", {unnamed("a"), unnamed("b"), unnamed("c"), unnamed("d")})});
  EXPECT_EQ(text_of(audit_one(file, like_others()).devices), "7.5 8.0 8.6 8.9");
}

TEST(Package, AnObjectOfAStaticLibraryIsAUnit) {
  auto files = package_with({sass("80"), sass("90")});
  for (auto& file : files) {
    file.format = "object";
    file.path = "lib.a!" + file.path;
  }
  EXPECT_THAT(texts_of(audit_package(files).findings),
              ElementsAre("unit-lacks-arch by unit: 2 on 7.5"));
  files[0].path = "libbig.so";
  EXPECT_THAT(audit_package(files).findings, testing::SizeIs(1)) << "beside a library";
}

TEST(Package, PythonPicksAFileWhateverTheGpu) {
  std::vector<File> files = {file_of_many(9, {sass("75"), sass("80")}),
                             file_of_many(9, {sass("75"), sass("80")}),
                             file_of_many(9, {sass("80")})};
  files[0].path = "_C.cpython-310-x86_64-linux-gnu.so";
  files[1].path = "_D.cpython-310-x86_64-linux-gnu.so";
  for (auto& image : files[1].images) image.kernels[0].name += "d";
  files[2].path = "_C.cpython-311-x86_64-linux-gnu.so";
  EXPECT_THAT(texts_of(audit_package(files).suspects),
              ElementsAre("file-lacks-arch by newer-gpus: 9 on 7.5"));
}

TEST(Package, FewFilesForAGpuAreSaid) {
  auto files = package_with({sass("75"), sass("80"), sass("90"), sass("120")});
  EXPECT_THAT(texts_of(audit_package(files).suspects),
              ElementsAre("file-lacks-arch by minority: 9 on 12.0 12.1"));
}

TEST(Package, MachineCodeThatIsNotAcceptedIsASuspect) {
  auto wanted = like_others();
  wanted.accept_without_promise = coverage::Verdicts{Verdict::native};
  auto file = file_of_many(3, {sass("80"), sass("86")});
  add_module(file, {sass("80", {kernel("x")})});
  EXPECT_THAT(texts_of(audit_one(file, wanted).suspects),
              ElementsAre("compatible by compatible: 1 on 8.6"));
}

TEST(Package, AnObjectOfADeviceLinkIsAUnit) {
  File file = file_of_many(3, {sass("75"), sass("80")});
  add_module(file, {sass("75", {kernel("a")}), sass("80", {kernel("a"), kernel("b")})}).linked =
      true;
  add_module(file, {sass("75", {kernel("a")}), sass("80", {kernel("a")})}).relocatable = true;
  auto& part = add_module(file, {sass("80", {kernel("b")})});
  part.relocatable = true;
  part.unit = "b.cu";
  const auto result = audit_one(file, like_others());
  EXPECT_THAT(texts_of(result.findings), ElementsAre("unit-lacks-arch by unit: 1 on 7.5"));
  EXPECT_THAT(result.findings.at(0).cause->units, ElementsAre("b.cu"));
}

TEST(Package, HostCodeThatPicksMayHaveOtherCode) {
  auto file = file_of_many(3, {sass("75"), sass("80")});
  add_module(file, {sass("80", {kernel("picked")})}).registered = false;
  EXPECT_THAT(suspects_in(file), ElementsAre("unit-lacks-arch by host-picks: 1 on 7.5"));
}

TEST(Package, PtxIsASuspectWhereTheFileHasMachineCode) {
  EXPECT_THAT(suspects_in(file_with({ptx("75", "8.4", {kernel("k")})})),
              ElementsAre("jit by jit: 1 on 7.5 8.0 8.6 8.9"));
}

TEST(Package, WhatHostCodeCompilesAtRunTimeMayServe) {
  auto file = file_with({sass("80", {kernel("x")})});
  file.loaders = {"nvrtcCompileProgram"};
  EXPECT_THAT(suspects_in(file), ElementsAre("unit-lacks-arch by compiles: 1 on 7.5"));
}

TEST(Package, WhatSpeaksOfNvrtcMayCompileForOlderGpusAlone) {
  auto file = file_with({sass("80", {kernel("x")})});
  file.mentions_nvrtc = true;
  EXPECT_THAT(suspects_in(file), ElementsAre("unit-lacks-arch by compiles: 1 on 7.5"));
  auto without_new = file_of_many(3, {sass("80"), sass("90")});
  add_module(without_new, {sass("80", {kernel("x")})});
  without_new.mentions_nvrtc = true;
  EXPECT_THAT(errors_in(without_new), ElementsAre("unit-lacks-arch by unit: 1 on 9.0"));
}

/// Returns a kernel whose machine code contains the instructions.
fatbin::Kernel kernel_with(const std::vector<std::size_t>& opcodes, std::string name) {
  auto result = kernel(std::move(name));
  for (const auto opcode : opcodes) result.opcodes.set(opcode);
  return result;
}

TEST(Package, InstructionsThatTheGpuLacksExplainTheirUnit) {
  namespace opcode = fatbin::opcode;
  const auto products = kernel_with({opcode::kHmma, opcode::kLdgsts}, "products");
  EXPECT_THAT(suspects_in(file_with({sass("80", {kernel("sums"), products})})),
              ElementsAre("unit-lacks-arch by instructions: 2 on 7.5"));
  EXPECT_THAT(errors_in(file_with({sass("80", {kernel_with({opcode::kLdsm}, "loads")})})),
              ElementsAre("unit-lacks-arch by unit: 1 on 7.5"))
      << "7.5 has them";
  EXPECT_THAT(errors_in(file_with({sass("80", {kernel_with({opcode::kLdgsts}, "copies")})})),
              ElementsAre("unit-lacks-arch by unit: 1 on 7.5"))
      << "a plain copy there";
  auto of_newer = file_of_many(3, {sass("70"), sass("75"), sass("80")});
  add_module(of_newer, {sass("75", {kernel("products")}), sass("80", {products})});
  EXPECT_THAT(errors_in(of_newer), ElementsAre("unit-lacks-arch by unit: 1 on 7.0"))
      << "its oldest code has none";
  auto without_new = file_of_many(3, {sass("80"), sass("90")});
  add_module(without_new, {sass("80", {products})});
  EXPECT_THAT(errors_in(without_new), ElementsAre("unit-lacks-arch by unit: 1 on 9.0"))
      << "9.0 has them";
}

TEST(Package, LibrariesOfNvidiaPickByGpu) {
  auto file = file_with({sass("80", {kernel("x")})});
  file.path = "libcublas.so.13";
  EXPECT_THAT(suspects_in(file), ElementsAre("unit-lacks-arch by nvidia: 1 on 7.5"));
}

TEST(Package, ALibraryOfNvidiaRunsWhereSomeOfItsKernelsDo) {
  auto file = file_of_many(3, {sass("80")});
  add_module(file, {sass("75", {kernel("old")})});
  file.path = "libcublasLt.so.13";
  auto asked = like_others();
  asked.devices = {device("7.5"), device("9.0")};
  const auto result = audit_one(file, asked);
  EXPECT_EQ(result.answers.at(device("7.5")), coverage::Answer::runs);
  EXPECT_EQ(result.answers.at(device("9.0")), coverage::Answer::does_not_run);
  file.path = "libother.so";
  const auto other = audit_one(file, asked);
  EXPECT_EQ(other.answers.at(device("7.5")), coverage::Answer::runs_in_part) << "1 of 4 kernels";
  EXPECT_EQ(other.answers.at(device("9.0")), coverage::Answer::does_not_run);
  EXPECT_FALSE(other.findings.empty());
}

TEST(Package, ATypeThatProjectsCheckForIsASuspect) {
  EXPECT_THAT(suspects_in(file_with({sass("75", {kernel("other")}),
                                     sass("80", {kernel("other"), kernel("_Z4tile_fp8Pf")})})),
              testing::Contains("not-in-image by types: 1 on 7.5"));
}

TEST(Package, KernelsAmongThoseOfNvidiaAreOfItsLibraries) {
  auto file = file_of_many(6, {sass("75"), sass("80")});
  add_module(file, {sass("35", {kernel("cudnn_a"), kernel("cudnn_b"), kernel("cuPoolingNd")}),
                    sass("80", {kernel("cudnn_a"), kernel("cudnn_b"), kernel("cuPoolingNd")})});
  EXPECT_THAT(errors_in(file), IsEmpty());
  EXPECT_THAT(suspects_in(file), ElementsAre("unit-lacks-arch by nvidia: 3 on 7.5"));
}

TEST(Package, AUnitWithTheArchsOfOneThatNeedsThemIsASuspect) {
  auto file = file_of_many(5, {sass("70"), sass("80")});
  add_module(file, {sass("80", {kernel("products")})});
  file.images.back().kernels[0].opcodes.set(fatbin::opcode::kHmma).set(fatbin::opcode::kLdgsts);
  add_module(file, {sass("80", {kernel("repack")})});
  EXPECT_THAT(errors_in(file), IsEmpty());
  EXPECT_THAT(suspects_in(file), ElementsAre("unit-lacks-arch by instructions: 2 on 7.0 7.5"));
}

}  // namespace
}  // namespace archgrid::tests
