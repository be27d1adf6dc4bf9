// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <archgrid/project/lint.hpp>
#include <nlohmann/json.hpp>

namespace archgrid::tests {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

project::ProjectArchs lists(const std::vector<std::pair<std::string, std::string>>& files) {
  std::vector<project::BuildFile> read;
  for (const auto& [path, text] : files) read.push_back({path, text});
  return project::project_archs_in(read);
}

coverage::Promise promise(const std::vector<std::string>& devices, coverage::Verdicts accept) {
  coverage::Promise promise;
  for (const auto& text : devices) promise.devices.push_back(*coverage::parse_device(text));
  promise.accept = std::move(accept);
  return promise;
}

TEST(Lint, NamesTheGpusThatAListLacks) {
  const auto lint = project::lint(lists({{"CMakeLists.txt", "set(CUDA_ARCHITECTURES 75 80 90)"},
                                         {"Dockerfile", "ENV TORCH_CUDA_ARCH_LIST=\"7.5;8.0\""}}),
                                  {});
  EXPECT_EQ(lint.faults(), 1U);
  EXPECT_EQ(project::lint_text(lint, "", 80),
            "CMakeLists.txt:1: CUDA_ARCHITECTURES 75 80 90\n"
            "Dockerfile:1: TORCH_CUDA_ARCH_LIST 75 80\n"
            "  lacks 9.0 (H100); CMakeLists.txt:1 has 9.0\n"
            "\n"
            "a line with the comment \"archgrid: ignore\", or below such a comment, is not read\n"
            "arch lists disagree: 1 of 2 lists\n");
  const auto document = json::parse(project::lint_json(lint));
  EXPECT_EQ(document["faults"], 1);
  EXPECT_EQ(document["lists"][1]["lacks"], json::parse(R"(["9.0"])"));
}

TEST(Lint, NamesOnlyGpusThatAListNamesOrThatNothingOlderServes) {
  const auto lint = project::lint(
      lists({{"a.cmake", "set(X_ARCHS 75 80)"}, {"b.sh", "X_ARCHS=\"75;80;100;120\""}}), {});
  EXPECT_THAT(project::lint_text(lint, "", 200),
              HasSubstr("  lacks 10.0 (B200) and 12.0 (RTX 50); b.sh:1 has 12.0\n"))
      << "10.3 and 12.1 follow from these";
  const auto more =
      project::lint(lists({{"a.cmake", "set(X_ARCHS 75)"}, {"b.sh", "X_ARCHS=\"75;80;86\""}}), {});
  EXPECT_THAT(project::lint_text(more, "", 200), HasSubstr("  lacks 8.0 (A100) and 8.6 (RTX 30);"))
      << "the list names both";
}

TEST(Lint, NamesEveryLineThatGivesAVariableArchs) {
  const auto lint = project::lint(
      lists({{"w.yml", "env:\n  X_ARCH_LIST: \"7.5;8.0\"\nrun: |\n  X_ARCH_LIST=\"7.0 7.5\"\n"},
             {"v.yml", "X_ARCHS: 70\nX_ARCHS: 75\nX_ARCHS: 80\nX_ARCHS: 86\n"},
             {"u.sh", "nvcc -arch=sm_70 a.cu\nnvcc -arch=sm_80 b.cu\n"}}),
      {});
  const auto text = project::lint_text(lint, "", 200);
  EXPECT_THAT(text, HasSubstr("w.yml:2 and 4: X_ARCH_LIST 70 75 80\n"));
  EXPECT_THAT(text, HasSubstr("v.yml:1, 2 and 2 more lines: X_ARCHS 70 75 80 86\n"));
  EXPECT_THAT(text, HasSubstr("u.sh:1: -gencode 70-real 80-real\n"));
  EXPECT_EQ(json::parse(project::lint_json(lint))["lists"][0]["more_lines"], json({4}));
}

TEST(Lint, TellsPtxFromNothing) {
  const auto lint = project::lint(
      lists({{"a.cmake", "set(X_ARCHS 70 80-virtual 90)"}, {"b.sh", "X_ARCHS=\"75;80;90\""}}), {});
  EXPECT_THAT(project::lint_text(lint, "", 200),
              HasSubstr("a.cmake:1: X_ARCHS 70 80-virtual 90\n"
                        "  has only PTX for 8.0 (A100); b.sh:1 has 8.0\n"));
  EXPECT_EQ(json::parse(project::lint_json(lint))["lists"][0]["only_ptx"],
            json::parse(R"(["8.0"])"));
  const auto promised = project::lint(lists({{"c.sh", "X_ARCHS=\"75;80-virtual\""}}),
                                      {promise({"8.0", "9.0"}, {coverage::Verdict::native})});
  EXPECT_THAT(
      project::lint_text(promised, "pyproject.toml", 200),
      HasSubstr(
          "\n  lacks 9.0 (H100) and has only PTX for 8.0 (A100), which pyproject.toml promises\n"));
}

TEST(Lint, ListsThatServeTheSameGpusAgree) {
  const auto lint = project::lint(
      lists({{"a", "X_ARCHS=80"}, {"b", "X_ARCHS=8.0"}, {"c", "X_ARCHS=\"80;86\""}}), {});
  EXPECT_EQ(lint.faults(), 0U) << "code for 8.0 runs on 8.6";
  EXPECT_THAT(project::lint_text(lint, "", 80), EndsWith("\narch lists agree: 3 lists\n"));
  EXPECT_EQ(project::lint_text(project::lint({}, {}), "", 80),
            "no list of architectures was found\n");
}

TEST(Lint, ArchsThatAreNotReadAreNamed) {
  const std::string use = "x.o:\n\tnvcc -gencode arch=compute_$(SM),code=sm_$(SM) x.cu\n";
  const auto lint = project::lint(lists({{"a", "X_ARCHS=80"}, {"Makefile", use}}), {});
  EXPECT_EQ(lint.faults(), 0U);
  EXPECT_EQ(project::lint_text(lint, "", 80),
            "a:1: X_ARCHS 80\n"
            "Makefile:2: computes its archs: not read\n"
            "arch lists agree: 1 list; 1 file not read\n");
  EXPECT_EQ(json::parse(project::lint_json(lint))["unread"],
            json::parse(R"([{"path": "Makefile", "line": 2}])"));
  EXPECT_THAT(project::lint_text(project::lint(lists({{"Makefile", use}}), {}), "", 80),
              EndsWith("\nno list of architectures was found; 1 file not read\n"));
}

TEST(Lint, AHardCodedLineBesideAComputedListIsCompared) {
  const auto lint = project::lint(
      lists({{"Makefile",
              "SMS ?= 75 80 86\n"
              "GENCODE := $(foreach s,$(SMS),-gencode arch=compute_$(s),code=sm_$(s))\n"
              "slow.o:\n\tnvcc -gencode arch=compute_80,code=sm_80 -c slow.cu\n"}}),
      {});
  EXPECT_EQ(lint.faults(), 1U);
  EXPECT_THAT(project::lint_text(lint, "", 80),
              HasSubstr("\n  lacks 7.5 (T4); Makefile:1 has 7.5\n"));
}

constexpr const char* kLate =
    "cmake_minimum_required(VERSION 3.20)\nproject(p LANGUAGES CXX CUDA)\n"
    "if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)\n  set(CMAKE_CUDA_ARCHITECTURES 80 90)\nendif()\n";

TEST(Lint, AListAfterCMakesDefaultHasNoEffect) {
  const auto lint = project::lint(lists({{"CMakeLists.txt", kLate}}), {});
  EXPECT_EQ(lint.faults(), 1U);
  EXPECT_EQ(project::lint_text(lint, "", 80),
            "CMakeLists.txt:4: CMAKE_CUDA_ARCHITECTURES 80 90\n"
            "  line 4 has no effect: CMake has set CMAKE_CUDA_ARCHITECTURES in line 2; set it\n"
            "  before that\n"
            "\n"
            "a line with the comment \"archgrid: ignore\", or below such a comment, is not read\n"
            "arch lists have faults: 1 of 1 list\n");
  EXPECT_EQ(json::parse(project::lint_json(lint))["lists"][0]["late"],
            json::parse(R"({"line": 4, "since": 2})"));
}

/// Returns the lines of lists without effect in a file of CMake 3.20.
std::vector<std::size_t> late_lines(const std::string& text, const std::string& minimum = "3.20") {
  std::vector<std::size_t> lines;
  const auto all = "cmake_minimum_required(VERSION " + minimum + ")\n" + text;
  for (const auto& late : project::find_late_archs({{"CMakeLists.txt", all}})) {
    lines.push_back(late.line);
  }
  return lines;
}

TEST(Lint, OnlyListsThatNeverApplyAreLate) {
  const std::string project = "project(p CUDA)\n";
  const std::string set =
      "if(NOT CMAKE_CUDA_ARCHITECTURES)\nset(CMAKE_CUDA_ARCHITECTURES 80)\nendif()\n";
  EXPECT_THAT(late_lines(project + set), ElementsAre(4));
  EXPECT_THAT(late_lines(project + set, "3.10...3.28"), ElementsAre(4));
  EXPECT_THAT(late_lines("if(GPU)\nenable_language(CUDA)\n" + set + "endif()\n"), ElementsAre(5));
  const std::string value = "set(CMAKE_CUDA_ARCHITECTURES 80)\nendif()\n";
  const std::string either = "if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES OR ";
  EXPECT_THAT(late_lines(project + either + "CMAKE_CUDA_ARCHITECTURES STREQUAL \"\")\n" + value),
              ElementsAre(4));
  EXPECT_THAT(late_lines(project + either + "P_DEFAULTS)\n" + value), IsEmpty());
  EXPECT_THAT(late_lines(project + set, "3.10"), IsEmpty()) << "CMP0104";
  EXPECT_THAT(late_lines(set + project), IsEmpty());
  EXPECT_THAT(late_lines("project(p CXX)\n" + set + "enable_language(CUDA)\n"), IsEmpty());
  EXPECT_THAT(late_lines(project + "set(CMAKE_CUDA_ARCHITECTURES 80)\n"), IsEmpty());
  EXPECT_THAT(late_lines(project + "unset(CMAKE_CUDA_ARCHITECTURES CACHE)\n" + set), IsEmpty());
  EXPECT_THAT(late_lines(project + "if(NOT CMAKE_CUDA_ARCHITECTURES)\nelse()\n"
                                   "set(CMAKE_CUDA_ARCHITECTURES 80)\nendif()\n"),
              IsEmpty());
  EXPECT_THAT(late_lines(project + "if(NOT DEFINED P_ARCHS)\nset(CMAKE_CUDA_ARCHITECTURES 80)\n"
                                   "endif()\n"),
              IsEmpty());
  EXPECT_THAT(late_lines("if(GPU)\nenable_language(CUDA)\nendif()\n" + set), IsEmpty())
      << "CUDA may be enabled later";
  EXPECT_THAT(late_lines(project + "function(f)\n" + set + "endfunction()\n"), IsEmpty());
  auto ignored = project + set;
  ignored.insert(ignored.find("80)") + 3, " # archgrid: ignore");
  EXPECT_THAT(late_lines(ignored), IsEmpty());
}

TEST(Lint, PromisesDecideWhereThereAreAny) {
  const auto found = lists({{"a", "X_ARCHS=\"75;80;90\""}, {"b", "X_ARCHS=80"}});
  const auto native = coverage::default_verdicts();
  EXPECT_EQ(project::lint(found, {promise({"8.0", "8.6"}, native)}).faults(), 0U)
      << "whatever else a list has";
  const auto broken = project::lint(found, {promise({"8.0", "9.0"}, native)});
  EXPECT_EQ(broken.faults(), 1U);
  EXPECT_THAT(project::lint_text(broken, "pyproject.toml", 80),
              HasSubstr("\n  lacks 9.0 (H100), which pyproject.toml promises\n"));
  EXPECT_THAT(project::lint_text(broken, "pyproject.toml", 80),
              EndsWith("\narch lists break the promise of pyproject.toml: 1 of 2 lists\n"));
  auto with_jit = native;
  with_jit.insert(coverage::Verdict::jit);
  EXPECT_EQ(project::lint(found, {promise({"8.0", "9.0"}, with_jit)}).faults(), 0U)
      << "CMake's 80 has PTX";
}

TEST(Lint, ArchsThatTheToolkitLacksAreFaults) {
  const auto lint = project::lint(
      lists({{"Dockerfile", "FROM nvidia/cuda:11.8.0-devel\nENV CUDAARCHS=\"80;100\"\n"}}), {});
  EXPECT_EQ(lint.faults(), 1U);
  EXPECT_THAT(project::lint_text(lint, "", 80),
              HasSubstr("\n  CUDA 11.8, which the file names, cannot compile for 100\n"));
  EXPECT_EQ(json::parse(project::lint_json(lint))["lists"][0]["toolkit"], "11.8");
}

}  // namespace
}  // namespace archgrid::tests
