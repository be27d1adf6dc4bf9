// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests `archgrid audit --tree` on made-up build trees with real binaries.
#include <gmock/gmock.h>

#include "trees.hpp"

namespace archgrid::tests {
namespace {

using ::testing::Not;

TEST(Tree, OneMapACellAndOneClosingLine) {
  const auto outcome = run({"audit", "--tree", built_tree().string()});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, Says("cu118-fat   8.0      8.6\n"
                                "  first     native   compat\n"
                                "  guarded   native   compat\n"));
  EXPECT_THAT(outcome.out, Says("\n  the same in cu135-fat\n\n"));
  EXPECT_THAT(outcome.out, Not(Says("\ncu135-sm80  "))) << "fat cells show what it shows";
  const auto all = "archgrid audit --tree " + built_tree().string() + " --all";
  EXPECT_THAT(outcome.out, Says("and 1 more cell with 7 kernels\nevery kernel: "));
  EXPECT_THAT(outcome.out, Says(all + "\n\n"));
  EXPECT_THAT(outcome.out,
              Says("\npromise holds: 7 kernels x 2 devices, 3 cells, all native or compatible\n"));
}

TEST(Tree, AMatrixFileThatHasChangedSinceItWasConfiguredProvesNothing) {
  const auto root = built_tree();
  write(root / "m.json", std::string(kTreeMatrix) + "\n");
  EXPECT_EQ(run({"audit", "--tree", root.string()}).code, 0) << "of a bundle";
  write(root / "CMakeCache.txt", "");
  const auto changed = run({"audit", "--tree", root.string()});
  EXPECT_EQ(changed.code, 1);
  EXPECT_THAT(changed.out, Says("not-built: cell cu118-fat"));
  EXPECT_THAT(changed.out, Says("m.json has changed since the tree was configured\n"));
  write(root / "m.json", kTreeMatrix);
  EXPECT_EQ(run({"audit", "--tree", root.string()}).code, 0);
}

TEST(Tree, TheMatrixFileThatHasChangedIsNamedForCTest) {
  const auto root = built_tree();
  const std::vector<std::string> command = {"changed-matrix", root.string()};
  write(root / "m.json", std::string(kTreeMatrix) + "\n");
  EXPECT_EQ(run(command).out, "") << "of a bundle";
  write(root / "CMakeCache.txt", "");
  const auto changed = run(command);
  EXPECT_EQ(changed.code, 0);
  EXPECT_EQ(changed.out, "m.json\n");
  write(root / "m.json", kTreeMatrix);
  EXPECT_EQ(run(command).out, "");
  fs::remove(root / "plan.json");
  EXPECT_EQ(run(command).code, 2);
}

TEST(Tree, OneDeviceOrOneCell) {
  const auto root = built_tree().string();
  const auto device = run({"audit", "--tree", root, "--device", "8.6"});
  EXPECT_THAT(device.out, Says("7 kernels x 1 device, 3 cells, all compatible"));
  const auto cell = run({"audit", "--tree", root, "--cell", "cu118-fat"});
  EXPECT_THAT(cell.out, Says("7 kernels x 2 devices, 1 cell,"));
}

TEST(Tree, ASingleCellBesideFatOnesIsShownWhereItIsBroken) {
  const auto root = built_tree();
  write(root / "cells" / "cu135-sm80" / "libsample.so", contents_of(sample("ptx.o")));
  const auto outcome = run({"audit", "--tree", root.string()});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, Says("\ncu135-sm80  8.0"));
  EXPECT_THAT(outcome.out, Says("on 8.0 and 8.6, cu135-sm80/"));
}

TEST(Tree, OneDefectOfSeveralCellsIsToldOnce) {
  const auto root = built_tree();
  const auto for_turing = [](std::string text) {
    const std::string devices = R"(["8.0", "8.6"])";
    for (auto at = text.find(devices); at != std::string::npos; at = text.find(devices)) {
      text.replace(at, devices.size(), R"(["7.5"])");
    }
    return text;
  };
  write(root / "matrix.json", for_turing(kTreeMatrix));
  write(root / "plan.json", for_turing(kPlan));
  const auto outcome = run({"audit", "--tree", root.string()});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, Says("empty: guarded(float*) on 7.5, cu118-fat/libsample.so\n"));
  EXPECT_THAT(outcome.out, Says("\n  the same in 1 more cell: cu135-fat\n"));
  EXPECT_EQ(outcome.out.find("empty: guarded"), outcome.out.rfind("empty: guarded"));
}

