// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <archgrid/coverage.hpp>
#include <fstream>

#include "files.hpp"

namespace archgrid::tests {
namespace {

using coverage::Baseline;
using ::testing::HasSubstr;

/// Writes a file whose path is unique to this run and test.
std::filesystem::path write_text(const std::string& text) {
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  auto path = std::filesystem::path(::testing::TempDir()) /
              ("archgrid-baseline-" + std::to_string(::getpid()) + test->name() + ".json");
  std::ofstream(path) << text;
  return path;
}

/// Returns a baseline with one file, whose kernels a and b are empty on 7.5.
Baseline baseline_of(const std::string& lists, const std::string& file) {
  const auto path = write_text(R"({"schema": "archgrid.audit/1", "files": [{"path": ")" + file +
                               R"(", "kernels": [
      {"name": "a", "verdicts": {"7.5": "empty", "8.0": "native"}},
      {"name": "b", "verdicts": {"7.5": "empty", "8.0": "native"}}]}], )" +
                               lists + "}");
  auto baseline = coverage::read_baseline(path);
  std::filesystem::remove(path);
  return baseline;
}

const std::string old_file = "x-1.0.whl!lib/libx-1a2b3c4d.so.4.8";
const std::string new_file = "y-1.1.whl!lib/libx-99887766.so.4.9";

std::string cause(const std::string& rule) {
  return R"({"code": "empty", "rule": ")" + rule + R"(", "path": ")" + old_file +
         R"(", "devices": ["7.5"], "kernels": 2, "kernel": "a", "message": "..."})";
}

Baseline baseline_of_errors() {
  return baseline_of(
      R"("findings": [)" + cause("no-sibling") + R"(], "suspects": [], "ignored": [])", old_file);
}

coverage::KernelTrouble trouble(const std::string& kernel) {
  return {"empty", "no-sibling", "", new_file, kernel, device("7.5"), coverage::Verdict::empty};
}

TEST(Baseline, RecordsTheReadingOfBodies) {
  const std::string none = R"("findings": [], "suspects": [], "ignored": [])";
  auto ran = trouble("a");
  ran.device = device("8.0");
  const auto old = baseline_of(none, old_file);
  EXPECT_TRUE(has_old_bodies(old));
  EXPECT_TRUE(coverage::ran(old, ran));
  EXPECT_FALSE(worked(old, ran)) << "its body may have been idle";
  const auto rules = std::to_string(coverage::kBodyRules);
  const auto today =
      baseline_of(R"("version": "0.9", "body_rules": )" + rules + ", " + none, old_file);
  EXPECT_EQ(today.version, "0.9");
  EXPECT_TRUE(worked(today, ran));
  EXPECT_FALSE(worked(today, trouble("a"))) << "empty on 7.5";
}

TEST(Baseline, RecordsTheDriver) {
  const std::string none = R"("findings": [], "suspects": [], "ignored": [])";
  EXPECT_FALSE(baseline_of(none, old_file).driver);
  const auto with_driver = baseline_of(R"("driver": "525", )" + none, old_file);
  EXPECT_TRUE(has_driver(with_driver, coverage::parse_driver("525.60")));
  EXPECT_FALSE(has_driver(with_driver, coverage::parse_driver("570")));
  EXPECT_FALSE(has_driver(with_driver, std::nullopt));
  EXPECT_TRUE(has_driver(baseline_of(R"("driver": "13.0", )" + none, old_file),
                         coverage::parse_driver("13.0")));
  EXPECT_THROW(baseline_of(R"("driver": "new", )" + none, old_file), coverage::BaselineError);
}

