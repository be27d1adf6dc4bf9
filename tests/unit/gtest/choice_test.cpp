// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "choice.hpp"

#include <gtest/gtest.h>

#include <string>

namespace archgrid::gtest {
namespace {

using device::Capability;
using device::Machine;

Machine with(std::vector<device::Gpu> gpus) {
  Machine machine;
  machine.gpus = std::move(gpus);
  return machine;
}

Machine without(device::Problem problem) {
  Machine machine;
  machine.problem = problem;
  machine.message = "the reason";
  return machine;
}

Machine two_gpus() {
  return with({{0, "A", {8, 6}}, {1, "B", {9, 0}}});
}

Choice choose_any(const Machine& machine, const Settings& settings) {
  return choose(machine, settings, [](Capability) { return ""; });
}

Settings asking_for(Capability capability, bool required = false) {
  Settings settings;
  settings.device = capability;
  settings.require_gpu = required;
  return settings;
}

Settings requiring() {
  Settings settings;
  settings.require_gpu = true;
  return settings;
}

TEST(Choose, TakesTheFirstGpuUnlessAskedForAnother) {
  EXPECT_EQ(choose_any(two_gpus(), {}).gpu.ordinal, 0);
  const Choice choice = choose_any(two_gpus(), asking_for({9, 0}));
  EXPECT_EQ(choice.outcome, Outcome::run);
  EXPECT_EQ(choice.gpu.ordinal, 1);
}

TEST(Choose, TakesTheFirstGpuThatTheTestsAreFor) {
  const auto only_hopper = [](Capability gpu) -> std::string {
    return gpu == Capability{9, 0} ? "" : "not for " + device::text_of(gpu);
  };
  const Choice choice = choose(two_gpus(), {}, only_hopper);
  EXPECT_EQ(choice.outcome, Outcome::run);
  EXPECT_EQ(choice.gpu.ordinal, 1);
  EXPECT_EQ(choose(two_gpus(), asking_for({9, 0}), only_hopper).gpu.ordinal, 1);

  const Machine none = with({{0, "A", {8, 6}}, {1, "A", {8, 6}}, {2, "T", {7, 5}}});
  EXPECT_EQ(closing_line(choose(none, {}, only_hopper)),
            "archgrid: skipped: wrong-gpu: not for 8.6; not for 7.5; here is A (8.6), A (8.6), "
            "T (7.5)");
  EXPECT_EQ(choose(two_gpus(), asking_for({8, 6}), only_hopper).code, "wrong-gpu");
  EXPECT_EQ(choose(none, requiring(), only_hopper).outcome, Outcome::fail);
}

TEST(Choose, SkipsAWrongGpuAndFailsWhereOneIsRequired) {
  const Choice skip = choose_any(two_gpus(), asking_for({7, 5}));
  EXPECT_EQ(skip.outcome, Outcome::skip);
  EXPECT_EQ(closing_line(skip),
            "archgrid: skipped: wrong-gpu: these tests are for 7.5 (ARCHGRID_DEVICE); here is "
            "A (8.6), B (9.0)");
  EXPECT_EQ(choose_any(two_gpus(), asking_for({7, 5}, true)).outcome, Outcome::fail);
}

TEST(Choose, SkipsWithoutAGpuAndFailsWhereOneIsRequired) {
  for (device::Problem problem :
       {device::Problem::no_driver, device::Problem::driver_too_old, device::Problem::no_device}) {
    EXPECT_EQ(choose_any(without(problem), {}).outcome, Outcome::skip);
    EXPECT_EQ(closing_line(choose_any(without(problem), {})),
              "archgrid: skipped: no-gpu: the reason");
    EXPECT_EQ(choose_any(without(problem), requiring()).outcome, Outcome::fail);
  }
}

TEST(Choose, FailsOnAGpuThatDoesNotWork) {
  const Choice choice = choose_any(without(device::Problem::other), {});
  EXPECT_EQ(choice.outcome, Outcome::fail);
  EXPECT_EQ(choice.code, "broken-gpu");
}

TEST(Choose, TakesNoGpuButTheAllottedOne) {
  Settings settings = asking_for({9, 0});
  settings.gpu = 0;
  EXPECT_EQ(choose_any(two_gpus(), settings).code, "wrong-gpu");
  settings.gpu = 1;
  EXPECT_EQ(choose_any(two_gpus(), settings).gpu.ordinal, 1);
  settings.gpu = 7;
  EXPECT_EQ(choose_any(two_gpus(), settings).outcome, Outcome::fail);
}

TEST(ForeignRuntime, IsAnyButTheOneCompiledFor) {
  EXPECT_EQ(foreign_runtime(13050, 13050, {}), "");
  EXPECT_EQ(foreign_runtime(11080, 0, {}), "") << "it did not say";
  EXPECT_NE(foreign_runtime(13050, 13000, {}).find("another toolkit's runtime, 13.0"),
            std::string::npos);
}

TEST(ForeignRuntime, IsThatOfHeadersOfAnotherToolkitToo) {
  Settings settings;
  settings.toolkit = "13.5";
  EXPECT_EQ(foreign_runtime(13050, 13050, settings), "");
  EXPECT_NE(foreign_runtime(13000, 13000, settings).find("the headers of 13.0"), std::string::npos);
}

}  // namespace
}  // namespace archgrid::gtest
