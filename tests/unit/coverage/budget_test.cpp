// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "requests.hpp"

namespace archgrid::tests {
namespace {

using coverage::Audit;
using coverage::Budget;
using coverage::Request;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Returns a kernel as ptxas 12.8 and newer record it.
fatbin::Kernel measured(const std::string& name, std::uint32_t registers,
                        std::uint32_t spill_stores = 0, std::uint32_t spill_loads = 0) {
  auto result = kernel(name);
  result.registers = registers;
  result.stack = 0;
  result.shared = 0;
  result.spill_stores = spill_stores;
  result.spill_loads = spill_loads;
  return result;
}

Image stored(Image image, std::uint64_t bytes) {
  image.stored = bytes;
  return image;
}

Budget budget(const std::string& kernels = "") {
  Budget result;
  result.place = "budgets[0]";
  result.kernels = kernels;
  return result;
}

Request budget_request(Budget limits, const std::vector<std::string>& devices = {"8.0"}) {
  Request result;
  result.promises.emplace_back();
  for (const auto& name : devices) result.promises[0].devices.push_back(device(name));
  result.budgets = {std::move(limits)};
  return result;
}

std::vector<std::string> finding_codes(const std::vector<coverage::Finding>& findings) {
  std::vector<std::string> codes;
  for (const auto& finding : findings) codes.push_back(finding.code);
  return codes;
}

TEST(Budget, MoreRegistersThanAllowedAreAFindingThatNamesTheKernel) {
  auto wanted = budget_request(budget());
  wanted.cell = "cu130-fat";
  wanted.budgets[0].registers = 128;
  wanted.budgets[0].reason = "two blocks";
  const auto file = file_of({sass("80", {measured("fits", 128), measured("wide", 168)})});
  const auto result = audit_one(file, wanted);
  ASSERT_EQ(result.findings.size(), 1U);
  const auto& finding = result.findings[0];
  EXPECT_EQ(finding.code, "over-budget");
  EXPECT_EQ(finding.kernel, "wide");
  EXPECT_EQ(finding.demangled, "wide");
  EXPECT_EQ(finding.path, "libx.so");
  EXPECT_EQ(finding.cell, "cu130-fat");
  EXPECT_EQ(finding.device, "");
  EXPECT_EQ(report::message_of(finding),
            "168 registers for 80; budgets[0] allows 128 (two blocks)");
  EXPECT_THAT(report::fix_of(finding), HasSubstr("__launch_bounds__"));
  wanted.budgets[0].registers = 168;
  EXPECT_THAT(audit_one(file, wanted).findings, IsEmpty());
}

TEST(Budget, OneFindingNamesEveryArchThatIsOver) {
  auto wanted = budget_request(budget(), {"8.0", "9.0"});
  wanted.budgets[0].registers = 64;
  const auto file = file_of({sass("80", {measured("k", 70)}), sass("90", {measured("k", 80)}),
                             sass("75", {measured("k", 60)})});
  const auto result = audit_one(file, wanted);
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(report::message_of(result.findings[0]),
            "70 registers for 80, 80 for 90; budgets[0] allows 64");
  wanted.budgets[0].archs = {{90, '\0'}};
  EXPECT_EQ(report::message_of(audit_one(file, wanted).findings.at(0)),
            "80 registers for 90; budgets[0] allows 64");
  wanted.budgets[0].archs = {{75, '\0'}};
  EXPECT_THAT(audit_one(file, wanted).findings, IsEmpty());
}

TEST(Budget, OfSeveralModulesThatHoldAKernelTheWorstCounts) {
  auto wanted = budget_request(budget());
  wanted.budgets[0].registers = 64;
  auto file = file_of({sass("80", {measured("k", 90)})});
  add_module(file, {sass("80", {measured("k", 70)})});
  EXPECT_EQ(report::message_of(audit_one(file, wanted).findings.at(0)),
            "90 registers for 80; budgets[0] allows 64");
}

TEST(Budget, SpillsAreStoresAndLoads) {
  auto wanted = budget_request(budget());
  wanted.budgets[0].spill_bytes = 10;
  EXPECT_THAT(audit_one(file_of({sass("80", {measured("k", 64, 4, 6)})}), wanted).findings,
              IsEmpty());
  const auto result = audit_one(file_of({sass("80", {measured("k", 64, 4, 7)})}), wanted);
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(report::message_of(result.findings[0]),
            "11 bytes of spills for 80; budgets[0] allows 10");
}

TEST(Budget, StackAndSharedMemoryAreLimitedToo) {
  auto wanted = budget_request(budget());
  wanted.budgets[0].stack_bytes = 100;
  wanted.budgets[0].shared_bytes = 1000;
  auto body = measured("k", 64);
  body.stack = 101;
  body.shared = 1001;
  EXPECT_THAT(finding_codes(audit_one(file_of({sass("80", {body})}), wanted).findings),
              ElementsAre("over-budget", "over-budget"));
  body.stack = 100;
  body.shared = 1000;
  EXPECT_THAT(audit_one(file_of({sass("80", {body})}), wanted).findings, IsEmpty());
}

TEST(Budget, WhatCodeDoesNotRecordIsUnknownNotKept) {
  auto wanted = budget_request(budget());
  wanted.budgets[0].spill_bytes = 0;
  auto first = kernel("first");
  first.spill_stores = 0;  // but no spill_loads
  auto image = sass("80", {first, kernel("second"), measured("third", 64)});
  image.toolkit = "12.4";
  const auto result = audit_one(file_of({image}), wanted);
  ASSERT_EQ(result.findings.size(), 1U) << "one for all kernels";
  const auto& finding = result.findings[0];
  EXPECT_EQ(finding.code, "budget-unknown");
  EXPECT_EQ(finding.kernel, "first");
  EXPECT_EQ(finding.kernels, 2U);
  EXPECT_EQ(report::message_of(finding),
            "the 2 kernels' machine code for 80, of CUDA 12.4, does not record spills; budgets[0] "
            "allows 0");
  EXPECT_THAT(report::fix_of(finding), HasSubstr("build it with CUDA 12.8 or newer"));
  image.toolkit = "13.0";
  EXPECT_THAT(report::fix_of(audit_one(file_of({image}), wanted).findings.at(0)),
              HasSubstr("take this limit out"));
  wanted.budgets[0].kernels = "third";
  EXPECT_THAT(audit_one(file_of({image}), wanted).findings, IsEmpty());
}

TEST(Budget, ConcernsOnlyKernelsOfItsPattern) {
  auto wanted = budget_request(budget("*gemm*"));
  wanted.budgets[0].registers = 64;
  const auto file = file_of({sass("80", {measured("gemm_tile", 64), measured("scale", 200)})});
  EXPECT_THAT(audit_one(file, wanted).findings, IsEmpty());
  wanted.budgets[0].kernels = "*scale*";
  EXPECT_EQ(audit_one(file, wanted).findings.at(0).kernel, "scale");
}

TEST(Budget, PatternsOfOneEntryThatOverlapSayTheSameOnce) {
  auto wanted = budget_request(budget("*long*"));
  wanted.budgets[0].registers = 32;
  wanted.budgets.push_back(wanted.budgets[0]);
  wanted.budgets[1].kernels = "*";
  const auto file = file_of({sass("80", {measured("a_long_name", 33), measured("b", 40)})});
  EXPECT_EQ(audit_one(file, wanted).findings.size(), 3U);  // two budgets
  for (auto& limits : wanted.budgets) limits.entry = "budgets[0]";
  EXPECT_EQ(audit_one(file, wanted).findings.size(), 2U);
}

TEST(Budget, BytesPerArchAreThoseStoredForAllItsImages) {
  auto wanted = budget_request(budget());
  wanted.budgets[0].bytes_per_arch = 150;
  auto file = file_of({stored(sass("80"), 100), stored(ptx("80"), 40), stored(sass("90a"), 150)});
  EXPECT_THAT(audit_one(file, wanted).findings, IsEmpty());
  add_module(file, {stored(sass("80", {kernel("other")}), 20)});
  const auto result = audit_one(file, wanted);
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].code, "over-budget");
  EXPECT_EQ(result.findings[0].kernel, "");
  EXPECT_EQ(report::message_of(result.findings[0]),
            "160 bytes are stored for 80 (120 of them machine code); budgets[0] allows 150");
  wanted.budgets[0].archs = {{90, 'a'}};
  EXPECT_THAT(audit_one(file, wanted).findings, IsEmpty());
}

