// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "command.hpp"

namespace archgrid::tests {
namespace {

using ::testing::HasSubstr;

/// Makes a project with two lists, of which one lacks 9.0.
fs::path project() {
  const auto root = folder() / "project";
  write(root / "CMakeLists.txt", "set(CMAKE_CUDA_ARCHITECTURES 80 90)\n");
  write(root / "Dockerfile", "FROM debian\nENV TORCH_CUDA_ARCH_LIST=8.0\n");
  return root;
}

TEST(LintCommand, FailsIfListsDisagree) {
  const auto root = project();
  const auto outcome = run({"lint", root.string()});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("\n  lacks 9.0 (H100); CMakeLists.txt:1 has 9.0\n"));
  EXPECT_THAT(outcome.out, HasSubstr("\narch lists disagree: 1 of 2 lists\n"));
  write(root / "Dockerfile", "# archgrid: ignore\nENV TORCH_CUDA_ARCH_LIST=8.0\n");
  EXPECT_EQ(run({"lint", root.string()}).code, 0);
}

TEST(LintCommand, ComparesWithThePromiseOfTheProject) {
  const auto root = project();
  write(root / "pyproject.toml", "[project]\nname = \"x\"\n[tool.archgrid]\ndevices = [\"8.0\"]\n");
  const auto kept = run({"lint", root.string()});
  EXPECT_EQ(kept.code, 0) << kept.out << kept.err;
  EXPECT_THAT(kept.out, HasSubstr("arch lists keep the promise of pyproject.toml: 2 lists\n"));
  write(root / "pyproject.toml",
        "[project]\nname = \"x\"\n[tool.archgrid]\ndevices = [\"8.0\", \"9.0\"]\n");
  const auto broken = run({"lint", root.string()});
  EXPECT_EQ(broken.code, 1);
  EXPECT_THAT(broken.out, HasSubstr("lacks 9.0 (H100), which pyproject.toml promises\n"));
}

TEST(LintCommand, NeedsAFolder) {
  const auto outcome = run({"lint", (folder() / "nowhere").string()});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("nowhere: is no folder"));
}

}  // namespace
}  // namespace archgrid::tests
