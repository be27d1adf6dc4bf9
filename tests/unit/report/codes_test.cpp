// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the texts of codes, and ignores that accept a finding.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <archgrid/coverage/ignore_codes.hpp>
#include <archgrid/coverage/rules.hpp>
#include <archgrid/report/codes.hpp>
#include <nlohmann/json.hpp>
#include <set>

#include "reports.hpp"

namespace archgrid::tests {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

coverage::Finding finding_about(const std::string& code, const std::string& path,
                                const std::string& demangled = "") {
  coverage::Finding finding;
  finding.code = code;
  finding.path = path;
  finding.kernel = demangled;
  finding.demangled = fatbin::demangle(demangled);
  return finding;
}

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
  for (const auto rule : coverage::all_rules()) {
    for (const auto& line : lines_of(report::rule_text(rule, {}, 80))) {
      EXPECT_LE(line.size(), 80U) << line;
    }
  }
  for (const auto& line : lines_of(report::codes_text({}, 80))) EXPECT_LE(line.size(), 80U) << line;
  EXPECT_EQ(report::code_text(*report::find_code("stub"), {}, 80),
            "stub: The body only prints or asserts\n"
            "\n"
            "means     The code for these GPUs says that it is for others, and does no work.\n"
            "evidence  promised: a promise of the matrix file or of [tool.archgrid], or\n"
            "          --accept, names the kernel and the GPU\n"
            "evidence  no-sibling: the body in the image for the GPU does no work, and no\n"
            "          other variant of the kernel works there\n"
            "evidence  own-generation: the body for the GPU only prints or asserts, and the\n"
            "          kernel works on another GPU of the generation\n"
            "evidence  worked: the body for the GPU does no work, and by the baseline the\n"
            "          kernel worked there\n"
            "evidence  asked: the GPU was asked about, and most of the package does not run\n"
            "          there, or does nothing\n"
            "fix       Look at the #if __CUDA_ARCH__ guards, or let host code not launch the\n"
            "          kernel there.\n"
            "ignore    --ignore 'stub:PATTERN=REASON', PATTERN for the kernel or its file\n");
}

TEST(Codes, OfOneFindingMakeAnIgnoreThatMatchesIt) {
  EXPECT_EQ(report::ignore_of(finding_about("missing", "a/libx.so", "_ZN2ns4tileIfEEvPT_")),
            "missing:ns::tile<float>");
  auto several = finding_about("missing", "a/libx.so", "k");
  several.kernels = 2;
  EXPECT_EQ(report::ignore_of(several), "missing:libx.so");
  EXPECT_EQ(report::ignore_of(finding_about("stripped", "x.whl!lib/libx-1a2b3c4d.so.12.4")),
            "stripped:libx-*");
  EXPECT_EQ(report::ignore_of(finding_about("stripped", "libx.so.4.8.5")), "stripped:libx.so.*");
  EXPECT_EQ(report::ignore_of(finding_about("gpu-lost", "dist/some-2.1.whl")), "gpu-lost:some-*");
  EXPECT_EQ(report::ignore_of(finding_about("not-built", "libx.so")), "");
  EXPECT_EQ(report::ignore_of(finding_about("debug-code", "libx.so")), "");
  EXPECT_EQ(report::ignore_of(finding_about("stripped", "")), "");
  EXPECT_EQ(report::ignore_of(finding_about("stripped", "it's.so")), "") << "the shell's quote";
  EXPECT_EQ(report::ignore_of(finding_about("missing", "libx.so", "op=")), "missing:libx.so");
  EXPECT_EQ(report::ignore_of(finding_about("stripped", "libverylongname.so"), 20),
            "stripped:libvery*.so");
  EXPECT_EQ(report::ignore_of(finding_about("stripped", "libx.so"), 15), "");
}

TEST(Codes, OfALongNameMakeAnIgnoreForItAlone) {
  const auto named = [](const std::string& end) {
    return finding_about("missing", "libx.so", "gemm<" + std::string(5000, 'x') + end);
  };
  const auto ignore = report::ignore_of(named("float>"));
  EXPECT_LE(ignore.size(), 200U);
  const auto pattern = ignore.substr(std::string("missing:").size());
  EXPECT_TRUE(coverage::matches_pattern(pattern, named("float>").kernel.str()));
  EXPECT_FALSE(coverage::matches_pattern(pattern, named("double>").kernel.str()));
}

