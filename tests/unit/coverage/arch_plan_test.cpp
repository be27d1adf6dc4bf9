// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <archgrid/words.hpp>
#include <random>
#include <stdexcept>

#include "files.hpp"

namespace archgrid::tests {
namespace {

using coverage::ArchPlan;
using coverage::PlanRequest;
using coverage::PtxWish;
using coverage::Verdict;
using coverage::Verdicts;
using coverage::Version;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

coverage::Wanted wanted(const std::string& name, Verdicts accept = coverage::default_verdicts()) {
  return {device(name), std::move(accept), std::nullopt};
}

PlanRequest plan_request(Version toolkit, const std::vector<std::string>& devices,
                         const Verdicts& accept = coverage::default_verdicts()) {
  PlanRequest result;
  result.toolkit = toolkit;
  for (const auto& name : devices) result.devices.push_back(wanted(name, accept));
  return result;
}

std::vector<std::string> list_of(const ArchPlan& plan) {
  return coverage::spell(plan.archs).matrix;
}

/// Returns "8.6 compatible 80", with `+ptx` if PTX serves the device.
std::vector<std::string> services_of(const ArchPlan& plan) {
  std::vector<std::string> result;
  for (const auto& service : plan.served) {
    result.push_back(service.device.text() + " " + coverage::name_of(service.verdict) + " " +
                     service.arch.text() + (service.ptx ? "+ptx" : ""));
  }
  return result;
}

const Verdicts kWithJit = {Verdict::native, Verdict::compatible, Verdict::jit};

TEST(ArchPlan, ServesAMajorVersionFromItsLowestDevice) {
  const auto plan = coverage::plan_archs(
      plan_request({13, 0}, {"7.5", "8.0", "8.6", "8.9", "9.0", "10.0", "12.0", "12.1"}));
  EXPECT_THAT(list_of(plan), ElementsAre("75-real", "80-real", "90-real", "100-real", "120-real"));
  EXPECT_THAT(
      services_of(plan),
      ElementsAre("7.5 native 75", "8.0 native 80", "8.6 compatible 80", "8.9 compatible 80",
                  "9.0 native 90", "10.0 native 100", "12.0 native 120", "12.1 compatible 120"));
  EXPECT_THAT(plan.unserved, IsEmpty());
  EXPECT_FALSE(plan.fallback);
}

TEST(ArchPlan, NativeOnlyGivesEachDeviceItsOwnArch) {
  const auto plan =
      coverage::plan_archs(plan_request({13, 0}, {"8.0", "8.6", "8.9", "12.1"}, {Verdict::native}));
  EXPECT_THAT(list_of(plan), ElementsAre("80-real", "86-real", "89-real", "121-real"));
}

TEST(ArchPlan, IntegratedDevicesNeedTheirOwnArchUnlessUnknownIsAccepted) {
  EXPECT_THAT(list_of(coverage::plan_archs(plan_request({13, 0}, {"8.0", "8.7", "11.0"}))),
              ElementsAre("80-real", "87-real", "110-real"));
  EXPECT_THAT(list_of(coverage::plan_archs(plan_request({12, 4}, {"8.0", "8.7"}))),
              ElementsAre("80-real", "87-real"));
  // 8.7 has its own arch, which is preferred; CUDA 11.2 lacks it, and 80 may load.
  auto loose = plan_request({11, 2}, {"8.0"});
  loose.devices.push_back(wanted("8.7", {Verdict::native, Verdict::unknown}));
  const auto plan = coverage::plan_archs(loose);
  EXPECT_THAT(services_of(plan), ElementsAre("8.0 native 80", "8.7 unknown 80"));
  loose.devices[1].accept = {Verdict::native};
  EXPECT_EQ(coverage::plan_archs(loose).unserved.size(), 1U);
}

TEST(ArchPlan, NoToolkitServesAGpuThatItsDriverDoesNotKnow) {
  auto asked = plan_request({12, 4}, {"7.0", "8.0"});
  for (auto& each : asked.devices) each.driver = coverage::parse_driver("590");
  const auto plan = coverage::plan_archs(asked);
  EXPECT_THAT(services_of(plan), ElementsAre("8.0 native 80"));
  ASSERT_EQ(plan.unserved.size(), 1U);
  EXPECT_EQ(plan.unserved[0].device, device("7.0"));
  EXPECT_THAT(report::reason_text(plan.unserved[0], plan.toolkit),
              HasSubstr("driver 580 is the last that does"));
  EXPECT_THAT(report::misfit_fix(plan.unserved[0]),
              HasSubstr("promise driver 580 or older for 7.0"));
  EXPECT_THAT(plan.unserved[0].able, IsEmpty());
  EXPECT_FALSE(coverage::arch_for({12, 4}, asked.devices[0]));
  for (auto& each : asked.devices) each.driver = coverage::parse_driver("580");
  EXPECT_THAT(coverage::plan_archs(asked).unserved, IsEmpty());
}

TEST(ArchPlan, OfSeveralPromisedDriversTheOneThatDoesNotKnowTheGpuCounts) {
  const auto promise_with = [](const char* driver) {
    coverage::Promise result;
    result.devices = {device("7.0")};
    result.driver = coverage::parse_driver(driver);
    return result;
  };
  const auto driver_of = [&](std::vector<const char*> drivers) {
    std::vector<coverage::Promise> promises;
    for (const auto* driver : drivers) promises.push_back(promise_with(driver));
    return coverage::wanted_devices(promises).at(0).driver->name;
  };
  EXPECT_EQ(driver_of({"570", "535", "580"}), "driver 535");
  EXPECT_EQ(driver_of({"570", "590", "535"}), "driver 590");
}

TEST(ArchPlan, OfEquallyShortListsTheOneWithMoreNativeDevicesWins) {
  // 86 would serve both, too: one arch, one device native either way, so the lower number decides.
  EXPECT_THAT(list_of(coverage::plan_archs(plan_request({13, 0}, {"8.8", "8.9"}))),
              ElementsAre("88-real"));
  EXPECT_THAT(list_of(coverage::plan_archs(plan_request({13, 0}, {"8.6", "8.9"}))),
              ElementsAre("86-real"))
      << "80 is lower, and native for neither";
}

TEST(ArchPlan, OneDeviceGetsFromEachToolkitWhatItsPlanLists) {
  for (const auto& toolkit : coverage::table().toolkits) {
    for (const auto& row : coverage::table().architectures) {
      for (const auto& accept : {coverage::default_verdicts(), Verdicts{Verdict::native}, kWithJit,
                                 Verdicts{Verdict::unknown}}) {
        const auto asked = plan_request(toolkit.cuda, {row.device.text()}, accept);
        const auto plan = coverage::plan_archs(asked);
        const auto arch = coverage::arch_for(toolkit.cuda, asked.devices[0]);
        EXPECT_EQ(arch ? coverage::spell({*arch}).matrix : std::vector<std::string>(),
                  list_of(plan))
            << toolkit.cuda.text() << " for " << row.device.text();
      }
    }
  }
  EXPECT_THROW(coverage::arch_for({10, 2}, wanted("8.0")), std::invalid_argument);
}

TEST(ArchPlan, APlainArchIsPreferredToASuffixedOne) {
  for (const auto* name : {"9.0", "10.0", "10.3", "12.1"}) {
    const auto plan = coverage::plan_archs(plan_request({13, 5}, {name}));
    ASSERT_EQ(plan.archs.size(), 1U);
    EXPECT_EQ(plan.archs[0].arch.suffix, '\0') << name;
  }
}

TEST(ArchPlan, ArchsAskedForAreThereAndServe) {
  auto asked = plan_request({13, 0}, {"8.0", "9.0", "10.0", "10.3"});
  asked.with = {{90, 'a'}, {100, 'f'}};
  const auto plan = coverage::plan_archs(asked);
  EXPECT_THAT(list_of(plan), ElementsAre("80-real", "90a-real", "100f-real"));
  EXPECT_THAT(services_of(plan), ElementsAre("8.0 native 80", "9.0 native 90a", "10.0 native 100f",
                                             "10.3 compatible 100f"));
  asked.with = {{120, 'a'}};
  EXPECT_THAT(list_of(coverage::plan_archs(asked)),
              ElementsAre("80-real", "90-real", "100-real", "120a-real"))
      << "it serves no promised device, and was asked for";
}

TEST(ArchPlan, PlainAndFamilyCodeOfOneNumberAreNeverPlannedTogether) {
  auto asked =
      plan_request({13, 0}, {"10.0", "10.3", "10.7"}, {Verdict::native, Verdict::compatible});
  asked.with = {{103, 'f'}};
  EXPECT_THAT(list_of(coverage::plan_archs(asked)), ElementsAre("100-real", "103f-real"));
  // 100 could serve 10.1, and is the lowest arch that could, but not beside 100f.
  auto renamed = plan_request({13, 0}, {"10.0"});
  renamed.devices.push_back(wanted("10.1", {Verdict::unknown}));
  renamed.with = {{100, 'f'}};
  EXPECT_THAT(list_of(coverage::plan_archs(renamed)), ElementsAre("100f-real", "110-real"));
  renamed.with = {{100, 'a'}};
  EXPECT_THAT(list_of(coverage::plan_archs(renamed)), ElementsAre("100-real", "100a-real"));
  asked.with = {{100, 'f'}, {100, '\0'}};
  EXPECT_THROW(coverage::plan_archs(asked), std::invalid_argument);
  asked.with = {{100, 'f'}, {100, 'a'}};
  EXPECT_NO_THROW(coverage::plan_archs(asked));
}

TEST(ArchPlan, RefusesArchsThatTheToolkitCannotCompileFor) {
  auto asked = plan_request({12, 4}, {"8.0"});
  asked.with = {{100, '\0'}};
  EXPECT_THROW(coverage::plan_archs(asked), std::invalid_argument);
  EXPECT_THROW(coverage::plan_archs(plan_request({12, 10}, {"8.0"})), std::invalid_argument);
}

TEST(ArchPlan, NamesADeviceThatTheToolkitCannotServeAndThoseThatCan) {
  const auto plan = coverage::plan_archs(plan_request({13, 0}, {"7.0", "8.0"}));
  EXPECT_THAT(list_of(plan), ElementsAre("80-real")) << "the others are planned all the same";
  ASSERT_EQ(plan.unserved.size(), 1U);
  EXPECT_EQ(plan.unserved[0].device, device("7.0"));
  EXPECT_EQ(report::reason_text(plan.unserved[0], plan.toolkit),
            "nothing that CUDA 13.0 compiles is native or compatible there");
  EXPECT_EQ(plan.unserved[0].able.front().text(), "11.0");
  EXPECT_EQ(plan.unserved[0].able.back().text(), "12.9");
}

TEST(ArchPlan, ADeviceWhosePromisesHaveNoVerdictInCommonIsNamed) {
  const auto plan = coverage::plan_archs(plan_request({13, 0}, {"9.0"}, {}));
  ASSERT_EQ(plan.unserved.size(), 1U);
  EXPECT_THAT(report::reason_text(plan.unserved[0], plan.toolkit),
              HasSubstr("no accepted verdict in common"));
  EXPECT_THAT(plan.unserved[0].able, IsEmpty());
}

TEST(ArchPlan, ADeviceThatTakesCodeOfAnUnacceptedVerdictIsNamed) {
  auto asked = plan_request({13, 0}, {"8.0"}, {Verdict::native});
  asked.devices.push_back(wanted("8.6", {Verdict::jit}));
  const auto plan = coverage::plan_archs(asked);
  EXPECT_THAT(services_of(plan), ElementsAre("8.0 native 80"));
  ASSERT_EQ(plan.unserved.size(), 1U);
  EXPECT_EQ(report::reason_text(plan.unserved[0], plan.toolkit),
            "it takes 80 of the list, which is compatible, and that is not accepted");
}

TEST(ArchPlan, PtxServesWhereJitIsAcceptedAndMachineCodeCannot) {
  auto asked = plan_request({12, 4}, {"8.0", "9.0", "12.0"}, kWithJit);
  auto plan = coverage::plan_archs(asked);
  EXPECT_THAT(list_of(plan), ElementsAre("80-real", "90"));
  EXPECT_THAT(services_of(plan), ElementsAre("8.0 native 80", "9.0 native 90", "12.0 jit 90+ptx"));
  EXPECT_EQ(plan.ptx_isa.text(), "8.4");
  ASSERT_TRUE(plan.ptx_alone);
  EXPECT_EQ(plan.ptx_alone->text(), "80");
  asked.ptx = PtxWish::never;
  plan = coverage::plan_archs(asked);
  EXPECT_EQ(plan.unserved.at(0).device, device("12.0"));
  EXPECT_FALSE(plan.ptx_alone);
}

TEST(ArchPlan, PtxOfAnArchBelowTheDeviceIsTaken) {
  // CUDA 13 dropped 10.1: the next PTX below it serves.
  auto asked = plan_request({13, 0}, {"12.0"});
  asked.devices.push_back(wanted("10.1", kWithJit));
  const auto plan = coverage::plan_archs(asked);
  EXPECT_THAT(list_of(plan), ElementsAre("100-virtual", "120-real"));
  EXPECT_THAT(services_of(plan), ElementsAre("12.0 native 120", "10.1 jit 100+ptx"));
}

TEST(ArchPlan, OnlyJitAcceptedIsOnePtx) {
  const auto plan =
      coverage::plan_archs(plan_request({13, 0}, {"7.5", "9.0", "12.1"}, {Verdict::jit}));
  EXPECT_THAT(list_of(plan), ElementsAre("75-virtual"));
  EXPECT_FALSE(plan.ptx_alone) << "that is what the plan says already";
}

TEST(ArchPlan, APromisedDriverThatCannotReadThePtxIsNamed) {
  auto asked = plan_request({12, 9}, {"9.0"}, {Verdict::jit});
  asked.devices[0].driver = coverage::parse_driver("535");
  const auto plan = coverage::plan_archs(asked);
  ASSERT_EQ(plan.unserved.size(), 1U);
  EXPECT_THAT(report::reason_text(plan.unserved[0], plan.toolkit),
              HasSubstr("its PTX has ISA 8.8, but driver 535 reads 8.2 at most"));
  EXPECT_EQ(plan.unserved[0].able.back().text(), "12.2");
  asked.devices[0].driver = coverage::parse_driver("575");
  EXPECT_THAT(coverage::plan_archs(asked).unserved, IsEmpty());
}

TEST(ArchPlan, NothingIsServedWhereTheToolkitNeedsANewerDriver) {
  auto asked = plan_request({13, 0}, {"8.0", "9.0"});
  asked.devices[0].driver = coverage::parse_driver("575");
  const auto plan = coverage::plan_archs(asked);
  EXPECT_THAT(list_of(plan), ElementsAre("90-real"));
  ASSERT_EQ(plan.unserved.size(), 1U);
  EXPECT_EQ(plan.unserved[0].device.text(), "8.0");
  EXPECT_EQ(report::reason_text(plan.unserved[0], plan.toolkit),
            "what CUDA 13.0 makes needs driver 580 or newer, and promised is driver 575");
  EXPECT_EQ(plan.unserved[0].able.back().text(), "12.9");
  asked.devices[0].driver = coverage::parse_driver("580");
  EXPECT_THAT(coverage::plan_archs(asked).unserved, IsEmpty());
}

TEST(ArchPlan, TheFallbackIsPtxOfTheHighestPlainArch) {
  auto asked = plan_request({13, 0}, {"8.0", "9.0", "12.1"});
  asked.ptx = PtxWish::fallback;
  auto plan = coverage::plan_archs(asked);
  EXPECT_THAT(list_of(plan), ElementsAre("80-real", "90-real", "121"));
  EXPECT_EQ(plan.fallback->text(), "121");
  asked.with = {{121, 'a'}};
  plan = coverage::plan_archs(asked);
  EXPECT_THAT(list_of(plan), ElementsAre("80-real", "90", "121a-real"));
  asked = plan_request({13, 0}, {"9.0"});
  asked.with = {{90, 'a'}};
  asked.ptx = PtxWish::fallback;
  EXPECT_THAT(list_of(coverage::plan_archs(asked)), ElementsAre("90-virtual", "90a-real"));
}

TEST(ArchPlan, NothingToServeIsNoArchAndNoFallback) {
  auto asked = plan_request({13, 0}, {"7.0"});
  asked.ptx = PtxWish::fallback;
  const auto plan = coverage::plan_archs(asked);
  EXPECT_THAT(plan.archs, IsEmpty());
  EXPECT_FALSE(plan.fallback);
}

TEST(ArchPlan, WhatPromisesWantOfADeviceIsWhatAllOfThemAccept) {
  coverage::Promise general;
  general.devices = {device("9.0"), device("8.0")};
  general.accept = kWithJit;
  general.driver = coverage::parse_driver("580");
  auto particular = general;
  particular.devices = {device("9.0")};
  particular.kernels = "*wgmma*";
  particular.accept = {Verdict::native};
  particular.driver = coverage::parse_driver("570");
  const auto wants = coverage::wanted_devices({general, particular});
  ASSERT_EQ(wants.size(), 2U);
  EXPECT_EQ(wants[0].device, device("8.0"));
  EXPECT_EQ(wants[0].accept, kWithJit);
  EXPECT_EQ(wants[1].accept, Verdicts{Verdict::native});
  EXPECT_EQ(wants[1].driver->name, "driver 570");
}

TEST(ArchPlan, NamesTheDriverThatReadsPtx) {
  EXPECT_EQ(coverage::driver_for({9, 0}), "driver 580 or newer");
  EXPECT_EQ(coverage::driver_for({8, 1}), "driver 530 or newer");
  EXPECT_EQ(coverage::driver_for({9, 5}), "a driver for CUDA 13.5 or newer");
  EXPECT_EQ(coverage::driver_for({99, 0}), "a driver that reads PTX ISA 99.0");
}

TEST(ArchSpelling, IsThatOfEachBuildSystem) {
  const auto spelled = coverage::spell(
      {{{75, '\0'}, true, false}, {{90, 'a'}, true, false}, {{120, '\0'}, true, true}});
  EXPECT_EQ(spelled.cmake, "75-real;90a-real;120");
  EXPECT_EQ(spelled.nvcc,
            "-gencode arch=compute_75,code=sm_75 -gencode arch=compute_90a,code=sm_90a "
            "-gencode arch=compute_120,code=sm_120 -gencode arch=compute_120,code=compute_120");
  EXPECT_EQ(spelled.torch, "7.5;9.0a;12.0+PTX");
  EXPECT_EQ(spelled.torch_problem, "");
  EXPECT_THAT(spelled.matrix, ElementsAre("75-real", "90a-real", "120"));
}

TEST(ArchSpelling, SaysWhatTorchCannotSpell) {
  const auto family = coverage::spell({{{80, '\0'}, true, false}, {{100, 'f'}, true, false}});
  EXPECT_EQ(family.torch, "");
  EXPECT_THAT(family.torch_problem, HasSubstr("does not know 10.0f"));
  EXPECT_THAT(coverage::spell({{{88, '\0'}, true, false}}).torch_problem, HasSubstr("8.8"));
  const auto ptx = coverage::spell({{{80, '\0'}, false, true}});
  EXPECT_EQ(ptx.cmake, "80-virtual");
  EXPECT_EQ(ptx.torch, "");
  EXPECT_EQ(ptx.torch_problem, "it has no PTX of 8.0 without its machine code");
}

/// The devices that each arch of a toolkit serves, one bit per device, by the audit's single-arch
/// rule.
struct Masks {
  std::vector<std::uint32_t> serves;
  std::vector<std::uint32_t> native;
};

Masks masks_of(const PlanRequest& asked) {
  Masks masks;
  for (const auto arch : coverage::table().find_toolkit(asked.toolkit)->archs) {
    std::uint32_t serves = 0;
    std::uint32_t native = 0;
    for (std::size_t index = 0; index < asked.devices.size(); ++index) {
      const auto& [wanted_device, accept, driver] = asked.devices[index];
      const auto bit = 1U << index;
      if (coverage::arch_serves(arch.text() + "-real", wanted_device, accept)) serves |= bit;
      if (arch.number == wanted_device.number()) native |= bit;
    }
    masks.serves.push_back(serves);
    masks.native.push_back(native);
  }
  return masks;
}

/// Returns the maximum number of native devices for a list of `size` archs that serves all of
/// `wanted`; -1 if no list does.
int best_of_size(const Masks& masks, std::size_t size, std::uint32_t all, std::size_t from = 0,
                 std::uint32_t served = 0, std::uint32_t native = 0) {
  if (size == 0) return (served & all) == all ? __builtin_popcount(native) : -1;
  int best = -1;
  for (std::size_t index = from; index + size <= masks.serves.size(); ++index) {
    best = std::max(best, best_of_size(masks, size - 1, all, index + 1,
                                       served | masks.serves[index], native | masks.native[index]));
  }
  return best;
}

PlanRequest random_request(std::mt19937& random) {
  const auto& table = coverage::table();
  const auto pick = [&random](std::size_t count) { return random() % count; };
  PlanRequest asked;
  asked.toolkit = table.toolkits[pick(table.toolkits.size())].cuda;
  std::set<coverage::ComputeCapability> devices;
  for (std::size_t count = 1 + pick(5); count > 0; --count) {
    devices.insert(table.architectures[pick(table.architectures.size())].device);
  }
  for (const auto chosen : devices) {
    const bool strict = pick(4) == 0;
    asked.devices.push_back(
        {chosen, strict ? Verdicts{Verdict::native} : coverage::default_verdicts(), {}});
  }
  return asked;
}

TEST(ArchPlan, NoListThatAnyoneCouldWriteIsShorterOrMoreNative) {
  std::mt19937 random(20260501);
  std::size_t served_whole = 0;
  for (int round = 0; round < 400; ++round) {
    const auto asked = random_request(random);
    const auto plan = coverage::plan_archs(asked);
    const auto masks = masks_of(asked);
    std::uint32_t servable = 0;
    for (const auto mask : masks.serves) servable |= mask;
    EXPECT_EQ(plan.served.size(), __builtin_popcount(servable));
    int native = 0;
    for (const auto& service : plan.served) native += service.verdict == Verdict::native ? 1 : 0;
    for (std::size_t size = 0; size < plan.archs.size(); ++size) {
      EXPECT_EQ(best_of_size(masks, size, servable), -1) << asked.toolkit.text();
    }
    EXPECT_EQ(best_of_size(masks, plan.archs.size(), servable), native) << asked.toolkit.text();
    served_whole += plan.unserved.empty() ? 1 : 0;
  }
  EXPECT_GT(served_whole, 100U);
}

TEST(ArchPlan, WhatItServesTheAuditOfSuchABuildFindsServed) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    auto asked = random_request(random);
    if (round % 2 == 0) {
      for (auto& entry : asked.devices) entry.accept.insert(Verdict::jit);
    }
    if (round % 3 == 0) asked.ptx = PtxWish::fallback;
    const auto plan = coverage::plan_archs(asked);
    std::vector<Image> images;
    for (const auto& planned : plan.archs) {
      if (planned.sass) images.push_back(sass(planned.arch.text()));
      if (planned.ptx) images.push_back(ptx(planned.arch.text(), plan.ptx_isa.text()));
    }
    const auto file = file_of(std::move(images));
    const coverage::ImageSelector selector(file);
    if (plan.archs.empty()) continue;
    for (const auto& service : plan.served) {
      EXPECT_EQ(selector.predict(selector.kernels().at(0), service.device, nullptr).verdict,
                service.verdict);
    }
    for (const auto& unserved : plan.unserved) {
      const auto verdict =
          selector.predict(selector.kernels().at(0), unserved.device, nullptr).verdict;
      const auto& entry =
          *std::find_if(asked.devices.begin(), asked.devices.end(),
                        [&](const auto& each) { return each.device == unserved.device; });
      EXPECT_EQ(entry.accept.count(verdict), 0U) << unserved.device.text();
    }
  }
}

