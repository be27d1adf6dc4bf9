// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests audits without a promise: bodies that do no work on some GPUs, and what explains them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "packages.hpp"

namespace archgrid::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<Image> refusing_on_75(const std::string& name, Body body) {
  return {sass("75", {kernel(name, body)}), sass("80", {kernel(name)})};
}

TEST(Package, ABodyThatRefusesIsAnErrorWhereNoVariantWorks) {
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
  auto old = file_of_many(3, {sass("52"), sass("60")});
  add_module(old, {sass("52", {kernel("_Z6reduce11ncclDevComm", Body::empty)}),
                   sass("60", {kernel("_Z6reduce11ncclDevComm")})});
  EXPECT_THAT(suspects_in(old), ElementsAre("empty by types: 1 on 5.2"));
  auto file = file_of_many(3, {sass("80"), sass("90")});
  add_module(file, {sass("80", {kernel("new", Body::empty)}), sass("90", {kernel("new")})});
  EXPECT_THAT(suspects_in(file), ElementsAre("empty by newer-generation: 1 on 8.0 8.6 8.9"));
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
  EXPECT_THAT(suspects_in(file), ElementsAre("empty by complement: 2 on 7.5 8.0 8.6 8.9"));
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

/// Returns a baseline in which the kernel of the file has the verdict on the GPU.
coverage::Baseline baseline_of(const File& file, const std::string& kernel,
                               const std::string& number, coverage::Verdict verdict) {
  coverage::Baseline baseline;
  baseline.path = "old.json";
  baseline.files["\n" + file.path][kernel][device(number)] = verdict;
  return baseline;
}

TEST(Package, ABodyThatDoesNoWorkAnyMoreIsAnError) {
  auto file = file_of_many(3, {sass("90"), sass("100"), sass("120")});
  add_module(file, {sass("90", {kernel("x")}), sass("100", {kernel("x")}),
                    sass("120", {kernel("x", Body::trap)})});
  ASSERT_THAT(suspects_in(file), ElementsAre("trap by older-gpus: 1 on 12.0 12.1"));
  auto request = like_others();
  request.baseline = baseline_of(file, "x", "12.0", coverage::Verdict::native);
  const auto worked = audit_one(file, request);
  ASSERT_THAT(texts_of(worked.findings), ElementsAre("trap by worked: 1 on 12.0"));
  EXPECT_EQ(
      report::message_of(worked.findings[0]),
      "on 12.0 (RTX 50, RTX PRO 6000 Blackwell) its body only traps, while it worked there by the "
      "baseline");
  EXPECT_THAT(report::fix_of(worked.findings[0]), ::testing::StartsWith("look at the `#if "));
  request.baseline = baseline_of(file, "x", "12.0", coverage::Verdict::empty);
  EXPECT_THAT(audit_one(file, request).findings, IsEmpty()) << "it never worked";
  request.baseline = baseline_of(file, "y", "12.0", coverage::Verdict::native);
  EXPECT_THAT(audit_one(file, request).findings, IsEmpty()) << "another kernel worked";
}

TEST(Package, ABaselineThatMissedIdleBodiesAccusesNone) {
  auto file = file_of_many(3, {sass("90"), sass("100"), sass("120")});
  add_module(file, {sass("90", {kernel("x")}), sass("100", {kernel("x")}),
                    sass("120", {kernel("x", Body::trap)})});
  auto request = like_others();
  request.baseline = baseline_of(file, "x", "12.0", coverage::Verdict::native);
  const auto notes = [&] {
    std::vector<std::string> found;
    for (const auto& note : audit_one(file, request).notes) {
      if (note.code == "baseline-of-older-archgrid") found.push_back(report::message_of(note));
    }
    return found;
  };
  EXPECT_THAT(notes(), IsEmpty());
  request.baseline->body_rules = coverage::kBodyRules - 1;
  EXPECT_THAT(audit_one(file, request).findings, IsEmpty());
  EXPECT_THAT(notes(),
              ElementsAre("old.json was written by an older archgrid, which missed some "
                          "bodies that do no work: 1 kernel whose body does none now is not "
                          "compared with it; write it anew (--json)"));
  request.baseline = baseline_of(file, "x", "12.0", coverage::Verdict::empty);
  request.baseline->body_rules = 0;
  EXPECT_THAT(notes(), IsEmpty()) << "it says the same";
}

TEST(Package, ABodyThatDoesNoWorkAnyMoreIsAnErrorWherePtxServesMostKernels) {
  auto file = file_of_many(6, {ptx("80")});
  add_module(file, {sass("80", {kernel("x")}), sass("90", {kernel("x", Body::empty)})});
  auto request = like_others();
  request.devices = {device("9.0")};
  request.baseline = baseline_of(file, "x", "9.0", coverage::Verdict::native);
  EXPECT_THAT(texts_of(audit_one(file, request).findings), Contains("empty by worked: 1 on 9.0"));
  request.baseline = baseline_of(file, "x", "9.0", coverage::Verdict::empty);
  EXPECT_THAT(texts_of(audit_one(file, request).findings),
              ::testing::Not(Contains(::testing::HasSubstr("worked"))));
}

TEST(Package, ACheckInHostCodeExplainsABodyThatWorkedInTheBaseline) {
  auto file = file_of_many(3, {sass("90"), sass("120")});
  add_module(file, {sass("90", {kernel("x")}), sass("120", {kernel("x", Body::empty)})});
  auto request = like_others();
  request.baseline = baseline_of(file, "x", "12.0", coverage::Verdict::jit);
  auto check = coverage::HostCheck::absent;
  request.host_check = [&](const auto&...) { return check; };
  EXPECT_THAT(texts_of(audit_one(file, request).findings),
              ElementsAre("empty by worked: 1 on 12.0"));
  check = coverage::HostCheck::present;
  EXPECT_THAT(audit_one(file, request).findings, IsEmpty());
}

TEST(Package, WhatABaselineShowedIsKnownInTheNextOne) {
  const auto file = file_with(refusing_on_75("x", Body::empty));
  auto request = like_others();
  request.baseline = baseline_of(file, "x", "7.5", coverage::Verdict::empty);
  EXPECT_THAT(texts_of(audit_one(file, request).findings),
              ElementsAre("empty by no-sibling: 1 on 7.5"));
  request.baseline->findings.insert("\n" + file.path + "\nempty\nworked\n7.5");
  EXPECT_THAT(audit_one(file, request).findings, IsEmpty());
}

TEST(Package, ABodyWhoseTextNamesGpusIsASuspect) {
  for (const auto* text : {"is for sm80-sm90", "needs SM_80", "requires compute capability 8.0",
                           "no device code compatible with CUDA arch %d"}) {
    auto file = file_of_many(3, {sass("75"), sass("80")});
    add_module(file, {sass("75", {kernel("x", Body::print_trap)}), sass("80", {kernel("x")})});
    file.images[file.images.size() - 2].kernels[0].message =
        std::make_shared<const std::string>(text);
    EXPECT_THAT(errors_in(file), IsEmpty()) << text;
    EXPECT_THAT(suspects_in(file), ElementsAre("stub by says: 1 on 7.5")) << text;
  }
  auto file = file_of_many(3, {sass("75"), sass("80")});
  add_module(file, {sass("75", {kernel("x", Body::print_trap)}), sass("80", {kernel("x")})});
  file.images[file.images.size() - 2].kernels[0].message =
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

/// Audits a Python module with a unit for 8.0 alone, and with another one with these images.
Audit audit_with_older_unit(std::vector<Image> images, const char* code) {
  auto file = file_of_many(5, {sass("80"), sass("90")});
  add_module(file, {sass("80", {kernel("older")})}).unit = "older.cu";
  add_module(file, std::move(images));
  file.path = "x.whl!x/_C.abi3.so";
  auto request = like_others();
  coverage::add_claim("x.whl!x/a.py", code, request.claims);
  return audit_one(file, request);
}

TEST(Package, PythonMayPickByGenerationWhereAUnitIsForOneAlone) {
  constexpr const char* kChecks = "torch.cuda.get_device_capability() < (9, 0)";
  const auto newer = sass("90a", {kernel("newer")});
  const auto picked = audit_with_older_unit({newer}, kChecks);
  EXPECT_THAT(picked.findings, IsEmpty());
  EXPECT_THAT(texts_of(picked.suspects),
              testing::Contains("unit-lacks-arch by python-checks: 1 on 9.0"));
  const std::string error = "unit-lacks-arch by unit: 1 on 9.0";
  EXPECT_THAT(texts_of(audit_with_older_unit({newer}, "import torch").findings), ElementsAre(error))
      << "Python code checks nothing";
  EXPECT_THAT(texts_of(audit_with_older_unit({sass("100a", {kernel("newer")})}, kChecks).findings),
              testing::Contains(error))
      << "for another generation";
}

TEST(Package, AStubIsAnErrorWhereItsOwnGenerationIsServed) {
  auto file = file_of_many(3, {sass("120"), sass("121")});
  const std::string name = "_Z18enable_sm120_only_Pf";
  add_module(file, {sass("120", {kernel(name)}), sass("121", {kernel(name, Body::print_trap)})});
  file.images.back().kernels[0].message = std::make_shared<const std::string>("for sm_120 alone");
  EXPECT_THAT(errors_in(file), ElementsAre("stub by own-generation: 1 on 12.1"));
  EXPECT_EQ(audit_one(file, like_others()).findings.at(0).cause->says, "for sm_120 alone");
  auto other = file_of_many(3, {sass("100"), sass("120")});
  add_module(other, {sass("100", {kernel("k_sm100_", Body::print_trap)}),
                     sass("120", {kernel("k_sm100_")})});
  EXPECT_THAT(texts_of(audit_one(other, like_others()).findings),
              testing::Not(testing::Contains(HasSubstr("own-generation"))))
      << "10.x and 12.x are both called Blackwell";
}

}  // namespace
}  // namespace archgrid::tests
