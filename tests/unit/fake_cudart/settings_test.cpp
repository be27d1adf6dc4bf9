// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "settings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace archgrid::fake_cudart {
namespace {

using std::chrono::nanoseconds;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::map<std::string, std::string>& variables() {
  static std::map<std::string, std::string> set;
  return set;
}

std::optional<std::string> look_up(const char* name) {
  const auto found = variables().find(name);
  if (found == variables().end()) return std::nullopt;
  return found->second;
}

std::optional<int> find_error(const std::string& text) {
  if (text == "2" || text == "cudaErrorMemoryAllocation") return 2;
  if (text == "700") return 700;
  return std::nullopt;
}

bool can_fail(const std::string& name) {
  return name == "cudaMalloc" || name == "cudaLaunchKernel";
}

Settings read(const std::map<std::string, std::string>& set) {
  variables() = set;
  return read_settings(look_up, {13000, find_error, can_fail});
}

std::string refusal(const std::map<std::string, std::string>& set) {
  try {
    read(set);
  } catch (const BadVariable& error) {
    return error.what();
  }
  return "accepted";
}

std::vector<std::string> shown(const std::string& visible) {
  const auto settings =
      read({{"ARCHGRID_FAKE_DEVICES", "7.5,8.0,9.0"}, {"CUDA_VISIBLE_DEVICES", visible}});
  std::vector<std::string> devices;
  for (const auto device : settings.devices) devices.push_back(device.text());
  return devices;
}

TEST(Settings, OfNothingAreNoDriverAndNoGpu) {
  const auto settings = read({});
  EXPECT_THAT(settings.devices, IsEmpty());
  EXPECT_EQ(settings.driver_version, 0);
  EXPECT_FALSE(settings.driver);
  EXPECT_EQ(settings.runtime_version, 13000);
  EXPECT_FALSE(settings.jit_disabled);
  EXPECT_FALSE(settings.jit_forced);
  EXPECT_EQ(settings.loading, Loading::by_version);
}

TEST(Settings, AnEmptyVariableIsLikeNone) {
  const auto settings = read({{"ARCHGRID_FAKE_DEVICES", ""},
                              {"ARCHGRID_FAKE_DRIVER", ""},
                              {"ARCHGRID_FAKE_FAIL", ""},
                              {"ARCHGRID_FAKE_LATENCY", ""}});
  EXPECT_THAT(settings.devices, IsEmpty());
  EXPECT_EQ(settings.driver_version, 0);
}

TEST(Settings, DevicesAreCapabilitiesInOrder) {
  const auto settings = read({{"ARCHGRID_FAKE_DEVICES", "9.0,8.6"}});
  ASSERT_EQ(settings.devices.size(), 2U);
  EXPECT_EQ(settings.devices[0].text(), "9.0");
  EXPECT_EQ(settings.devices[1].text(), "8.6");
  EXPECT_THAT(settings.numbers, ElementsAre(0, 1));
}

TEST(Settings, ADriverIsAVersionOrARelease) {
  EXPECT_EQ(read({{"ARCHGRID_FAKE_DRIVER", "13.0"}}).driver_version, 13000);
  EXPECT_EQ(read({{"ARCHGRID_FAKE_DRIVER", "12.4"}}).driver_version, 12040);
  EXPECT_EQ(read({{"ARCHGRID_FAKE_DRIVER", "580"}}).driver_version, 13000);
  EXPECT_EQ(read({{"ARCHGRID_FAKE_DRIVER", "580.65.06"}}).driver_version, 13000);
  EXPECT_EQ(read({{"ARCHGRID_FAKE_DRIVER", "R550"}}).driver_version, 12040);
}

TEST(Settings, ADriverOlderThanTheTableIsOneForNoRuntime) {
  const auto settings = read({{"ARCHGRID_FAKE_DRIVER", "10.2"}});
  EXPECT_EQ(settings.driver_version, 10020);
  EXPECT_FALSE(settings.driver);
}

TEST(Settings, ADriverReadsThePtxOfTheToolkitOfItsVersion) {
  const auto settings = read({{"ARCHGRID_FAKE_DRIVER", "13.5"}});
  ASSERT_TRUE(settings.driver);
  EXPECT_EQ(settings.driver->ptx_isa.text(), "9.5");
  EXPECT_FALSE(settings.driver->beyond);
  EXPECT_EQ(read({{"ARCHGRID_FAKE_DRIVER", "12.4"}}).driver->ptx_isa.text(), "8.4");
}

TEST(Settings, FailuresAreOfCallsKernelsAndOccurrences) {
  const auto settings =
      read({{"ARCHGRID_FAKE_FAIL",
             "cudaMalloc=2,cudaMalloc#3=cudaErrorMemoryAllocation,launch:tile<3, 4>#2=700,launch=2,"
             "launch:f(int, float)=2"}});
  ASSERT_EQ(settings.failures.size(), 5U);
  EXPECT_EQ(settings.failures[0].subject.function, "cudaMalloc");
  EXPECT_EQ(settings.failures[0].subject.occurrence, 0U);
  EXPECT_EQ(settings.failures[0].error, 2);
  EXPECT_EQ(settings.failures[1].subject.occurrence, 3U);
  EXPECT_EQ(settings.failures[1].error, 2);
  EXPECT_EQ(settings.failures[2].subject.function, "");
  EXPECT_EQ(settings.failures[2].subject.kernel, "tile<3, 4>");
  EXPECT_EQ(settings.failures[2].subject.occurrence, 2U);
  EXPECT_EQ(settings.failures[2].error, 700);
  EXPECT_EQ(settings.failures[3].subject.kernel, "");
  EXPECT_EQ(settings.failures[4].subject.kernel, "f(int, float)");
}

TEST(Settings, LatenciesHaveUnits) {
  const auto settings =
      read({{"ARCHGRID_FAKE_LATENCY", "cudaMalloc=7ns,cudaLaunchKernel=20us,launch:k=3ms,jit=2s"}});
  ASSERT_EQ(settings.latencies.size(), 4U);
  EXPECT_EQ(settings.latencies[0].time, nanoseconds(7));
  EXPECT_EQ(settings.latencies[1].time, nanoseconds(20000));
  EXPECT_EQ(settings.latencies[2].time, nanoseconds(3000000));
  EXPECT_EQ(settings.latencies[3].time, nanoseconds(2000000000));
  EXPECT_EQ(settings.latencies[3].subject.function, "jit");
}

TEST(Settings, SwitchesOfTheDriverAreRespected) {
  EXPECT_TRUE(read({{"CUDA_DISABLE_PTX_JIT", "1"}}).jit_disabled);
  EXPECT_FALSE(read({{"CUDA_DISABLE_PTX_JIT", "0"}}).jit_disabled);
  EXPECT_FALSE(read({{"CUDA_DISABLE_PTX_JIT", ""}}).jit_disabled);
  EXPECT_TRUE(read({{"CUDA_FORCE_PTX_JIT", "1"}}).jit_forced);
  EXPECT_EQ(read({{"CUDA_MODULE_LOADING", "EAGER"}}).loading, Loading::eager);
  EXPECT_EQ(read({{"CUDA_MODULE_LOADING", "LAZY"}}).loading, Loading::lazy);
  EXPECT_EQ(read({{"CUDA_MODULE_LOADING", "DEFAULT"}}).loading, Loading::by_version);
}

TEST(VisibleDevices, AreThoseNamedInTheirOrder) {
  EXPECT_THAT(shown("2,0"), ElementsAre("9.0", "7.5"));
  EXPECT_THAT(shown("1"), ElementsAre("8.0"));
  EXPECT_THAT(shown(""), IsEmpty());
}

TEST(VisibleDevices, EndWithTheFirstThatIsNone) {
  EXPECT_THAT(shown("0,3,1"), ElementsAre("7.5"));
  EXPECT_THAT(shown("0,-1,1"), ElementsAre("7.5"));
  EXPECT_THAT(shown("none"), IsEmpty());
}

TEST(VisibleDevices, AreNoneWhereOneIsNamedTwice) {
  EXPECT_THAT(shown("0,1,0"), IsEmpty());
}

TEST(VisibleDevices, MayBeNamedByUuid) {
  EXPECT_THAT(shown(uuid_of(1)), ElementsAre("8.0"));
  EXPECT_THAT(shown(uuid_of(2).substr(0, 12)), ElementsAre("9.0"));
  // The prefix of every UUID.
  EXPECT_THAT(shown("GPU-"), IsEmpty());
}

TEST(VisibleDevices, KeepTheNumbersThatTheyHaveOnTheMachine) {
  const auto settings =
      read({{"ARCHGRID_FAKE_DEVICES", "7.5,8.0,9.0"}, {"CUDA_VISIBLE_DEVICES", "2,0"}});
  EXPECT_THAT(settings.numbers, ElementsAre(2, 0));
}

struct Bad {
  const char* name;
  const char* value;
  const char* expected;
};

void PrintTo(const Bad& bad, std::ostream* stream) {
  *stream << bad.name << "=" << bad.value;
}

class BadVariables : public ::testing::TestWithParam<Bad> {};

TEST_P(BadVariables, AreRefusedByNameAndValueWithWhatTheyMayBe) {
  const auto [name, value, expected] = GetParam();
  EXPECT_THAT(refusal({{name, value}}),
              AllOf(HasSubstr(name), HasSubstr(value), HasSubstr(expected)));
}

INSTANTIATE_TEST_SUITE_P(
    OfFakeCudart, BadVariables,
    ::testing::Values(
        Bad{"ARCHGRID_FAKE_DEVICES", "sm90", "8.6,9.0"},
        Bad{"ARCHGRID_FAKE_DEVICES", "9.0,", "compute capabilities"},
        Bad{"ARCHGRID_FAKE_DEVICES", "9.7", "compute capabilities"},
        Bad{"ARCHGRID_FAKE_DRIVER", "new", "580.65.06"}, Bad{"ARCHGRID_FAKE_DRIVER", "13", "13.0"},
        Bad{"ARCHGRID_FAKE_RUNTIME", "12", "12.4"},
        Bad{"ARCHGRID_FAKE_FAIL", "malformed", "CALL=ERROR"},
        Bad{"ARCHGRID_FAKE_FAIL", "cudaMaloc=2", "a function of this CUDA runtime"},
        Bad{"ARCHGRID_FAKE_FAIL", "cudaMalloc=12345", "an error of this CUDA runtime"},
        Bad{"ARCHGRID_FAKE_FAIL", "cudaMalloc=", "an error of this CUDA runtime"},
        Bad{"ARCHGRID_FAKE_FAIL", "cudaMalloc#0=2", "a number from 1"},
        Bad{"ARCHGRID_FAKE_FAIL", "cudaMalloc#x=2", "a number from 1"},
        Bad{"ARCHGRID_FAKE_FAIL", "launch:=2", "a kernel's name"},
        Bad{"ARCHGRID_FAKE_FAIL", "cudaMalloc=2,", "CALL=ERROR"},
        Bad{"ARCHGRID_FAKE_LATENCY", "cudaMalloc=5", "ns, us, ms or s"},
        Bad{"ARCHGRID_FAKE_LATENCY", "cudaMalloc=1.5ms", "ns, us, ms or s"},
        Bad{"ARCHGRID_FAKE_LATENCY", "cudaMalloc=ms", "ns, us, ms or s"},
        Bad{"ARCHGRID_FAKE_LATENCY", "cudaMalloc=3601s", "an hour at most"},
        Bad{"ARCHGRID_FAKE_LATENCY", "cudaMaloc=1ms", "a function of this CUDA runtime"},
        Bad{"CUDA_MODULE_LOADING", "SOON", "EAGER, LAZY or DEFAULT"}));

TEST(NamesKernel, InEveryWayThatPeopleWriteIt) {
  const std::string mangled = "_ZN5space4tileILi3ELi4EEEvPf";
  EXPECT_TRUE(names_kernel("", mangled));
  EXPECT_TRUE(names_kernel(mangled, mangled));
  EXPECT_TRUE(names_kernel("space::tile<3, 4>", mangled));
  EXPECT_TRUE(names_kernel("void space::tile<3, 4>(float*)", mangled));
  EXPECT_TRUE(names_kernel("plain", "plain"));
  EXPECT_TRUE(names_kernel("second_kernel", "_Z13second_kernelPi"));
  EXPECT_FALSE(names_kernel("space::tile<3, 5>", mangled));
  EXPECT_FALSE(names_kernel("tile", mangled));
  EXPECT_FALSE(names_kernel("kernel", "_Z13second_kernelPi"));
}

TEST(NamesKernel, AlsoInAnonymousNamespaces) {
  EXPECT_TRUE(names_kernel("(anonymous namespace)::kernel", "_ZN12_GLOBAL__N_16kernelEv"));
}

}  // namespace
}  // namespace archgrid::fake_cudart
