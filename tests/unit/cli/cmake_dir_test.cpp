// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "command.hpp"

namespace archgrid::tests {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Makes a prefix with a copy of the command.
fs::path installed_command(const fs::path& prefix) {
  fs::create_directories(prefix / "bin");
  const auto command = prefix / "bin" / "archgrid";
  fs::copy_file(tests::kCommand, command, fs::copy_options::overwrite_existing);
  return command;
}

/// Runs `cmake-dir` of another command than the build tree's.
Outcome run_other(const fs::path& command) {
  const auto out = folder() / "out";
  const auto line = quoted(command.string()) + " cmake-dir >" + quoted(out.string());
  const int status = std::system(line.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents_of(out), {}};
}

TEST(CMakeDir, IsThatOfTheSourcesInABuildTree) {
  const auto outcome = run({"cmake-dir"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out, std::string(tests::kSource) + "/cmake-modules\n");
  EXPECT_THAT(outcome.err, IsEmpty());
}

TEST(CMakeDir, LiesBesideTheInstalledCommand) {
  const auto prefix = fs::canonical(folder()) / "prefix";
  const auto command = installed_command(prefix);
  write(prefix / "lib/cmake/ArchGrid/archgrid/expand.cmake", "");
  const auto modules = (prefix / "lib/cmake/ArchGrid").string() + "\n";
  EXPECT_EQ(run_other(command).out, modules);
  const auto link = folder() / "elsewhere" / "archgrid";
  fs::create_directories(link.parent_path());
  fs::create_symlink(command, link);
  EXPECT_EQ(run_other(link).out, modules) << "beside the real file of a link";
}

TEST(CMakeDir, IsThatOfTheEnvironment) {
  const auto modules = folder() / "modules";
  write(modules / "archgrid/expand.cmake", "");
  const auto outcome = run({"cmake-dir"}, "ARCHGRID_MODULES=" + quoted(modules.string()));
  EXPECT_EQ(outcome.out, modules.string() + "\n");
}

TEST(CMakeDir, MissingModulesAreAnError) {
  const auto outcome = run({"cmake-dir"}, "ARCHGRID_MODULES=" + quoted(folder().string()));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_THAT(outcome.err, Says("cmake-dir: archgrid's CMake modules are not in " +
                                folder().string() + ": set ARCHGRID_MODULES to the folder"));
  const auto extra = run({"cmake-dir", "build"});
  EXPECT_EQ(extra.code, 2);
  EXPECT_THAT(extra.err, HasSubstr("build"));
}

}  // namespace
}  // namespace archgrid::tests