TEST(Tree, TheFixOfEmptyBodiesInAHandmadeFileIsInTheMatrixFile) {
  const auto root = built_tree();
  std::string plan = kPlan;
  const std::string devices = R"("cu118-fat", "devices": ["8.0", "8.6"])";
  plan.replace(plan.find(devices), devices.size(), R"("cu118-fat", "devices": ["7.5"])");
  write(root / "plan.json", plan);
  write(root / "matrix.json",
        R"({"name": "m", "toolkits": [{"cuda": "11.8", "archs": ["75", "80"]}],
    "promises": [{"devices": ["7.5"]}]})");
  write(root / "cells/cu118-fat/inert.o", contents_of(sample("inert.o")));
  write(root / "cells/cu118-fat.json",
        state("cu118-fat", "built", R"("artifacts": ["inert.o"], "handmade": ["inert.o"])"));
  const auto outcome = run({"audit", "--tree", root.string(), "--cell", "cu118-fat"});
  EXPECT_THAT(outcome.out, Says("or add \"empty\" to \"accept\" in "
                                "the matrix file\n"));
}

TEST(Tree, ACellThatIsJudgedForNoDeviceHasNoMapAndDoesNotCount) {
  const auto root = built_tree();
  std::string plan = kPlan;
  const std::string archs = R"("single", "archs": ["80"])";
  plan.replace(plan.find(archs), archs.size(), R"("single", "archs": ["80-virtual"])");
  write(root / "plan.json", plan);
  const auto outcome = run({"audit", "--tree", root.string(), "--all"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, Says("7 kernels x 2 devices, 2 cells,"));
  EXPECT_THAT(outcome.out, Not(Says("cu135-sm80")));
}

TEST(Tree, ACellThatIsNotAuditedIsTwo) {
  const auto root = built_tree();
  std::string plan = kPlan;
  const std::string audit = R"(,
             {"cell": "cu135-sm80"}])";
  plan.replace(plan.find(audit), audit.size(), "]");
  write(root / "plan.json", plan);
  const auto unknown = run({"audit", "--tree", root.string(), "--cell", "cu99-fat"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err, Says("--cell: the plan has no cell cu99-fat: write cu118-fat or "
                                "cu135-fat\n"));
  const auto planned = run({"audit", "--tree", root.string(), "--cell", "cu135-sm80"});
  EXPECT_EQ(planned.code, 2);
  EXPECT_THAT(planned.err, Says("--cell: the plan does not audit its cell cu135-sm80: write "
                                "cu118-fat or cu135-fat\n"));
}

TEST(Tree, AFolderAboveATreeSaysWhereTheTreeIs) {
  const auto root = folder() / "build";
  write(root / "matrix" / "plan.json", kPlan);
  EXPECT_THAT(run({"audit", "--tree", root.string()}).err,
              Says("as " + (root / "matrix").string() + "\n"));
}

TEST(Tree, ADeviceThatNobodyPromisedIsTwo) {
  const auto outcome = run({"audit", "--tree", built_tree().string(), "--device", "12.1"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, Says("--gpu 12.1: nothing is promised there: name one of the "
                                "promised: 8.0, 8.6\n"));
  const auto one_of_two = run({"audit", "--tree", built_tree().string(), "--device", "8.0,12.1"});
  EXPECT_EQ(one_of_two.code, 2);
  EXPECT_THAT(one_of_two.err, Says("--gpu 12.1: nothing is promised there"));
}

TEST(Tree, ACellThatMakesNothingToAuditIsAFinding) {
  const auto root = built_tree();
  write(root / "cells" / "cu135-fat.json", state("cu135-fat", "built", R"("artifacts": [])"));
  const auto outcome = run({"audit", "--tree", root.string()});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, Says("no-device-code: cell cu135-fat\n  it makes no program"));
}