TEST(Baseline, OfAnAuditWithoutAPromiseServesOneWithAPromise) {
  const std::string lists =
      R"("findings": [)" + cause("sibling") + R"(], "suspects": [], "ignored": [], "notes": [)";
  auto promised = trouble("a");
  promised.rule = "promised";
  const auto without = baseline_of(lists + R"({"code": "like-other-kernels"}])", old_file);
  EXPECT_EQ(without.has_promise, false);
  EXPECT_TRUE(is_known(without, promised));
  EXPECT_FALSE(is_known(without, trouble("a"))) << "another rule of an audit like it";
  auto other = promised;
  other.verdict = coverage::Verdict::missing;
  EXPECT_FALSE(is_known(without, other)) << "it fails in another way";
  other = promised;
  other.device = device("8.0");
  EXPECT_FALSE(is_known(without, other)) << "no finding";
  other = promised;
  other.code = "jit";
  EXPECT_FALSE(is_known(without, other)) << "it had another finding there";
  const auto with = baseline_of(lists + "]", old_file);
  EXPECT_EQ(with.has_promise, true);
  EXPECT_FALSE(is_known(with, promised));
  EXPECT_TRUE(is_known(with, trouble("a")));
  EXPECT_TRUE(coverage::judged(with, device("8.0")));
  EXPECT_FALSE(coverage::judged(with, device("7.0")));
}

TEST(Baseline, OfAnEarlierReleaseCallsAllIdleBodiesEmpty) {
  const auto empty = baseline_of(
      R"("findings": [)" + cause("promised") + R"(], "suspects": [], "ignored": [])", old_file);
  auto trap = trouble("a");
  trap.code = "trap";
  trap.rule = "promised";
  trap.verdict = coverage::Verdict::empty;
  EXPECT_TRUE(is_known(empty, trap));
  trap.rule = "older-gpus";
  EXPECT_FALSE(is_known(empty, trap)) << "audits without a promise always told them apart";
}

TEST(Baseline, KnowsKernelsInTheNextReleaseOfTheirFile) {
  const auto baseline = baseline_of_errors();
  EXPECT_TRUE(is_known(baseline, trouble("a")));
  EXPECT_TRUE(is_known(baseline, trouble("b")));
  EXPECT_FALSE(is_known(baseline, trouble("c"))) << "another kernel";
  auto other = trouble("a");
  other.device = device("8.0");
  EXPECT_FALSE(is_known(baseline, other)) << "another GPU";
  other = trouble("a");
  other.verdict = coverage::Verdict::missing;
  EXPECT_FALSE(is_known(baseline, other)) << "it fails in another way";
  other = trouble("a");
  other.path = "y-1.1.whl!old/libx.so";
  EXPECT_FALSE(is_known(baseline, other)) << "another folder and name";
  other = trouble("a");
  other.cell = "cu135-fat";
  EXPECT_FALSE(is_known(baseline, other));
}

TEST(Baseline, ASuspectHidesNoError) {
  const auto baseline = baseline_of(
      R"("findings": [], "suspects": [)" + cause("sibling") + R"(], "ignored": [])", old_file);
  EXPECT_FALSE(is_known(baseline, trouble("a")));
  auto suspect = trouble("a");
  suspect.rule = "sibling";
  EXPECT_TRUE(is_known(baseline, suspect));
}

TEST(Baseline, AQuestionDoesNotMakeAKnownSuspectNew) {
  const auto known = [](const std::string& then, const std::string& now) {
    const auto baseline = baseline_of(
        R"("findings": [], "suspects": [)" + cause(then) + R"(], "ignored": [])", old_file);
    auto found = trouble("a");
    found.rule = now;
    return is_known(baseline, found);
  };
  EXPECT_TRUE(known("minority", "asked"));
  EXPECT_TRUE(known("asked", "minority"));
  EXPECT_FALSE(known("variant", "asked"));
  EXPECT_FALSE(known("minority", "package"));
}

