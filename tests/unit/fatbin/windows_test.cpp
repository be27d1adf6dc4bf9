// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests Windows programs, libraries and objects.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "made_coff.hpp"
#include "reading.hpp"
#include "samples.hpp"

namespace archgrid::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Returns one letter per module, "r-l": registered, not registered, made by the device linker.
std::string registrations(const fatbin::File& file) {
  std::string text;
  for (const auto& module : file.modules) {
    text += !module.registered ? '-' : module.linked ? 'l' : 'r';
  }
  return text;
}

/// Returns a DLL with three containers, of which the first and the last are registered.
MadePe registering_pe() {
  MadePe pe;
  const auto start = kImageBase + pe_address(0);
  pe.sections = {{".nv_fatbin", repeated(empty_container(), 3)},
                 {".nvFatBinSegment", wrapper_bytes(start) + wrapper_bytes(start + 32)}};
  return pe;
}

TEST(Pe, WrappersRegisterByAddress) {
  const auto file = read_copy(bytes_of(registering_pe()));
  EXPECT_EQ(complaints(file), "");
  EXPECT_EQ(file.format, "DLL");
  EXPECT_EQ(file.host_cpu, "x86-64");
  EXPECT_EQ(registrations(file), "r-r");
  ASSERT_EQ(file.modules.size(), 3U);
  EXPECT_EQ(file.modules[0].section, ".nv_fatb");
  EXPECT_THAT(file.dangling, IsEmpty());
}

TEST(Pe, WithoutTheFlagOfADllItIsAnExecutable) {
  auto pe = registering_pe();
  pe.flags = 0x22;
  EXPECT_EQ(read_copy(bytes_of(pe)).format, "executable");
}

TEST(Pe, LinkersMayLeaveZerosBetweenWrappers) {
  auto pe = registering_pe();
  auto& wrappers = pe.sections[1].data;
  wrappers =
      std::string(8, '\0') + wrappers.substr(0, 24) + std::string(40, '\0') + wrappers.substr(24);
  const auto file = read_copy(bytes_of(pe));
  EXPECT_EQ(complaints(file), "");
  EXPECT_EQ(registrations(file), "r-r");
}

TEST(Pe, WhatIsNoWrapperIsAnError) {
  auto pe = registering_pe();
  put<std::uint32_t>(pe.sections[1].data, 24, 0x466243b0);
  EXPECT_THAT(complaints(read_copy(bytes_of(pe))), HasSubstr("registration wrapper expected here"));
}

TEST(Pe, AWrapperOfNothingIsCounted) {
  auto pe = registering_pe();
  pe.sections[1].data += wrapper_bytes(kImageBase + pe_address(7));
  EXPECT_EQ(read_copy(bytes_of(pe)).dangling.size(), 1U);
}

TEST(Pe, PartsOfADeviceLinkAreToldFromItsResult) {
  MadePe pe;
  pe.sections = {{"__nv_relfatbin", empty_container()},
                 {".nv_fatbin", empty_container()},
                 {".nvFatBinSegment", wrapper_bytes(kImageBase + pe_address(0)) +
                                          wrapper_bytes(kImageBase + pe_address(1), 2)}};
  const auto file = read_copy(bytes_of(pe));
  EXPECT_EQ(registrations(file), "rl");
  ASSERT_EQ(file.modules.size(), 2U);
  EXPECT_TRUE(file.modules[0].relocatable);
  EXPECT_FALSE(file.modules[1].relocatable);
}

TEST(Pe, OtherDataIsSearchedAndCodeIsNot) {
  MadePe pe;
  pe.sections = {{".text", empty_container(), kReadableCode},
                 {".rdata", "text" + empty_container()},
                 {".bss", empty_container(), kZeros}};
  const auto file = read_copy(bytes_of(pe));
  EXPECT_EQ(complaints(file), "");
  ASSERT_EQ(file.modules.size(), 1U);
  EXPECT_EQ(file.modules[0].section, ".rdata");
  EXPECT_FALSE(file.modules[0].registered);
}

TEST(Pe, WhatFollowsTheSectionsIsSearched) {
  auto pe = registering_pe();
  pe.overlay = "PK" + empty_container();
  const auto file = read_copy(bytes_of(pe));
  EXPECT_EQ(registrations(file), "r-r-");
  EXPECT_EQ(file.modules.back().section, "overlay");
}

TEST(Pe, CertificatesThatAreCutAreAnError) {
  auto pe = registering_pe();
  pe.overlay = std::string(64, 'c');
  const auto end = static_cast<std::uint32_t>(bytes_of(pe).size());
  pe.directories[4] = {end - 64, 64};
  const auto whole = bytes_of(pe);
  EXPECT_EQ(complaints(read_copy(whole)), "");
  EXPECT_THAT(complaints(read_copy(std::string_view(whole).substr(0, end - 1))),
              HasSubstr("certificates"));
}