TEST(Tree, AnUnauditedFileIsNamedWithTheReason) {
  const auto root = built_tree();
  const auto list = [&](const std::string& why) {
    write(root / "cells" / "cu118-fat.json",
          state("cu118-fat", "built",
                R"("artifacts": ["linked"], "unaudited": [{"path": "../x.so", "why": ")" + why +
                    R"("}])"));
    return unwrapped(run({"audit", "--tree", root.string(), "--cell", "cu118-fat"}).out);
  };
  write(root / "cells/cu118-fat/linked", contents_of(sample("linked")));
  EXPECT_THAT(list("unmade"), Says("no command of the build names it"));
  EXPECT_THAT(list("nvidia"), Says("it has the name of a library of NVIDIA"));
  EXPECT_THAT(list("foreign"), Says("it has the name of another project's package"));
  EXPECT_THAT(list("prebuilt"), Says("it is prebuilt"));
  EXPECT_THAT(list("environment"), Says("a virtual environment of Python"));
  EXPECT_THAT(list("outside"), Says("it was written outside the cell's tree"));
  EXPECT_THAT(list("unreadable"), Says("archgrid cannot read it "));
  EXPECT_THAT(list("whim"), Says("x.so: not audited: whim "));
  EXPECT_THAT(list("whim"), Not(Says("prebuilt")));
  EXPECT_THAT(list(R"(unreadable", "reason": "it was cut)"),
              Says("archgrid cannot read it: it was cut "));
}

TEST(Tree, ADamagedMemberOfAPackageIsNotedAndTheOthersAreJudged) {
  const auto root = built_tree();
  const auto cell = root / "cells/cu135-fat";
  write(root / "in/lib.so", contents_of(sample("libsample.so")));
  write(root / "in/bad.zip", std::string("PK\3\4", 4) + "nothing of a zip");
  const auto pack = "cd '" + (root / "in").string() + "' && tar -cf '" +
                    (cell / "dist.tar").string() + "' bad.zip lib.so";
  ASSERT_EQ(std::system(pack.c_str()), 0);
  const auto audit = [&](const std::string& unaudited) {
    write(root / "cells/cu135-fat.json",
          state("cu135-fat", "built",
                R"("artifacts": ["dist.tar"], "unaudited": [)" + unaudited + "]"));
    return run({"audit", "--tree", root.string(), "--cell", "cu135-fat"});
  };
  EXPECT_EQ(audit("").code, 2);
  const auto noted =
      audit(R"({"path": "dist.tar!bad.zip", "why": "unreadable", "reason": "it was cut"})");
  EXPECT_EQ(noted.code, 0) << noted.err;
  EXPECT_THAT(noted.out, Says("promise holds: 5 kernels"));
  const auto whole = audit(R"({"path": "dist.tar", "why": "unreadable", "reason": "it was cut"})");
  EXPECT_EQ(whole.code, 2) << "the error of a member is not that of the package";
}

TEST(Tree, MembersOfAPackageThatAreNotAuditedAreNotJudged) {
  const auto root = built_tree();
  const auto cell = root / "cells/cu135-fat";
  write(root / "in/lib.so", contents_of(sample("libsample.so")));
  write(root / "in/old.ptx", ptx_of("90", {"old"}));
  write(root / "in/more/older.ptx", ptx_of("90", {"older"}));
  const auto pack = "cd '" + (root / "in").string() + "' && tar -cf more.tar more && tar -cf '" +
                    (cell / "dist.tar").string() + "' lib.so old.ptx more.tar";
  ASSERT_EQ(std::system(pack.c_str()), 0);
  const auto audits = [&](const std::string& unaudited) {
    write(root / "cells/cu135-fat.json",
          state("cu135-fat", "built",
                R"("artifacts": ["dist.tar"], "unaudited": [)" + unaudited + "]"));
    return audits_of_cu135(root, cell / "dist.tar");
  };
  for (const auto& out : audits("")) {
    EXPECT_THAT(out, Says("missing: old on 8.0"));
    EXPECT_THAT(out, Says("missing: older on 8.0"));
  }
  for (const auto& out : audits(R"({"path": "dist.tar!old.ptx", "why": "nvidia"},
                                   {"path": "dist.tar!more.tar", "why": "copy"})")) {
    EXPECT_THAT(out, Says("promise holds: 5 kernels"));
    EXPECT_THAT(out, Not(Says("more.tar: not audited")));
  }
}

