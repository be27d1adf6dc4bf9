// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests `archgrid audit --tree` on cells that are judged beside other cells.
#include <gmock/gmock.h>

#include "trees.hpp"

namespace archgrid::tests {
namespace {

using ::testing::Not;

/// Makes a tree of single cells: the one for 8.0 has `artifacts`, the one for 7.5 has one file.
fs::path tree_of_single_cells(const std::string& artifacts) {
  const auto root = built_tree();
  write(root / "matrix.json", R"({"name": "m",
    "toolkits": [{"cuda": "13.5", "archs": ["75", "80"]}],
    "promises": [{"devices": ["7.5", "8.0"]}]})");
  write(root / "plan.json", R"({"schema": "archgrid.plan/1", "name": "m", "matrix": "m.json",
    "cells": [{"id": "cu135-sm75", "cuda": "13.5", "kind": "single", "archs": ["75"]},
              {"id": "cu135-sm80", "cuda": "13.5", "kind": "single", "archs": ["80"]}],
    "audits": [{"cell": "cu135-sm75"}, {"cell": "cu135-sm80"}], "jobs": [], "excluded": []})");
  write(root / "cells/cu135-sm75/linked", contents_of(sample("linked", "13.5")));
  write(root / "cells/cu135-sm75.json", state("cu135-sm75", "built", R"("artifacts": ["linked"])"));
  write(root / "cells/cu135-sm80.json", state("cu135-sm80", "built", artifacts));
  return root;
}

TEST(SingleCells, KernelsOfSomeSingleCellsAloneAreNoted) {
  const auto gap =
      run({"audit", "--tree",
           tree_of_single_cells(R"("artifacts": ["libsample.so", "linked"])").string()});
  EXPECT_EQ(gap.code, 0) << gap.out << gap.err;
  EXPECT_THAT(gap.out, Says("note: CUDA 13.5: no cell that serves 7.5 holds "));
  EXPECT_THAT(gap.out, Says(" of cu135-sm80\n"));
  EXPECT_THAT(gap.out, Not(Says("serves 8.0")));
  const auto same =
      run({"audit", "--tree", tree_of_single_cells(R"("artifacts": ["linked"])").string()});
  EXPECT_EQ(same.code, 0) << same.out << same.err;
  EXPECT_THAT(same.out, Not(Says("no cell that serves")));
}

std::string ptx_of(const std::string& arch, const std::vector<std::string>& kernels) {
  auto text = ".version 7.8\n.target sm_" + arch + "\n.address_size 64\n";
  for (const auto& kernel : kernels) {
    text += ".visible .entry " + kernel + "()\n{\n\tst.global.u32 [%rd1], 1;\n\tret;\n}\n";
  }
  return text;
}

std::string said_of_single_cells(const std::vector<std::string>& of_75,
                                 const std::vector<std::string>& of_80) {
  const auto root = tree_of_single_cells(R"("artifacts": ["k.ptx"])");
  write(root / "matrix.json",
        R"({"name": "m", "toolkits": [{"cuda": "13.5", "archs": ["75", "80"]}],
    "promises": [{"devices": ["7.5", "8.0"], "accept": ["native", "jit"]}]})");
  write(root / "cells/cu135-sm75.json", state("cu135-sm75", "built", R"("artifacts": ["k.ptx"])"));
  write(root / "cells/cu135-sm75/k.ptx", ptx_of("75", of_75));
  write(root / "cells/cu135-sm80/k.ptx", ptx_of("80", of_80));
  return run({"audit", "--tree", root.string()}).out;
}

TEST(SingleCells, KernelsThatDifferInANumberAreTold) {
  EXPECT_THAT(unwrapped(said_of_single_cells({"_Z4tileILi64EEvv"},
                                             {"_Z4tileILi64EEvv", "_Z4tileILi128EEvv"})),
              Says("no cell that serves 7.5 holds 1 of 2 kernels, the first void tile<128>()"));
  EXPECT_THAT(said_of_single_cells({"_ZN20CUB_300000_SM_750_NS1kEv", "_Z6k_sm75v"},
                                   {"_ZN24CUB_300000_SM_800_900_NS1kEv", "_Z6k_sm80v"}),
              Not(Says("no cell that serves")));
}

TEST(SingleCells, ABodyThatWorksInAnotherCellAloneIsEmpty) {
  const auto said = [](bool works_on_75, const std::string& ignore = "") {
    const auto root = tree_of_single_cells(R"("artifacts": ["k.ptx"])");
    write(root / "matrix.json",
          R"({"name": "m", "toolkits": [{"cuda": "13.5", "archs": ["75", "80"]}],)" + ignore +
              R"("promises": [{"devices": ["7.5", "8.0"], "accept": ["native", "jit"]}]})");
    write(root / "cells/cu135-sm75.json",
          state("cu135-sm75", "built", R"("artifacts": ["k.ptx"])"));
    auto text = ptx_of("75", {"k", "m"});
    if (!works_on_75)
      text.erase(text.find("\tst.global"), std::string("\tst.global.u32 [%rd1], 1;\n").size());
    write(root / "cells/cu135-sm75/k.ptx", text);
    write(root / "cells/cu135-sm80/k.ptx", ptx_of("80", {"k", "m"}));
    return run({"audit", "--tree", root.string()});
  };
  EXPECT_EQ(said(true).code, 0);
  const auto empty = said(false);
  EXPECT_EQ(empty.code, 1) << empty.out << empty.err;
  EXPECT_THAT(empty.out, Says("empty: k on 7.5"));
  EXPECT_THAT(empty.out, Not(Says("empty: m")));
  const auto ignored =
      said(false, R"("ignore": [{"kernel": "k", "devices": ["7.5", "8.0"], "reason": "meant"}],)");
  EXPECT_EQ(ignored.code, 0) << ignored.out << ignored.err;
}

/// Returns the output of the tree's audit and of ctest's audit for the cell of CUDA 13.5.
std::vector<std::string> audits_of_cu135(const fs::path& root, const fs::path& artifact) {
  return {run({"audit", "--tree", root.string(), "--cell", "cu135-fat"}).out,
          run({"audit", artifact.string(), "--matrix", (root / "matrix.json").string(), "--toolkit",
               "13.5", "--cell", "cu135-fat", "--device", "8.0"})
              .out};
}

TEST(SingleCells, FilesThatHostCodePicksFromAreASet) {
  const auto code_of = [](const std::string& newer, const std::string& older,
                          const std::vector<std::string>& of_older = {"kern"}) {
    const auto root = folder() / "picked";
    write(root / "m.json", R"({"name": "m", "toolkits": [{"cuda": "13.5", "archs": ["75", "90"]}],
      "promises": [{"devices": ["8.0"], "accept": ["jit"]}]})");
    write(root / newer, ptx_of("90", {"kern"}));
    write(root / older, ptx_of("75", of_older));
    return run({"audit", (root / newer).string(), (root / older).string(), "--matrix",
                (root / "m.json").string(), "--toolkit", "13.5", "--cell", "cu135-fat"})
        .code;
  };
  EXPECT_EQ(code_of("a_90.ptx", "a_75.ptx"), 0);
  EXPECT_EQ(code_of("sm_90a/a.ptx", "sm_75/a.ptx"), 0);
  EXPECT_EQ(code_of("hopper.ptx", "turing.ptx"), 0) << "with the same kernels";
  EXPECT_EQ(code_of("one.ptx", "two.ptx", {"kern", "other"}), 1) << "of another set";
  EXPECT_EQ(code_of("one/a_90.ptx", "two/b_75.ptx"), 1) << "of another set";
}

}  // namespace
}  // namespace archgrid::tests
