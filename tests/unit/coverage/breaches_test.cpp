// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "requests.hpp"

namespace archgrid::tests {
namespace {

using coverage::State;
using coverage::Verdict;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

TEST(Breaches, OfOneReasonAreOneFindingThatListsItsUnits) {
  auto file = file_of_many(3, {sass("75", {kernel("k")})});
  for (std::size_t index = 0; index < 3; ++index) {
    file.modules[index].unit = std::string(1, static_cast<char>('a' + index)) + ".cu";
  }
  const auto result = audit_one(file, request({"7.5", "8.0"}));
  ASSERT_EQ(result.findings.size(), 1U);
  const auto& finding = result.findings[0];
  EXPECT_EQ(finding.code + " " + finding.kernel.str() + " " + finding.device, "missing k0 8.0");
  EXPECT_EQ(finding.kernels, 3U);
  ASSERT_TRUE(finding.cause.has_value());
  EXPECT_EQ(finding.cause->rule, coverage::Rule::promised);
  EXPECT_THAT(finding.cause->units, ElementsAre("a.cu", "b.cu", "c.cu"));
  EXPECT_EQ(finding.cause->modules, 3U);
  EXPECT_EQ(report::fix_of(finding),
            "compile a.cu and 2 more .cu files of libmany.so for 80 too: add -gencode "
            "arch=compute_80,code=sm_80 to nvcc's options, or in CMake 80 to CUDA_ARCHITECTURES");
}

TEST(Breaches, CountUnitsWithoutANameToo) {
  auto file = file_of_many(3, {sass("75", {kernel("k")})});
  file.modules[0].unit = "a.cu";
  const auto result = audit_one(file, request({"8.0"}));
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_THAT(report::fix_of(result.findings[0]),
              HasSubstr("compile a.cu and 2 more .cu files of"));
}

TEST(Breaches, OfSeveralPromisesForOneReasonAreOneFinding) {
  auto wanted = request({"8.0"});
  wanted.promises.push_back(wanted.promises[0]);
  wanted.promises[1].strict = false;
  const auto result = audit_one(file_of_many(2, {sass("75", {kernel("k")})}), wanted);
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].kernels, 2U);
}

TEST(Breaches, OfSeveralReasonsOrDevicesAreSeveralFindings) {
  auto file = file_of_many(2, {sass("75", {kernel("k")})});
  add_module(file, {sass("75", {kernel("other")}), sass("80", {kernel("beside")})});
  const auto result = audit_one(file, request({"8.0", "9.0"}));
  std::vector<std::string> texts;
  for (const auto& finding : result.findings) {
    texts.push_back(finding.kernel.str() + " " + std::to_string(finding.kernels) + " on " +
                    finding.device);
  }
  EXPECT_THAT(texts, UnorderedElementsAre("k0 2 on 8.0", "other 1 on 8.0", "beside 4 on 9.0"));
}

TEST(Breaches, OfTheSameKernelsHaveTheSameHash) {
  auto file = file_of_many(2, {sass("75", {kernel("k")}), sass("80", {kernel("k")})});
  add_module(file, {sass("75", {kernel("old")})});
  const auto result = audit_one(file, request({"8.0", "9.0", "10.0"}));
  std::map<std::string, std::uint64_t> hashes;
  for (const auto& finding : result.findings) {
    hashes[finding.device] = finding.cause->kernels_hash;
  }
  ASSERT_EQ(hashes.size(), 3U);
  EXPECT_EQ(hashes["9.0"], hashes["10.0"]);
  EXPECT_NE(hashes["8.0"], hashes["9.0"]);
}

TEST(Breaches, OfTheSameKernelsHaveTheSameHashInEveryBuild) {
  const auto hash_of = [](const std::string& internal, const std::string& cub) {
    const auto kernels = {kernel("_ZN39_GLOBAL__N__" + internal + "_9_sample_cu__Z1fPf4anonEPf"),
                          kernel("_ZN3cub" + std::to_string(cub.size()) + cub + "4scanEPf"),
                          kernel("_Z4tilePf")};
    const auto result = audit_one(file_of({sass("75", kernels)}), request({"8.0"}));
    return result.findings.at(0).cause->kernels_hash;
  };
  const auto hash = hash_of("0cd80813", "CUB_200301_500_NS");
  EXPECT_EQ(hash, hash_of("c21eeec3", "CUB_300102_SM_800"));
  EXPECT_NE(hash, hash_of("c21eeec3", "CUB_of_mine"));
}

TEST(Breaches, ThatAreIgnoredAreOneForEachReason) {
  auto wanted = request({"8.0"});
  wanted.ignores = {{"ignore[0]", "k0", {}, "old"}, {"ignore[1]", "k*", {}, "slow"}};
  const auto result = audit_one(file_of_many(3, {sass("75", {kernel("k")})}), wanted);
  EXPECT_THAT(result.findings, IsEmpty());
  ASSERT_EQ(result.ignored.size(), 2U);
  EXPECT_EQ(result.ignored[0].reason, "old");
  EXPECT_EQ(result.ignored[0].finding.kernels, 1U);
  EXPECT_EQ(result.ignored[1].reason, "slow");
  EXPECT_EQ(result.ignored[1].finding.kernels, 2U);
}

