// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests which maps, rows and findings share the screen.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "reports.hpp"

namespace archgrid::tests {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

using Kernels = std::vector<fatbin::Kernel>;

/// Returns kernels "k0", "k1" and so on.
Kernels kernels_of(int count, const std::string& name = "k") {
  Kernels kernels;
  for (int index = 0; index < count; ++index)
    kernels.push_back(kernel(name + std::to_string(index)));
  return kernels;
}

/// Returns a file with code for 8.0 alone, at this path.
File old_file(const std::string& path, const Kernels& kernels) {
  auto file = file_of({sass("80", kernels)});
  file.path = path;
  return file;
}

/// Returns a file with code for 8.0 alone, of which the first `broken` kernels lack code for 9.0.
File file_lacking(int broken, const std::string& path, const Kernels& kernels) {
  auto file = file_of({sass("80", kernels), sass("90", {kernels.begin() + broken, kernels.end()})});
  file.path = path;
  return file;
}

/// Adds the audit of a cell.
void add_cell(AuditReport& report, const std::string& cell, std::vector<File> files,
              const std::vector<std::string>& devices = {"8.0", "9.0"}) {
  report.by_cell = true;
  report.audits.push_back(report_of(std::move(files), devices, cell).audits[0]);
}

// --- maps ---

TEST(MapText, GoodKernelsShareRowsBesideBrokenOnes) {
  const auto text = text_of(report_of(file_lacking(9, "x.so", kernels_of(20)), {"8.0", "9.0"}));
  for (int index = 0; index < 9; ++index) {
    EXPECT_THAT(text, HasSubstr(fmt::format("\n  k{}               native   MISSING\n", index)));
  }
  EXPECT_THAT(text, HasSubstr("\n  k10 and 10 more  native   native\n"));
}

TEST(MapText, LongNamesOfTemplatesFitAPipe) {
  const std::string type = "N7cutlass4gemm6kernel13GemmUniversalIN4cute5tupleIJiiiiEEEfEE";
  const std::string long_name = "_Z13device_kernelI" + type + type + type + "EvT_";
  ASSERT_GT(fatbin::demangle(long_name).size(), 150U);
  Kernels kernels = kernels_of(3);
  kernels.insert(kernels.begin(), kernel(long_name));
  kernels.insert(kernels.begin(), kernel("_Z" + std::to_string(200) + std::string(200, 'n') + "v"));
  const auto broken = file_lacking(2, std::string(60, 'd') + "/libx.so", kernels);
  auto cells = report_of(broken, {"8.0", "9.0"}, "cu130-fat");
  add_cell(cells, "cu135-fat", {broken});
  for (const auto& audited : {report_of(broken, {"8.0", "9.0"}), cells}) {
    const auto text = text_of(audited);
    EXPECT_THAT(text, HasSubstr("device_kernel<"));
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) EXPECT_LE(line.size(), 80U) << line;
  }
}

TEST(MapText, BrokenKernelsShareRowsIfTheyDoNotFit) {
  const auto text_with = [](int broken) {
    return text_of(report_of(file_lacking(broken, "x.so", kernels_of(60)), {"8.0", "9.0"}));
  };
  EXPECT_THAT(text_with(16), HasSubstr("\n  k15              native   MISSING\n"));
  EXPECT_THAT(text_with(17), HasSubstr("\n  k0 and 16 more   native   MISSING\n"
                                       "  k17 and 42 more  native   native\n"));
}

TEST(MapText, SaysHowToSeeKernelsThatShareARow) {
  const std::string sentence =
      "\nkernels with equal verdicts share a row (--all shows every kernel)\n";
  const auto audited = report_of(file_lacking(1, "x.so", kernels_of(9)), {"8.0", "9.0"});
  EXPECT_THAT(text_of(audited), HasSubstr(sentence));
  EXPECT_THAT(text_of(audited, {{}, true}), Not(HasSubstr("--all")));
  EXPECT_THAT(text_of(report_of(file_lacking(1, "x.so", kernels_of(8)), {"8.0", "9.0"})),
              Not(HasSubstr("--all")));
}

TEST(MapText, NamesDifferBetweenBrokenKernelsAndOthers) {
  auto kernels = kernels_of(7);
  kernels.insert(kernels.begin(), {kernel("_Z1kPf"), kernel("_Z1kPi")});
  const auto text = text_of(report_of(file_lacking(1, "x.so", kernels), {"8.0", "9.0"}));
  EXPECT_THAT(text, AllOf(HasSubstr("\n  k(float*)"), HasSubstr("\n  k(int*) and 7 more")));
}

