// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests audits without a promise: each rule that makes a gap an error or a suspect, and the file
// without the gap.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "requests.hpp"

namespace archgrid::tests {
namespace {

using coverage::Audit;
using coverage::Finding;
using coverage::Request;
using coverage::Rule;
using coverage::State;
using coverage::Verdict;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

Request like_others() {
  Request wanted;
  wanted.like_other_kernels = coverage::default_verdicts();
  return wanted;
}

std::string text_of(const std::vector<coverage::Device>& devices) {
  std::string text;
  for (const auto device : devices) text += (text.empty() ? "" : " ") + device.text();
  return text;
}

/// Returns "unit-lacks-arch by unit: 2 on 7.5".
std::string text_of(const Finding& finding) {
  return finding.code + " by " + coverage::name_of(finding.cause->rule) + ": " +
         std::to_string(finding.kernels) + " on " + text_of(finding.cause->devices);
}

std::vector<std::string> texts_of(const std::vector<Finding>& findings) {
  std::vector<std::string> texts;
  for (const auto& finding : findings) texts.push_back(text_of(finding));
  return texts;
}

std::vector<std::string> errors_in(const File& file) {
  return texts_of(audit_one(file, like_others()).findings);
}

std::vector<std::string> suspects_in(const File& file) {
  const auto result = audit_one(file, like_others());
  EXPECT_THAT(texts_of(result.findings), IsEmpty());
  return texts_of(result.suspects);
}

/// Returns a file with three kernels for 7.5 and 8.0, and one more module with these images.
File file_with(std::vector<Image> images, const std::string& unit = "") {
  auto file = file_of_many(3, {sass("75"), sass("80")});
  add_module(file, std::move(images)).unit = unit;
  return file;
}

/// Returns a package with a large file for 7.5, 8.0 and 9.0, and a small one with its own kernels.
std::vector<File> package_with(const std::vector<Image>& images) {
  std::vector<File> files = {file_of_many(9, {sass("75"), sass("80"), sass("90")}),
                             file_of_many(2, images)};
  files[1].path = "libsmall.so";
  for (auto& image : files[1].images) image.kernels[0].name = "small_" + image.kernels[0].name;
  return files;
}

Audit audit_package(std::vector<File> files) {
  return coverage::audit(std::move(files), like_others());
}

TEST(Package, AUnitWithoutAnArchOfItsFileIsAnError) {
  EXPECT_THAT(errors_in(file_with({sass("75", {kernel("k")}), sass("80", {kernel("k")})})),
              IsEmpty());
  const auto file = file_with({sass("80", {kernel("a"), kernel("b")})}, "forgotten.cu");
  EXPECT_THAT(errors_in(file), ElementsAre("unit-lacks-arch by unit: 2 on 7.5"));
  const auto result = audit_one(file, like_others());
  EXPECT_EQ(text_of(result.devices), "7.5 8.0 8.6 8.8 8.9");
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
              ElementsAre("not-in-image by not-registered: 1 on 8.0 8.6 8.8 8.9"));
}

TEST(Package, CodeWithASuffixAloneIsMeantForItsGpu) {
  auto file = file_of_many(3, {sass("80"), sass("90")});
  add_module(file, {sass("90a", {kernel("k")})});
  EXPECT_THAT(suspects_in(file), ElementsAre("unit-lacks-arch by suffix: 1 on 8.0 8.6 8.8 8.9"));
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
      << "of another family";
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
  EXPECT_EQ(text_of(audit_one(file, like_others()).devices), "7.5 8.0 8.6 8.8 8.9");
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
  wanted.like_other_kernels = coverage::Verdicts{Verdict::native};
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
              ElementsAre("jit by jit: 1 on 7.5 8.0 8.6 8.8 8.9"));
}

std::vector<Image> refusing_on_75(const std::string& name, Body body) {
  return {sass("75", {kernel(name, body)}), sass("80", {kernel(name)})};
}

TEST(Package, ABodyThatRefusesIsAnErrorWhereNoneOfItsFamilyWorks) {
  EXPECT_THAT(errors_in(file_with(refusing_on_75("_Z4tileIfEvPT_", Body::empty))),
              ElementsAre("empty by no-sibling: 1 on 7.5"));
  EXPECT_THAT(errors_in(file_with(refusing_on_75("_Z4tileIfEvPT_", Body::trap))),
              ElementsAre("trap by no-sibling: 1 on 7.5"));
  EXPECT_THAT(errors_in(file_with(refusing_on_75("_Z4tileIfEvPT_", Body::print_trap))),
              ElementsAre("stub by no-sibling: 1 on 7.5"));
  auto file = file_with(refusing_on_75("_Z4tileIfEvPT_", Body::empty));
  add_module(file,
             {sass("75", {kernel("_Z4tileIdEvPT_")}), sass("80", {kernel("_Z4tileIdEvPT_")})});
  EXPECT_THAT(suspects_in(file), ElementsAre("empty by sibling: 1 on 7.5"));
}