/// Audits the file for native code on 9.0.
AuditReport native_report(const File& file, const std::vector<coverage::Ignore>& ignores) {
  coverage::Request wanted;
  wanted.promises.emplace_back();
  wanted.promises[0].devices = {device("9.0")};
  wanted.promises[0].accept = {coverage::Verdict::native};
  wanted.place = coverage::PromisePlace::options;
  wanted.ignores = ignores;
  AuditReport audited;
  audited.audits.push_back(coverage::audit({file}, wanted));
  return audited;
}

TEST(IgnoreHint, SilencesWhatItIsFor) {
  const auto file_named = [](const std::string& path, std::vector<fatbin::Kernel> kernels) {
    auto file = file_of({sass("80", std::move(kernels))});
    file.path = path;
    return file;
  };
  std::vector<fatbin::Kernel> thousands;
  for (int index = 0; index < 3000; ++index) {
    thousands.push_back(kernel("k" + std::to_string(index) + std::string(90, 'x')));
  }
  const std::string long_file = "lib" + std::string(300, 'y') + ".so";
  for (const auto& file : {file_named("libx.so", {kernel("only")}),
                           file_named("libx.so", {kernel(std::string(3000, 'k'))}),
                           file_named("x.whl!lib/libx-1a2b3c4d.so.12.4", thousands),
                           file_named(long_file, thousands)}) {
    for (const std::size_t columns : {std::size_t{80}, std::string::npos}) {
      report::TextStyle style;
      style.columns = columns;
      const auto text = text_of(native_report(file, {}), style);
      const std::string option = "--ignore '";
      const auto at = text.find(option);
      ASSERT_NE(at, std::string::npos) << text;
      const auto begin = at + option.size();
      const auto pasted = text.substr(begin, text.find("=REASON'", begin) - begin);
      EXPECT_LE(pasted.size(), 200U);
      coverage::Ignore ignore;
      coverage::read_ignored(pasted, ignore);
      const auto silenced = native_report(file, {ignore});
      EXPECT_TRUE(silenced.audits[0].findings.empty()) << pasted;
      EXPECT_FALSE(silenced.audits[0].ignored.empty()) << pasted;
    }
  }
}

TEST(IgnoreHint, IsOneLineBelowTheErrors) {
  const std::string hint =
      "\nto ignore one: \"missing:k@9.0\" in an \"ignore\" of the matrix file\n";
  auto audited = report_of(file_of({sass("80")}), {"8.0", "9.0"});
  EXPECT_THAT(text_of(audited), HasSubstr(hint));
  EXPECT_THAT(
      text_of(audited, {{}, true}),
      AllOf(HasSubstr("\n  to ignore it: \"missing:k@9.0\" in an \"ignore\" of the matrix file\n"),
            Not(HasSubstr("to ignore one"))));
  auto& finding = audited.audits[0].findings.at(0);
  finding.broken->remedy.place = coverage::PromisePlace::pyproject;
  EXPECT_THAT(
      text_of(audited),
      HasSubstr("\nto ignore one: \"missing:k@9.0\" in an \"ignore\" of [tool.archgrid]\n"));
  finding.broken->remedy.place = coverage::PromisePlace::options;
  EXPECT_THAT(text_of(audited), HasSubstr("\nto ignore one: --ignore 'missing:k@9.0=REASON'\n"));
  report::TextStyle brief;
  brief.brief = true;
  EXPECT_THAT(text_of(audited, brief), HasSubstr("\nto ignore one: "));
  finding.broken->remedy.place = coverage::PromisePlace::cmake;
  finding.broken->remedy.audited = "mylib";
  EXPECT_THAT(text_of(audited),
              HasSubstr("\nto ignore one, in CMakeLists.txt:\n"
                        "archgrid_audit(mylib IGNORE \"missing:k@9.0=REASON\")\n"));
  EXPECT_THAT(
      text_of(audited, {{}, true}),
      HasSubstr("\n  to ignore it: archgrid_audit(mylib IGNORE \"missing:k@9.0=REASON\")\n"));
  finding.broken->remedy.place = coverage::PromisePlace::options;
  finding.cell = "cu130-fat";
  EXPECT_THAT(text_of(audited), HasSubstr(hint));
  EXPECT_THAT(text_of(audited, brief), Not(HasSubstr("to ignore one")));
}