TEST(MapText, ABrokenMapTakesTheRowsThatItDraws) {
  std::vector<File> files;
  for (int index = 0; index < 6; ++index) {
    files.push_back(file_lacking(1, fmt::format("f{}.so", index), kernels_of(9 + index)));
  }
  const auto text = text_of(report_of(std::move(files), {"8.0", "9.0"}));
  EXPECT_THAT(text, HasSubstr("\nf5.so "));
  EXPECT_THAT(text, Not(HasSubstr("more files")));
}

TEST(MapText, EqualFilesTakeTheScreenOnce) {
  std::vector<File> files;
  for (int index = 0; index < 6; ++index) {
    files.push_back(file_lacking(1, fmt::format("f{}.so", index), kernels_of(9)));
  }
  const auto audited = report_of(std::move(files), {"8.0", "9.0"});
  EXPECT_THAT(text_of(audited), HasSubstr("\n  the same in f1.so, f2.so, f3.so and 2 more\n"));
  EXPECT_THAT(text_of(audited, {{}, true}),
              AllOf(HasSubstr("\nf5.so "), Not(HasSubstr("the same"))));
}

TEST(MapText, EqualMapsTakeTheScreenOnce) {
  AuditReport audited;
  for (const auto* cell : {"a-fat", "b-fat", "c-fat", "d-fat"}) {
    add_cell(audited, cell, {old_file("libx.so", kernels_of(25))}, {"8.0"});
  }
  const auto text = text_of(audited);
  EXPECT_THAT(text, HasSubstr("\n  the same in b-fat, c-fat, d-fat\n\n"));
  EXPECT_THAT(text, Not(HasSubstr("more cell")));
}

TEST(MapText, MapsThatOnlyLookEqualAreNot) {
  const auto text_with = [](const std::string& last) {
    AuditReport audited;
    for (const auto& name : {std::string("k_last"), last}) {
      auto kernels = kernels_of(44);
      kernels.push_back(kernel(name));
      add_cell(audited, "c" + name, {old_file("libx.so", kernels)}, {"8.0"});
    }
    return text_of(audited);
  };
  EXPECT_THAT(text_with("k_last"), HasSubstr("\n  the same in ck_last\n"));
  EXPECT_THAT(text_with("k_other"), AllOf(Not(HasSubstr("the same")), HasSubstr("\nck_other")));
}

TEST(MapText, MapsAreEqualDespiteTheHashesOfTheirBuilds) {
  AuditReport audited;
  for (const std::string hash : {"0cd80813", "c21eeec3"}) {
    const auto name = "_ZN39_GLOBAL__N__" + hash + "_9_sample_cu__Z1fPf4anonEPf";
    add_cell(audited, "c" + hash, {old_file("libx.so", {kernel(name)})}, {"8.0"});
  }
  EXPECT_THAT(text_of(audited), HasSubstr("\n  the same in cc21eeec3\n"));
}

TEST(MapText, ACellWithoutKernelsHasNoMap) {
  AuditReport audited;
  add_cell(audited, "full", {old_file("libx.so", kernels_of(1))}, {"8.0"});
  add_cell(audited, "idle", {old_file("libx.so", {})}, {"8.0"});
  EXPECT_THAT(text_of(audited), AllOf(StartsWith("full  8.0\n"), Not(HasSubstr("\nidle"))));
  EXPECT_THAT(markdown_of(audited), Not(HasSubstr("### idle")));
}

TEST(MapText, ForgesNothingByTheNameOfACell) {
  AuditReport audited;
  for (const auto* cell : {"a", "b\x1b[31m"}) {
    add_cell(audited, cell, {old_file("libx.so", kernels_of(1))}, {"8.0"});
  }
  EXPECT_THAT(text_of(audited), AllOf(HasSubstr("the same in b?[31m"), Not(HasSubstr("\x1b"))));
}

// --- findings of several cells ---

TEST(FindingText, OfDifferentKernelsInTwoCellsAreTwo) {
  const auto text_with = [](const std::string& others) {
    AuditReport audited;
    auto kernels = kernels_of(2);
    add_cell(audited, "A", {old_file("t/cells/A/libx.so", kernels)});
    kernels[1] = kernel(others);
    add_cell(audited, "B", {old_file("t/cells/B/libx.so", kernels)});
    return text_of(audited);
  };
  EXPECT_THAT(text_with("k1"), HasSubstr("\n  the same in 1 more cell: B\n"));
  EXPECT_THAT(text_with("z"), AllOf(Not(HasSubstr("more cell")),
                                    HasSubstr("missing: k0 and 1 more on 9.0, B/libx.so\n")));
}

