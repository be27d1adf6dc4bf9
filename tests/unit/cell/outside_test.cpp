// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "cells.hpp"

namespace archgrid::tests {
namespace {

using Paths = std::vector<std::string>;

Paths outside(const std::string& command, const fs::path& build) {
  return cell::outputs_outside(cell::asked_units(cell::parse_commands(command), {13, 5}, build),
                               build);
}

TEST(Outside, OutputsOfNvccOutsideTheTree) {
  const auto build = folder() / "tree/cells/id";
  fs::create_directories(build);
  const auto tree = build.string();
  EXPECT_EQ(outside("nvcc -shared a.cu -o /elsewhere/l.so", build), Paths{"/elsewhere/l.so"});
  EXPECT_EQ(outside("cd /elsewhere && nvcc -cubin a.cu", build), Paths{"/elsewhere/"});
  for (const auto* enters :
       {"cmake -E chdir /elsewhere nvcc -cubin a.cu", "env -C /elsewhere nvcc -cubin a.cu",
        "sh -c \"cd /elsewhere && nvcc -cubin a.cu\"", "cd / && cd elsewhere && nvcc -cubin a.cu",
        "cmake -E env A=b cmake -E chdir /elsewhere nvcc -cubin a.cu",
        "bash -eo pipefail -c \"cd /elsewhere && nvcc -cubin a.cu\"",
        "(cd /elsewhere && nvcc -cubin a.cu)"}) {
    EXPECT_EQ(outside(enters, build), Paths{"/elsewhere/"}) << enters;
  }
  for (const auto* enters :
       {"cmake -E chdir sub nvcc -cubin a.cu", "env -C sub nvcc -cubin a.cu",
        "sh -c \"cd sub && nvcc -cubin a.cu\"", "cd sub && cd .. && nvcc -cubin a.cu",
        "sh -c \"cd /elsewhere\" && nvcc -cubin a.cu",
        "(cd /elsewhere && true) && nvcc -cubin a.cu", "(cd sub && nvcc -c a.cu -o ../a.o)",
        "sh -c \"if test -d sub; then cd sub >/dev/null; nvcc -c a.cu -o ../a.o; fi\""}) {
    EXPECT_EQ(outside(enters, build), Paths{}) << enters;
  }
  EXPECT_EQ(outside("nvcc -c a.cu -o ../a.o", build),
            Paths{(build.parent_path() / "a.o").string()});
  EXPECT_EQ(outside("nvcc -cubin a.cu -odir=/elsewhere", build), Paths{"/elsewhere/"});
  EXPECT_EQ(outside("nvcc -c a.cu -o a.o", build), Paths{});
  EXPECT_EQ(outside("cd /elsewhere && nvcc -cubin a.cu -odir " + tree, build), Paths{});
  EXPECT_EQ(outside("nvcc -c a.cu -o " + tree + "/sub/a.o", build), Paths{});
  EXPECT_EQ(outside("nvcc -cubin a.cu", build), Paths{});
  EXPECT_EQ(outside("nvcc -cubin a.cu -o /dev/null", build), Paths{});
}

TEST(Outside, TheTreeMayBeNamedThroughALink) {
  const auto root = folder();
  fs::create_directories(root / "real/cells/id");
  fs::create_directory_symlink(root / "real", root / "link");
  const auto linked = (root / "link/cells/id").string();
  EXPECT_EQ(outside("nvcc -c a.cu -o " + linked + "/a.o", root / "real/cells/id"), Paths{});
  EXPECT_EQ(outside("nvcc -c a.cu -o " + (root / "real/cells/id/a.o").string(), linked), Paths{});
}

TEST(Outside, AFolderOfTheTreeMayBeALinkOutOfIt) {
  const auto root = folder();
  const auto build = root / "tree/cells/id";
  fs::create_directories(build / "real");
  fs::create_directories(root / "elsewhere");
  fs::create_directory_symlink(root / "elsewhere", build / "out");
  fs::create_directory_symlink(build / "real", build / "in");
  EXPECT_EQ(outside("nvcc -shared a.cu -o out/l.so", build),
            Paths{(root / "elsewhere/l.so").string()});
  EXPECT_EQ(outside("nvcc -shared a.cu -o in/l.so", build), Paths{});
}

TEST(Outside, ALinkThatLeadsNowhereIsJudgedByItsPath) {
  const auto build = folder() / "tree/cells/id";
  fs::create_directories(build);
  fs::create_symlink("loop", build / "loop");
  EXPECT_EQ(outside("nvcc -c a.cu -o loop/a.o", build), Paths{});
}

/// A matrix tree with one cell, configured an hour ago, beside the project's sources.
struct Written {
  fs::path root = folder();
  fs::path source = root / "source";
  fs::path build = source / "build/cells/id";