coverage::Promise promise_of(const std::vector<std::string>& devices) {
  coverage::Promise result;
  for (const auto& name : devices) result.devices.push_back(device(name));
  return result;
}

/// Returns "s80 8.0 8.6": kind and arch, and the devices that load it.
std::vector<std::string> uses_of(const std::vector<File>& files,
                                 const std::vector<coverage::Promise>& promises) {
  std::vector<std::string> result;
  for (const auto& use : coverage::arch_use(files, promises, {})) {
    std::string text = (use.kind == Kind::sass ? "s" : use.kind == Kind::ptx ? "p" : "?");
    text += use.arch.text();
    for (const auto taker : use.takers) text += " " + taker.text();
    result.push_back(text);
  }
  return result;
}

TEST(ArchUse, ADeviceTakesTheNearestImageAndNobodyTheOthers) {
  const auto file = file_of({sass("75"), sass("80"), sass("86"), sass("90"), ptx("90")});
  EXPECT_THAT(uses_of({file}, {promise_of({"8.0", "8.9", "9.0"})}),
              ElementsAre("s75", "s80 8.0", "s86 8.9", "s90 9.0", "p90"));
  EXPECT_THAT(uses_of({file}, {promise_of({"7.5", "12.0"})}),
              ElementsAre("s75 7.5", "s80", "s86", "s90", "p90 12.0"));
}