TEST(Package, ABodyThatIsForOthersIsASuspect) {
  EXPECT_THAT(suspects_in(file_with(refusing_on_75("_Z10gemm_sm80_Pf", Body::print_trap))),
              ElementsAre("stub by named: 1 on 7.5"));
  EXPECT_THAT(suspects_in(file_with(refusing_on_75("_Z4tileI13__nv_bfloat16EvPT_", Body::empty))),
              ElementsAre("empty by types: 1 on 7.5"));
  auto file = file_of_many(3, {sass("80"), sass("90")});
  add_module(file, {sass("80", {kernel("new", Body::empty)}), sass("90", {kernel("new")})});
  EXPECT_THAT(suspects_in(file), ElementsAre("empty by newer-generation: 1 on 8.0 8.6 8.8 8.9"));
}

TEST(Package, ATypeIsNoReasonToRefuseOnGpusThatHaveIt) {
  constexpr const char* kName = "_Z4tileI13__nv_bfloat16EvPT_";
  auto file = file_of_many(3, {sass("75"), sass("80"), sass("86")});
  add_module(file, {sass("75", {kernel(kName, Body::empty)}),
                    sass("80", {kernel(kName, Body::empty)}), sass("86", {kernel(kName)})});
  EXPECT_THAT(errors_in(file), ElementsAre("empty by no-sibling: 1 on 7.5 8.0"));
  auto asked = like_others();
  asked.devices = {device("7.5")};
  EXPECT_THAT(texts_of(audit_one(file, asked).findings),
              ElementsAre("empty by no-sibling: 1 on 7.5"))
      << "whichever GPUs are asked about";
}

TEST(Package, HostCodePicksOneOfTwoThatWorkInTurn) {
  auto file = file_of_many(3, {sass("75"), sass("80")});
  add_module(file, {sass("75", {kernel("old"), kernel("new", Body::empty)}),
                    sass("80", {kernel("old", Body::empty), kernel("new")})});
  EXPECT_THAT(suspects_in(file), ElementsAre("empty by complement: 2 on 7.5 8.0 8.6 8.8 8.9"));
}

TEST(Package, AQuestionAboutOneGpuHasTheEvidenceOfAll) {
  auto file = file_of_many(3, {sass("75"), sass("80")});
  add_module(file, {sass("75", {kernel("old"), kernel("new", Body::empty)}),
                    sass("80", {kernel("old", Body::empty), kernel("new")})});
  auto asked = like_others();
  asked.devices = {device("7.5")};
  const auto result = audit_one(file, asked);
  EXPECT_THAT(texts_of(result.findings), IsEmpty());
  EXPECT_THAT(texts_of(result.suspects), ElementsAre("empty by complement: 1 on 7.5"));
  EXPECT_THAT(result.devices, ElementsAre(device("7.5")));
  for (const auto& row : result.files.at(0).rows) EXPECT_THAT(row.fields, SizeIs(1));
}

TEST(Package, WhatHostCodeCompilesAtRunTimeMayServe) {
  auto file = file_with({sass("80", {kernel("x")})});
  file.loaders = {"nvrtcCompileProgram"};
  EXPECT_THAT(suspects_in(file), ElementsAre("unit-lacks-arch by compiles: 1 on 7.5"));
}

TEST(Package, WhatSpeaksOfNvrtcMayCompileForOlderGpusAlone) {
  auto file = file_with({sass("80", {kernel("x")})});
  file.speaks_of_nvrtc = true;
  EXPECT_THAT(suspects_in(file), ElementsAre("unit-lacks-arch by compiles: 1 on 7.5"));
  auto without_new = file_of_many(3, {sass("80"), sass("90")});
  add_module(without_new, {sass("80", {kernel("x")})});
  without_new.speaks_of_nvrtc = true;
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
  EXPECT_EQ(audit_one(file, asked).answers.at(device("7.5")), coverage::Answer::does_not_run);
}

TEST(Package, ATypeThatProjectsCheckForIsASuspect) {
  EXPECT_THAT(suspects_in(file_with({sass("75", {kernel("other")}),
                                     sass("80", {kernel("other"), kernel("_Z4tile_fp8Pf")})})),
              testing::Contains("not-in-image by types: 1 on 7.5"));
}

TEST(Package, ABodyThatRefusesNewerGpusThanThoseOnWhichItWorksIsASuspect) {
  auto file = file_of_many(3, {sass("90"), sass("100"), sass("120")});
  add_module(file, {sass("90", {kernel("x")}), sass("100", {kernel("x")}),
                    sass("120", {kernel("x", Body::empty)})});
  EXPECT_THAT(errors_in(file), IsEmpty());
  EXPECT_THAT(suspects_in(file), ElementsAre("empty by older-gpus: 1 on 12.0 12.1"));
  auto older = file_of_many(3, {sass("90"), sass("100"), sass("120")});
  add_module(older, {sass("90", {kernel("x", Body::empty)}), sass("100", {kernel("x")}),
                     sass("120", {kernel("x")})});
  EXPECT_THAT(suspects_in(older), ElementsAre("empty by newer-generation: 1 on 9.0"));
}