MadePe importing_pe(bool delayed, bool wide = true) {
  MadePe pe;
  pe.wide = wide;
  const std::vector<MadeImport> imports = {{"nvcuda.dll", {"cuInit", "cuModuleLoadData"}},
                                           {"nvrtc64_120_0.dll", {"nvrtcVersion"}}};
  const auto table = import_bytes(imports, pe_address(0), delayed, wide ? 8 : 4);
  pe.sections = {{".rdata", table}};
  pe.directories[delayed ? 13 : 1] = {pe_address(0), static_cast<std::uint32_t>(table.size())};
  return pe;
}

TEST(Pe, ImportsThatLoadCodeAreNamed) {
  for (const auto& pe : {importing_pe(false), importing_pe(true), importing_pe(false, false)}) {
    const auto file = read_copy(bytes_of(pe));
    EXPECT_EQ(complaints(file), "");
    EXPECT_THAT(file.loaders, ElementsAre("cuModuleLoadData", "nvrtc64_120_0.dll"));
    EXPECT_THAT(file.named_loaders, IsEmpty()) << "strings of the import table";
    EXPECT_THAT(file.needed, ::testing::Contains("nvrtc64_120_0.dll"));
  }
}

TEST(Pe, ImportsByNumberHaveNoName) {
  auto pe = importing_pe(false);
  auto& table = pe.sections[0].data;
  const auto functions = table.find("nvcuda.dll") + 11;
  put<std::uint64_t>(table, functions, (std::uint64_t{1} << 63) + 7);
  EXPECT_THAT(read_copy(bytes_of(pe)).loaders,
              ElementsAre("cuModuleLoadData", "nvrtc64_120_0.dll"));
}

TEST(Pe, NamesOfItsOwnFunctionsAreNoLoaders) {
  MadePe pe;
  pe.sections = {{".rdata", std::string("nvrtcCompileProgram\0", 20)}};
  EXPECT_THAT(read_copy(bytes_of(pe)).named_loaders, ElementsAre("nvrtcCompileProgram"));
  pe.directories[0] = {pe_address(0), 20};
  EXPECT_THAT(read_copy(bytes_of(pe)).named_loaders, IsEmpty());
}

TEST(Pe, ImportTablesThatShareTheirBytesAreBounded) {
  std::vector<MadeImport> imports(1000, {"x.dll", {}});
  imports.push_back({"y.dll", std::vector<std::string>(1000, "f")});
  auto table = import_bytes(imports, pe_address(0));
  std::uint32_t functions = 0;
  std::memcpy(&functions, table.data() + 1000 * 20, sizeof(functions));
  for (std::size_t index = 0; index < 1000; ++index) put(table, index * 20, functions);
  MadePe pe;
  pe.sections = {{".rdata", table}};
  pe.directories[1] = {pe_address(0), static_cast<std::uint32_t>(table.size())};
  EXPECT_THAT(complaints(read_copy(bytes_of(pe))), HasSubstr("import tables overlap"));
}

TEST(Pe, ProgramsOf32BitsHoldNoFatBinariesThatAreRead) {
  MadePe pe;
  pe.wide = false;
  pe.sections = {{".rdata", "text"}};
  EXPECT_EQ(complaints(read_copy(bytes_of(pe))), "");
  pe.sections.push_back({".nvFatBinSegment", wrapper_bytes()});
  EXPECT_THAT(complaints(read_copy(bytes_of(pe))), HasSubstr("32-bit"));
}

TEST(Pe, PackedFilesAreRefused) {
  MadePe pe;
  pe.sections = {{"UPX0", "", kZeros}, {"UPX1", "packed", 0xe0000040}};
  EXPECT_THAT(complaints(read_copy(bytes_of(pe))), HasSubstr("packed by UPX"));
}

TEST(Pe, ProgramsOfDosAndTextAreNone) {
  std::string text = "MZ";
  put<std::uint32_t>(text, 60, 64);
  text += "NE..";
  EXPECT_THAT(complaints(read_copy(text)), HasSubstr("not an ELF, PE or COFF file"));
  EXPECT_THAT(complaints(read_copy("MZ" + std::string(200, ' '))), HasSubstr("not an ELF, PE"));
}

