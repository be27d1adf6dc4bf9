// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <unistd.h>

#include <map>
#include <nlohmann/json.hpp>

#include "command.hpp"

namespace archgrid::tests {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::StartsWith;

constexpr const char* kLists =
    "cmake_minimum_required(VERSION 3.20)\nproject(mylib CUDA)\n"
    "if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)\n  set(CMAKE_CUDA_ARCHITECTURES 80 90)\nendif()\n"
    "add_library(mylib SHARED kernel.cu)";  // no newline at the end

fs::path cuda_project(const std::string& name = "project") {
  const auto root = folder() / name;
  write(root / "CMakeLists.txt", kLists);
  write(root / "CMakePresets.json",
        "{\n  \"version\": 6,\n  \"configurePresets\": [{\"name\": \"main\"}]\n}\n");
  write(root / "pyproject.toml", "[project]\nname = \"mylib\"\n\n[tool.other]\nx = 1\n");
  return root;
}

std::map<std::string, std::string> contents_below(const fs::path& root) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const auto path = entry.path().lexically_relative(root).string();
    if (entry.is_regular_file()) files[path] = contents_of(entry.path());
  }
  return files;
}

std::vector<std::string> init(const fs::path& root, const std::vector<std::string>& more = {}) {
  std::vector<std::string> words = {"init", root.string(), "--toolkit", "13.0"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST(InitCommand, ShowsADiffAndWritesNothing) {
  const auto root = cuda_project();
  const auto before = contents_below(root);
  const auto outcome = run(init(root));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, StartsWith("diff --git a/matrices/archgrid.json"));
  EXPECT_THAT(outcome.out, HasSubstr("\n+    archgrid_promise(DEVICES 8.0 9.0)\n"));
  EXPECT_THAT(outcome.err, HasSubstr("nothing is written: --write writes 6 files\n"));
  EXPECT_EQ(contents_below(root), before);
}

TEST(InitCommand, NeedsNoCMake) {
  const auto outcome = run({"init", cuda_project().string()}, "PATH=/nowhere");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, StartsWith("diff --git a/matrices/archgrid.json"));
  EXPECT_THAT(outcome.err, HasSubstr("note: cmake was not found, which lists the CUDA toolkits"));
}

TEST(InitCommand, TheDiffIsWhatWriteWrites) {
  const auto root = cuda_project();
  const auto other = cuda_project("other");
  const auto before = contents_below(root);
  const auto diff = folder() / "proposal.diff";
  write(diff, run(init(root)).out);
  const auto command = "cd " + quoted(other.string()) + " && git init -q . && git apply " +
                       quoted(diff.string()) + " && rm -rf .git";
  ASSERT_EQ(std::system(command.c_str()), 0);
  const auto outcome = run(init(root, {"--write"}));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("written: 6 files\n"));
  const auto after = contents_below(root);
  EXPECT_EQ(after, contents_below(other));
  EXPECT_EQ(after.size(), before.size() + 3);
  // Each line of the user's is still there.
  EXPECT_THAT(after.at("CMakeLists.txt"), StartsWith(kLists));
  EXPECT_THAT(after.at("pyproject.toml"), StartsWith(before.at("pyproject.toml")));
  EXPECT_EQ(run({"matrix", (root / "matrices/archgrid.json").string()}).code, 0);
}

TEST(InitCommand, TwiceHasNothingToDo) {
  const auto root = cuda_project();
  run(init(root, {"--write"}));
  const auto before = contents_below(root);
  const auto outcome = run(init(root, {"--write"}));
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_THAT(outcome.err, HasSubstr("nothing to do: the project has matrices/archgrid.json, "));
  EXPECT_EQ(contents_below(root), before);
}

TEST(InitCommand, TakesGpusAndToolkits) {
  const auto root = cuda_project();
  const auto outcome = run({"init", root.string(), "--toolkit", "12.4,13.0", "--gpu", "H100"});
  EXPECT_THAT(outcome.out, HasSubstr("+    {\"cuda\": \"12.4\", "));
  EXPECT_THAT(outcome.out, HasSubstr("+    {\"cuda\": \"13.0\", "));
  EXPECT_THAT(outcome.out, HasSubstr("+    {\"devices\": [\"9.0\"]}\n"));
  EXPECT_EQ(run({"init", root.string(), "--toolkit", "99.9"}).code, 2);
  EXPECT_EQ(run({"init", root.string(), "--gpu", "H999"}).code, 2);
  EXPECT_EQ(run({"init", (root / "nowhere").string()}).code, 2);
}

