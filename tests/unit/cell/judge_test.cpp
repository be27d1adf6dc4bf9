// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "cells.hpp"

namespace archgrid::tests {
namespace {

using cell::Stage;

std::string problem(const std::vector<std::string>& archs, const std::vector<cell::Unit>& units) {
  return cell::judge_archs(spec("13.5", archs), units, Stage::built).problem;
}

TEST(JudgeArchs, AsAskedIsNoProblem) {
  EXPECT_EQ(problem({"90"}, {unit("a", {"90"})}), "");
  EXPECT_EQ(problem({"90"}, {unit("a", {"90-real"})}), "") << "PTX is the project's decision";
  EXPECT_EQ(problem({"80", "90"}, {unit("a", {"80-real", "90"})}), "");
  EXPECT_EQ(problem({"120-virtual"}, {unit("a", {"120-virtual"})}), "");
}

TEST(JudgeArchs, UnitsCountTogether) {
  EXPECT_EQ(problem({"80", "90"}, {unit("a", {"80"}), unit("b", {"90"})}), "");
}

TEST(JudgeArchs, NoCodeIsNoProblem) {
  EXPECT_EQ(problem({"90"}, {}), "");
}

TEST(JudgeArchs, OtherArchsAre) {
  EXPECT_EQ(problem({"90"}, {unit("a", {"75-real", "80"})}),
            "it holds 75-real 80 instead of 90 (not asked for: 75-real 80; 90 is missing)");
  EXPECT_EQ(problem({"90"}, {unit("a", {"90"}), unit("b", {"80-virtual", "90"})}),
            "it holds 80-virtual 90 instead of 90 (not asked for: 80-virtual, in "
            "CMakeFiles/b.dir/x.cu.o)");
  EXPECT_EQ(problem({"90"}, {unit("a", {"90"}), unit("c", {"75-real"}), unit("b", {"80-real"})}),
            "it holds 75-real 80-real 90 instead of 90 (not asked for: 75-real 80-real, in "
            "CMakeFiles/b.dir/x.cu.o and 1 more)");
  EXPECT_EQ(problem({"80", "90"}, {unit("a", {"80"})}),
            "it holds 80 instead of 80 90 (90 is missing)");
}

TEST(JudgeArchs, AVariantBesideIsANote) {
  const auto proof =
      cell::judge_archs(spec("13.5", {"90"}), {unit("a", {"90", "90a-real"})}, Stage::built);
  EXPECT_EQ(proof.problem, "");
  EXPECT_EQ(proof.notes, std::vector<std::string>{"it also holds 90a-real, another variant of 90"});
}

TEST(JudgeArchs, AVariantAloneIsAProblem) {
  EXPECT_EQ(problem({"90a"}, {unit("a", {"90"})}), "it holds 90 instead of 90a (90a is missing)");
  EXPECT_EQ(problem({"100f"}, {unit("a", {"100"})}),
            "it holds 100 instead of 100f (100f is missing)");
  EXPECT_EQ(problem({"90"}, {unit("a", {"90a"})}), "it holds 90a instead of 90 (90 is missing)");
}

TEST(JudgeArchs, MachineCodeMustBeThereIfAskedForAndOnlyThen) {
  EXPECT_EQ(problem({"90"}, {unit("a", {"90-virtual"})}),
            "it holds 90-virtual instead of 90 (90 has no machine code)");
  EXPECT_EQ(problem({"120-virtual"}, {unit("a", {"120"})}),
            "it holds 120 instead of 120-virtual (120 has machine code and should be PTX alone)");
  EXPECT_EQ(problem({"120-real", "120-virtual"}, {unit("a", {"120"})}), "");
}

TEST(JudgeArchs, FlagsOfAnotherCommandAreNotToBlame) {
  auto plugin = unit("", {"90-real"});
  plugin.output = "plugin.so";
  plugin.flags_of_project = true;
  const std::vector<cell::Unit> asked = {unit("a", {"80", "90"}), plugin};
  auto proof = cell::judge_archs(spec("13.5", {"90"}), asked, Stage::configured);
  cell::find_flags(asked, proof);
  EXPECT_FALSE(proof.flags_of_project) << "CUDA_ARCHITECTURES of `a` names them";
  auto flagged = asked;
  flagged[0].flags_of_project = true;
  cell::find_flags(flagged, proof);
  EXPECT_TRUE(proof.flags_of_project);
}

TEST(JudgeArchs, LtoIrStandsForMachineCode) {
  auto lto = unit("a", {});
  lto.code.push_back({fatbin::Kind::lto, {90, '\0'}, "", "", 0});
  EXPECT_EQ(problem({"90"}, {lto}), "");
}

TEST(JudgeArchs, NativeIsNoArchOfACell) {
  auto native = unit("a", {});
  native.native = true;
  EXPECT_NE(problem({"90"}, {native}).find("native"), std::string::npos);
}

TEST(JudgeArchs, TheTargetsThatAddOtherArchsAreNamed) {
  const auto proof = cell::judge_archs(
      spec("13.5", {"90"}), {unit("good", {"90"}), unit("bad", {"75", "90"})}, Stage::configured);
  EXPECT_EQ(proof.targets, std::set<std::string>{"bad"});
  EXPECT_EQ(proof.problem.find("its commands compile for 75 90"), 0U) << proof.problem;
}

cell::Unit made_by(const std::string& toolkit, const std::string& isa) {
  auto made = unit("a", {"90"});
  made.code[0].toolkit = toolkit;
  made.code[1].ptx_isa = isa;
  return made;
}

TEST(JudgeToolkit, MachineCodeAndPtxTellIt) {
  EXPECT_EQ(cell::judge_toolkit(spec("13.5", {"90"}), {made_by("13.5", "9.5")}), "");
  EXPECT_EQ(cell::judge_toolkit(spec("13.5", {"90"}), {made_by("", "")}), "") << "not recorded";
  const auto machine =
      cell::judge_toolkit(spec("13.5", {"90"}), {made_by("13.0", "9.0"), made_by("13.0", "9.0")});
  EXPECT_NE(machine.find("CMakeFiles/a.dir/x.cu.o is of CUDA 13.0, as 1 more"), std::string::npos)
      << machine;
  EXPECT_NE(cell::judge_toolkit(spec("13.5", {"90"}), {made_by("", "9.0")})
                .find("has PTX ISA 9.0, and that of CUDA 13.5 is 9.5"),
            std::string::npos);
}

TEST(Fingerprint, IsOfTheCodeWhateverItsOrder) {
  auto first = unit("a", {"80"});
  auto second = unit("b", {"90"});
  first.code[0].hash = 1;
  second.code[0].hash = 2;
  EXPECT_EQ(cell::fingerprint({first, second}), cell::fingerprint({second, first}));
  second.code[0].hash = 3;
  EXPECT_NE(cell::fingerprint({first, second}), cell::fingerprint({first}));
  EXPECT_EQ(cell::fingerprint({}), "");
}

TEST(JudgeArchs, FlagsThatAShellExpandsMayNameWhatIsMissing) {
  const auto cell = spec("13.5", {"80-real", "90-real"});
  auto units = std::vector{unit("a", {"80-real"}), unit("b", {})};
  EXPECT_NE(cell::judge_archs(cell, units, cell::Stage::configured).problem, "");
  units[1].open = true;
  EXPECT_EQ(cell::judge_archs(cell, units, cell::Stage::configured).problem, "");
  EXPECT_NE(cell::judge_archs(cell, units, cell::Stage::built).problem, "");
  units[0] = unit("a", {"75-real"});
  EXPECT_NE(cell::judge_archs(cell, units, cell::Stage::configured).problem, "") << "not asked for";
}

}  // namespace
}  // namespace archgrid::tests
