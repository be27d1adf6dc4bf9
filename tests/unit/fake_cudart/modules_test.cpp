// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests fat binaries with damaged images, which no compiler writes, and errors of device links.
// answers_test.cpp has the others.
#include "modules.hpp"

#include <gtest/gtest.h>

#include "../fatbin/made.hpp"

namespace archgrid::fake_cudart {
namespace {

using tests::bytes_of;
using tests::kernel_symbol;
using tests::made_cubin;
using tests::put;

constexpr std::uint16_t kPtx = 1;
constexpr std::uint16_t kCubin = 2;
constexpr std::uint16_t kLto = 8;

std::string entry(std::uint16_t kind, std::uint32_t arch, std::string payload) {
  payload.resize((payload.size() + 7) / 8 * 8, '\0');
  std::string text(64, '\0');
  put<std::uint16_t>(text, 0, kind);
  put<std::uint16_t>(text, 2, 0x0101);
  put<std::uint32_t>(text, 4, 64);
  put<std::uint64_t>(text, 8, payload.size());
  put<std::uint16_t>(text, 24, 0);
  put<std::uint16_t>(text, 26, 8);
  put<std::uint32_t>(text, 28, arch);
  put<std::uint64_t>(text, 40, 0x11);
  return text + payload;
}

std::string container(const std::string& entries) {
  auto text = tests::empty_container();
  put<std::uint64_t>(text, 8, entries.size());
  return text + entries;
}

std::string cubin(std::uint32_t arch) {
  return bytes_of(made_cubin({kernel_symbol(1)}, std::string("\0kernel\0", 8), 16, arch));
}

std::string ptx(const std::string& version, const std::string& target,
                const std::string& work = "") {
  return ".version " + version + "\n.target " + target +
         "\n.address_size 64\n.visible .entry kernel(\n.param .u64 p\n)\n{\n" + work + "ret;\n}\n";
}

Settings settings_for(const std::string& driver) {
  Settings settings;
  settings.driver = coverage::parse_driver(driver);
  return settings;
}

/// Returns the PTX of an object without a kernel.
std::string ptx_without_kernel(const std::string& version) {
  return ".version " + version + "\n.target sm_70\n.address_size 64\n";
}

/// Loads `kernel` of a device link for 8.0, whose objects have these images.
Loaded load_linked(const std::vector<std::string>& objects, const std::string& device,
                   const Settings& settings = settings_for("12.4")) {
  const auto link = container(entry(kCubin, 80, cubin(80)));
  std::vector<std::string> fatbins;
  for (const auto& images : objects) fatbins.push_back(container(images));
  std::vector<const void*> parts;
  for (const auto& fatbin : fatbins) parts.push_back(fatbin.data());
  Module module(link.data(), parts, true);
  return module.load("kernel", *coverage::parse_device(device), settings);
}

int error_of_link(const std::vector<std::string>& objects, const std::string& device = "9.0",
                  const Settings& settings = settings_for("12.4")) {
  return load_linked(objects, device, settings).error;
}

int error_of(const std::string& fatbin, const std::string& device, const std::string& kernel,
             const Settings& settings = settings_for("12.4")) {
  Module module(fatbin.data(), {}, false);
  return module.load(kernel, *coverage::parse_device(device), settings).error;
}

TEST(Module, OfSoundImagesLoads) {
  const auto fatbin =
      container(entry(kCubin, 90, cubin(90)) + entry(kPtx, 70, ptx("8.0", "sm_70")));
  EXPECT_EQ(error_of(fatbin, "9.0", "kernel"), 0);
  EXPECT_EQ(error_of(fatbin, "8.0", "kernel"), 0);
  EXPECT_EQ(error_of(fatbin, "6.1", "kernel"), 209);
}

TEST(Module, WithoutTheKernelIs500WhereItLoadsAnd209WhereNot) {
  const auto fatbin =
      container(entry(kCubin, 90, cubin(90)) + entry(kPtx, 100, ptx("8.0", "sm_100")));
  EXPECT_EQ(error_of(fatbin, "9.0", "other"), 500);
  EXPECT_EQ(error_of(fatbin, "10.0", "other"), 500);
  EXPECT_EQ(error_of(fatbin, "8.0", "other"), 209);
}

TEST(Module, WithDamagedMachineCodeIs200) {
  const auto fatbin = container(entry(kCubin, 90, cubin(90).substr(0, 100)));
  EXPECT_EQ(error_of(fatbin, "9.0", "kernel"), 200);
  EXPECT_EQ(error_of(fatbin, "8.0", "kernel"), 209);
}

TEST(Module, WithPtxThatNamesNoVersionIs218) {
  const auto fatbin = container(entry(kPtx, 70, "this is no PTX\n"));
  EXPECT_EQ(error_of(fatbin, "9.0", "kernel"), 218);
  EXPECT_EQ(error_of(fatbin, "6.1", "kernel"), 209);
}

TEST(Module, WithPtxThatIsTooNewIs222BeforeTheKernelIsLookedFor) {
  const auto fatbin = container(entry(kPtx, 70, ptx("8.7", "sm_70")));
  EXPECT_EQ(error_of(fatbin, "9.0", "kernel"), 222);
  EXPECT_EQ(error_of(fatbin, "9.0", "other"), 222);
  EXPECT_EQ(error_of(fatbin, "9.0", "kernel", settings_for("12.8")), 0);
}

// An audit reports the body first; a driver does not look at it.
TEST(Module, WithPtxThatIsTooNewAndDoesNothingIs222) {
  const std::string work = "st.global.u32 [%rd1], 1;\n";
  const auto fatbin =
      container(entry(kPtx, 70, ptx("8.0", "sm_70", work)) + entry(kPtx, 90, ptx("8.7", "sm_90")));
  EXPECT_EQ(error_of(fatbin, "9.0", "kernel"), 222);
  EXPECT_EQ(error_of(fatbin, "8.0", "kernel"), 0);
  EXPECT_EQ(error_of(fatbin, "9.0", "kernel", settings_for("12.8")), 0);
}

TEST(Module, WithPtxOnlyIs223WhereJitIsDisabled) {
  const auto fatbin = container(entry(kPtx, 70, ptx("8.0", "sm_70")));
  auto settings = settings_for("12.4");
  settings.jit_disabled = true;
  EXPECT_EQ(error_of(fatbin, "9.0", "kernel", settings), 223);
  EXPECT_EQ(error_of(fatbin, "9.0", "other", settings), 223);
  EXPECT_EQ(error_of(fatbin, "6.1", "kernel", settings), 209);
}

TEST(Module, IsCompiledFromPtxWhereThatIsForced) {
  const auto fatbin =
      container(entry(kCubin, 90, cubin(90)) + entry(kPtx, 70, ptx("8.0", "sm_70")));
  auto settings = settings_for("12.4");
  settings.jit_forced = true;
  Module module(fatbin.data(), {}, false);
  const auto loaded = module.load("kernel", {9, 0}, settings);
  EXPECT_EQ(loaded.error, 0);
  EXPECT_TRUE(loaded.compiled);
  EXPECT_EQ(loaded.arch.text(), "70");
}

TEST(Module, OfACodeThatSourcesDisagreeAboutIsRefused) {
  const auto fatbin = container(entry(kCubin, 80, cubin(80)));
  EXPECT_EQ(error_of(fatbin, "8.6", "kernel"), 0);
  EXPECT_EQ(error_of(fatbin, "8.7", "kernel"), 209);
}

TEST(Module, WithoutImagesIs209) {
  EXPECT_EQ(error_of(container(""), "9.0", "kernel"), 209);
}

TEST(Module, ThatIsNoFatBinaryIs200) {
  Module module(nullptr, {}, false);
  EXPECT_EQ(module.load("kernel", {9, 0}, settings_for("12.4")).error, 200);
  EXPECT_EQ(error_of("this is no fat binary", "9.0", "kernel"), 200);
}

// ---- Device links ------------------------------------------------------------------------------

const std::string kKernel = entry(kPtx, 70, ptx("8.0", "sm_70"));
const std::string kOther = entry(kPtx, 70, ptx_without_kernel("8.0"));
const std::string kNewer = entry(kPtx, 70, ptx_without_kernel("8.7"));
const std::string kInvalid = entry(kPtx, 70, "this is no PTX\n");
const std::string kMachineCode = entry(kCubin, 80, cubin(80));

TEST(DeviceLink, OfPtxIsLinkedAgain) {
  EXPECT_EQ(error_of_link({kKernel, kOther}), 0);
  EXPECT_EQ(error_of_link({kKernel, kMachineCode}, "8.0"), 0);
}

TEST(DeviceLink, WithoutMachineCodeIs300WhereSomeObjectsHavePtxAnd500WhereNoneHas) {
  EXPECT_EQ(error_of_link({kKernel, kMachineCode}), 300);
  EXPECT_EQ(error_of_link({kMachineCode, kOther}), 300);
  EXPECT_EQ(error_of_link({kMachineCode, kMachineCode}), 500);
}

TEST(DeviceLink, OfPtxWithoutTheKernelIs500) {
  EXPECT_EQ(error_of_link({kOther, kOther}), 500);
}

TEST(DeviceLink, OfPtxThatDoesNotCompileIsTheErrorOfTheFirst) {
  EXPECT_EQ(error_of_link({kKernel, kNewer}), 222);
  EXPECT_EQ(error_of_link({kNewer, kInvalid, kKernel}), 222);
  EXPECT_EQ(error_of_link({kInvalid, kNewer, kKernel}), 218);
  EXPECT_EQ(error_of_link({kKernel, kNewer}, "9.0", settings_for("12.8")), 0);
}

TEST(DeviceLink, OfPtxIs223WhereJitIsDisabled) {
  auto settings = settings_for("12.4");
  settings.jit_disabled = true;
  EXPECT_EQ(error_of_link({kKernel, kMachineCode}, "9.0", settings), 223);
  EXPECT_EQ(error_of_link({kMachineCode}, "9.0", settings), 500);
  EXPECT_EQ(error_of_link({kKernel}, "8.0", settings), 0);
}

TEST(DeviceLink, OfCodeThatMayNotLoadIs209) {
  const auto lto = entry(kLto, 80, "no one reads it");
  EXPECT_EQ(error_of_link({lto, lto}), 209);
  EXPECT_EQ(error_of_link({kKernel, lto}), 209);
  EXPECT_EQ(error_of_link({kMachineCode}, "8.7"), 209);
  EXPECT_EQ(error_of_link({kMachineCode, kNewer}, "8.7"), 222);
}

// Sources disagree whether the linked machine code loads. The PTX surely does.
TEST(DeviceLink, OfPtxIsPreferredToMachineCodeThatMayNotLoad) {
  const auto loaded = load_linked({kKernel}, "8.7");
  EXPECT_EQ(loaded.error, 0);
  EXPECT_TRUE(loaded.compiled);
  EXPECT_EQ(loaded.arch.text(), "70");
}

TEST(DeviceLink, OfADamagedObjectIs200) {
  const auto damaged = entry(kCubin, 90, cubin(90).substr(0, 100));
  EXPECT_EQ(error_of_link({kKernel, damaged}), 200);
}

}  // namespace
}  // namespace archgrid::fake_cudart