/// Returns an object with a container registered by a relocation of type 1, with an addend in
/// place.
MadeCoff registering_object() {
  MadeCoff coff;
  coff.sections = {{".nv_fatbin", repeated(empty_container(), 3)},
                   {".nvFatBinSegment", wrapper_bytes(16), kReadableData, {{8, 2}}}};
  coff.symbols = {{".file", -2, 0, 103, "C:\\Temp\\tmpxft_000015f2_00000000-6_gemm.cudafe1.cpp"},
                  {"fatbinData", 1, 16, 3},
                  {"fatbinWrapper", 2, 0, 3}};
  const auto file = symbol_records(coff.symbols[0]);
  coff.sections[1].relocations = {{8, file}};
  return coff;
}

TEST(Coff, RelocationsRegister) {
  for (const bool big : {false, true}) {
    auto coff = registering_object();
    coff.big = big;
    if (big) coff.sections[1].relocations = {{8, symbol_records(coff.symbols[0])}};
    const auto file = read_copy(bytes_of(coff));
    EXPECT_EQ(complaints(file), "");
    EXPECT_EQ(file.format, "object");
    EXPECT_EQ(file.host_cpu, "x86-64");
    EXPECT_EQ(registrations(file), "--r");
    EXPECT_EQ(file.modules.back().section, ".nv_fatbin");
    EXPECT_EQ(file.modules.back().unit, "gemm.cu");
  }
}

TEST(Coff, RelocationsOfArmRegister) {
  auto coff = registering_object();
  coff.machine = kMachineArm64;
  EXPECT_EQ(registrations(read_copy(bytes_of(coff))), "---");
  coff.sections[1].relocations[0].type = 14;
  EXPECT_EQ(registrations(read_copy(bytes_of(coff))), "--r");
  EXPECT_EQ(read_copy(bytes_of(coff)).host_cpu, "aarch64");
}

TEST(Coff, WrappersOfRelocatableUnitsNameThem) {
  MadeCoff coff;
  coff.sections = {{"__nv_relfatbin", empty_container()},
                   {".nvFatBinSegment", wrapper_bytes(), kReadableData, {{8, 0}}}};
  coff.symbols = {{"fatbinData", 1, 0, 3},
                  {"__fatbinwrap_2e6a5912_22_cuda_device_runtime_cu_aae7d308_90096", 2, 0, 2}};
  const auto file = read_copy(bytes_of(coff));
  EXPECT_EQ(complaints(file), "");
  EXPECT_EQ(registrations(file), "r");
  EXPECT_TRUE(file.modules.at(0).relocatable);
  EXPECT_EQ(file.modules.at(0).unit, "cuda_device_runtime.cu");
}

TEST(Coff, AWrapperWithoutRelocationRegistersNothing) {
  auto coff = registering_object();
  coff.sections[1].relocations.clear();
  const auto file = read_copy(bytes_of(coff));
  EXPECT_EQ(registrations(file), "---");
  EXPECT_EQ(file.dangling.size(), 1U);
}

TEST(Coff, UndefinedFunctionsThatLoadCodeAreNamed) {
  MadeCoff coff;
  coff.sections = {{".data", "text"}};
  coff.symbols = {{"__imp_cuModuleLoad"}, {"cuLibraryLoadData"}, {"cuLinkCreate_v2", 1}};
  EXPECT_THAT(read_copy(bytes_of(coff)).loaders, ElementsAre("cuLibraryLoadData", "cuModuleLoad"));
}

TEST(Coff, NamesInImportLibrariesAreNoLoaders) {
  const std::string name("nvrtcCompileProgram\0", 20);
  MadeCoff coff;
  coff.sections = {{".idata$6", name}};
  EXPECT_THAT(read_copy(bytes_of(coff)).named_loaders, IsEmpty());
  coff.sections[0].name = ".rdata";
  EXPECT_THAT(read_copy(bytes_of(coff)).named_loaders, ElementsAre("nvrtcCompileProgram"));
}

TEST(Coff, ARelocationWithoutSymbolIsAnError) {
  auto coff = registering_object();
  coff.sections[1].relocations = {{8, 100}};
  EXPECT_THAT(complaints(read_copy(bytes_of(coff))), HasSubstr("relocation names no symbol"));
}

TEST(Coff, ALongNameWithoutPlaceIsAnError) {
  auto text = bytes_of(registering_object());
  text[text.find("/4") + 1] = 'x';
  EXPECT_THAT(complaints(read_copy(text)), HasSubstr("long name has no place"));
}

TEST(Coff, WhatImportLibrariesHoldIsEmpty) {
  std::string text("\0\0\xff\xff\0\0\x64\x86", 8);
  put<std::uint32_t>(text, 12, 20);
  put<std::uint32_t>(text, 16, 0);
  text += std::string("cuModuleLoad\0cu.dll\0", 20);
  const auto file = read_copy(text);
  EXPECT_EQ(complaints(file), "");
  EXPECT_THAT(file.modules, IsEmpty());
  EXPECT_THAT(complaints(read_copy(std::string_view(text).substr(0, 30))),
              HasSubstr("names of an import"));
}

