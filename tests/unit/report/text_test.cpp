// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests which maps, rows and findings share the screen.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports.hpp"

namespace archgrid::tests {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

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

/// Adds the audit of a cell.
void add_cell(AuditReport& report, const std::string& cell, std::vector<File> files,
              const std::vector<std::string>& devices = {"8.0", "9.0"}) {
  report.by_cell = true;
  report.audits.push_back(report_of(std::move(files), devices, cell).audits[0]);
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

}  // namespace
}  // namespace archgrid::tests