TEST(Baseline, KnowsWhatItsOwnBaselineOrAnIgnoreCovered) {
  const auto with_reason = [](const std::string& reason) {
    auto entry = cause("no-sibling");
    entry.insert(entry.size() - 1, R"(, "reason": ")" + reason + '"');
    return baseline_of(R"("findings": [], "suspects": [], "ignored": [)" + entry + "]", old_file);
  };
  EXPECT_TRUE(is_known(with_reason("known from old.json"), trouble("a")));
  EXPECT_TRUE(is_known(with_reason("not shipped"), trouble("a"))) << "an --ignore of then";
  const auto nothing = baseline_of(R"("findings": [], "suspects": [], "ignored": [])", old_file);
  EXPECT_FALSE(is_known(nothing, trouble("a")));
}

TEST(Baseline, TakesAFileByItsNameWhereThatIsTheOnlyOne) {
  const auto finding = [](const std::string& path) {
    return R"({"code": "empty", "path": ")" + path +
           R"(", "device": "7.5", "kernel": "a", "message": "..."})";
  };
  const auto baseline = baseline_of(
      R"("findings": [)" + finding("old/libx.so") + R"(], "suspects": [], "ignored": [])",
      "old/libx.so");
  coverage::KernelTrouble promised = {
      "empty", "promised", "", "new/libx.so.2", "a", device("7.5"), coverage::Verdict::empty};
  EXPECT_TRUE(is_known(baseline, promised));
  promised.path = "new/liby.so";
  EXPECT_FALSE(is_known(baseline, promised));
}

Baseline baseline_with(const std::string& finding) {
  return baseline_of(R"("findings": [)" + finding + R"(], "suspects": [], "ignored": [])",
                     old_file);
}

TEST(Baseline, WhatHasNoVerdictIsKnownByItsFacts) {
  const auto baseline = baseline_with(
      R"({"code": "driver-too-old-for-gpu", "device": "12.0",
          "facts": {"driver": "driver 525", "branch": "570", "install": "570"},
          "message": "told otherwise then"})");
  coverage::FileTrouble trouble;
  trouble.code = "driver-too-old-for-gpu";
  trouble.device = "12.0";
  trouble.facts = {
      {"driver", "driver 525"}, {"branch", "570"}, {"install", "580"}, {"asked", "yes"}};
  EXPECT_TRUE(is_known(baseline, trouble)) << "a fact more, and another file needs a newer driver";
  trouble.facts["driver"] = "driver 470";
  EXPECT_FALSE(is_known(baseline, trouble));
  trouble.facts.erase("driver");
  EXPECT_FALSE(is_known(baseline, trouble)) << "what the baseline tells is not told any more";
  trouble.facts["driver"] = "driver 525";
  trouble.device = "10.0";
  EXPECT_FALSE(is_known(baseline, trouble));
  trouble.device = "12.0";
  trouble.kernel = "a";
  EXPECT_FALSE(is_known(baseline, trouble));
}

TEST(Baseline, WhatHasNoFactsIsKnownByItsSentence) {
  const auto baseline =
      baseline_with(R"({"code": "unused-ignore", "message": "'a' matches none"})");
  coverage::FileTrouble trouble;
  trouble.code = "unused-ignore";
  trouble.message = "'a' matches none";
  EXPECT_TRUE(is_known(baseline, trouble));
  trouble.message = "'b' matches none";
  EXPECT_FALSE(is_known(baseline, trouble));
  trouble.code = "stripped";
  trouble.message = "'a' matches none";
  EXPECT_FALSE(is_known(baseline, trouble));
}

