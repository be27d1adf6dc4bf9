// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <archgrid/coverage/table.hpp>

namespace archgrid::tests {
namespace {

std::string named(const char* name) {
  return coverage::list_devices(coverage::devices_named(name));
}

TEST(GpuNames, EveryProductOfTheTableIsItsOwnName) {
  for (const auto& gpu : coverage::table().architectures) {
    for (const auto& product : gpu.products) EXPECT_EQ(named(product.c_str()), gpu.device.text());
  }
}

TEST(GpuNames, AModelIsOfItsSeries) {
  EXPECT_EQ(named("RTX 4090"), "8.9");
  EXPECT_EQ(named("rtx4070ti"), "8.9");
  EXPECT_EQ(named("RTX-3060 Ti"), "8.6");
  EXPECT_EQ(named("GTX 1080"), "6.1");
  EXPECT_EQ(named("GTX 1660 SUPER"), "7.5");
  EXPECT_EQ(named("GTX 980"), "5.2");
  EXPECT_EQ(named("RTX 2080"), "7.5");
  EXPECT_EQ(named("TITAN RTX"), "7.5");
  EXPECT_EQ(named("NVIDIA A10G"), "8.6");
  EXPECT_EQ(named("NVIDIA RTX A4000 Laptop GPU"), "8.6");
}

TEST(GpuNames, AreReadAsTheDriverPrintsThem) {
  EXPECT_EQ(named("NVIDIA A100-SXM4-40GB"), "8.0");
  EXPECT_EQ(named("NVIDIA H100 80GB HBM3"), "9.0");
  EXPECT_EQ(named("Tesla V100-SXM2-16GB"), "7.0");
  EXPECT_EQ(named("NVIDIA GeForce RTX 4080 Laptop GPU"), "8.9");
  EXPECT_EQ(named("NVIDIA RTX PRO 6000 Blackwell Server Edition"), "12.0");
  EXPECT_EQ(named("Quadro RTX 6000"), "7.5");
  EXPECT_EQ(named("Jetson AGX Orin"), "8.7");
  EXPECT_EQ(named("Jetson Orin Nano"), "8.7");
  EXPECT_EQ(named("Jetson Orin NX"), "8.7");
  EXPECT_EQ(named("Jetson Nano"), "5.3");
  EXPECT_EQ(named("NVIDIA RTX 4000 SFF Ada Generation"), "8.9");
  EXPECT_EQ(named("Orin"), "8.7");
  EXPECT_EQ(named("NVIDIA GeForce MX450"), "7.5");
  EXPECT_EQ(named("NVIDIA GeForce MX250"), "6.1");
  EXPECT_EQ(named("NVIDIA GeForce GT 1030"), "6.1");
  EXPECT_EQ(named("NVIDIA RTX A4500"), "8.6");
  EXPECT_EQ(named("NVIDIA L20"), "8.9");
  EXPECT_EQ(named("NVIDIA RTX 3500 Ada Generation Laptop GPU"), "8.9");
}

TEST(GpuNames, AWorkstationsModelIsNotOfAGameSeries) {
  EXPECT_EQ(named("NVIDIA RTX 5000 Ada Generation"), "8.9");
  EXPECT_EQ(named("RTX 4000 SFF Ada"), "8.9");
  EXPECT_EQ(named("NVIDIA RTX PRO 4000 Blackwell SFF Edition"), "12.0");
  EXPECT_EQ(named("Quadro RTX 4000"), "7.5");
  EXPECT_EQ(named("Quadro P4000"), "6.1");
  EXPECT_EQ(named("Quadro GP100"), "6.0");
  EXPECT_EQ(named("GTX 960M"), "5.0") << "a desktop's GTX 960 is 5.2";
  EXPECT_EQ(named("GTX 960"), "5.2");
}

TEST(GpuNames, AnAmbiguousNameIsOfSeveral) {
  EXPECT_EQ(named("RTX 6000"), "7.5, 8.9, 12.0");
  EXPECT_EQ(named("RTX 4000"), "7.5, 8.9, 12.0");
  EXPECT_EQ(named("RTX 3000"), "7.5, 8.9");
  EXPECT_EQ(named("TITAN X"), "5.2, 6.1");
}

TEST(GpuNames, AGenerationIsOfAllItsGpus) {
  EXPECT_EQ(named("Hopper"), "9.0");
  EXPECT_EQ(named("volta"), "7.0, 7.2");
  EXPECT_EQ(coverage::devices_named("Blackwell").size(), 6U);
}

TEST(GpuNames, WhatIsNoNameIsOfNone) {
  for (const auto* name : {"", " ", "40", "30", "8.0", "H1000", "A10GX", "GTX 930M", "RTX 4800",
                           "RTX 40900", "NVIDIA", "compute_80", "4090"}) {
    EXPECT_EQ(named(name), "") << name;
  }
}

}  // namespace
}  // namespace archgrid::tests
