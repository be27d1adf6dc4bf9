// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "agreement.hpp"

#include <gmock/gmock.h>

namespace archgrid::gtest {
namespace {

using coverage::Verdict;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr coverage::ComputeCapability kDevice{8, 6};

coverage::Served predicted(Verdict verdict, std::size_t modules = 1) {
  coverage::Served served;
  served.kernel = "_Z1kPf";
  served.demangled = "k(float*)";
  served.prediction.verdict = verdict;
  served.modules = modules;
  return served;
}

coverage::Served compiled_from(const std::vector<int>& ptx) {
  auto served = predicted(Verdict::jit);
  served.ptx = ptx;
  return served;
}

RuntimeAnswer loads(int binary_version, int ptx_version) {
  return {"_Z1kPf", 0, "cudaSuccess", binary_version, ptx_version};
}

RuntimeAnswer loads(int binary_version) {
  return loads(binary_version, binary_version);
}

const RuntimeAnswer kNoImage = {"_Z1kPf", 209, "cudaErrorNoKernelImageForDevice", 0, 0};

std::vector<std::string> disagreements(const coverage::Served& served, const RuntimeAnswer& answer,
                                       bool jit_disabled = true) {
  const Agreement agreement = compare({served}, {answer}, kDevice, jit_disabled);
  EXPECT_EQ(agreement.compared, 1U);
  return agreement.disagreements;
}

TEST(Agreement, IsThatWhatWasPredictedLoads) {
  EXPECT_THAT(disagreements(predicted(Verdict::native), loads(86)), IsEmpty());
  EXPECT_THAT(disagreements(predicted(Verdict::compatible), loads(80)), IsEmpty());
  EXPECT_THAT(disagreements(predicted(Verdict::empty), loads(80)), IsEmpty());
  EXPECT_THAT(disagreements(compiled_from({80, 75}), loads(86, 75), false), IsEmpty());
}

TEST(Agreement, IsThatWhatWasNotPredictedDoesNotLoad) {
  for (const auto verdict : {Verdict::missing, Verdict::wrong_suffix, Verdict::ptx_too_new}) {
    EXPECT_THAT(disagreements(predicted(verdict), kNoImage), IsEmpty());
  }
  EXPECT_THAT(disagreements(predicted(Verdict::jit), kNoImage), IsEmpty()) << "JIT is disabled";
}

TEST(Disagreement, IsAKernelThatDoesNotLoad) {
  EXPECT_THAT(
      disagreements(predicted(Verdict::native), kNoImage),
      ElementsAre(
          "archgrid predicted native for k(float*) on 8.6 (none of its code runs on 8.6), and the "
          "CUDA runtime answers cudaErrorNoKernelImageForDevice (209)"));
  EXPECT_THAT(disagreements(predicted(Verdict::jit), kNoImage, false),
              ElementsAre(HasSubstr("predicted jit")));
}

TEST(Disagreement, IsAKernelThatLoadsAllTheSame) {
  EXPECT_THAT(disagreements(predicted(Verdict::missing), loads(80)),
              ElementsAre(HasSubstr(
                  "predicted missing for k(float*) on 8.6 (none of its code runs on 8.6), and the "
                  "CUDA runtime loads machine code for 8.0")));
}

TEST(Disagreement, IsOtherMachineCode) {
  EXPECT_THAT(disagreements(predicted(Verdict::native), loads(80)), ElementsAre(HasSubstr("8.0")));
  EXPECT_THAT(disagreements(predicted(Verdict::compatible), loads(86)),
              ElementsAre(HasSubstr("8.6")));
  EXPECT_THAT(disagreements(predicted(Verdict::compatible), loads(75)),
              ElementsAre(HasSubstr("7.5")));
}

TEST(Disagreement, IsAKernelOfSeveralModulesThatDoesNotLoad) {
  const auto of_two = [](Verdict verdict, const RuntimeAnswer& answer) {
    return compare({predicted(verdict, 2)}, {answer}, kDevice, true).disagreements;
  };
  EXPECT_THAT(of_two(Verdict::native, kNoImage),
              ElementsAre(HasSubstr("in each of its 2 modules, and the CUDA runtime answers")));
  EXPECT_THAT(of_two(Verdict::missing, loads(86)), IsEmpty()) << "another module may serve";
  EXPECT_THAT(of_two(Verdict::native, loads(80)), IsEmpty());
}

TEST(Disagreement, IsAKernelThatNobodySaw) {
  EXPECT_THAT(unseen({predicted(Verdict::native)}, {loads(86)}), IsEmpty());
  EXPECT_THAT(unseen({}, {loads(86)}), ElementsAre(HasSubstr("registers the kernel _Z1kPf")));
  auto nameless = predicted(Verdict::unknown);
  nameless.kernel = "";
  EXPECT_THAT(unseen({nameless}, {loads(86)}), IsEmpty()) << "it may be among them";
}

TEST(Disagreement, IsOtherPtx) {
  EXPECT_THAT(disagreements(compiled_from({80}), loads(86, 75), false),
              ElementsAre(HasSubstr("the CUDA runtime compiles PTX for 7.5")));
}

TEST(Agreement, LeavesOutWhatCannotBeCompared) {
  const auto compared = [](const coverage::Served& served, const RuntimeAnswer& answer) {
    return compare({served}, {answer}, kDevice, true).compared;
  };
  EXPECT_EQ(compared(predicted(Verdict::missing, 2), kNoImage), 0U) << "of several modules";
  EXPECT_EQ(compared(predicted(Verdict::unknown), loads(86)), 0U);
  auto other = loads(86);
  other.kernel = "_Z1lPf";
  EXPECT_EQ(compared(predicted(Verdict::native), other), 0U);
}

}  // namespace
}  // namespace archgrid::gtest
