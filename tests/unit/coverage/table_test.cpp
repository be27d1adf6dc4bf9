// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <archgrid/coverage.hpp>
#include <tuple>
#include <vector>

namespace archgrid::coverage {
namespace {

TEST(Table, IsWhole) {
  EXPECT_GE(table().architectures.size(), 20U);
  EXPECT_GE(table().toolkits.size(), 20U);
  EXPECT_GE(table().drivers.size(), 20U);
  EXPECT_TRUE(table().same_family(100, 107));
  EXPECT_FALSE(table().same_family(107, 120));
  EXPECT_TRUE(table().is_integrated(87));
  EXPECT_FALSE(table().is_integrated(121));
}

TEST(Table, EveryArchOfAToolkitIsAnArchitecture) {
  for (const auto& toolkit : table().toolkits) {
    for (const auto arch : toolkit.archs) {
      EXPECT_TRUE(parse_arch(arch.text())) << toolkit.cuda.text() << " " << arch.text();
    }
  }
}

TEST(Table, KnowsWhichToolkitsCompileAnArch) {
  const auto able = table().toolkits_for({107, '\0'});
  ASSERT_FALSE(able.empty());
  EXPECT_EQ(able.front().text(), "13.4");
  EXPECT_TRUE(table().toolkits_for({90, 'f'}).empty());
}

TEST(Parsing, Devices) {
  EXPECT_EQ(parse_device("9.0")->number(), 90);
  EXPECT_EQ(parse_device("12.1")->number(), 121);
  for (const auto* wrong : {"9.5", "90", "sm90", "9.", ".0", "", "9.00", "09.0", "-9.0", "9.0 "}) {
    EXPECT_FALSE(parse_device(wrong)) << wrong;
  }
}

TEST(Parsing, Archs) {
  EXPECT_EQ(parse_arch("90a")->suffix, 'a');
  EXPECT_EQ(parse_arch("100f")->number, 100);
  for (const auto* wrong : {"90f", "80a", "95", "sm_90", "a", ""})
    EXPECT_FALSE(parse_arch(wrong)) << wrong;
}

TEST(Parsing, Drivers) {
  EXPECT_EQ(parse_driver("535.104.05")->ptx_isa.text(), "8.2");
  EXPECT_EQ(parse_driver("R580")->ptx_isa.text(), "9.0");
  EXPECT_EQ(parse_driver("581")->ptx_isa.text(), "9.0");
  EXPECT_EQ(parse_driver("12.4")->ptx_isa.text(), "8.4");
  EXPECT_EQ(parse_driver("12.7")->ptx_isa.text(), parse_driver("565")->ptx_isa.text())
      << "a driver without a toolkit of that version";
  EXPECT_FALSE(parse_driver("580")->beyond);
  EXPECT_TRUE(parse_driver("999")->beyond);
  EXPECT_TRUE(parse_driver("99.0")->beyond);
  for (const auto* wrong : {"418", "10.2", "new", "", "12"})
    EXPECT_FALSE(parse_driver(wrong)) << wrong;
}

// Minor version compatibility: 450 runs all of CUDA 11, 525 all of 12, 580 all of 13.
TEST(Drivers, RunWhatTheirMajorReleaseMakesAndOlder) {
  const auto too_old = [](const char* driver, Version toolkit) {
    return is_too_old(*parse_driver(driver), *table().find_toolkit(toolkit));
  };
  for (const auto* driver : {"470", "520", "521", "11.8"}) {
    EXPECT_FALSE(too_old(driver, {11, 8})) << driver;
    EXPECT_TRUE(too_old(driver, {12, 0})) << driver;
    EXPECT_TRUE(too_old(driver, {13, 0})) << driver;
  }
  for (const auto* driver : {"525", "R575", "12.0", "12.9", "576.02"}) {
    EXPECT_FALSE(too_old(driver, {11, 0})) << driver;
    EXPECT_FALSE(too_old(driver, {12, 9})) << driver;
    EXPECT_TRUE(too_old(driver, {13, 0})) << driver;
  }
  for (const auto* driver : {"580", "13.0", "999", "99.0"}) {
    EXPECT_FALSE(too_old(driver, {13, 5})) << driver;
  }
  for (const auto& toolkit : table().toolkits) {
    EXPECT_EQ(toolkit.min_driver, toolkit.cuda.major == 11   ? 450
                                  : toolkit.cuda.major == 12 ? 525
                                                             : 580);
  }
}

DriverFit fit(const std::string& driver, const std::string& gpu) {
  return fit_of(*parse_driver(driver), *table().find_architecture(parse_device(gpu)->number()));
}

TEST(Drivers, KnowGpusUpToTheLastBranchForThem) {
  for (const auto* gpu : {"5.0", "5.2", "6.0", "6.1", "7.0"}) {
    for (const auto* driver : {"450", "580", "580.95.05", "582", "13.0"}) {
      EXPECT_EQ(fit(driver, gpu), DriverFit::fits) << driver << " on " << gpu;
    }
    for (const auto* driver : {"590", "R615", "13.1", "13.5", "999", "99.0"}) {
      EXPECT_EQ(fit(driver, gpu), DriverFit::too_new) << driver << " on " << gpu;
    }
  }
  for (const auto* gpu : {"3.5", "3.7"}) {
    EXPECT_EQ(fit("472.50", gpu), DriverFit::fits) << gpu;
    EXPECT_EQ(fit("11.4", gpu), DriverFit::fits) << gpu;
    EXPECT_EQ(fit("495", gpu), DriverFit::too_new) << gpu;
    EXPECT_EQ(fit("11.5", gpu), DriverFit::too_new) << gpu;
  }
  EXPECT_EQ(fit("999", "7.5"), DriverFit::fits);
}

TEST(Drivers, KnowGpusFromTheFirstBranchForThem) {
  const std::vector<std::tuple<const char*, const char*, const char*>> cases = {
      {"8.9", "515", "520"},     {"9.0", "515", "520"},  {"10.0", "565", "570"},
      {"12.0", "565", "570"},    {"10.3", "570", "575"}, {"12.1", "12.8", "12.9"},
      {"11.0", "576.02", "580"}, {"10.7", "610", "615"}};
  for (const auto& [gpu, before, first] : cases) {
    EXPECT_EQ(fit(before, gpu), DriverFit::too_old) << before << " on " << gpu;
    for (const auto* driver : {first, "999", "99.0"}) {
      EXPECT_EQ(fit(driver, gpu), DriverFit::fits) << driver << " on " << gpu;
    }
  }
  EXPECT_EQ(fit("450", "8.0"), DriverFit::fits);
}

// Tegra's drivers have their own branches, no product has 8.8, and no source says whether the
// long-lived branch 450 gained support for 8.6.
TEST(Drivers, MayKnowGpusOfWhichNoSourceTells) {
  for (const auto* gpu : {"5.3", "6.2", "7.2", "8.6", "8.7", "8.8", "10.1"}) {
    for (const auto* driver : {"450", "999"}) {
      EXPECT_EQ(fit(driver, gpu), DriverFit::fits) << driver << " on " << gpu;
    }
  }
}

TEST(ArchServes, OnlyWhatIsAccepted) {
  const auto ordinary = default_verdicts();
  const Verdicts with_jit = {Verdict::native, Verdict::compatible, Verdict::jit};
  const auto device = [](const char* text) { return *parse_device(text); };
  EXPECT_TRUE(arch_serves("90", device("9.0"), ordinary));
  EXPECT_TRUE(arch_serves("90a", device("9.0"), ordinary));
  EXPECT_TRUE(arch_serves("80", device("8.9"), ordinary));
  EXPECT_FALSE(arch_serves("80", device("9.0"), ordinary));
  EXPECT_TRUE(arch_serves("80", device("9.0"), with_jit));
  EXPECT_FALSE(arch_serves("80-real", device("9.0"), with_jit));
  EXPECT_TRUE(arch_serves("80-virtual", device("8.0"), with_jit));
  EXPECT_FALSE(arch_serves("80-virtual", device("8.0"), ordinary));
  EXPECT_FALSE(arch_serves("90a", device("10.0"), with_jit));
  EXPECT_FALSE(arch_serves("80", device("8.6"), {Verdict::native}));
}

}  // namespace
}  // namespace archgrid::coverage
