// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the texts of codes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <archgrid/coverage/ignore_codes.hpp>
#include <archgrid/report/codes.hpp>
#include <set>

#include "reports.hpp"

namespace archgrid::tests {
namespace {

TEST(Codes, ThatAnIgnoreMayNameAreThoseOfKernelsAndFiles) {
  std::set<std::string_view> ignorable;
  for (const auto& code : report::all_codes()) {
    if (report::can_be_ignored(code)) ignorable.insert(code.code);
  }
  const auto& known = coverage::ignorable_codes();
  EXPECT_EQ(ignorable, std::set<std::string_view>(known.begin(), known.end()));
}

TEST(Codes, HaveOneEntryEach) {
  std::set<std::string_view> codes;
  for (const auto& code : report::all_codes()) {
    EXPECT_TRUE(codes.insert(code.code).second) << code.code;
    EXPECT_EQ(report::explain(code.code).title, code.title);
  }
  EXPECT_FALSE(report::find_code("nonsense"));
  EXPECT_EQ(report::explain("nonsense").title, "nonsense");
}

TEST(Codes, AreExplainedWithinTheScreen) {
  for (const auto& code : report::all_codes()) {
    for (const auto& line : lines_of(report::code_text(code, {}, 80))) {
      EXPECT_LE(line.size(), 80U) << line;
    }
  }
  for (const auto& line : lines_of(report::codes_text({}, 80))) EXPECT_LE(line.size(), 80U) << line;
  EXPECT_EQ(report::code_text(*report::find_code("stub"), {}, 80),
            "stub: The body only prints or asserts\n"
            "\n"
            "means     The code for these GPUs says that it is for others, and does no work.\n"
            "evidence  no-sibling: the body in the image for the GPU does no work, and no\n"
            "          kernel of its family works there\n"
            "evidence  own-generation: the body for the GPU only prints or asserts, and the\n"
            "          kernel works on another GPU of the generation\n"
            "fix       Look at the #if __CUDA_ARCH__ guards, or let host code not launch the\n"
            "          kernel there.\n"
            "ignore    --ignore 'stub:PATTERN=REASON', PATTERN for the kernel or its file\n");
}

}  // namespace
}  // namespace archgrid::tests
