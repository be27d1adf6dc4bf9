// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "requests.hpp"

namespace archgrid::tests {
namespace {

using coverage::State;
using coverage::Verdict;
using ::testing::HasSubstr;

TEST(ManyEmptyBodies, AreOneFinding) {
  const auto half_empty = file_of_many(
      100, {sass("75", {kernel("k", fatbin::Body::empty)}), sass("80", {kernel("k")})});
  const auto result = audit_one(half_empty, request({"7.5", "8.0"}));
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].code, "empty");
  EXPECT_EQ(result.findings[0].kernels, 100U);
  EXPECT_EQ(result.findings[0].device, "7.5");
  EXPECT_THAT(result.findings[0].message.str(), HasSubstr("100 kernels do no work on 7.5"));
  for (const auto& row : result.files.at(0).rows) {
    EXPECT_EQ(row.fields.at(0).judgement.verdict, Verdict::empty);
    EXPECT_EQ(row.fields.at(0).state, State::broken);
  }
}

TEST(ManyEmptyBodies, AreForgivenByAcceptingThem) {
  auto wanted = request({"7.5", "8.0"});
  wanted.promises[0].accept.insert(Verdict::empty);
  const auto half_empty = file_of_many(
      100, {sass("75", {kernel("k", fatbin::Body::empty)}), sass("80", {kernel("k")})});
  EXPECT_TRUE(audit_one(half_empty, wanted).findings.empty());
}

TEST(ManyEmptyBodies, AFewAreToldOneByOne) {
  const auto few =
      file_of_many(3, {sass("75", {kernel("k", fatbin::Body::empty)}), sass("80", {kernel("k")})});
  const auto result = audit_one(few, request({"7.5", "8.0"}));
  ASSERT_EQ(result.findings.size(), 3U);
  EXPECT_EQ(result.findings[2].kernel, "k2");
  EXPECT_EQ(result.findings[2].kernels, 1U);
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