TEST(Package, ABodyWhoseTextNamesGpusIsASuspect) {
  for (const auto* text : {"is for sm80-sm90", "needs SM_80", "requires compute capability 8.0"}) {
    auto file = file_of_many(3, {sass("75"), sass("80")});
    add_module(file, {sass("75", {kernel("x", Body::print_trap)}), sass("80", {kernel("x")})});
    file.images[file.images.size() - 2].kernels[0].says = std::make_shared<const std::string>(text);
    EXPECT_THAT(errors_in(file), IsEmpty()) << text;
    EXPECT_THAT(suspects_in(file), ElementsAre("stub by says: 1 on 7.5")) << text;
  }
  auto file = file_of_many(3, {sass("75"), sass("80")});
  add_module(file, {sass("75", {kernel("x", Body::print_trap)}), sass("80", {kernel("x")})});
  file.images[file.images.size() - 2].kernels[0].says =
      std::make_shared<const std::string>("prism 42, small");
  EXPECT_THAT(errors_in(file), ElementsAre("stub by no-sibling: 1 on 7.5"));
}

TEST(Package, AModuleOfPythonWhoseCodeAsksForTheCapabilityMayCheck) {
  auto file = file_of_many(3, {sass("75"), sass("80")});
  add_module(file, {sass("75", {kernel("x", Body::empty)}), sass("80", {kernel("x")})});
  file.path = "x.whl!x/_ops.abi3.so";
  auto request = like_others();
  EXPECT_THAT(texts_of(audit_one(file, request).findings),
              ElementsAre("empty by no-sibling: 1 on 7.5"));
  coverage::add_claim("x.whl!x/a.py", "import torch", request.claims);
  EXPECT_THAT(audit_one(file, request).findings, testing::SizeIs(1));
  coverage::add_claim("x.whl!x/b.py", "torch.cuda.get_device_capability() >= (8, 0)",
                      request.claims);
  EXPECT_THAT(audit_one(file, request).findings, IsEmpty());
  EXPECT_THAT(texts_of(audit_one(file, request).suspects),
              ElementsAre("empty by python-checks: 1 on 7.5"));
  file.path = "x.whl!x/libops.so";
  EXPECT_THAT(audit_one(file, request).findings, testing::SizeIs(1)) << "C++ may launch it";
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

TEST(Package, AStubIsAnErrorWhereItsOwnGenerationIsServed) {
  auto file = file_of_many(3, {sass("120"), sass("121")});
  const std::string name = "_Z18enable_sm120_only_Pf";
  add_module(file, {sass("120", {kernel(name)}), sass("121", {kernel(name, Body::print_trap)})});
  file.images.back().kernels[0].says = std::make_shared<const std::string>("for sm_120 alone");
  EXPECT_THAT(errors_in(file), ElementsAre("stub by own-generation: 1 on 12.1"));
  EXPECT_EQ(audit_one(file, like_others()).findings.at(0).cause->says, "for sm_120 alone");
  auto other = file_of_many(3, {sass("100"), sass("120")});
  add_module(other, {sass("100", {kernel("k_sm100_", Body::print_trap)}),
                     sass("120", {kernel("k_sm100_")})});
  EXPECT_THAT(texts_of(audit_one(other, like_others()).findings),
              testing::Not(testing::Contains(HasSubstr("own-generation"))))
      << "10.x and 12.x are both called Blackwell";
}

TEST(Package, AFileThatIsLeftBehindIsAnError) {
  EXPECT_THAT(audit_package(package_with({sass("75"), sass("80"), sass("90")})).findings,
              IsEmpty());
  const auto result = audit_package(package_with({sass("75"), sass("80")}));
  EXPECT_THAT(texts_of(result.findings), ElementsAre("file-lacks-arch by left-behind: 2 on 9.0"));
  EXPECT_EQ(result.findings[0].path, "libsmall.so");
  EXPECT_EQ(result.findings[0].cause->of_kernels, 2U);
}

TEST(Package, AFileForNewerGpusAloneIsASuspect) {
  const auto result = audit_package(package_with({sass("80"), sass("90")}));
  EXPECT_THAT(result.findings, IsEmpty());
  EXPECT_THAT(texts_of(result.suspects), ElementsAre("file-lacks-arch by newer-gpus: 2 on 7.5"));
}

TEST(Package, AFileThatServesAGpuWithFewKernelsIsAnError) {
  auto files = package_with({sass("80"), sass("90")});
  add_module(files[1], {sass("75", {kernel("few")}), sass("80", {kernel("few")}),
                        sass("90", {kernel("few")})});
  EXPECT_THAT(texts_of(audit_package(files).findings),
              ElementsAre("file-lacks-arch by package: 2 on 7.5"));
}

TEST(Package, OfSeveralPackagesEachIsJudgedAlone) {
  auto files = package_with({sass("75"), sass("80")});
  files[0].path = "one.whl!" + files[0].path;
  files[1].path = "one.whl!" + files[1].path;
  EXPECT_THAT(audit_package(files).findings, testing::SizeIs(1));
  files[1].path = "two.whl!libsmall.so";
  EXPECT_THAT(audit_package(files).findings, IsEmpty());
}

TEST(Package, FilesOfTheSameKernelsAreChosenByHostCode) {
  std::vector<File> files = {file_of_many(9, {sass("75"), sass("80")}),
                             file_of_many(9, {sass("80"), sass("90")})};
  files[1].path = "libmany_cuda13.so";
  const auto result = audit_package(files);
  EXPECT_THAT(result.findings, IsEmpty());
  EXPECT_THAT(texts_of(result.suspects), ElementsAre("file-lacks-arch by variant: 9 on 9.0",
                                                     "file-lacks-arch by variant: 9 on 7.5"));
  EXPECT_EQ(text_of(result.devices), "7.5 8.0 8.6 8.8 8.9 9.0");
}

TEST(Package, IgnoresForgiveKernels) {
  auto wanted = like_others();
  wanted.ignores.push_back({"--ignore forg*", "forg*", {}, "not shipped"});
  const auto file = file_with({sass("80", {kernel("forgotten"), kernel("other")})});
  const auto result = audit_one(file, wanted);
  EXPECT_THAT(texts_of(result.findings), ElementsAre("unit-lacks-arch by unit: 1 on 7.5"));
  ASSERT_EQ(result.forgiven.size(), 1U);
  EXPECT_EQ(result.forgiven[0].reason, "not shipped");
  EXPECT_EQ(result.forgiven[0].finding.kernel, "forgotten");
  EXPECT_THAT(result.unused, IsEmpty());
  wanted.ignores[0].kernel = "nothing";
  EXPECT_EQ(audit_one(file, wanted).unused.size(), 1U);
}

TEST(Package, StrictCallsSuspectsErrors) {
  auto wanted = like_others();
  wanted.strict = true;
  auto file = file_of_many(3, {sass("80"), sass("90")});
  add_module(file, {sass("90a", {kernel("k")})});
  const auto result = audit_one(file, wanted);
  EXPECT_THAT(texts_of(result.findings),
              ElementsAre("unit-lacks-arch by suffix: 1 on 8.0 8.6 8.8 8.9"));
  EXPECT_THAT(result.suspects, IsEmpty());
  EXPECT_EQ(result.files.at(0).rows.at(0).fields.at(0).state, State::broken);
}

/// Audits a file against a promise for 7.5 and 8.0 that is not strict.
Audit audit_leniently(const File& file) {
  auto wanted = request({"7.5", "8.0"});
  wanted.promises[0].strict = false;
  return audit_one(file, wanted);
}

TEST(Package, OfAPromiseThatIsNotStrictABodyMayRefuseBesideOthersOfItsFamily) {
  auto file = file_with(refusing_on_75("_Z4tileIfEvPT_", Body::empty));
  EXPECT_EQ(audit_leniently(file).findings.size(), 1U) << "none of the family works";
  add_module(file,
             {sass("75", {kernel("_Z4tileIdEvPT_")}), sass("80", {kernel("_Z4tileIdEvPT_")})});
  const auto result = audit_leniently(file);
  EXPECT_THAT(result.findings, IsEmpty());
  EXPECT_THAT(texts_of(result.suspects), ElementsAre("empty by sibling: 1 on 7.5"));
  EXPECT_EQ(audit_one(file, request({"7.5", "8.0"})).findings.size(), 1U)
      << "strict is the default";
}

TEST(Package, OfAPromiseThatIsNotStrictNamesAndSuffixesExcuse) {
  const auto named = audit_leniently(file_with({sass("80", {kernel("_Z10gemm_sm80_Pf")})}));
  EXPECT_THAT(named.findings, IsEmpty());
  EXPECT_THAT(texts_of(named.suspects), ElementsAre("missing by named: 1 on 7.5"));
  const auto suffixed = audit_leniently(file_with({sass("90a", {kernel("k")})}));
  EXPECT_THAT(suffixed.findings, IsEmpty());
  EXPECT_THAT(texts_of(suffixed.suspects), ElementsAre("missing by suffix: 1 on 7.5 8.0"));
  EXPECT_EQ(audit_leniently(file_with({sass("80", {kernel("forgotten")})})).findings.size(), 1U);
}

TEST(Package, AStrictPromiseIsBrokenThoughAnotherIsNot) {
  auto wanted = request({"7.5", "8.0"});
  wanted.promises[0].strict = false;
  wanted.promises.push_back(promise({"7.5"}));
  const auto result = audit_one(file_with({sass("80", {kernel("_Z10gemm_sm80_Pf")})}), wanted);
  EXPECT_THAT(result.findings, Not(IsEmpty()));
  EXPECT_THAT(result.suspects, IsEmpty());
}

std::string answer(const File& file, const std::string& number) {
  auto wanted = like_others();
  wanted.devices = {device(number)};
  const auto result = audit_one(file, wanted);
  EXPECT_EQ(result.answers.size(), 1U);
  return coverage::name_of(result.answers.at(device(number)));
}

TEST(Package, AnswersByMostKernels) {
  auto file = file_of_many(3, {sass("80"), ptx("80")});
  EXPECT_EQ(answer(file, "8.0"), "runs");
  EXPECT_EQ(answer(file, "8.6"), "runs");
  EXPECT_EQ(answer(file, "9.0"), "runs-after-jit");
  EXPECT_EQ(answer(file, "7.5"), "does-not-run");
  EXPECT_EQ(answer(file_of({lto("80")}), "9.0"), "unknown");
  for (int index = 0; index < 4; ++index) {
    add_module(file,
               {sass("75", {kernel("own" + std::string(1, static_cast<char>('a' + index)))})});
  }
  EXPECT_EQ(answer(file, "7.5"), "runs");
}

/// Returns the errors and suspects of a file with a forgotten unit of two kernels of a family, if host code
/// answers like this.
std::string judged_with(const std::map<std::string, std::optional<bool>>& guarded,
                        bool strict = false) {
  const std::string kOfFloat = "_Z4tileIfEvPT_";
  auto wanted = like_others();
  wanted.strict = strict;
  wanted.is_guarded = [&](const std::string& path, const std::string& kernel,
                          coverage::Device failing, const std::vector<coverage::Device>& working) {
    EXPECT_EQ(path, "libmany.so");
    EXPECT_EQ(failing.text(), "7.5");
    EXPECT_THAT(text_of(working), HasSubstr("8.0 8.6"));
    return guarded.at(kernel == kOfFloat ? "a" : "b");
  };
  const auto file =
      file_with({sass("80", {kernel(kOfFloat), kernel("_Z4tileIdEvPT_")})}, "forgotten.cu");
  const auto result = audit_one(file, wanted);
  for (const auto& row : result.files.at(0).rows) {
    const bool is_forgotten = row.kernel.name.str().starts_with("_Z4tile");
    if (!is_forgotten) continue;
    EXPECT_EQ(row.fields.at(0).state, result.findings.empty() ? State::suspect : State::broken);
  }
  std::string text;
  for (const auto& finding : texts_of(result.findings)) text += "error " + finding;
  for (const auto& finding : texts_of(result.suspects)) text += "suspect " + finding;
  return text;
}

TEST(Package, KernelsThatHostCodeDoesNotLaunchThereAreSuspects) {
  const std::string error = "error unit-lacks-arch by unit: 2 on 7.5";
  const std::string suspect = "suspect unit-lacks-arch by host-checks: 2 on 7.5";
  EXPECT_EQ(judged_with({{"a", true}, {"b", true}}), suspect);
  EXPECT_EQ(judged_with({{"a", true}, {"b", std::nullopt}}), suspect);
  EXPECT_EQ(judged_with({{"a", std::nullopt}, {"b", std::nullopt}}), error);
  EXPECT_EQ(judged_with({{"a", true}, {"b", false}}), error);
  EXPECT_EQ(judged_with({{"a", true}, {"b", true}}, true), error) << "strict";
}

TEST(Package, HostCodeAnswersForEachGpuAndSourceFile) {
  auto file = file_of_many(5, {sass("70"), sass("75"), sass("80")});
  add_module(file, {sass("80", {kernel("a")})}).unit = "a.cu";
  add_module(file, {sass("80", {kernel("b")})}).unit = "b.cu";
  auto wanted = like_others();
  wanted.is_guarded = [](const std::string&, const std::string& kernel, coverage::Device failing,
                         const std::vector<coverage::Device>&) -> std::optional<bool> {
    return kernel == "a" && failing == device("7.0");
  };
  const auto result = audit_one(file, wanted);
  EXPECT_THAT(texts_of(result.findings), ElementsAre("unit-lacks-arch by unit: 1 on 7.5",
                                                     "unit-lacks-arch by unit: 1 on 7.0 7.5"));
  EXPECT_THAT(texts_of(result.suspects), ElementsAre("unit-lacks-arch by host-checks: 1 on 7.0"));
}

/// Audits a package of two files with one kernel that 7.5 lacks. Host code of the first is not
/// followed; `second` is the answer of the other's.
Audit audit_of_two(std::optional<bool> second) {
  std::vector<File> files;
  for (const auto* name : {"some.whl!a.dll", "some.whl!b.so"}) {
    auto file = file_of_many(5, {sass("75"), sass("80")});
    add_module(file, {sass("80", {kernel("odd")})}).unit = "odd.cu";
    file.path = name;
    files.push_back(std::move(file));
  }
  auto wanted = like_others();
  wanted.is_guarded = [=](const std::string& path, const std::string&, coverage::Device,
                          const std::vector<coverage::Device>&) -> std::optional<bool> {
    return path == "some.whl!b.so" ? second : std::nullopt;
  };
  return coverage::audit(std::move(files), wanted);
}

TEST(Package, HostCodeThatIsNotFollowedIsJudgedByTheFileBeside) {
  const std::string suspect = "unit-lacks-arch by host-checks: 1 on 7.5";
  const std::string error = "unit-lacks-arch by unit: 1 on 7.5";
  EXPECT_THAT(texts_of(audit_of_two(true).suspects), ElementsAre(suspect, suspect));
  EXPECT_THAT(texts_of(audit_of_two(true).findings), IsEmpty());
  EXPECT_THAT(texts_of(audit_of_two(false).findings), ElementsAre(error, error));
  EXPECT_THAT(texts_of(audit_of_two(std::nullopt).findings), ElementsAre(error, error));
}

Audit asked_about(std::vector<File> files, const std::string& number) {
  auto wanted = like_others();
  wanted.devices = {device(number)};
  return coverage::audit(std::move(files), wanted);
}

TEST(Package, RunsInPartWhereASmallerFileServesTheGpu) {
  auto files = package_with({sass("80"), sass("120")});
  const auto result = asked_about(files, "12.0");
  EXPECT_EQ(result.answers.at(device("12.0")), coverage::Answer::runs_in_part);
  EXPECT_THAT(texts_of(result.findings), IsEmpty()) << "as without the question";
  EXPECT_THAT(texts_of(result.suspects), ElementsAre("file-lacks-arch by minority: 9 on 12.0"));
  files.pop_back();
  EXPECT_EQ(asked_about(files, "12.0").answers.at(device("12.0")), coverage::Answer::does_not_run);
}

TEST(Package, KernelsOfAStaticLibraryOfNvidiaDoNotOutvoteItsOwn) {
  auto file = file_of_many(3, {sass("75"), sass("80")});
  std::vector<fatbin::Kernel> gemms;
  for (int index = 0; index < 9; ++index) {
    gemms.push_back(kernel("ampere_sgemm_" + std::to_string(index)));
  }
  add_module(file, {sass("80", std::move(gemms))});
  const auto result = asked_about({file}, "7.5");
  EXPECT_EQ(result.answers.at(device("7.5")), coverage::Answer::runs);
  EXPECT_THAT(result.findings, IsEmpty());
}

TEST(Package, WhatTheDriverCompilesIsNoMissingCode) {
  auto file = file_of_many(3, {sass("80")});
  add_module(file, {sass("80", {kernel("compiled")}), ptx("80", "8.4", {kernel("compiled")})});
  const auto result = asked_about({file}, "9.0");
  EXPECT_THAT(texts_of(result.findings), ElementsAre("file-lacks-arch by asked: 3 on 9.0"));
  EXPECT_THAT(texts_of(result.suspects), ElementsAre("jit by jit: 1 on 9.0"));
}

TEST(Package, ARefusingBodyIsASuspectWhereTheDriverCompilesASibling) {
  const auto of = [](const std::string& type) { return "_Z4tileI" + type + "EvPT_"; };
  auto file = file_of({ptx("80", "8.4", {kernel(of("f"))})});
  add_module(file, {ptx("70", "8.4", {kernel(of("d"))}),
                    ptx("80", "8.4", {kernel(of("d"), Body::empty)})});
  const auto result = asked_about({file}, "9.0");
  EXPECT_THAT(result.findings, IsEmpty());
  EXPECT_THAT(texts_of(result.suspects),
              ElementsAre("empty by sibling: 1 on 9.0", "jit by jit: 1 on 9.0"));
}

TEST(Package, PtxThatTheDriverDoesNotReadIsAnErrorOfItsOwn) {
  auto wanted = like_others();
  wanted.devices = {device("9.0")};
  wanted.driver = coverage::parse_driver("525");
  const auto result = audit_one(file_of_many(3, {sass("80"), ptx("80", "8.7")}), wanted);
  ASSERT_THAT(texts_of(result.findings), ElementsAre("ptx-too-new by driver: 3 on 9.0"));
  EXPECT_EQ(report::message_of(result.findings[0]),
            "3 of 3 kernels of the file have only PTX for 9.0 (H100, H200), and driver 525 reads "
            "PTX up to ISA 8.0, but this has 8.7");
  EXPECT_THAT(report::fix_of(result.findings[0]),
              ::testing::StartsWith("install driver 570 or newer, or compile "));
  wanted.driver = coverage::parse_driver("570");
  EXPECT_THAT(audit_one(file_of_many(3, {sass("80"), ptx("80", "8.7")}), wanted).findings,
              IsEmpty());
}

TEST(Package, RunsWhereItsFilesShipTheGpuThoughNotEveryKernelIsForIt) {
  auto files = package_with({sass("80")});
  auto& large = files[0];
  for (std::size_t index = 0; index < 4; ++index) {
    add_module(large, {sass("80", {kernel("new" + std::to_string(index))})});
  }
  for (std::size_t index = 0; index < 6; ++index) {
    add_module(files[1], {sass("80", {kernel("other" + std::to_string(index))})});
  }
  auto asked = like_others();
  asked.devices = {device("7.5")};
  const auto result = coverage::audit(std::move(files), asked);
  EXPECT_EQ(result.answers.at(device("7.5")), coverage::Answer::runs) << "9 of 21 kernels";
}

TEST(Package, OfWhatCannotBeReadTheAnswerIsNotKnown) {
  File file;
  file.path = "libx.so";
  file.errors.push_back({0, "cannot open"});
  auto asked = like_others();
  asked.devices = {device("7.5")};
  EXPECT_EQ(audit_one(file, asked).answers.at(device("7.5")), coverage::Answer::unknown);
}

TEST(Package, NothingRunsOnGpusBesideOtherCpus) {
  auto wanted = like_others();
  wanted.devices = {device("8.7"), device("8.0")};
  auto file = file_of_many(3, {sass("80"), sass("87")});
  file.host_cpu = "x86-64";
  const auto result = audit_one(file, wanted);
  EXPECT_EQ(result.answers.at(device("8.7")), coverage::Answer::does_not_run);
  EXPECT_EQ(result.answers.at(device("8.0")), coverage::Answer::runs);
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].code, "other-cpu");
  EXPECT_EQ(result.findings[0].device, "8.7");
  wanted.devices = {device("8.7")};
  file.path = "x86.whl!lib.so";
  auto board = file;
  board.path = "arm.whl!lib.so";
  board.host_cpu = "aarch64";
  const auto both = coverage::audit({board, file}, wanted);
  EXPECT_EQ(both.answers.at(device("8.7")), coverage::Answer::does_not_run);
  EXPECT_EQ(both.package_answers.at("arm.whl").at(device("8.7")), coverage::Answer::runs);
  ASSERT_EQ(both.findings.size(), 1U);
  EXPECT_EQ(both.findings[0].code, "other-cpu");
  EXPECT_EQ(both.findings[0].path, "x86.whl");
  file.host_cpu = "aarch64";
  EXPECT_THAT(audit_one(file, wanted).findings, IsEmpty());
}

