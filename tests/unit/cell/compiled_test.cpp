// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests with hand-made build trees around real objects.
#include <chrono>

#include "cells.hpp"

namespace archgrid::tests {
namespace {

std::string outputs(const std::vector<cell::Unit>& units) {
  std::string text;
  for (const auto& unit : units) text += unit.output + " of \"" + unit.target + "\"\n";
  return text;
}

TEST(Compiled, ObjectsOfTheBuildThatExist) {
  const auto build = folder();
  place(build / "CMakeFiles/lib.dir/a b.cu.o", "plain.o");
  place(build / "stale.cu.o", "plain.o");
  write(build / "CMakeFiles/lib.dir/host.cpp.o", "");
  write(build / "build.ninja",
        "build CMakeFiles/lib.dir/a$ b.cu.o: CUDA_COMPILER__lib /s/a.cu || order\n"
        "  FLAGS = -O3\n"
        "build CMakeFiles/lib.dir/host.cpp.o | x: CXX_COMPILER__lib /s/host.cpp\n"
        "build CMakeFiles/lib.dir/not_built.cu.o: CUDA_COMPILER__lib /s/b.cu\n");
  const auto units = cell::compiled_units(build);
  EXPECT_EQ(outputs(units), "CMakeFiles/lib.dir/a b.cu.o of \"lib\"\n");
  EXPECT_EQ(units.at(0).code.at(0).toolkit, "13.5");
  EXPECT_NE(cell::fingerprint(units), "");
}

TEST(Compiled, OutputsOfCustomCommandsButNotCopies) {
  const auto build = folder();
  for (const auto* name : {"made.cubin", "copied.cubin"}) place(build / name, "sample.cubin");
  write(build / "build.ninja",
        "build made.cubin: CUSTOM_COMMAND /s/k.cu\n"
        "  COMMAND = cd /b && /t/bin/nvcc -cubin -o made.cubin /s/k.cu\n"
        "build copied.cubin: CUSTOM_COMMAND /s/k.cubin\n"
        "  COMMAND = cd /b && cmake -E copy /s/k.cubin copied.cubin\n");
  EXPECT_EQ(outputs(cell::compiled_units(build)), "made.cubin of \"\"\n");
}

TEST(Compiled, WhatIsMadeAndThenCopiedIsCompiled) {
  const auto build = folder();
  place(build / "made.cubin", "sample.cubin");
  write(build / "build.ninja",
        "build made.cubin: CUSTOM_COMMAND /s/k.cu\n"
        "  COMMAND = cd /b && make -C sub && cmake -E copy sub/k.cubin made.cubin\n");
  EXPECT_EQ(outputs(cell::compiled_units(build)), "made.cubin of \"\"\n");
}

/// Returns the units that handmade_units() finds in `file` with a build of `commands`.
std::string handmade(const fs::path& build, const std::string& commands,
                     const std::string& file = "lib.so", const std::string& ninja = "") {
  write(build / "build.ninja", ninja);
  return outputs(cell::handmade_units(build, {file}, cell::parse_commands(commands)));
}

TEST(Handmade, ProgramsLibrariesAndArchives) {
  const auto build = folder();
  place(build / "sub/lib.so", "libsample.so");
  const auto archive = "cd '" + build.string() + "' && cp '" +
                       (fs::path(tests::kSamples) / "13.5" / "plain.o").string() +
                       "' a.o && ar rcs lib.a a.o && rm a.o";
  ASSERT_EQ(std::system(archive.c_str()), 0);
  EXPECT_EQ(handmade(build, "sh build.sh", "sub/lib.so"), "sub/lib.so of \"\"\n");
  EXPECT_EQ(handmade(build, "sh build.sh", "lib.a"), "lib.a of \"\"\n");
}

TEST(Handmade, WhatCompiledUnitsReadsIsNot) {
  const auto build = folder();
  place(build / "k.cubin", "sample.cubin");
  EXPECT_EQ(handmade(build, "", "k.cubin", "build k.cubin: CUSTOM_COMMAND\n"), "");
}

TEST(Handmade, PrebuiltFilesAreNot) {
  const auto root = folder();
  const auto build = root / "build";
  place(root / "vendor/lib.so", "libsample.so");
  place(build / "lib.so", "libsample.so");
  const auto vendor = (root / "vendor").string();
  const std::string made = "lib.so of \"\"\n";
  for (const auto& copy :
       {"cmake -E copy " + vendor + "/lib.so lib.so", "cp " + vendor + "/*.so .",
        ": && /usr/bin/g++-11 -o app a.o && cmake -E copy_directory " + vendor + " ."}) {
    EXPECT_EQ(handmade(build, copy), "") << copy;
  }
  EXPECT_EQ(handmade(build, "make -C " + vendor + " && cp " + vendor + "/lib.so lib.so"), made)
      << "made there by the same command";
  EXPECT_EQ(handmade(build, "cp " + vendor + "/lib.so lib.so", "lib.so",
                     "build " + vendor + "/lib.so: CUSTOM_COMMAND /s/k.cu\n"),
            made)
      << "made there by another command";
  EXPECT_EQ(handmade(build, "nvcc -shared a.cu -o lib.so"), made);
  place(build / "sub/lib.so", "libsample.so");
  EXPECT_EQ(handmade(build, "cp sub/lib.so lib.so"), made) << "a copy of what the build made";
  write(root / "vendor/lib.so", "another one");
  EXPECT_EQ(handmade(build, "cmake -E copy " + vendor + "/lib.so lib.so"), made);
}

TEST(Handmade, FilesThatAreOlderThanTheBuildAreNot) {
  const auto build = folder();
  place(build / "lib.so", "libsample.so");
  place(build / "dep-prefix/src/dep/lib.so", "libsample.so");
  const auto now = fs::file_time_type::clock::now();
  const auto set_age = [&](const std::string& file, int seconds) {
    fs::last_write_time(build / file, now - std::chrono::seconds(seconds));
  };
  write(build / "archgrid.signature", "");
  set_age("archgrid.signature", 10);
  set_age("lib.so", 20);
  EXPECT_EQ(handmade(build, ""), "");
  set_age("lib.so", 5);
  EXPECT_EQ(handmade(build, ""), "lib.so of \"\"\n");
  // ExternalProject downloads it while the cell is built; nothing compiles it.
  write(build / "dep-prefix/src/dep-stamp/dep-download", "");
  set_age("dep-prefix/src/dep/lib.so", 7);
  set_age("dep-prefix/src/dep-stamp/dep-download", 6);
  EXPECT_EQ(handmade(build, "", "dep-prefix/src/dep/lib.so"), "");
  set_age("dep-prefix/src/dep/lib.so", 5);
  EXPECT_NE(handmade(build, "", "dep-prefix/src/dep/lib.so"), "");
}

TEST(Handmade, FilesThatWereDownloadedAreNot) {
  const auto build = folder();
  const auto now = fs::file_time_type::clock::now();
  const auto is_made = [&](const std::string& file, const std::string& stamp) {
    place(build / file, "libsample.so");
    write(build / stamp, "");
    fs::last_write_time(build / file, now - std::chrono::seconds(7));
    fs::last_write_time(build / stamp, now - std::chrono::seconds(6));
    const bool before = !handmade(build, "", file).empty();
    fs::last_write_time(build / file, now - std::chrono::seconds(5));
    return std::make_pair(before, !handmade(build, "", file).empty());
  };
  const auto made_later = std::make_pair(false, true);
  EXPECT_EQ(is_made("p/src/a/l/lib.so", "p/src/a-stamp/a-download"), made_later);
  EXPECT_EQ(is_made("ep/Source/b/lib.so", "ep/Stamp/b/b-download"), made_later) << "EP_BASE";
  const std::string stamps = "deps/c-subbuild/c-populate-prefix/src/c-populate-stamp";
  EXPECT_EQ(is_made("deps/c-src/lib.so", stamps + "/c-populate-download"), made_later);
  EXPECT_EQ(is_made("deps/d-src/lib.so", "CMakeFiles/fc-stamp/d/d-download"), made_later)
      << "FetchContent since CMake 3.30";
  const auto made = std::make_pair(true, true);
  EXPECT_EQ(is_made("deps/e-src/lib.so", "deps/e-download"), made);
}

TEST(Compiled, PrebuiltCodeInTheDataOfAnObjectIsNot) {
  const auto build = folder();
  const auto cubin = fs::path(tests::kSamples) / "13.5" / "sample.cubin";
  fs::copy_file(cubin, build / "k.cubin");
  const auto make = "cd '" + build.string() + "' && ld -r -b binary -o k.o k.cubin && rm k.cubin";
  ASSERT_EQ(std::system(make.c_str()), 0);
  write(build / "build.ninja", "build k.o: CXX_COMPILER__lib /s/k.cpp\n");
  EXPECT_EQ(outputs(cell::compiled_units(build)), "");
}

TEST(Compiled, ATreeWithoutBuildNinjaThrows) {
  EXPECT_THROW(cell::compiled_units(folder()), std::runtime_error);
}

TEST(Cache, EntriesWithoutCommentsAndStatic) {
  const auto file = folder() / "CMakeCache.txt";
  write(file,
        "# comment\n//About X\nX:STRING=75;80\nY-ADVANCED:INTERNAL=1\nZ:STATIC=1\n\nE:PATH=\n");
  const cell::Cache expected = {{"X", "75;80"}, {"Y-ADVANCED", "1"}, {"E", ""}};
  EXPECT_EQ(cell::read_cache(file), expected);
}

}  // namespace
}  // namespace archgrid::tests