TEST(Baseline, TheKernelsOfAPackageAreThoseOfAllItsFiles) {
  const auto file = [](const std::string& path, const std::string& kernels,
                       const std::string& more = "") {
    return R"({"path": ")" + path + R"(", "kernels": [)" + kernels + "]" + more + "}";
  };
  const std::string a = R"({"name": "a", "verdicts": {"7.5": "native", "8.0": "native"}})";
  const std::string old_a = R"({"name": "a", "verdicts": {"7.5": "missing", "8.0": "native"}})";
  const std::string b = R"({"name": "b", "verdicts": {"7.5": "compatible", "8.0": "jit"}})";
  const auto path = write_text(
      R"({"schema": "archgrid.audit/1", "findings": [], "suspects": [], "ignored": [],
          "files": [)" +
      file("x-1.0.whl!lib/libone.so", a, R"(, "by_ptx": ["9.0"])") + ", " +
      file("x-1.0.whl!lib/libtwo.so", old_a + ", " + b) + ", " + file("y-1.0.whl!liby.so", b) +
      ", " + file("plain.so", b) + "]}");
  const auto baseline = coverage::read_baseline(path);
  std::filesystem::remove(path);
  const auto on = [&](const std::vector<std::string>& paths) {
    const auto ran = coverage::ran_by(baseline, "", paths);
    std::string text = std::to_string(ran.kernels);
    for (const auto& [gpu, kernels] : ran.machine_code.kernels) {
      text += ", " + gpu.text() + ": " + std::to_string(kernels);
    }
    for (const auto& [gpu, kernels] : ran.any_code.kernels) {
      const auto found = ran.machine_code.kernels.find(gpu);
      if (found != ran.machine_code.kernels.end() && found->second == kernels) continue;
      text += ", any " + gpu.text() + ": " + std::to_string(kernels);
    }
    return text;
  };
  EXPECT_EQ(on({"x-1.1.whl!lib/libone.so"}), "2, 7.5: 2, 8.0: 1, any 8.0: 2, any 9.0: 1")
      << "libtwo.so is gone";
  EXPECT_EQ(on({"renamed-1.1.whl!lib/libone.so"}), "2, 7.5: 2, 8.0: 1, any 8.0: 2, any 9.0: 1");
  EXPECT_EQ(on({"x-1.1.whl!libother.so"}), "2, 7.5: 2, 8.0: 1, any 8.0: 2, any 9.0: 1")
      << "each file has a new name";
  EXPECT_EQ(on({"plain.so"}), "1, 7.5: 1, any 8.0: 1");
  EXPECT_EQ(on({"other.so"}), "0");
}

/// Returns the error for a file that is not a baseline.
std::string refusal(const std::string& text) {
  const auto path = write_text(text);
  try {
    coverage::read_baseline(path);
  } catch (const coverage::BaselineError& error) {
    std::filesystem::remove(path);
    EXPECT_THAT(error.what(), HasSubstr(path.string()));
    return error.what();
  }
  return "accepted";
}

TEST(Baseline, IsAnAuditAndNothingElse) {
  EXPECT_THAT(refusal(R"({"schema": "archgrid.audit/1", "files": [], "suspects": [], "ignored": [],
                          "findings": [{"code": "stripped", "facts": {}, "message": "x"}]})"),
              HasSubstr("empty \"facts\""));
  EXPECT_THAT(refusal("{"), HasSubstr("not JSON"));
  EXPECT_THAT(refusal("{"), ::testing::Not(HasSubstr("archgrid audit"))) << "it was to be JSON";
  for (const char* text : {"PK\x03\x04 a wheel",
                           "\x7f"
                           "ELF",
                           " x"}) {
    EXPECT_THAT(refusal(text), HasSubstr(": not JSON: a baseline is what an earlier audit wrote\n"
                                         "  fix: write it first: archgrid audit /"));
    EXPECT_THAT(refusal(text), HasSubstr(".json --json=old.json"));
  }
  EXPECT_THAT(refusal("[]"), HasSubstr("a baseline is what `archgrid audit --json=FILE` wrote"));
  EXPECT_THAT(refusal(R"({"schema": "archgrid.list/1"})"),
              HasSubstr("is not \"archgrid.audit/1\""));
  EXPECT_THAT(refusal(R"({"schema": "archgrid.audit/1", "files": []})"), HasSubstr("findings"));
  EXPECT_THAT(refusal(R"({"schema": "archgrid.audit/1", "files": [{"path": "x", "kernels": [
                          {"name": "k", "verdicts": {"none": "missing"}}]}]})"),
              HasSubstr("\"none\" is no GPU"));
}

}  // namespace
}  // namespace archgrid::tests