TEST(FindingText, OfDifferentFilesInTwoCellsAreTwo) {
  const auto audited_with = [](const std::string& second) {
    AuditReport audited;
    add_cell(
        audited, "A",
        {old_file("t/cells/A/a.so", kernels_of(1)), old_file("t/cells/A/b.so", kernels_of(1))});
    add_cell(audited, "B",
             {old_file("t/cells/B/a.so", kernels_of(1)),
              old_file("t/cells/B/" + second, kernels_of(1))});
    return audited;
  };
  EXPECT_THAT(text_of(audited_with("b.so")), HasSubstr("\n  the same in 1 more cell: B\n"));
  const auto different = audited_with("z.so");
  EXPECT_THAT(text_of(different), AllOf(Not(HasSubstr("more cell")),
                                        HasSubstr("cell B, in 2 files, the first B/a.so\n")));
  EXPECT_THAT(text_of(different, {{}, true}), HasSubstr("\n  in t/cells/B/z.so\n"));
}

TEST(FindingText, MergesFilesOfACellThatLackTheSameArch) {
  AuditReport audited;
  for (const std::string cell : {"A", "B"}) {
    add_cell(audited, cell,
             {old_file("t/cells/" + cell + "/a.so", kernels_of(3)),
              old_file("t/cells/" + cell + "/b.so", kernels_of(2)),
              old_file("t/cells/" + cell + "/c.so", kernels_of(3))});
  }
  EXPECT_THAT(text_of(audited), HasSubstr("missing: k0 and 1 more on 9.0, A/b.so"))
      << "the fix is for a file";
  for (auto& audit : audited.audits) {
    for (auto& finding : audit.findings) {
      finding.broken->remedy.unasked = true;  // by the matrix file
      finding.broken->remedy.toolkit = coverage::Version{13, 5};
    }
  }
  const auto text = text_of(audited);
  const std::string line = "\nmissing: k0 and 7 more kernels in 3 files on 9.0, cell A\n";
  EXPECT_THAT(text, AllOf(HasSubstr(line), HasSubstr("\n  the same in 1 more cell: B\n")));
  EXPECT_EQ(text.find("missing: k0"), text.rfind("missing: k0")) << text;
  EXPECT_THAT(text, HasSubstr("\npromise broken: 6 findings"));
  const auto all = text_of(audited, {{}, true});
  EXPECT_THAT(all, AllOf(HasSubstr("k0 and 1 more on 9.0, cell A"), HasSubstr("t/cells/A/c.so")));
}

TEST(FindingText, SaysThatAFixWithACellIsForTheOthersToo) {
  AuditReport audited;
  audited.by_cell = true;
  for (const std::string cell : {"c0", "c1"}) {
    coverage::Finding finding;
    finding.code = "gpu-lost";
    finding.cell = cell;
    finding.message = "m";
    finding.fix = "build " + cell;
    audited.findings.push_back(finding);
  }
  EXPECT_THAT(text_of(audited), HasSubstr("\n  fix: build c0 (and likewise for the other cells)\n"
                                          "  the same in 1 more cell: c1\n"));
  for (auto& finding : audited.findings) finding.fix = "build";
  EXPECT_THAT(text_of(audited), HasSubstr("\n  fix: build\n  the same in 1 more cell: c1\n"));
}

// --- brief ---

report::TextStyle brief_style() {
  report::TextStyle style;
  style.brief = true;
  return style;
}

TEST(BriefText, ShowsTheFindingsOfACellWithoutTheMap) {
  const auto audited = report_of(file_lacking(9, "x.so", kernels_of(20)), {"8.0", "9.0"});
  EXPECT_THAT(text_of(audited), HasSubstr("native"));
  EXPECT_THAT(text_of(audited, brief_style()),
              AllOf(StartsWith("missing: x.so: k0 and 8 more on 9.0\n  "), HasSubstr("\n  fix: "),
                    Not(HasSubstr("native   ")), HasSubstr("\n\npromise broken: 1 finding")));
}

TEST(BriefText, ShowsAFindingOfATreesCellsInALineAndOthersCompletely) {
  AuditReport audited;
  for (const std::string cell : {"A", "B", "C"}) {
    add_cell(audited, cell, {old_file("t/cells/" + cell + "/a.so", kernels_of(1))});
  }
  coverage::Finding finding;
  finding.code = "unused-ignore";
  finding.message = "matches no kernel";
  finding.fix = "remove it";
  audited.findings.push_back(finding);
  const auto text = text_of(audited, brief_style());
  EXPECT_THAT(text, HasSubstr("\nmissing: k0 on 9.0, A/a.so (and 2 more cells)\n\npromise broken"));
  EXPECT_THAT(text, HasSubstr("unused-ignore:\n  matches no kernel\n  fix: remove it\n"));
}

}  // namespace
}  // namespace archgrid::tests
