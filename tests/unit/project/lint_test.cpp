// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <archgrid/project/lint.hpp>
#include <nlohmann/json.hpp>

namespace archgrid::tests {
namespace {

using nlohmann::json;
using ::testing::EndsWith;
using ::testing::HasSubstr;

project::ProjectArchs lists(const std::vector<std::pair<std::string, std::string>>& files) {
  project::ProjectArchs found;
  for (const auto& [path, text] : files) {
    for (auto& list : project::arch_lists_in(path, text)) found.lists.push_back(std::move(list));
    if (auto unread = project::unread_archs_in(path, text)) found.unread.push_back(*unread);
  }
  return found;
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
