// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests objects of the host compiler's link-time optimisation, which compresses the fat binary.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "made.hpp"
#include "samples.hpp"

namespace archgrid::tests {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::uint32_t kSymbols = 2;

/// Returns an object of gcc with these sections, and the symbol that marks whether it has machine
/// code.
std::string gcc_object(std::vector<MadeSection> sections, const std::string& marker) {
  MadeElf elf;
  elf.sections = std::move(sections);
  const auto names = static_cast<std::uint32_t>(elf.sections.size() + 1);
  elf.sections.push_back({".strtab", kStrings, '\0' + marker + '\0'});
  elf.sections.push_back({".symtab", kSymbols, symbol_bytes({{1, 0, 0x11}}), names});
  return bytes_of(elf);
}

fatbin::File read_object(const std::string& bytes) {
  return fatbin::read_bytes(bytes, "made.o");
}

const MadeSection kWrapper = {".gnu.lto__ZL15__fatDeviceText.17.0a", 1, "z"};
const MadeSection kRegistration = {".gnu.lto_.symtab.0a", 1,
                                   std::string("\0__cudaRegisterFunction\0", 24)};

TEST(HostLto, KernelsThatItHidesAreAnError) {
  for (const auto& toolkit : toolkits()) {
    for (const auto* name : {"lto.o", "lto_rdc.o"}) {
      const auto file = fatbin::read(sample_path(toolkit, name));
      EXPECT_THAT(complaints(file), HasSubstr("compile it with -ffat-lto-objects"))
          << toolkit << '/' << name;
      EXPECT_THAT(file.modules, IsEmpty());
    }
  }
}

TEST(HostLto, ObjectsWithoutKernelsAreNoError) {
  for (const auto& toolkit : toolkits()) {
    const auto file = fatbin::read(sample_path(toolkit, "lto_host.o"));
    EXPECT_EQ(complaints(file), "") << toolkit;
    EXPECT_TRUE(file.host_lto);
    EXPECT_FALSE(fatbin::read(sample_path(toolkit, "plain.o")).host_lto);
  }
}

TEST(HostLto, IsToldByTheWrapperAndTheRegistrationOfAKernel) {
  const std::string slim = "__gnu_lto_slim";
  EXPECT_THAT(complaints(read_object(gcc_object({kWrapper, kRegistration}, slim))),
              HasSubstr("-flto"));
  for (const auto& section : {kWrapper, kRegistration}) {
    const auto file = read_object(gcc_object({section}, slim));
    EXPECT_EQ(complaints(file), "");
    EXPECT_TRUE(file.host_lto);
  }
}

TEST(HostLto, MachineCodeBesideItIsRead) {
  const auto file = read_object(gcc_object({kWrapper, kRegistration}, "main"));
  EXPECT_EQ(complaints(file), "");
  EXPECT_FALSE(file.host_lto);
}

TEST(HostLto, BitcodeOfLlvm) {
  using namespace std::string_literals;
  for (const auto& magic : {"BC\xc0\xde"s, "\xde\xc0\x17\x0b"s}) {
    EXPECT_TRUE(fatbin::may_contain_device_code(magic));
    const auto hidden =
        read_object(magic + "__cudaRegisterFunction__fatbinwrap_1_2_k_cu_3 x86_64-linux");
    EXPECT_THAT(complaints(hidden), HasSubstr("-flto"));
    const auto host = read_object(magic + "plain x86_64-pc-linux-gnu");
    EXPECT_EQ(complaints(host), "");
    EXPECT_TRUE(host.host_lto);
    const auto device = read_object(magic + "__nv_sin nvptx64-nvidia-gpulibs");
    EXPECT_EQ(complaints(device), "");
    EXPECT_FALSE(device.host_lto);
  }
}

}  // namespace
}  // namespace archgrid::tests