TEST(ManyEmptyBodies, AreOneFinding) {
  const auto half_empty = file_of_many(
      100, {sass("75", {kernel("k", fatbin::Body::empty)}), sass("80", {kernel("k")})});
  const auto result = audit_one(half_empty, request({"7.5", "8.0"}));
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].code, "empty");
  EXPECT_EQ(result.findings[0].kernels, 100U);
  EXPECT_EQ(result.findings[0].device, "7.5");
  EXPECT_THAT(report::message_of(result.findings[0]), HasSubstr("100 kernels do no work on 7.5"));
  for (const auto& row : result.files.at(0).rows) {
    EXPECT_EQ(row.fields.at(0).verdict, Verdict::empty);
    EXPECT_EQ(row.fields.at(0).state, State::broken);
  }
}

TEST(Breaches, OfBodiesThatDoNoWorkHaveTheirCodes) {
  for (const auto& [body, code] :
       std::vector<std::pair<fatbin::Body, std::string>>{{fatbin::Body::trap, "trap"},
                                                         {fatbin::Body::print, "stub"},
                                                         {fatbin::Body::print_trap, "stub"},
                                                         {fatbin::Body::assertion, "stub"},
                                                         {fatbin::Body::inert, "empty"},
                                                         {fatbin::Body::empty, "empty"}}) {
    const auto file = file_of({sass("75", {kernel("k", body)}), sass("80", {kernel("k")})});
    auto wanted = request({"7.5"});
    const auto result = audit_one(file, wanted);
    ASSERT_EQ(result.findings.size(), 1U);
    EXPECT_EQ(result.findings[0].code, code);
    EXPECT_EQ(result.files.at(0).rows.at(0).fields.at(0).verdict, Verdict::empty);
    coverage::Request without;
    without.accept_without_promise = coverage::default_verdicts();
    without.devices = wanted.promises.at(0).devices;
    ASSERT_EQ(audit_one(file, without).findings.size(), 1U);
    EXPECT_EQ(audit_one(file, without).findings[0].code, code) << "without a promise";
    wanted.ignores = {{"ignore[0]", "k", {}, "meant", code}};
    EXPECT_THAT(audit_one(file, wanted).findings, IsEmpty()) << code;
  }
}

TEST(ManyEmptyBodies, AreOneFindingForEachCode) {
  auto file =
      file_of_many(30, {sass("75", {kernel("k", fatbin::Body::empty)}), sass("80", {kernel("k")})});
  file.images[0].kernels[0].body = fatbin::Body::trap;
  const auto result = audit_one(file, request({"7.5"}));
  ASSERT_EQ(result.findings.size(), 2U);
  EXPECT_EQ(result.findings[0].code, "trap");
  EXPECT_EQ(result.findings[0].kernels, 1U);
  EXPECT_EQ(result.findings[1].code, "empty");
  EXPECT_EQ(result.findings[1].kernels, 29U);
}

TEST(ManyEmptyBodies, AreCountedOnceHoweverManyPromises) {
  auto wanted = request({"7.5"});
  for (int more = 0; more < 2; ++more) wanted.promises.push_back(wanted.promises[0]);
  const auto file =
      file_of_many(10, {sass("75", {kernel("k", fatbin::Body::empty)}), sass("80", {kernel("k")})});
  const auto result = audit_one(file, wanted);
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_THAT(report::message_of(result.findings[0]), HasSubstr("its sm_75 body is empty"));
}

TEST(ManyEmptyBodies, AreAcceptedByTheirVerdict) {
  auto wanted = request({"7.5", "8.0"});
  wanted.promises[0].accept.insert(Verdict::empty);
  const auto half_empty = file_of_many(
      100, {sass("75", {kernel("k", fatbin::Body::empty)}), sass("80", {kernel("k")})});
  EXPECT_TRUE(audit_one(half_empty, wanted).findings.empty());
}

TEST(ManyEmptyBodies, OfAFewTheReasonIsSaid) {
  const auto few =
      file_of_many(3, {sass("75", {kernel("k", fatbin::Body::empty)}), sass("80", {kernel("k")})});
  const auto result = audit_one(few, request({"7.5", "8.0"}));
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].kernels, 3U);
  EXPECT_THAT(report::message_of(result.findings[0]), HasSubstr("its sm_75 body is empty"));
}

TEST(ManyEmptyBodies, DoNotHideMissingOnes) {
  auto file = file_of_many(
      100, {sass("75", {kernel("k", fatbin::Body::empty)}), sass("80", {kernel("k")})});
  add_module(file, {sass("80", {kernel("forgotten")})});
  const auto result = audit_one(file, request({"7.5", "8.0"}));
  ASSERT_EQ(result.findings.size(), 2U);
  EXPECT_EQ(result.findings[0].code + " " + result.findings[0].kernel.str(), "missing forgotten");
}

}  // namespace
}  // namespace archgrid::tests
