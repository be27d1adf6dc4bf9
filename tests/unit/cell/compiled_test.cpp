// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Build trees made by hand around real objects.
#include "cells.hpp"
#include "paths.hpp"

namespace archgrid::tests {
namespace {

constexpr const char* kToolkit = "13.5";

void place(const fs::path& to, const std::string& sample) {
  fs::create_directories(to.parent_path());
  fs::copy_file(fs::path(tests::kSamples) / kToolkit / sample, to);
}

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
  EXPECT_EQ(units.at(0).code.at(0).toolkit, kToolkit);
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

TEST(Compiled, PrebuiltCodeInTheDataOfAnObjectIsNot) {
  const auto build = folder();
  const auto cubin = fs::path(tests::kSamples) / kToolkit / "sample.cubin";
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