TEST(Package, NothingRunsWithADriverThatRefusesTheFile) {
  auto wanted = like_others();
  wanted.devices = {device("8.0")};
  wanted.driver = coverage::parse_driver("535");
  auto file = file_of_many(3, {sass("80")});
  for (auto& image : file.images) image.toolkit = "13.0";
  EXPECT_EQ(audit_one(file, wanted).answers.at(device("8.0")), coverage::Answer::does_not_run);
  wanted.driver = coverage::parse_driver("580");
  EXPECT_EQ(audit_one(file, wanted).answers.at(device("8.0")), coverage::Answer::runs);
}

TEST(Package, NothingRunsWithADriverThatDoesNotKnowTheGpu) {
  auto wanted = like_others();
  wanted.devices = {device("12.0")};
  wanted.driver = coverage::parse_driver("520");
  const auto result = audit_one(file_of({sass("120")}), wanted);
  EXPECT_EQ(result.answers.at(device("12.0")), coverage::Answer::does_not_run);
}

TEST(Package, OnlyAGpuOnWhichItDoesNotRunIsAnError) {
  const auto file = file_of_many(3, {sass("80"), ptx("80")});
  auto wanted = like_others();
  wanted.devices = {device("7.5"), device("8.0"), device("9.0")};
  const auto result = audit_one(file, wanted);
  EXPECT_EQ(text_of(result.devices), "7.5 8.0 9.0");
  EXPECT_THAT(texts_of(result.findings), ElementsAre("file-lacks-arch by asked: 3 on 7.5"));
  EXPECT_THAT(texts_of(result.suspects), ElementsAre("jit by jit: 3 on 9.0"));
  EXPECT_TRUE(audit_one(file, like_others()).answers.empty()) << "nobody asked";
}

