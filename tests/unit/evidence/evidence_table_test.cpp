// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the comparison of code with what ran.
#include <gtest/gtest.h>

#include <archgrid/evidence/evidence_table.hpp>

#include "executions.hpp"

namespace archgrid::tests {
namespace {

using evidence::Evidence;
using evidence::RunState;

/// Returns the state of the file's first kernel on a device.
RunState state_of(const File& file, const std::string& gpu, const Evidence& evidence) {
  evidence::EvidenceRequest request;
  request.devices = {device(gpu)};
  return evidence::evidence_for({file}, request, evidence).at(0).states.at(device(gpu));
}

TEST(EvidenceTable, DistinguishesWhatRanFromWhatRuns) {
  Evidence evidence;
  evidence.add(execution("k", "9.0", 'a'));
  EXPECT_EQ(state_of(file_of({sass("90", {coded("k", 'a')})}), "9.0", evidence),
            RunState::executed);
  EXPECT_EQ(state_of(file_of({sass("90", {coded("k", 'b')})}), "9.0", evidence), RunState::changed);
  EXPECT_EQ(state_of(file_of({sass("90", {coded("l", 'a')})}), "9.0", evidence), RunState::never);
  EXPECT_EQ(state_of(file_of({sass("90", {coded("k", 0)})}), "9.0", evidence), RunState::unknown);
  EXPECT_EQ(state_of(file_of({sass("90", {coded("l", 0)})}), "9.0", evidence), RunState::never);
  EXPECT_EQ(state_of(file_of({sass("100", {coded("k", 'a')})}), "9.0", evidence),
            RunState::no_code);
}

TEST(EvidenceTable, ARunCountsForItsComputeCapabilityAlone) {
  Evidence evidence;
  evidence.add(execution("k", "8.0", 'a'));
  const auto file = file_of({sass("80", {coded("k", 'a')})});
  EXPECT_EQ(state_of(file, "8.0", evidence), RunState::executed);
  EXPECT_EQ(state_of(file, "8.6", evidence), RunState::never);
}

TEST(EvidenceTable, ComparesTheImageThatTheDeviceTakes) {
  Evidence evidence;
  evidence.add(execution("k", "9.0", 'a'));
  const auto older = sass("80", {coded("k", 'b')});
  EXPECT_EQ(state_of(file_of({older, sass("90", {coded("k", 'a')})}), "9.0", evidence),
            RunState::executed);
  EXPECT_EQ(state_of(file_of({ptx("80", "7.0", {coded("k", 'a')}), sass("90", {coded("k", 'b')})}),
                     "9.0", evidence),
            RunState::changed);
}

TEST(EvidenceTable, OfTwoModulesBothMustHaveRun) {
  Evidence evidence;
  evidence.add(execution("k", "9.0", 'a'));
  auto file = file_of({sass("90", {coded("k", 'a')})});
  add_module(file, {sass("90", {coded("k", 'b')})});
  EXPECT_EQ(state_of(file, "9.0", evidence), RunState::changed);
  evidence.add(execution("k", "9.0", 'b'));
  EXPECT_EQ(state_of(file, "9.0", evidence), RunState::executed);
}

TEST(EvidenceTable, LeavesOutWhatIsNotPromised) {
  evidence::EvidenceRequest request;
  request.devices = {device("8.0"), device("9.0")};
  coverage::Promise promise;
  promise.devices = {device("9.0")};
  request.promises = {promise};
  const auto table =
      evidence::evidence_for({file_of({sass("80", {coded("k", 'a')})})}, request, Evidence());
  EXPECT_EQ(table.at(0).states.count(device("8.0")), 0U);
  EXPECT_EQ(table.at(0).states.at(device("9.0")), RunState::no_code);
}

}  // namespace
}  // namespace archgrid::tests