TEST(ArchUse, SumsWhatTheImagesHold) {
  auto file = file_of({sass("80", {kernel("a"), kernel("b")})});
  file.images[0].decompressed_bytes = 100;
  file.images[0].stored = 60;
  auto& module = add_module(file, {sass("80", {kernel("b")})});
  module.registered = true;
  file.images[1].decompressed_bytes = 30;
  file.images[1].stored = 30;
  const auto uses = coverage::arch_use({file}, {promise_of({"8.0"})}, {});
  ASSERT_EQ(uses.size(), 1U);
  EXPECT_EQ(uses[0].images, 2U);
  EXPECT_EQ(uses[0].kernels, 2U) << "b is one kernel";
  EXPECT_EQ(uses[0].bytes, 130U);
  EXPECT_EQ(uses[0].stored, 90U);
}

TEST(ArchUse, OneModuleThatNeedsAnArchIsEnough) {
  auto file = file_of({sass("80"), sass("86")});
  add_module(file, {sass("80", {kernel("alone")})});
  EXPECT_THAT(uses_of({file}, {promise_of({"8.6"})}), ElementsAre("s80 8.6", "s86 8.6"));
  const auto without = file_of({sass("80"), sass("86")});
  EXPECT_THAT(uses_of({without}, {promise_of({"8.6"})}), ElementsAre("s80", "s86 8.6"));
  EXPECT_THAT(uses_of({without, file_of({sass("80")})}, {promise_of({"8.6"})}),
              ElementsAre("s80 8.6", "s86 8.6"))
      << "another file";
}

