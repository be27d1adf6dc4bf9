// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "cells.hpp"

namespace archgrid::tests {
namespace {

/// Returns the advice for a cell of 90 that contains 75 and 80.
std::string advice(const cell::Cache& cache, bool flags_of_project = false) {
  auto made = unit("lib", {"75", "80"});
  made.flags_of_project = flags_of_project;
  const auto proof = cell::judge_archs(spec("13.5", {"90"}), {made}, cell::Stage::built);
  return cell::advise(proof, cache, "90");
}

TEST(Advice, TheVariableWhoseValueMatches) {
  EXPECT_EQ(advice({{"COMPUTE_CAPABILITY", "75;80"}, {"CUDA_VERSION", "75"}}),
            "COMPUTE_CAPABILITY=75;80 seems to decide: write \"definitions\": "
            "{\"COMPUTE_CAPABILITY\": \"@ARCHS@\"} into the matrix file");
}

TEST(Advice, ThePlaceholderSpeaksAsTheProject) {
  const auto placeholder = [](const std::string& name, const std::string& value) {
    const auto text = advice({{name, value}});
    const auto begin = text.find("\": \"@");
    return begin == std::string::npos ? text : text.substr(begin + 4, text.find('}') - begin - 5);
  };
  EXPECT_EQ(placeholder("MY_CUDA_ARCH", "75,80"), "@ARCHS_COMMA@");
  EXPECT_EQ(placeholder("GPU_TARGETS", "75 80"), "@ARCHS_SPACE@");
  EXPECT_EQ(placeholder("CUDA_ARCH_BIN", "7.5,8.0"), "@REAL_CAPABILITIES_COMMA@");
  EXPECT_EQ(placeholder("TORCH_CUDA_ARCH_LIST", "7.5;8.0+PTX"), "@CAPABILITIES@");
  EXPECT_EQ(placeholder("LIB_GENCODE",
                        "-gencode arch=compute_75,code=sm_75 "
                        "-gencode arch=compute_80,code=sm_80"),
            "@GENCODE@");
  EXPECT_EQ(placeholder("CUDA_NVCC_FLAGS", "-O3;-gencode=arch=compute_75,code=sm_75"),
            "@GENCODE_LIST@");
  EXPECT_EQ(placeholder("SMS", "sm_75;sm_80"), "@SM@");
}

TEST(Advice, OtherVariablesDoNotDecide) {
  const auto text = advice({{"CUDA_ARCHS", "90"}, {"MAX_THREADS", "80"}, {"CUDA_HOME", "/x/75"}});
  EXPECT_EQ(
      text,
      "the project sets CMAKE_CUDA_ARCHITECTURES, or CUDA_ARCHITECTURES of lib: take out what is "
      "a mistake, or write \"enforce_archs\": true into the matrix file, and only builds by "
      "archgrid are proved");
}

TEST(Advice, WithoutAVariable) {
  EXPECT_EQ(advice({{"CMAKE_CUDA_ARCHITECTURES", "75;80"}}),
            "the project overwrites CMAKE_CUDA_ARCHITECTURES (with 75;80): write "
            "\"enforce_archs\": true into the matrix file");
  EXPECT_NE(advice({{"CUDA_NVCC_FLAGS", ""}}).find("\"CUDA_NVCC_FLAGS\": \"@GENCODE_LIST@\""),
            std::string::npos);
  EXPECT_EQ(advice({}, true),
            "flags of the project name them (lib): take -gencode and -arch out of its "
            "CMAKE_CUDA_FLAGS and compile options");
}

TEST(Advice, AVariableOfTheCellsOwnArchsIsInnocent) {
  const cell::Cache cache = {{"MYLIB_CUDA_ARCH", "80"}};
  const auto more = [&](const std::vector<std::string>& archs, const std::string& asked) {
    const auto proof =
        cell::judge_archs(spec("13.5", {asked}), {unit("lib", archs)}, cell::Stage::built);
    return cell::advise(proof, cache, asked);
  };
  EXPECT_EQ(more({"80", "90"}, "80").find("MYLIB_CUDA_ARCH"), std::string::npos);
  EXPECT_EQ(more({"80", "90"}, "75").find("MYLIB_CUDA_ARCH=80 seems to decide"), 0U);
  EXPECT_EQ(more({"80"}, "80-virtual").find("MYLIB_CUDA_ARCH=80 seems to decide"), 0U)
      << "the archs are right, and what is made for them is not";
}

TEST(Advice, CommandsAreNamedByWhatTheyMake) {
  const auto text = [](const std::vector<std::string>& outputs, const cell::Cache& cache = {}) {
    std::vector<cell::Unit> units = {unit("lib", {"90"})};
    for (const auto& output : outputs) {
      auto made = unit("", {"75"});
      made.output = output;
      made.target = "";
      made.flags_of_project = true;
      units.push_back(made);
    }
    const auto proof = cell::judge_archs(spec("13.5", {"90"}), units, cell::Stage::built);
    return cell::advise(proof, cache, "90");
  };
  const std::string fix =
      " decides: take its archs from CMAKE_CUDA_ARCHITECTURES, or from a variable that "
      "\"definitions\" of the matrix file set";
  EXPECT_EQ(text({"app"}), "the command that makes app" + fix);
  EXPECT_EQ(text({"app", "b.so"}), "the command that makes app (and 1 more)" + fix);
  EXPECT_EQ(
      text({"source/app"}, {{"ARCHGRID_COMMAND_CONFIG", "config.cmake"}}),
      "the project's own build of source/app decides: make it read NVCC_GENCODE or "
      "TORCH_CUDA_ARCH_LIST from the environment, or pass @GENCODE@ (or another placeholder) in "
      "COMMAND; if it names no archs, write \"definitions\": {\"NVCC_APPEND_FLAGS\": "
      "\"@GENCODE@\"} into the matrix file")
      << "a cell that a build command makes";
  EXPECT_EQ(text({"source/app"}, {{"ARCHGRID_COMMAND_CONFIG", "config.cmake"},
                                  {"NVCC_APPEND_FLAGS", "-gencode arch=compute_90,code=sm_90"}}),
            "the project's own build of source/app decides: make it read NVCC_GENCODE or "
            "TORCH_CUDA_ARCH_LIST from the environment, or pass @GENCODE@ (or another placeholder) "
            "in COMMAND")
      << "a cell that has NVCC_APPEND_FLAGS";
}

/// Returns the advice for a cell of 90 that contains 75 and 80, and has this toolchain file.
std::string advice_for_toolchain(const std::string& text, cell::Cache cache = {}) {
  const fs::path path = fs::path(::testing::TempDir()) / "toolchain.cmake";
  std::ofstream(path) << text;
  cache["CMAKE_TOOLCHAIN_FILE"] = path.string();
  const auto proof =
      cell::judge_archs(spec("13.5", {"90"}), {unit("lib", {"75", "80"})}, cell::Stage::built);
  auto advice = cell::advise(proof, cache, "90", cell::read_toolchain(cache));
  const auto at = advice.find(path.string());
  if (at != std::string::npos) advice.replace(at, path.string().size(), "FILE");
  return advice;
}

TEST(Advice, AToolchainFileThatSetsTheArchsIsNamed) {
  const std::string fix = " of the toolchain file FILE seems to decide: take it out there";
  const std::string or_enforce = ", or write \"enforce_archs\": true into the matrix file";
  EXPECT_EQ(advice_for_toolchain("set(CMAKE_SYSTEM_NAME Linux)\nset(BOARD_GPU_ARCHS \"75;80\")\n"),
            "BOARD_GPU_ARCHS=75;80" + fix + or_enforce);
  EXPECT_EQ(advice_for_toolchain(
                "set()\nset(CACHE x FORCE)\nSet (CMAKE_CUDA_ARCHITECTURES\n  75 # old\n  80)\n"),
            "CMAKE_CUDA_ARCHITECTURES=75;80" + fix + or_enforce);
  EXPECT_EQ(advice_for_toolchain("set(GPU_ARCHS 75 80 CACHE STRING \"\" FORCE)",
                                 {{"GPU_ARCHS", "75;80"}}),
            "GPU_ARCHS=75;80" + fix + or_enforce)
      << "it overwrites the cell's definitions";
  const std::string flags =
      "-gencode arch=compute_75,code=sm_75;-gencode "
      "arch=compute_80,code=sm_80";
  const auto of_flags = advice_for_toolchain("set(CMAKE_CUDA_FLAGS_INIT \"" + flags + "\")");
  EXPECT_EQ(of_flags.find("CMAKE_CUDA_FLAGS_INIT="), 0U);
  EXPECT_EQ(of_flags.substr(of_flags.size() - fix.size()), fix);
}

TEST(Advice, AToolchainFileThatLeavesTheArchsToOthersIsInnocent) {
  for (const std::string text :
       {"", "# set(GPU_ARCHS 75 80)\n", "set(GPU_ARCHS ${OTHERS})", "set(GPU_ARCHS 90)",
        "reset(GPU_ARCHS 75 80)", "set()", "set(GPU_ARCHS", "set(MAX_THREADS 75 80)"}) {
    EXPECT_EQ(advice_for_toolchain(text).find("toolchain"), std::string::npos) << text;
  }
  EXPECT_EQ(advice_for_toolchain("set(GPU_ARCHS 75 80 CACHE STRING \"\")", {{"GPU_ARCHS", "75;80"}})
                .find("GPU_ARCHS=75;80 seems to decide: write \"definitions\""),
            0U)
      << "a definition of the matrix file comes before it";
  const cell::Cache absent = {{"CMAKE_TOOLCHAIN_FILE", "/no/such/file.cmake"}};
  EXPECT_TRUE(cell::read_toolchain(absent).variables.empty());
}

}  // namespace
}  // namespace archgrid::tests
