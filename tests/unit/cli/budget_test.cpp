// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests budgets of a matrix file against real binaries.
#include <gmock/gmock.h>

#include "command.hpp"

namespace archgrid::tests {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string matrix_with(const std::string& budgets) {
  const auto matrix = folder() / "matrix.json";
  write(matrix, R"json({"name": "m", "toolkits": [{"cuda": "13.5", "archs": ["80"]}],
    "promises": [{"devices": ["8.0"]}], "budgets": [)json" +
                    budgets + "]}");
  return matrix.string();
}

Outcome audit_with_budgets(const std::string& budgets, std::vector<std::string> more = {}) {
  std::vector<std::string> arguments = {
      "audit", sample("plain.o"), "--matrix", matrix_with(budgets), "--toolkit", "13.5"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run(arguments);
}

TEST(Budgets, AKernelOverItsBudgetBreaksThePromise) {
  const auto over =
      audit_with_budgets(R"({"kernels": "*tile*", "registers": 1, "reason": "tried"})");
  EXPECT_EQ(over.code, 1);
  EXPECT_THAT(over.out, Says("over-budget: "));
  EXPECT_THAT(over.out, Says("tile<3>"));
  EXPECT_THAT(over.out, Says(" registers for 75, "));
  EXPECT_THAT(over.out, Says("; budgets[0] allows 1 (tried)\n"));
  EXPECT_THAT(over.out, Says("over-budget"));
  EXPECT_EQ(audit_with_budgets(R"({"kernels": "*tile*", "registers": 255})").code, 0);
}

TEST(Budgets, SpillsAreJudgedWhereTheToolkitRecordsThem) {
  const auto judge = [](const std::string& budget, const std::string& toolkit) {
    return run({"audit", sample("spills.cubin", toolkit), "--matrix", matrix_with(budget)});
  };
  const auto over = judge(R"({"spill_bytes": 0})", "13.5");
  EXPECT_EQ(over.code, 1);
  EXPECT_THAT(over.out, Says("over-budget: void spilling<float>(float*) and 1 more, "));
  EXPECT_THAT(over.out, Says(" bytes of spills for 80; budgets[0] allows 0\n"));
  EXPECT_THAT(over.out, Not(HasSubstr("over-budget: bounded")));
  EXPECT_EQ(judge(R"({"spill_bytes": 100000})", "13.5").code, 0);
  EXPECT_EQ(judge(R"({"spill_bytes": 0, "kernels": "bounded*"})", "13.5").code, 0);
  const auto unknown = judge(R"({"spill_bytes": 100000})", "11.8");
  EXPECT_EQ(unknown.code, 1);
  EXPECT_THAT(unknown.out, HasSubstr("the 6 kernels' machine code for 80, of CUDA 11.8, "));
  EXPECT_THAT(unknown.out, HasSubstr("build it with CUDA 12.8 or newer"));
}

TEST(Budgets, BytesAreThoseOfTheFile) {
  const auto over = audit_with_budgets(R"({"bytes_per_arch": 100, "archs": ["80"]})");
  EXPECT_EQ(over.code, 1);
  EXPECT_THAT(over.out, Says(" bytes are stored for 80 ("));
  EXPECT_EQ(audit_with_budgets(R"({"bytes_per_arch": 1000000})").code, 0);
}

TEST(Budgets, OneThatMatchesNothingFailsUnlessAPartIsAudited) {
  const auto budget = R"({"kernels": "ghost", "registers": 64})";
  const auto unused = audit_with_budgets(budget);
  EXPECT_EQ(unused.code, 1);
  EXPECT_THAT(unused.out, HasSubstr("unused-budget:\n  budgets[0]: it matches no machine code"));
  EXPECT_EQ(audit_with_budgets(budget, {"--device", "8.0"}).code, 0);
}

TEST(Budgets, ThoseOfOtherToolkitsDoNotApply) {
  const auto budget = R"({"registers": 1, "toolkits": ["12.4"]})";
  EXPECT_EQ(audit_with_budgets(budget).code, 0);
  const auto unsure = run({"audit", sample("plain.o"), "--matrix", matrix_with(budget)});
  EXPECT_EQ(unsure.code, 2);
  EXPECT_THAT(unsure.err, Says("budgets[0] is for some toolkits only: say which built the "
                               "files (--toolkit 12.4)"));
}

TEST(Budgets, TheCellsOfATreeAreJudgedByThem) {
  const auto root = folder() / "tree";
  const auto matrix = [](const std::string& registers) {
    return R"({"name": "m", "toolkits": [{"cuda": "11.8", "archs": ["75", "80"]},
        {"cuda": "13.5", "archs": ["75", "80"]}],
      "promises": [{"devices": ["8.0"]}],
      "budgets": [{"kernels": "*tile*", "registers": )" +
           registers + R"(, "toolkits": ["13.5"], "archs": ["75"]}]})";
  };
  write(root / "plan.json", R"({"schema": "archgrid.plan/1", "name": "m", "matrix": "m.json",
    "cells": [{"id": "cu118-fat", "cuda": "11.8", "kind": "fat", "archs": ["75", "80"]},
              {"id": "cu135-fat", "cuda": "13.5", "kind": "fat", "archs": ["75", "80"]}],
    "audits": [{"cell": "cu118-fat", "devices": ["8.0"]},
               {"cell": "cu135-fat", "devices": ["8.0"]}],
    "jobs": [], "excluded": []})");
  for (const std::string version : {"11.8", "13.5"}) {
    const auto id = version == "11.8" ? std::string("cu118-fat") : std::string("cu135-fat");
    write(root / "cells" / id / "libsample.so", contents_of(sample("libsample.so", version)));
    write(root / "cells" / (id + ".json"), R"({"schema": "archgrid.cell/1", "id": ")" + id +
                                               R"(", "status": "built", "step": "build",
        "seconds": 1, "log": "x", "reason": "", "artifacts": ["libsample.so"]})");
  }
  write(root / "matrix.json", matrix("1"));
  const auto over = run({"audit", "--tree", root.string()});
  EXPECT_EQ(over.code, 1) << over.out << over.err;
  EXPECT_THAT(over.out, Says("over-budget: "));
  EXPECT_THAT(over.out, Says(", cu135-fat/libsample.so"));
  EXPECT_THAT(over.out, Not(HasSubstr(", cu118-fat/")));
  write(root / "matrix.json", matrix("255"));
  EXPECT_EQ(run({"audit", "--tree", root.string()}).code, 0);
}

}  // namespace
}  // namespace archgrid::tests