TEST(ArchUse, OfContainersThatHostCodePicksFromTheBestIsTaken) {
  auto file = file_of({sass("80")});
  add_module(file, {sass("86")});
  for (auto& module : file.modules) module.registered = false;
  EXPECT_THAT(uses_of({file}, {promise_of({"8.6"})}), ElementsAre("s80", "s86 8.6"));
  for (auto& module : file.modules) module.registered = true;
  EXPECT_THAT(uses_of({file}, {promise_of({"8.6"})}), ElementsAre("s80 8.6", "s86 8.6"));
}

/// Returns the number of kernels that no image of the planned archs serves, by kind and arch.
std::vector<std::size_t> irreplaceable_of(const File& file, const coverage::Promise& promised,
                                          const std::vector<coverage::PlannedArch>& planned) {
  std::vector<std::size_t> counts;
  for (const auto& use : coverage::arch_use({file}, {promised}, planned)) {
    counts.push_back(use.irreplaceable);
  }
  return counts;
}

TEST(ArchUse, CountsTheKernelsThatThePlannedArchsDoNotServe) {
  const std::vector<coverage::PlannedArch> planned = {{{80, '\0'}, true, false}};
  auto file = file_of({sass("80", {kernel("a")}), sass("86", {kernel("a"), kernel("b")})});
  const auto promised = promise_of({"8.0", "8.6"});
  EXPECT_THAT(irreplaceable_of(file, promised, planned), ElementsAre(0U, 1U)) << "b";
  EXPECT_THAT(irreplaceable_of(file, promise_of({"8.0"}), planned), ElementsAre(0U, 0U))
      << "no promised device takes 86";
  file.images[0].kernels.push_back(kernel("b"));
  EXPECT_THAT(irreplaceable_of(file, promised, planned), ElementsAre(0U, 0U));
  auto strict = promised;
  strict.accept = {Verdict::native};
  EXPECT_THAT(irreplaceable_of(file, strict, planned), ElementsAre(0U, 2U))
      << "80 is not native on 8.6";
}