TEST(Package, OfVariantsTheBestCounts) {
  std::vector<File> files = {file_of_many(9, {sass("75")}), file_of_many(9, {sass("90")})};
  files[1].path = "libmany_cuda13.so";
  auto wanted = like_others();
  wanted.devices = {device("7.5"), device("9.0")};
  const auto result = coverage::audit(files, wanted);
  EXPECT_THAT(result.findings, IsEmpty());
  EXPECT_EQ(result.answers.at(device("7.5")), coverage::Answer::runs);
  EXPECT_EQ(result.answers.at(device("9.0")), coverage::Answer::runs);
}

TEST(Package, GpusOfArmBoardsAreNotOfX86Files) {
  auto file = file_of({sass("87"), sass("90"), sass("110"), sass("120"), sass("121")});
  const auto devices = [&](const char* cpu) {
    file.host_cpu = cpu;
    return text_of(audit_one(file, like_others()).devices);
  };
  EXPECT_EQ(devices("aarch64"), "8.7 9.0 11.0 12.0 12.1");
  EXPECT_EQ(devices("x86-64"), "9.0 12.0");
  EXPECT_EQ(devices(""), "8.7 9.0 11.0 12.0 12.1") << "device code alone";
  file.host_cpu = "x86-64";
  auto asked = like_others();
  asked.devices = {device("8.7"), device("9.0")};
  EXPECT_EQ(text_of(audit_one(file, asked).devices), "8.7 9.0");
}