TEST(Tree, TargetsThatWereNotBuiltAreNamed) {
  const auto root = built_tree();
  write(root / "cells/cu118-fat/linked", contents_of(sample("linked")));
  const auto list = [&](const std::string& excluded) {
    write(
        root / "cells" / "cu118-fat.json",
        state("cu118-fat", "built", R"("artifacts": ["linked"], "excluded": [)" + excluded + "]"));
    return run({"audit", "--tree", root.string(), "--cell", "cu118-fat"}).out;
  };
  EXPECT_THAT(list(R"("a", "b", "c", "d")"), Says("not built, so not audited: a, b, c and 1 more"));
  const auto sarif =
      run({"audit", "--tree", root.string(), "--cell", "cu118-fat", "--sarif", "-"}).out;
  EXPECT_THAT(sarif, Says("\"Targets that were not built\""));
  EXPECT_THAT(sarif, Not(Says("\"A cell was not built\"")));
  EXPECT_THAT(list(""), Not(Says("not built")));
}

TEST(Tree, EnforcedArchsAreNoted) {
  const auto root = built_tree();
  const auto note = Says("\"enforce_archs\" replaces the archs that the project sets");
  const std::vector<std::string> command{"audit", "--tree", root.string(), "--cell", "cu118-fat"};
  EXPECT_THAT(run(command).out, Not(note));
  std::string plan = kPlan;
  const std::string cell = R"("id": "cu118-fat", )";
  plan.replace(plan.find(cell), cell.size(), cell + R"("enforce_archs": true, )");
  write(root / "plan.json", plan);
  EXPECT_THAT(run(command).out, note);
}

TEST(Tree, AStateOfAnEarlierEditionHoldsNothing) {
  const auto root = built_tree();
  write(root / "cells" / "cu118-fat.json",
        state("cu118-fat", "built", R"("artifacts": ["linked"], "unaudited": ["libx.so"])"));
  const auto outcome = run({"audit", "--tree", root.string()});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, Says("an earlier archgrid wrote its state"));
}

TEST(Tree, ACellThatServesNoPromisedDeviceIsTwoWhenItIsAllThatIsAudited) {
  const auto root = built_tree();
  std::string plan = kPlan;
  const std::string archs = R"("single", "archs": ["80"])";
  plan.replace(plan.find(archs), archs.size(), R"("single", "archs": ["75"])");
  write(root / "plan.json", plan);
  const auto outcome = run({"audit", "--tree", root.string(), "--cell", "cu135-sm80"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, Says("--cell cu135-sm80: nothing is promised for its devices"));
  EXPECT_EQ(run({"audit", "--tree", root.string()}).code, 0) << "the fat cells keep the promise";
}

TEST(Tree, ACellBuiltWithOtherSettingsIsAFinding) {
  const auto root = built_tree();
  const auto status = [](const std::string& status) {
    return state("cu118-fat", status, R"("artifacts": ["libsample.so"])");
  };
  write(root / "cells" / "cu118-fat.json", status("stale"));
  const std::vector<std::string> command = {"audit", "--tree", root.string(), "--cell",
                                            "cu118-fat"};
  const auto outcome = run(command);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, Says("built with other settings than it is configured with now\n"
                                "  fix: build it again: cmake --build "));
  write(root / "cells" / "cu118-fat.json", status("built"));
  EXPECT_EQ(run(command).code, 0);
}