TEST(ArchUse, AnotherModuleReplacesNothingUnlessHostCodePicks) {
  const std::vector<coverage::PlannedArch> planned = {{{80, '\0'}, true, false}};
  auto file = file_of({sass("86")});
  add_module(file, {sass("80")});
  EXPECT_THAT(irreplaceable_of(file, promise_of({"8.6"}), planned), ElementsAre(0U, 1U));
  for (auto& module : file.modules) module.registered = false;
  EXPECT_THAT(irreplaceable_of(file, promise_of({"8.6"}), planned), ElementsAre(0U, 0U));
}

TEST(ArchUse, AModuleWithoutKernelsIsLoadedToo) {
  auto file = file_of({sass("80"), sass("90")});
  EXPECT_THAT(uses_of({file}, {promise_of({"8.0"})}), ElementsAre("s80 8.0", "s90"));
  add_module(file, {sass("75", {}), sass("90", {})});
  EXPECT_THAT(uses_of({file}, {promise_of({"8.0", "9.0"})}),
              ElementsAre("s75", "s80 8.0", "s90 9.0"));
}

TEST(ArchUse, PromisesForSomeKernelsTakeOnlyWhatThoseNeed) {
  auto file = file_of({sass("80", {kernel("a")}), sass("90", {kernel("a")})});
  add_module(file, {sass("80", {kernel("wgmma")}), sass("90", {kernel("wgmma")})});
  auto particular = promise_of({"9.0"});
  particular.kernels = "wgmma";
  EXPECT_THAT(uses_of({file}, {promise_of({"8.0"}), particular}),
              ElementsAre("s80 8.0", "s90 9.0"));
  particular.kernels = "ghost";
  EXPECT_THAT(uses_of({file}, {promise_of({"8.0"}), particular}), ElementsAre("s80 8.0", "s90"));
}

