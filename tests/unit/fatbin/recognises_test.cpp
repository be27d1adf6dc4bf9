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

TEST(Recognises, WhatCompilersWrite) {
  for (const auto& toolkit : tests::toolkits()) {
    for (const auto* name :
         {"plain.o", "libsample.so", "linked", "sample.cubin", "sample.fatbin", "sample.ptx"}) {
      const auto bytes = tests::contents_of(tests::sample_path(toolkit, name));
      EXPECT_TRUE(recognises(bytes.substr(0, kFirstBytes))) << toolkit << '/' << name;
    }
  }
}

TEST(Recognises, PtxByItsFirstDirective) {
  EXPECT_TRUE(recognises(".version 8.4\n"));
  EXPECT_TRUE(recognises("\n// a\n/* .b */ \t.version\t8.4\n"));
  EXPECT_FALSE(recognises("# archgrid writes .version 8.4\n.version 8.4\n"));
  EXPECT_FALSE(recognises("// .version 8.4\n"));
  EXPECT_FALSE(recognises("/* .version 8.4\n"));
  EXPECT_FALSE(recognises(".versions 8.4\n"));
  EXPECT_FALSE(recognises(".version"));
  EXPECT_FALSE(recognises("\"\" .version 8.4\n"));
}

TEST(Recognises, PtxByTheNumberOfItsVersion) {
  EXPECT_TRUE(recognises(".version 8.4"));
  EXPECT_TRUE(recognises(".version /* of */\n10.12\n"));
  for (const std::string text : {"\"1.0\"", "\"8.4\"", "8", "8.", ".4", "8.x", "x.4", "// 8.4\n"}) {
    EXPECT_FALSE(recognises(".version " + text)) << text;
  }
  EXPECT_FALSE(recognises("\t.version\t\"01.01\"\n\t.text\n"));
}

TEST(Recognises, WindowsFiles) {
  std::string program = "MZ" + std::string(126, '\0') + "PE" + std::string(100, '\0');
  put<std::uint32_t>(program, 0x3c, 128);
  EXPECT_TRUE(recognises(program));
  EXPECT_TRUE(recognises(program.substr(0, 128)));
  EXPECT_TRUE(recognises("MZ\x90"));
  EXPECT_FALSE(recognises("MZ hello\r\n"));
  EXPECT_FALSE(recognises("MZ " + std::string(500, 'x')));
  auto far = program;
  put<std::uint32_t>(far, 0x3c, 0x20202020);
  EXPECT_FALSE(recognises(far));
  program[129] = 'X';
  EXPECT_FALSE(recognises(program));  // a DOS program
  EXPECT_TRUE(recognises(coff(0x8664, 3)));
  EXPECT_TRUE(recognises(coff(0xaa64, 3)));
  EXPECT_FALSE(recognises(coff(0x8664, 0)));
  EXPECT_FALSE(recognises(coff(0x8664, 3, 2)));
  EXPECT_FALSE(recognises(coff(0x4c01, 3)));
  auto many = coff(0, 0xffff);
  EXPECT_FALSE(recognises(many));  // an entry of an import library
  put<std::uint16_t>(many, 4, 2);
  EXPECT_TRUE(recognises(many));
}

TEST(Recognises, NothingElse) {
  for (const std::string text : {"", "text", "import os\n", "PK\3\4", "!<arch>\n", "\x7f"}) {
    EXPECT_FALSE(recognises(text)) << text;
  }
  auto core = tests::bytes_of({62, 4, 0, 0, {}});
  EXPECT_FALSE(recognises(core));
  auto narrow = tests::bytes_of({});
  EXPECT_TRUE(recognises(narrow));
  narrow[4] = 1;
  EXPECT_FALSE(recognises(narrow));
  auto big_endian = tests::bytes_of({});
  big_endian[5] = 2;
  EXPECT_FALSE(recognises(big_endian));
}

// Archives skip files of other systems, but must report damaged ones.
TEST(Recognises, ElfFilesOfNoClassOrByteOrder) {
  for (const std::size_t at : {4, 5}) {
    for (const char value : {'\0', '\3', 'A', '\xff'}) {
      auto damaged = tests::bytes_of({});
      damaged[at] = value;
      EXPECT_TRUE(recognises(damaged)) << at << ' ' << int{value};
    }
  }
}

TEST(Recognises, WhatMayHaveBeenCut) {
  EXPECT_TRUE(
      recognises("\x7f"
                 "ELF"));
}

}  // namespace
}  // namespace archgrid::fatbin