TEST(Budget, BytesAreThoseOfOneFile) {
  auto wanted = budget_request(budget());
  wanted.budgets[0].bytes_per_arch = 150;
  std::vector<File> files = {file_of({stored(sass("80"), 100)}),
                             file_of({stored(sass("80"), 100)})};
  EXPECT_THAT(coverage::audit(files, wanted).findings, IsEmpty());
  files[1].images[0].stored = 151;
  EXPECT_EQ(coverage::audit(files, wanted).findings.size(), 1U);
}

TEST(Budget, WhatIsIgnoredByKernelBreaksNothing) {
  auto wanted = budget_request(budget());
  wanted.budgets[0].registers = 64;
  const auto file = file_of({sass("80", {measured("wide", 90)})});
  wanted.ignores = {{"ignore[0]", "wide", {}, "known"}};
  auto result = audit_one(file, wanted);
  EXPECT_THAT(result.findings, IsEmpty());
  ASSERT_EQ(result.ignored.size(), 1U);
  EXPECT_EQ(result.ignored[0].reason, "known");
  EXPECT_EQ(result.used.count("ignore[0]"), 1U) << "it is of use";
  wanted.ignores[0].devices = {device("8.0")};
  result = audit_one(file, wanted);
  EXPECT_EQ(result.findings.size(), 1U) << "an ignore for a device is about its verdicts";
}