TEST(Package, HalfIsNotMost) {
  auto file = file_of_many(2, {sass("75"), sass("80")});
  add_module(file, {sass("80", {kernel("a")})});
  add_module(file, {sass("80", {kernel("b")})});
  const auto result = audit_one(file, like_others());
  EXPECT_TRUE(result.findings.empty());
  EXPECT_EQ(text_of(result.devices), "8.0 8.6 8.8 8.9");
}

TEST(Package, WhereFewRunIsSaidToBeNotJudged) {
  auto file = file_of_many(2, {sass("80")});
  EXPECT_THAT(audit_one(file, like_others()).unjudged, IsEmpty());
  add_module(file, {sass("80", {kernel("a")}), sass("90", {kernel("a")})});
  const auto result = audit_one(file, like_others());
  EXPECT_TRUE(result.findings.empty());
  EXPECT_EQ(text_of({result.unjudged.begin(), result.unjudged.end()}), "9.0");
  const auto found =
      std::find_if(result.remarks.begin(), result.remarks.end(),
                   [](const auto& remark) { return remark.code == "served-in-part"; });
  ASSERT_NE(found, result.remarks.end());
  EXPECT_EQ(report::message_of(*found),
            "not judged, as no more than half of its 3 kernels are native or compatible there: "
            "9.0 (1)");
}