TEST(Tree, CellsThatWereNotBuiltAreFindings) {
  const auto root = built_tree();
  fs::remove(root / "cells" / "cu135-fat.json");
  write(root / "cells" / "cu118-fat.json",
        state("cu118-fat", "failed", R"("artifacts": ["libsample.so"])"));
  const auto outcome = run({"audit", "--tree", root.string()});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out,
              Says("not-built: cell cu135-fat\n  the cell keeps no promise: it was never built\n"));
  EXPECT_THAT(outcome.out, Says("it was never built\n  fix: build it: cmake --build " +
                                root.string() + " --target cu135-fat\n"));
  EXPECT_THAT(outcome.out, Says("its status is failed (build), see cells/cu118-fat.log\n"
                                "  fix: mend that, then build it again: cmake --build " +
                                root.string() + " --target cu118-fat\n"));
  EXPECT_THAT(outcome.out, Says("promise not proven: 2 findings (2 not-built)"));
  EXPECT_EQ(outcome.out.find("\ncu118-fat  "), std::string::npos)
      << "stale binaries are not judged";
}

TEST(Tree, ACellThatWasNotBuiltIsAFindingOnlyForItsDevices) {
  const auto root = built_tree();
  std::string plan = kPlan;
  const std::string archs = R"("single", "archs": ["80"])";
  plan.replace(plan.find(archs), archs.size(), R"("single", "archs": ["86"])");
  write(root / "plan.json", plan);
  fs::remove(root / "cells" / "cu135-sm80.json");
  const auto other = run({"audit", "--tree", root.string(), "--device", "8.0"});
  EXPECT_EQ(other.code, 0) << other.out;
  EXPECT_THAT(other.out, Says("promise holds: 7 kernels x 1 device, 2 cells"));
  const auto own = run({"audit", "--tree", root.string(), "--device", "8.6"});
  EXPECT_EQ(own.code, 1);
  EXPECT_THAT(own.out, Says("not-built: cell cu135-sm80"));
}

TEST(Tree, TheFixOfACellThatIsNotBuiltQuotesItsTree) {
  const auto root = built_tree();
  const auto odd = root.parent_path() / "it's a tree";
  fs::remove_all(odd);
  fs::rename(root, odd);
  fs::remove(odd / "cells/cu135-fat.json");
  const auto outcome = run({"audit", "--tree", odd.string()});
  EXPECT_THAT(outcome.out, Says("fix: build it: cmake --build '" + root.parent_path().string() +
                                "/it'\\''s a tree' --target cu135-fat\n"));
}

TEST(Tree, ImpossibleCellsWantWhatTheirReasonNames) {
  const auto root = built_tree();
  write(root / "cells" / "cu135-fat.json",
        R"({"schema": "archgrid.cell/1", "id": "cu135-fat", "status": "impossible",
            "reason": "CUDA 13.5 is not on this machine"})");
  const auto outcome = run({"audit", "--tree", root.string()});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out,
              Says("its status is impossible: CUDA 13.5 is not on this machine\n"
                   "  fix: mend that, then configure and build: cmake " +
                   root.string() + " && cmake --build " + root.string() + " --target cu135-fat\n"));
  EXPECT_THAT(outcome.out, Not(Says("log")));
}

TEST(Tree, BrokenPromisesNameTheCell) {
  const auto root = built_tree();
  write(root / "cells" / "cu135-fat" / "libsample.so", contents_of(sample("ptx.o")));
  const auto outcome = run({"audit", "--tree", root.string()});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, Says("on 8.0 and 8.6, cu135-fat/"));
}

/// Makes a tree with a cell of CUDA 13.5 whose file serves neither promised device.
fs::path tree_with_old_code(const std::string& archs, const std::string& handmade) {
  const auto root = built_tree();
  std::string plan = kPlan;
  const std::string planned = R"("cuda": "13.5", "kind": "fat", "archs": ["75", "80"])";
  plan.replace(plan.find(planned), planned.size(),
               R"("cuda": "13.5", "kind": "fat", "archs": [)" + archs + "]");
  write(root / "plan.json", plan);
  write(root / "cells/cu135-fat/hand/k.ptx", ptx_of("75", {"k"}));
  write(root / "cells/cu135-fat.json",
        state("cu135-fat", "built",
              R"("artifacts": ["hand/k.ptx"], "compiled_by_cmake": true)" + handmade));
  return root;
}