  Written() {
    write(build / "archgrid.signature", "");
    fs::last_write_time(build / "archgrid.signature",
                        fs::file_time_type::clock::now() - std::chrono::hours(1));
  }

  Paths found(const std::string& commands = "") const {
    return cell::written_outside(cell::parse_commands(commands), build, source);
  }
};

TEST(Outside, FilesThatABuildWroteIntoTheSources) {
  const Written tree;
  place(tree.source / "package/lib.so", "libsample.so");
  EXPECT_EQ(tree.found(), Paths{(tree.source / "package/lib.so").string()});
}

TEST(Outside, ArchivesAndPackagesThatABuildWroteIntoTheSources) {
  const Written tree;
  place(tree.root / "packed/lib.so", "libsample.so");
  write(tree.root / "packed/readme", "no device code");
  fs::create_directories(tree.source / "dist");
  const auto made =
      std::system(("cd '" + (tree.root / "packed").string() + "' && tar -czf '" +
                   (tree.source / "dist/lib.tar.gz").string() + "' lib.so && ar -rc '" +
                   (tree.source / "dist/lib.a").string() + "' lib.so && tar -czf '" +
                   (tree.source / "dist/texts.tar.gz").string() + "' readme")
                      .c_str());
  ASSERT_EQ(made, 0);
  auto found = tree.found();
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, (Paths{(tree.source / "dist/lib.a").string(),
                          (tree.source / "dist/lib.tar.gz").string()}));
}

TEST(Outside, FilesAtPathsThatCommandsName) {
  const Written tree;
  place(tree.root / "one/lib.so", "libsample.so");
  place(tree.root / "two/lib.so", "libsample.so");
  const auto one = (tree.root / "one").string();
  const auto two = (tree.root / "two/lib.so").string();
  EXPECT_EQ(tree.found(), Paths{});
  EXPECT_EQ(tree.found("cp lib.so " + one + " && cmake -E copy lib.so " + two),
            (Paths{one + "/lib.so", two}));
  EXPECT_EQ(tree.found("cd " + one + " && cp x ../two/lib.so"), Paths{two});
}

TEST(Outside, FilesBehindLinksOfTheTree) {
  const Written tree;
  place(tree.root / "elsewhere/lib.so", "libsample.so");
  place(tree.build / "real/lib.so", "libsample.so");
  fs::create_directory_symlink(tree.build / "real", tree.build / "in");
  fs::create_symlink("nowhere", tree.build / "broken");
  EXPECT_EQ(tree.found("cp lib.so in/lib.so"), Paths{});
  fs::create_directory_symlink(tree.root / "elsewhere", tree.build / "out");
  const Paths elsewhere{(tree.root / "elsewhere/lib.so").string()};
  EXPECT_EQ(tree.found("cp lib.so out/lib.so"), elsewhere);
  EXPECT_EQ(tree.found("cp lib.so " + (tree.build / "out").string()), elsewhere);
  EXPECT_EQ(tree.found(), elsewhere) << "a script may write there";
  place(tree.root / "more/lib.so", "libsample.so");
  fs::create_symlink(tree.root / "more/lib.so", tree.build / "more.so");
  EXPECT_EQ(tree.found().size(), 2U);
}

TEST(Outside, OtherFilesAreNoOutputs) {
  const Written tree;
  place(tree.build / "lib.so", "libsample.so");
  place(tree.build.parent_path() / "other/lib.so", "libsample.so");
  place(tree.source / "other/lib.so", "libsample.so");
  write(tree.source / "other/CMakeCache.txt", "");
  place(tree.source / ".git/lib.so", "libsample.so");
  write(tree.source / "header.hpp", "int x;");
  place(tree.source / "old.so", "libsample.so");
  fs::last_write_time(tree.source / "old.so",
                      fs::file_time_type::clock::now() - std::chrono::hours(2));
  EXPECT_EQ(tree.found("cp " + (tree.source / "old.so").string() + " lib.so"), Paths{});
}

}  // namespace
}  // namespace archgrid::tests