TEST(Package, AGpuOfTheBaselineIsLostWhereMostKernelsRanAndDoNot) {
  auto with_baseline = like_others();
  auto& baseline = with_baseline.baseline.emplace();
  baseline.path = "old.json";
  for (const char* name : {"a", "b", "c"}) {
    for (const char* gpu : {"7.5", "8.0", "9.0"}) {
      const bool ran = gpu != std::string("9.0") || name == std::string("a");
      baseline.files["\nlibx.so"][name][device(gpu)] = ran ? Verdict::native : Verdict::missing;
    }
  }
  const auto lost_by = [&](const std::vector<std::string>& archs, const std::string& path) {
    std::vector<Image> images;
    for (const auto& arch : archs) images.push_back(sass(arch, {kernel("a"), kernel("b")}));
    auto file = file_of(std::move(images));
    file.path = path;
    std::string lost;
    for (const auto& finding : audit_one(file, with_baseline).findings) {
      if (finding.code == "gpu-lost") lost += text_of(finding.devices);
    }
    return lost;
  };
  EXPECT_EQ(lost_by({"80"}, "libx.so"), "7.5");
  EXPECT_EQ(lost_by({"75", "80"}, "libx.so"), "");
  EXPECT_EQ(lost_by({"90"}, "libx.so"), "7.5 8.0");
  EXPECT_EQ(lost_by({"80"}, "liby.so"), "") << "the baseline is of another file";
  EXPECT_EQ(lost_by({"80"}, "new.whl!libx.so"), "7.5");
  baseline.files["\nlibgone.so"]["d"] = {{device("5.0"), Verdict::native}};
  for (const char* name : {"e", "f", "g"}) {
    baseline.files["\nlibgone.so"][name] = {{device("5.0"), Verdict::native}};
  }
  baseline.packages = {{"\nlibx.so", "\nx.whl"}, {"\nlibgone.so", "\nx.whl"}};
  EXPECT_EQ(lost_by({"75", "80"}, "x-2.whl!libx.so"), "5.0") << "its file is gone";
  baseline.packages.clear();
  with_baseline.devices = {device("8.0")};
  EXPECT_EQ(lost_by({"80"}, "libx.so"), "") << "nobody asks about 7.5";
}

