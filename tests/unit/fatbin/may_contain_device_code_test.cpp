// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <archgrid/fatbin.hpp>

#include "made.hpp"
#include "samples.hpp"

namespace archgrid::fatbin {
namespace {

using tests::put;

/// Returns the header of a COFF object, or of a program with `flags` 2.
std::string coff(std::uint16_t machine, std::uint16_t sections, std::uint16_t flags = 0) {
  std::string text(60, '\0');
  put(text, 0, machine);
  put(text, 2, sections);
  put(text, 18, flags);
  return text;
}

TEST(MayContainDeviceCode, WhatCompilersWrite) {
  for (const auto& toolkit : tests::toolkits()) {
    for (const auto* name :
         {"plain.o", "libsample.so", "linked", "sample.cubin", "sample.fatbin", "sample.ptx"}) {
      const auto bytes = tests::contents_of(tests::sample_path(toolkit, name));
      EXPECT_TRUE(may_contain_device_code(bytes.substr(0, kFirstBytes))) << toolkit << '/' << name;
    }
  }
}

TEST(MayContainDeviceCode, PtxByItsFirstDirective) {
  EXPECT_TRUE(may_contain_device_code(".version 8.4\n"));
  EXPECT_TRUE(may_contain_device_code("\n// a\n/* .b */ \t.version\t8.4\n"));
  EXPECT_FALSE(may_contain_device_code("# archgrid writes .version 8.4\n.version 8.4\n"));
  EXPECT_FALSE(may_contain_device_code("// .version 8.4\n"));
  EXPECT_FALSE(may_contain_device_code("/* .version 8.4\n"));
  EXPECT_FALSE(may_contain_device_code(".versions 8.4\n"));
  EXPECT_FALSE(may_contain_device_code(".version"));
  EXPECT_FALSE(may_contain_device_code("\"\" .version 8.4\n"));
}

TEST(MayContainDeviceCode, PtxByTheNumberOfItsVersion) {
  EXPECT_TRUE(may_contain_device_code(".version 8.4"));
  EXPECT_TRUE(may_contain_device_code(".version /* of */\n10.12\n"));
  for (const std::string text : {"\"1.0\"", "\"8.4\"", "8", "8.", ".4", "8.x", "x.4", "// 8.4\n"}) {
    EXPECT_FALSE(may_contain_device_code(".version " + text)) << text;
  }
  EXPECT_FALSE(may_contain_device_code("\t.version\t\"01.01\"\n\t.text\n"));
}

TEST(MayContainDeviceCode, WindowsFiles) {
  std::string program = "MZ" + std::string(126, '\0') + "PE" + std::string(100, '\0');
  put<std::uint32_t>(program, 0x3c, 128);
  EXPECT_TRUE(may_contain_device_code(program));
  EXPECT_TRUE(may_contain_device_code(program.substr(0, 128)));
  EXPECT_TRUE(may_contain_device_code("MZ\x90"));
  EXPECT_FALSE(may_contain_device_code("MZ hello\r\n"));
  EXPECT_FALSE(may_contain_device_code("MZ " + std::string(500, 'x')));
  auto far = program;
  put<std::uint32_t>(far, 0x3c, 0x20202020);
  EXPECT_FALSE(may_contain_device_code(far));
  program[129] = 'X';
  EXPECT_FALSE(may_contain_device_code(program));  // a DOS program
  EXPECT_TRUE(may_contain_device_code(coff(0x8664, 3)));
  EXPECT_TRUE(may_contain_device_code(coff(0xaa64, 3)));
  EXPECT_FALSE(may_contain_device_code(coff(0x8664, 0)));
  EXPECT_FALSE(may_contain_device_code(coff(0x8664, 3, 2)));
  EXPECT_FALSE(may_contain_device_code(coff(0x4c01, 3)));
  auto many = coff(0, 0xffff);
  EXPECT_FALSE(may_contain_device_code(many));  // an entry of an import library
  put<std::uint16_t>(many, 4, 2);
  EXPECT_TRUE(may_contain_device_code(many));
}

TEST(MayContainDeviceCode, NothingElse) {
  for (const std::string text : {"", "text", "import os\n", "PK\3\4", "!<arch>\n", "\x7f"}) {
    EXPECT_FALSE(may_contain_device_code(text)) << text;
  }
  auto core = tests::bytes_of(tests::MadeElf{62, 4, 0, 0, {}});
  EXPECT_FALSE(may_contain_device_code(core));
  auto narrow = tests::bytes_of(tests::MadeElf{});
  EXPECT_TRUE(may_contain_device_code(narrow));
  narrow[4] = 1;
  EXPECT_FALSE(may_contain_device_code(narrow));
  auto big_endian = tests::bytes_of(tests::MadeElf{});
  big_endian[5] = 2;
  EXPECT_FALSE(may_contain_device_code(big_endian));
}

// Archives skip files of other systems, but must report damaged ones.
TEST(MayContainDeviceCode, ElfFilesOfNoClassOrByteOrder) {
  for (const std::size_t at : {4, 5}) {
    for (const char value : {'\0', '\3', 'A', '\xff'}) {
      auto damaged = tests::bytes_of(tests::MadeElf{});
      damaged[at] = value;
      EXPECT_TRUE(may_contain_device_code(damaged)) << at << ' ' << int{value};
    }
  }
}

TEST(MayContainDeviceCode, WhatMayHaveBeenCut) {
  EXPECT_TRUE(
      may_contain_device_code("\x7f"
                              "ELF"));
}

}  // namespace
}  // namespace archgrid::fatbin