TEST(Budget, WhatIsUnknownIsIgnoredKernelByKernel) {
  auto wanted = budget_request(budget());
  wanted.budgets[0].spill_bytes = 0;
  wanted.ignores = {{"ignore[0]", "a", {}, "one"}, {"ignore[1]", "b", {}, "other"}};
  const auto result =
      audit_one(file_of({sass("80", {kernel("a"), kernel("b"), kernel("c")})}), wanted);
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].kernel, "c");
  EXPECT_EQ(result.ignored.size(), 2U);
  EXPECT_EQ(result.used.count("ignore[0]") + result.used.count("ignore[1]"), 2U);
}

TEST(Budget, OneThatMatchesNothingIsAFinding) {
  auto wanted = budget_request(budget("ghost*"));
  wanted.budgets[0].registers = 64;
  wanted.budgets[0].archs = {{80, '\0'}, {90, 'a'}};
  const auto file = file_of({sass("80", {measured("k", 10)}), ptx("90")});
  const auto unused = coverage::unused_in({audit_one(file, wanted)});
  ASSERT_EQ(unused.size(), 1U);
  EXPECT_EQ(unused[0].code, "unused-budget");
  EXPECT_EQ(report::message_of(unused[0]),
            "budgets[0]: it matches no machine code of a kernel \"ghost*\" for 80, 90a");
  wanted.budgets[0].kernels = "k";
  EXPECT_THAT(coverage::unused_in({audit_one(file, wanted)}), IsEmpty());
  wanted.budgets[0].archs = {{90, '\0'}};
  EXPECT_THAT(finding_codes(coverage::unused_in({audit_one(file, wanted)})),
              ElementsAre("unused-budget"))
      << "PTX has no registers";
}

TEST(Budget, OneThatMatchesInAnotherCellIsOfUse) {
  auto wanted = budget_request(budget());
  wanted.budgets[0].registers = 64;
  wanted.budgets[0].archs = {{90, '\0'}};
  const auto without = audit_one(file_of({sass("80", {measured("k", 10)})}), wanted);
  const auto with = audit_one(file_of({sass("90", {measured("k", 10)})}), wanted);
  EXPECT_EQ(coverage::unused_in({without}).size(), 1U);
  EXPECT_THAT(coverage::unused_in({without, with}), IsEmpty());
}

TEST(Budget, AnAuditForOneDeviceLeavesTheCodeOfTheOthersToTheirs) {
  auto wanted = budget_request(budget(), {"8.0", "9.0"});
  wanted.budgets[0].registers = 64;
  const auto file = file_of({sass("75", {measured("k", 10)}), sass("80", {measured("k", 90)}),
                             sass("90", {measured("k", 10)})});
  wanted.devices = {device("9.0")};
  EXPECT_THAT(audit_one(file, wanted).findings, IsEmpty());
  wanted.devices = {device("8.0")};
  EXPECT_EQ(audit_one(file, wanted).findings.size(), 1U);
  const auto orphan = file_of({sass("75", {measured("k", 90)}), sass("80", {measured("k", 10)}),
                               sass("90", {measured("k", 10)})});
  wanted.devices = {device("9.0")};
  EXPECT_EQ(audit_one(orphan, wanted).findings.size(), 1U) << "nobody else would see to 75";
}

TEST(Budget, ObjectsOfADeviceLinkAreNotWhatRuns) {
  auto wanted = budget_request(budget());
  wanted.budgets[0].registers = 64;
  auto file = file_of({sass("80", {measured("k", 10)})});
  file.modules[0].linked = true;
  auto& part = add_module(file, {sass("80", {measured("k", 90)})});
  part.relocatable = true;
  EXPECT_THAT(audit_one(file, wanted).findings, IsEmpty());
  file.modules[0].linked = false;
  EXPECT_EQ(audit_one(file, wanted).findings.size(), 1U);
}

}  // namespace
}  // namespace archgrid::tests