std::vector<std::string> audits_of_old_code(const fs::path& root) {
  return audits_of_cu135(root, root / "cells/cu135-fat/hand/k.ptx");
}

TEST(Tree, TheFixOfAFileThatACommandMakesIsForNvcc) {
  const auto* archs = R"("75", "80")";
  const auto* planted = R"(, "handmade": ["hand/k.ptx"])";
  for (const auto& out : audits_of_old_code(tree_with_old_code(archs, planted))) {
    EXPECT_THAT(out, Says("add -gencode arch=compute_80,code=sm_80 to nvcc's options"));
    EXPECT_THAT(out, Not(Says("CUDA_ARCHITECTURES")));
  }
  for (const auto* rest : {"", R"(, "handmade": [])", R"(, "handmade": ["hand/other.ptx"])"}) {
    for (const auto& out : audits_of_old_code(tree_with_old_code(archs, rest))) {
      EXPECT_THAT(out, Says("add 80 to the CUDA_ARCHITECTURES of the target")) << rest;
    }
  }
}

TEST(Tree, TheFixOfAFileThatNoCommandNamesSaysThatItMayBeLeftOver) {
  const auto* archs = R"("75", "80")";
  const auto* planted = R"(, "handmade": ["hand/k.ptx"], "unnamed": ["hand/k.ptx"])";
  for (const auto& out : audits_of_old_code(tree_with_old_code(archs, planted))) {
    EXPECT_THAT(out, Says("; or delete k.ptx, if an earlier build left it"));
  }
  for (const auto& out : audits_of_old_code(tree_with_old_code(archs, R"(, "unnamed": [])"))) {
    EXPECT_THAT(out, Not(Says("or delete")));
  }
}

TEST(Tree, TheFixForADeviceThatNoArchOfTheCellServesIsInTheMatrixFile) {
  for (const auto& out : audits_of_old_code(tree_with_old_code(R"("75")", ""))) {
    EXPECT_THAT(out, Says("fix: add 80 to the archs of CUDA 13.5 in the matrix file"));
  }
}

TEST(Tree, MissingArtifactsAreTwo) {
  const auto root = built_tree();
  fs::remove(root / "cells" / "cu135-fat" / "linked");
  const auto outcome = run({"audit", "--tree", root.string()});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, Says("cu135-fat/linked: cannot open"));
}

TEST(Tree, BadFilesAreTwo) {
  const auto root = built_tree();
  write(root / "cells" / "cu135-fat.json", "{");
  EXPECT_THAT(run({"audit", "--tree", root.string()}).err,
              Says("cu135-fat.json: line 1, column 2: not JSON: the file ends where a key in"));
  write(root / "plan.json", R"({"schema": "archgrid.plan/2"})");
  EXPECT_THAT(run({"audit", "--tree", root.string()}).err, Says("expected \"archgrid.plan/1\""));
  write(root / "plan.json", R"({"schema": "archgrid.plan/1", "cells": []})");
  const auto misshapen = run({"audit", "--tree", root.string()});
  EXPECT_THAT(misshapen.err, Says("plan.json: key 'audits' not found: configure the tree"));
  EXPECT_THAT(misshapen.err, Not(Says("json.exception")));
  write(root / "plan.json", R"({"schema": "archgrid.plan/1", "cells": [], "audits": []})");
  EXPECT_THAT(run({"audit", "--tree", root.string()}).err, Says("the plan names no audit"));
}

TEST(Tree, APlanWithAKeyTwiceIsRefused) {
  const auto root = built_tree();
  write(root / "plan.json",
        R"({"schema": "archgrid.plan/1", "cells": [], "audits": [], "audits": [{"cell": "x"}]})");
  const auto outcome = run({"audit", "--tree", root.string()});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, Says("plan.json: the top level: the key \"audits\" stands twice"));
}

}  // namespace
}  // namespace archgrid::tests