TEST(Coff, ObjectsThatTheLinkerCompilesAreRefused) {
  auto coff = registering_object();
  coff.big = true;
  auto text = bytes_of(coff);
  text[12] = '\x38';
  EXPECT_THAT(complaints(read_copy(text)), HasSubstr("compile it without /GL"));
}

TEST(Coff, ManySectionsWithTheSameRelocationsAreRefused) {
  auto coff = registering_object();
  coff.sections[1].relocations.resize(1000, coff.sections[1].relocations[0]);
  for (int copy = 0; copy < 1000; ++copy)
    coff.sections.push_back({".nvFatBinSegment", wrapper_bytes()});
  auto text = bytes_of(coff);
  for (std::size_t header = 20 + 2 * 40; header < 20 + 1002 * 40; header += 40) {
    text.replace(header + 24, 10, text, 20 + 40 + 24, 10);
  }
  EXPECT_THAT(complaints(read_copy(text)), HasSubstr("sections overlap"));
}

std::vector<std::string> made_files() {
  auto importing = importing_pe(false);
  importing.directories[0] = {pe_address(0), 16};
  auto big = registering_object();
  big.big = true;
  return {bytes_of(registering_pe()), bytes_of(importing), bytes_of(importing_pe(true)),
          bytes_of(registering_object()), bytes_of(big)};
}

TEST(WindowsDamage, EveryTruncationIsAnError) {
  for (const auto& whole : made_files()) {
    EXPECT_EQ(complaints(read_copy(whole)), "");
    for (std::size_t size = 0; size < whole.size(); size += 64) {
      EXPECT_NE(complaints(read_copy(std::string_view(whole).substr(0, size))), "") << size;
    }
  }
}

// Reading ends and stays within bounds for any content of a field.
TEST(WindowsDamage, ExtremeFieldsAreSurvived) {
  for (const auto& whole : made_files()) {
    for (std::size_t at = 0; at + 4 <= whole.size(); at += 2) {
      for (const std::uint32_t value : {0U, 1U, 0xffffU, 0x7fffffffU, 0xffffffffU}) {
        auto bytes = whole;
        put(bytes, at, value);
        const auto file = read_copy(bytes);
        for (const auto& image : file.images) ASSERT_LT(image.module, file.modules.size());
      }
    }
  }
}

class WindowsSample : public ::testing::TestWithParam<std::string> {
 protected:
  [[nodiscard]] static fatbin::File read_sample(const char* name) {
    return fatbin::read(sample_path(GetParam(), name));
  }
};

TEST_P(WindowsSample, HoldsWhatTheFatBinaryHolds) {
  const auto bare = read_sample("sample.fatbin");
  for (const auto* name : {"windows.obj", "windows_arm.obj", "windows.dll", "windows.exe"}) {
    const auto file = read_sample(name);
    EXPECT_EQ(complaints(file), "") << name;
    EXPECT_EQ(registrations(file), "r") << name;
    EXPECT_EQ(archs(file, fatbin::Kind::sass), archs(bare, fatbin::Kind::sass)) << name;
    EXPECT_EQ(archs(file, fatbin::Kind::ptx), archs(bare, fatbin::Kind::ptx)) << name;
  }
  EXPECT_EQ(read_sample("windows.obj").format, "object");
  EXPECT_EQ(read_sample("windows.dll").format, "DLL");
  EXPECT_EQ(read_sample("windows.exe").format, "executable");
}

TEST_P(WindowsSample, NamesWhatItImports) {
  EXPECT_THAT(read_sample("windows.obj").loaders, ElementsAre("cuModuleLoadData"));
  EXPECT_THAT(read_sample("windows.dll").loaders, ElementsAre("cuModuleLoadData"));
}

TEST_P(WindowsSample, EveryTruncationIsAnError) {
  for (const auto* name : {"windows.obj", "windows.dll"}) {
    const auto whole = tests::contents_of(sample_path(GetParam(), name));
    ASSERT_GT(whole.size(), 1000U) << name;
    for (std::size_t size = 0; size < whole.size(); size += 64) {
      EXPECT_NE(complaints(read_copy(std::string_view(whole).substr(0, size))), "") << name << size;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Toolkit, WindowsSample, ::testing::ValuesIn(windows_toolkits()),
                         [](const auto& test) {
                           auto name = test.param;
                           std::replace(name.begin(), name.end(), '.', '_');
                           return "cuda" + name;
                         });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(WindowsSample);

}  // namespace
}  // namespace archgrid::tests