TEST(ArchUse, WhatMayServeCountsWhereNothingIsSureTo) {
  EXPECT_THAT(uses_of({file_of({sass("80"), ptx("75")})}, {promise_of({"8.7"})}),
              ElementsAre("s80 8.7", "p75 8.7"));
  const auto uses = coverage::arch_use({file_of({lto("80")})}, {promise_of({"8.0"})}, {});
  ASSERT_EQ(uses.size(), 1U);
  EXPECT_FALSE(uses[0].judged);
}

TEST(ArchUse, PartsOfADeviceLinkAreTakenWhereItMustBeMadeAnew) {
  auto file = file_of({sass("80")});
  file.modules[0].linked = true;
  auto& part = add_module(file, {sass("80"), ptx("80")});
  part.relocatable = true;
  part.registered = false;
  EXPECT_THAT(uses_of({file}, {promise_of({"8.0"})}), ElementsAre("s80 8.0", "p80"));
  EXPECT_THAT(uses_of({file}, {promise_of({"9.0"})}), ElementsAre("s80", "p80 9.0"));
  auto bare = file_of({sass("80")});
  bare.modules[0].linked = true;
  add_module(bare, {ptx("80")}).relocatable = true;
  EXPECT_THAT(uses_of({bare}, {promise_of({"8.0"})}), ElementsAre("s80 8.0", "p80"))
      << "the linked code serves";
}

}  // namespace
}  // namespace archgrid::tests