TEST(IgnoreHint, NamesGpusUnlessItIsAboutAll) {
  const auto hint_for = [](const std::vector<std::string>& devices) {
    return text_of(report_of(file_of({sass("80")}), devices));
  };
  EXPECT_THAT(hint_for({"8.0", "9.0"}), HasSubstr("\nto ignore one: \"missing:k@9.0\" in "));
  EXPECT_THAT(hint_for({"8.0", "9.0", "12.0"}), HasSubstr("\"missing:k@9.0,12.0\" in "));
  EXPECT_THAT(hint_for({"9.0", "12.0"}), HasSubstr("\"missing:k\" in "));
}

TEST(IgnoreHint, OfADriverNamesThePlaceOfThePromise) {
  AuditReport audited;
  audited.audits.emplace_back();
  audited.audits[0].findings.push_back(finding_about("driver-too-old-for-gpu", ""));
  auto& finding = audited.audits[0].findings[0];
  finding.device = "9.0";
  finding.facts = {{"place", ""}, {"driver", "driver 450"}, {"branch", "520"}, {"install", "520"}};
  const std::string pattern = "driver-too-old-for-gpu:9.0";
  EXPECT_THAT(text_of(audited), HasSubstr("\nto ignore one: --ignore '" + pattern + "=REASON'\n"));
  audited.place = coverage::PromisePlace::cmake;
  audited.audited = "mylib";
  EXPECT_THAT(text_of(audited), HasSubstr("\nto ignore one, in CMakeLists.txt:\narchgrid_audit("
                                          "mylib IGNORE \"" +
                                          pattern + "=REASON\")\n"));
  audited.place = coverage::PromisePlace::matrix_file;
  EXPECT_THAT(text_of(audited), HasSubstr("\nto ignore one: \"" + pattern +
                                          "\" in an \"ignore\" of the matrix file\n"));
}

TEST(IgnoreHint, SaysThatAPatternForAFileCoversItsKernels) {
  const auto audited = report_of(file_of({sass("80", {kernel("a"), kernel("b")})}), {"8.0", "9.0"});
  EXPECT_THAT(text_of(audited),
              HasSubstr("\nto ignore all of its file:\n\"missing:libx.so@9.0\" in "));
}

TEST(IgnoreHint, FitsTheScreen) {
  auto file = file_of({sass("80", {kernel(std::string(300, 'k'))})});
  auto audited = report_of(std::move(file), {"8.0", "9.0"});
  for (const auto place : {coverage::PromisePlace::matrix_file, coverage::PromisePlace::pyproject,
                           coverage::PromisePlace::options}) {
    audited.audits[0].findings.at(0).broken->remedy.place = place;
    report::TextStyle style;
    style.columns = 80;
    std::string hint;
    for (const auto& line : lines_of(text_of(audited, style))) {
      if (line.rfind("to ignore one: ", 0) == 0) hint += line;
    }
    EXPECT_EQ(hint.size(), 80U) << hint;
    EXPECT_THAT(hint, HasSubstr("kk*"));
  }
}

TEST(IgnoreHint, OfALongTargetExceedsTheScreenByItsName) {
  auto audited = report_of(file_of({sass("80", {kernel(std::string(300, 'k'))})}), {"8.0", "9.0"});
  auto& remedy = audited.audits[0].findings.at(0).broken->remedy;
  remedy.place = coverage::PromisePlace::cmake;
  report::TextStyle style;
  style.columns = 80;
  for (const auto length : {5U, 90U}) {
    remedy.audited = std::string(length, 't');
    const auto text = text_of(audited, style);
    const auto begin = text.find("archgrid_audit(" + remedy.audited + " IGNORE \"missing:kk");
    ASSERT_NE(begin, std::string::npos) << text;
    const auto call = text.substr(begin, text.find('\n', begin) - begin);
    EXPECT_THAT(call, ::testing::EndsWith("=REASON\")"));
    if (length == 5U) EXPECT_EQ(call.size(), 80U);
  }
}

TEST(IgnoreHint, IsAbsentWhereNothingMatches) {
  AuditReport audited;
  audited.findings.push_back(finding_about("not-built", ""));
  audited.findings[0].message = "m";
  EXPECT_THAT(text_of(audited), Not(HasSubstr("to ignore one")));
}

TEST(Json, HasAnIgnoreForEachError) {
  const auto document =
      nlohmann::json::parse(json_of(report_of(file_of({sass("80")}), {"8.0", "9.0"})));
  EXPECT_EQ(document.at("findings").at(0).at("ignore"), "missing:k");
}

}  // namespace
}  // namespace archgrid::tests