TEST(InitCommand, AGpuThatNoToolkitCompilesForIsAnError) {
  const auto root = cuda_project();
  const auto before = contents_below(root);
  const auto outcome = run(init(root, {"--gpu", "A100,GTX 1080", "--write"}));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("CUDA 13.0 cannot compile for 6.1 (CUDA 12.9 is the newest"));
  EXPECT_EQ(contents_below(root), before);
}

TEST(InitCommand, PrintsHowCMakeFindsACommandThatIsNotInstalled) {
  const auto outcome = run(init(cuda_project()));
  auto modules = run({"cmake-dir"}).out;
  ASSERT_FALSE(modules.empty());
  modules.pop_back();
  EXPECT_THAT(outcome.err, HasSubstr("\n  cmake -G Ninja -S matrices -B build/matrix "
                                     "-DCMAKE_MODULE_PATH=" +
                                     modules + " -DARCHGRID_COMMAND=" + tests::kCommand + "\n"));
}

TEST(InitCommand, WritesNothingIfAFileCannotBeWritten) {
  const auto root = cuda_project();
  const auto before = contents_below(root);
  // A file is where a folder has to be, after files that could be written.
  write(root / ".github", "");
  const auto outcome = run(init(root, {"--write"}));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("cannot write " + (root / ".github").string()));
  EXPECT_EQ(contents_of(root / "CMakeLists.txt"), kLists);
  EXPECT_FALSE(fs::exists(root / "matrices/archgrid.json"));
  EXPECT_EQ(contents_below(root).size(), before.size() + 1) << "no file is left over";
  EXPECT_FALSE(fs::exists(root / "matrices")) << "nor a new folder";
}

TEST(InitCommand, AnUnwritableFolderIsAnError) {
  if (::geteuid() == 0) GTEST_SKIP() << "root can write everywhere";
  const auto root = cuda_project();
  fs::permissions(root, fs::perms::owner_read | fs::perms::owner_exec);
  const auto outcome = run(init(root, {"--write"}));
  fs::permissions(root, fs::perms::owner_all);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("cannot write "));
}

/// Runs the command on a terminal, with an answer.
std::string answered(const fs::path& root, const std::string& answer) {
  const auto log = folder() / "terminal";
  const auto command =
      quoted(tests::kCommand) + " init " + quoted(root.string()) + " --toolkit 13.0 --gpu 8.0,9.0";
  const auto line = "printf '" + answer + "\\n' | script -qec " + quoted(command) + " /dev/null >" +
                    quoted(log.string());
  EXPECT_EQ(std::system(line.c_str()), 0);
  return contents_of(log);
}

TEST(InitCommand, AsksOnATerminal) {
  if (std::system("command -v script >/dev/null") != 0) GTEST_SKIP() << "script is not installed";
  const auto root = cuda_project();
  EXPECT_THAT(answered(root, "n"), HasSubstr("write these 6 files? [y/N] "));
  EXPECT_EQ(contents_of(root / "CMakeLists.txt"), kLists);
  EXPECT_THAT(answered(root, "y"), HasSubstr("written: 6 files"));
  EXPECT_THAT(contents_of(root / "CMakeLists.txt"), HasSubstr("archgrid_audit("));
}

TEST(InitCommand, PrintsJson) {
  const auto root = cuda_project();
  const auto outcome = run(init(root, {"--json", "--write"}));
  const auto document = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(document["schema"], "archgrid.init/1");
  EXPECT_EQ(document["written"], true);
  std::vector<std::string> paths;
  for (const auto& file : document["files"]) {
    paths.push_back(file["path"]);
    EXPECT_EQ(contents_of(root / paths.back()), file["text"]);
  }
  EXPECT_THAT(paths, IsSupersetOf({"CMakeLists.txt", "matrices/archgrid.json"}));
}

}  // namespace
}  // namespace archgrid::tests
