// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "settings.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace archgrid::gtest {
namespace {

using Variables = std::map<std::string, std::string>;

Settings read(const Variables& variables, const std::vector<std::string>& flags = {}) {
  return read_settings(flags, [&](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

/// Returns the message of the error, or an empty string.
std::string refusal(const Variables& variables, const std::vector<std::string>& flags = {}) {
  try {
    read(variables, flags);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Settings, AreEmptyWithoutAnyVariable) {
  const Settings settings = read({});
  EXPECT_FALSE(settings.device);
  EXPECT_FALSE(settings.require_gpu);
  EXPECT_FALSE(settings.gpu);
  EXPECT_EQ(settings.matrix + settings.toolkit + settings.cell + settings.arch, "");
}

TEST(Settings, AreReadFromTheEnvironment) {
  const Settings settings = read({{"ARCHGRID_DEVICE", "9.0"},
                                  {"ARCHGRID_REQUIRE_GPU", "1"},
                                  {"ARCHGRID_TOOLKIT", "13.0"},
                                  {"ARCHGRID_CELL", "cu130-sm90a"},
                                  {"ARCHGRID_ARCH", "90a"},
                                  {"CTEST_RESOURCE_GROUP_0_GPUS", "id:3,slots:1"}});
  EXPECT_EQ(settings.device, (device::Capability{9, 0}));
  EXPECT_TRUE(settings.require_gpu);
  EXPECT_EQ(settings.toolkit, "13.0");
  EXPECT_EQ(settings.cell, "cu130-sm90a");
  EXPECT_EQ(settings.arch, "90a");
  EXPECT_EQ(settings.gpu, 3);
}

TEST(Settings, OfAFlagWinOverTheEnvironment) {
  const Settings settings = read({{"ARCHGRID_DEVICE", "9.0"}, {"ARCHGRID_REQUIRE_GPU", "0"}},
                                 {"--archgrid_device=7.5", "--archgrid_require_gpu"});
  EXPECT_EQ(settings.device, (device::Capability{7, 5}));
  EXPECT_TRUE(settings.require_gpu);
}

TEST(Settings, AreRefusedWithNameValueAndWhatTheyMayBe) {
  EXPECT_EQ(
      refusal({{"ARCHGRID_DEVICE", "sm90"}}),
      "ARCHGRID_DEVICE=sm90: expected the compute capability of a GPU that exists, such as 9.0");
  EXPECT_EQ(refusal({{"ARCHGRID_REQUIRE_GPU", "yes"}}),
            "ARCHGRID_REQUIRE_GPU=yes: expected 1 or 0");
  EXPECT_EQ(refusal({{"ARCHGRID_TOOLKIT", "13"}}),
            "ARCHGRID_TOOLKIT=13: expected a CUDA version such as 13.0");
  EXPECT_EQ(refusal({{"ARCHGRID_MATRIX", "/none.json"}}),
            "ARCHGRID_MATRIX=/none.json: expected a matrix file that exists");
  EXPECT_EQ(refusal({}, {"--archgrid_arch=sm_90"}),
            "--archgrid_arch=sm_90: expected an arch that exists, such as 90a");
  EXPECT_NE(refusal({{"ARCHGRID_DEVICE", "9.5"}}), "");
  EXPECT_NE(refusal({{"ARCHGRID_ARCH", "90f"}}), "");
  EXPECT_EQ(refusal({{"ARCHGRID_ARCH", "120-virtual"}}), "");
  EXPECT_NE(refusal({{"CTEST_RESOURCE_GROUP_0_GPUS", "id:card,slots:1"}}), "");
}

TEST(Settings, RefuseUnknownVariables) {
  EXPECT_NO_THROW(
      expect_known_variables({"PATH", "ARCHGRID", "ARCHGRID_DEVICE", "ARCHGRID_TIMEOUT",
                              "ARCHGRID_FAKE_FAIL", "ARCHGRID_TOOLKITS", "ARCHGRID_PERF_RECORD",
                              "ARCHGRID_PRESET", "ARCHGRID_RECORD", "MY_ARCHGRID_X"}));
  for (const char* name : {"ARCHGRID_REQUIRE_GPUS", "ARCHGRID_device", "ARCHGRID_"}) {
    try {
      expect_known_variables({"PATH", name});
      ADD_FAILURE() << name << " is taken";
    } catch (const UsageError& error) {
      EXPECT_EQ(std::string(error.what())
                    .rfind("unknown environment variable " + std::string(name) +
                               ": unset it; known are ARCHGRID_DEVICE",
                           0),
                0U)
          << error.what();
    }
  }
}

TEST(Settings, RefuseUnknownAndEmptyFlags) {
  EXPECT_EQ(refusal({}, {"--archgrid_devise=9.0"}).rfind("unknown flag --archgrid_devise=9.0", 0),
            0u);
  EXPECT_EQ(refusal({}, {"--archgrid_device"}), "--archgrid_device: a value is missing");
}

TEST(OwnFlags, AreKnownByTheirPrefix) {
  EXPECT_TRUE(is_own_flag("--archgrid_device=9.0"));
  EXPECT_TRUE(is_own_flag("--archgrid_x"));
  EXPECT_FALSE(is_own_flag("--gtest_filter=--archgrid_x"));
  EXPECT_FALSE(is_own_flag("archgrid_device"));
}

TEST(Settings, SayHowARunIsRecordedAndLoaded) {
  const Settings settings =
      read({{"ARCHGRID_JSON", "out/"},
            {"ARCHGRID_LOAD", "jit"},
            {"ARCHGRID_RECORD", "run.json"},
            {"ARCHGRID_SUITE", "Values/Odd"}},
           {"--archgrid_empty=fail", "--archgrid_load=eager", "--archgrid_seed=18"});
  EXPECT_EQ(settings.json, "out/");
  EXPECT_EQ(settings.record, "run.json");
  EXPECT_EQ(settings.suite, "Values/Odd");
  EXPECT_TRUE(settings.fail_empty);
  EXPECT_EQ(settings.load, Load::eager);
  EXPECT_EQ(settings.seed, 18U);
  const Settings plain = read({});
  EXPECT_EQ(plain.json, "");
  EXPECT_FALSE(plain.fail_empty);
  EXPECT_EQ(plain.load, Load::as_built);
  EXPECT_FALSE(plain.seed);
}

TEST(Settings, RefuseOtherValuesOfThose) {
  EXPECT_EQ(refusal({{"ARCHGRID_EMPTY", "yes"}}), "ARCHGRID_EMPTY=yes: expected report or fail");
  EXPECT_EQ(refusal({}, {"--archgrid_load=fast"}),
            "--archgrid_load=fast: expected as-built, jit or eager");
  const std::string number = ": expected a whole number of at most 19 digits";
  EXPECT_EQ(refusal({{"ARCHGRID_SEED", "-1"}}), "ARCHGRID_SEED=-1" + number);
  EXPECT_EQ(refusal({{"ARCHGRID_SEED", "99999999999999999999"}}),
            "ARCHGRID_SEED=99999999999999999999" + number);
}

}  // namespace
}  // namespace archgrid::gtest