TEST(Package, NothingToJudgeIsNoError) {
  const auto says = [](const Audit& audit, const std::string& code) {
    return std::any_of(audit.remarks.begin(), audit.remarks.end(),
                       [&](const auto& remark) { return remark.code == code; });
  };
  const auto ptx_alone = audit_one(file_of({ptx("80")}), like_others());
  EXPECT_THAT(ptx_alone.findings, IsEmpty());
  EXPECT_TRUE(says(ptx_alone, "nothing-judged"));
  const auto nothing = coverage::audit({}, like_others());
  EXPECT_THAT(nothing.findings, IsEmpty());
  EXPECT_TRUE(says(nothing, "no-device-code"));
  auto asked = like_others();
  asked.devices = {device("9.0")};
  const auto unanswered = coverage::audit({}, asked);
  EXPECT_THAT(unanswered.findings, testing::SizeIs(1));
  EXPECT_EQ(unanswered.answers.at(device("9.0")), coverage::Answer::unknown);
  File compiling;
  compiling.path = "x.whl!a/libc.so";
  compiling.loaders = {"libnvrtc.so.12", "nvrtcCompileProgram"};
  const auto unseen = audit_one(compiling, asked);
  EXPECT_EQ(unseen.answers.at(device("9.0")), coverage::Answer::unknown);
  EXPECT_EQ(report::message_of(unseen.findings.at(0)),
            "no kernel was found: libc.so compiles kernels at run time (nvrtcCompileProgram), "
            "which are not in the file");
  auto with_jit = like_others();
  with_jit.like_other_kernels->insert(Verdict::jit);
  EXPECT_TRUE(audit_one(file_of({ptx("80")}), with_jit).findings.empty());
}

}  // namespace
}  // namespace archgrid::tests
