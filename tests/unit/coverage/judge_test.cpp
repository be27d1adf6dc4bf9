// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "requests.hpp"

namespace archgrid::tests {
namespace {

using coverage::Audit;
using coverage::Request;
using coverage::State;
using coverage::Verdict;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Judge, JudgesEachPromiseByItsOwnDriver) {
  const auto findings_with = [](const std::vector<std::string>& drivers) {
    Request wanted;
    for (const auto& driver : drivers) {
      wanted.promises.push_back(promise({"9.0"}, {Verdict::jit}));
      if (!driver.empty()) wanted.promises.back().driver = coverage::parse_driver(driver);
    }
    std::vector<std::string> codes;
    for (const auto& finding : audit_one(file_of({ptx("80", "8.4")}), wanted).findings) {
      codes.push_back(finding.code);
    }
    return codes;
  };
  EXPECT_THAT(findings_with({"550", ""}), ElementsAre());
  EXPECT_THAT(findings_with({"", "545"}), ElementsAre("ptx-too-new"));
  EXPECT_THAT(findings_with({"545", ""}), ElementsAre("ptx-too-new"));
  EXPECT_THAT(findings_with({"550", "545", "550"}), ElementsAre("ptx-too-new"));
}

// Kernels of one module share their results, but only equal ones.
TEST(Judge, SaysOfEachKernelWhatHoldsForIt) {
  auto file = file_of({sass("80", {kernel("k"), kernel("l"), kernel("m", Body::empty)}),
                       sass("75", {kernel("k"), kernel("m")})});
  add_module(file, {sass("80", {kernel("n")})});
  const auto result = audit_one(file, request({"7.5", "8.0"}));
  std::vector<std::string> said;
  for (const auto& finding : result.findings) {
    said.push_back(finding.kernel.str() + " " + finding.device + " " + report::message_of(finding));
  }
  const std::string promised = "; promised is native or compatible";
  EXPECT_THAT(
      said,
      ElementsAre(
          "l 7.5 7.5 takes the sm_75 image of its module, which lacks it" + promised,
          "m 8.0 its sm_80 body is empty, while another of its bodies stores to memory" + promised,
          "n 7.5 none of its code runs on 7.5" + promised));
}

TEST(Judge, PatternsOfOneEntryThatOverlapSayTheSameOnce) {
  auto wanted = request({"7.5", "8.0"});
  wanted.promises.push_back(wanted.promises[0]);
  wanted.promises[0].kernels = "*long*";
  wanted.promises[1].kernels = "*";
  wanted.promises[1].accept = {Verdict::native};
  const auto file = [] { return file_of({sass("80", {kernel("a_long_name"), kernel("b")})}); };
  const auto kernels_in = [](const Audit& audit) {
    std::vector<std::size_t> kernels;
    for (const auto& finding : audit.findings) kernels.push_back(finding.kernels);
    return kernels;
  };
  EXPECT_THAT(kernels_in(audit_one(file(), wanted)), ElementsAre(1, 2)) << "two promises";
  for (auto& promise : wanted.promises) promise.entry = "promises[0]";
  const auto result = audit_one(file(), wanted);
  EXPECT_THAT(kernels_in(result), ElementsAre(1, 1));
  EXPECT_TRUE(result.unused.empty());  // both patterns match a kernel
}

TEST(Judge, PtxOnlyIsAFindingUnlessJitIsAccepted) {
  const auto file = file_of({ptx("90")});
  EXPECT_EQ(audit_one(file, request({"9.0"})).findings.at(0).code, "jit");
  Request wanted;
  wanted.promises = {promise({"9.0"}, {Verdict::jit})};
  EXPECT_TRUE(audit_one(file, wanted).findings.empty());
}

TEST(Judge, TheDriverOfThePromiseIsUsed) {
  const auto file = file_of({ptx("90", "9.0")});
  Request wanted;
  wanted.promises = {promise({"9.0"}, {Verdict::jit})};
  wanted.promises[0].driver = coverage::parse_driver("575");
  EXPECT_EQ(audit_one(file, wanted).findings.at(0).code, "ptx-too-new");
  wanted.driver = coverage::parse_driver("580");
  EXPECT_TRUE(audit_one(file, wanted).findings.empty());
}

TEST(Judge, IgnoredFindingsAreCounted) {
  auto wanted = request({"8.0", "9.0"});
  wanted.ignores = {{"ignore[0]", "k", {device("9.0")}, "not shipped for Hopper"}};
  const auto result = audit_one(file_of({sass("80")}), wanted);
  EXPECT_TRUE(result.findings.empty());
  ASSERT_EQ(result.ignored.size(), 1U);
  EXPECT_EQ(result.ignored[0].reason, "not shipped for Hopper");
  EXPECT_EQ(result.files[0].rows[0].fields[1].state, State::ignored);
}

TEST(Judge, IgnoresOfOtherDevicesMatchNothing) {
  auto wanted = request({"8.0", "9.0"});
  wanted.ignores = {{"ignore[0]", "k", {device("8.0")}, "reason"}};
  EXPECT_EQ(audit_one(file_of({sass("80")}), wanted).findings.size(), 1U);
}

TEST(Judge, UnusedIgnoresAndPatternsAreKnown) {
  auto wanted = request({"9.0"});
  wanted.ignores = {{"ignore[0]", "*debug*", {}, "reason"}};
  wanted.promises.push_back(promise({"9.0"}));
  wanted.promises.back().kernels = "*wgmma*";
  wanted.promises.back().place = "promises[1]";
  std::vector<Audit> audits;
  audits.push_back(audit_one(file_of({sass("90")}), wanted));
  auto unused = coverage::unused_in(audits);
  ASSERT_EQ(unused.size(), 2U);
  EXPECT_EQ(unused[0].code, "unused-ignore");
  EXPECT_THAT(report::message_of(unused[0]),
              HasSubstr("ignore[0]: \"*debug*\" matches no promised kernel"));
  EXPECT_EQ(unused[1].code, "unused-promise");
  EXPECT_THAT(report::fix_of(unused[0]), HasSubstr("take the entry out, or correct its pattern"));
  wanted.ignores[0].kernel = "bug";
  const std::vector<Audit> part = {audit_one(file_of({sass("90", {kernel("debug")})}), wanted)};
  EXPECT_THAT(report::fix_of(coverage::unused_in(part).at(0)),
              HasSubstr("a pattern is of a whole name: write \"*bug*\""));
  wanted.ignores[0].kernel = "*debug*";

  audits.push_back(audit_one(file_of({sass("90", {kernel("debug"), kernel("wgmma")})}), wanted));
  EXPECT_TRUE(coverage::unused_in(audits).empty());
}

}  // namespace
}  // namespace archgrid::tests
