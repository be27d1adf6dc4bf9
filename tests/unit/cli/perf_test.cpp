// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Tests archgrid perf. A shell script acts as a benchmark and writes predefined times.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "command.hpp"

namespace archgrid::tests {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

/// Makes a program whose runs take about `seconds`. It records each run in `order`.
std::string program(const std::string& name, double seconds, const std::string& last = "exit 0") {
  const auto path = folder() / name;
  const auto order = (folder() / "order").string();
  write(path,
        "#!/bin/sh\nprintf '" + name + " ' >> " + quoted(order) + "\nrun=$(wc -w < " +
            quoted(order) +
            ")\ncat > \"$ARCHGRID_PERF_RECORD\" <<END\n"
            R"({"schema": "archgrid.perf/1", "key": {"gpu": "a card", "compute_capability": )"
            R"("9.0", "driver": "580.1", "toolkit": "13.0", "clocks": "default"},)"
            R"("ceilings": [], "benchmarks": [{"name": "gemm<1>|x", "cache": "hot", "bytes": 0,)"
            R"("flops": 1e9, "runs": [{"build": ")" +
            name + R"(", "date": "2026-02-01T12:30:00Z", "throttled": false,)" +
            R"("throttle_reasons": [], "seconds": [)" + std::to_string(seconds) +
            "$((run % 10))]}]}]}\nEND\necho \"argument: $1\"\n" + last + "\n");
  fs::permissions(path, fs::perms::owner_all);
  return path.string();
}

Outcome run_both(double base, double fresh, std::vector<std::string> more = {}) {
  std::vector<std::string> words = {
      "perf", "run", "--base", program("base", base), "--new", program("new", fresh)};
  words.insert(words.end(), more.begin(), more.end());
  return run(words);
}

TEST(Perf, RunInterleavesAndFailsForASlowerBuildOnly) {
  const auto slower = run_both(0.001, 0.0011, {"--pairs", "10"});
  EXPECT_EQ(slower.code, 1) << slower.err;
  EXPECT_THAT(slower.out, HasSubstr("SLOWER: 1 benchmark: 1 SLOWER"));
  EXPECT_THAT(slower.out, HasSubstr("Wilcoxon signed-rank test"));
  EXPECT_EQ(contents_of(folder() / "order").substr(0, 36), "base new new base base new new base ");
  const auto same = run_both(0.001, 0.001, {"--pairs", "10"});
  EXPECT_EQ(same.code, 0) << same.err;
  EXPECT_THAT(same.out, HasSubstr("SAME: 1 benchmark"));
  const auto faster = run_both(0.001, 0.0008, {"--pairs", "10"});
  EXPECT_EQ(faster.code, 0) << faster.err;
  EXPECT_THAT(faster.out, HasSubstr("FASTER: 1 benchmark"));
}

TEST(Perf, RunWithTooFewPairsHasNoData) {
  const auto few = run_both(0.001, 0.001, {"--pairs", "3"});
  EXPECT_EQ(few.code, 1);
  EXPECT_THAT(few.out, HasSubstr("NO_DATA: 1 benchmark"));
  EXPECT_EQ(run_both(0.001, 0.001, {"--pairs", "3", "--allow-no-data"}).code, 0);
}

TEST(Perf, RunSavesWhatCompareReads) {
  const auto base = (folder() / "base.json").string();
  const auto fresh = (folder() / "new.json").string();
  ASSERT_EQ(
      run_both(0.001, 0.0011, {"--pairs", "10", "--save-base", base, "--save-new", fresh}).code, 1);
  const auto again = run({"perf", "compare", base, fresh, "--json"});
  EXPECT_EQ(again.code, 1) << again.err;
  const auto document = json::parse(again.out);
  EXPECT_EQ(document["decision"], "SLOWER");
  EXPECT_EQ(document["passes"], false);
  EXPECT_EQ(document["benchmarks"][0]["pairs"], 10);
  EXPECT_NEAR(document["benchmarks"][0]["time"]["estimate"].get<double>(), 0.1, 0.01);
  EXPECT_EQ(run({"perf", "compare", fresh, base}).code, 0);
  const auto lenient =
      run({"perf", "compare", base, fresh, "--negligible", "15", "--tolerance", "20"});
  EXPECT_EQ(lenient.code, 0) << lenient.out;
  EXPECT_THAT(lenient.out, HasSubstr("SAME"));
}

json build_in(const std::string& path) {
  return json::parse(contents_of(path))["benchmarks"][0]["runs"][0]["build"];
}

TEST(Perf, RunNamesABuildThatNamesNone) {
  const auto base = (folder() / "base.json").string();
  const auto nameless =
      program("nameless", 0.001, "sed -i 's/nameless/unnamed/' \"$ARCHGRID_PERF_RECORD\"");
  const auto named = program("named", 0.001);
  const auto fresh = (folder() / "new.json").string();
  run({"perf", "run", "--base", nameless, "--new", named, "--pairs", "1", "--save-base", base,
       "--save-new", fresh});
  EXPECT_EQ(build_in(base), nameless);
  EXPECT_EQ(build_in(fresh), "named");
}

TEST(Perf, RunTellsBuildsOfOneNameApart) {
  const auto base = (folder() / "base.json").string();
  const auto one = program("one", 0.001, "sed -i 's/\"one\"/\"cell\"/' \"$ARCHGRID_PERF_RECORD\"");
  const auto two = program("two", 0.001, "sed -i 's/\"two\"/\"cell\"/' \"$ARCHGRID_PERF_RECORD\"");
  const auto fresh = (folder() / "new.json").string();
  run({"perf", "run", "--base", one, "--new", two, "--pairs", "1", "--save-base", base,
       "--save-new", fresh});
  EXPECT_EQ(build_in(base), one);
  EXPECT_EQ(build_in(fresh), two);
}

TEST(Perf, RunNamesTheRunThatFails) {
  const auto good = program("good", 0.001);
  const auto crash = program("crash", 0.001, "echo broken kernel; kill -SEGV $$");
  const auto crashed = run({"perf", "run", "--base", good, "--new", crash});
  EXPECT_EQ(crashed.code, 2);
  EXPECT_THAT(crashed.err, Says("crash (new, pair 1): was ended by signal 11"));
  EXPECT_THAT(crashed.err, Says("broken kernel"));
  const auto failed =
      run({"perf", "run", "--base", program("bad", 0.001, "exit 3"), "--new", good});
  EXPECT_EQ(failed.code, 2);
  EXPECT_THAT(failed.err, Says("bad (base, pair 1): ended with exit code 3"));
  const auto silent = run({"perf", "run", "--base", "true", "--new", good});
  EXPECT_EQ(silent.code, 2);
  EXPECT_THAT(silent.err, Says("true (base, pair 1): wrote no record"));
  const auto missing = run({"perf", "run", "--base", good, "--new", "/no/such/program"});
  EXPECT_EQ(missing.code, 2);
  EXPECT_THAT(missing.err, Says("/no/such/program (new, pair 1): cannot be started"));
}

TEST(Perf, RunPassesArgumentsOn) {
  const auto failing = program("failing", 0.001, "exit 1");
  const auto outcome = run({"perf", "run", "--base", failing, "--new", failing, "--", "--some=x"});
  EXPECT_THAT(outcome.err, Says("argument: --some=x"));
}

TEST(Perf, MergeKeepsAllRunsAndRefusesOtherKeys) {
  const auto base = (folder() / "base.json").string();
  const auto fresh = (folder() / "new.json").string();
  const auto all = (folder() / "all.json").string();
  run_both(0.001, 0.0011, {"--pairs", "2", "--save-base", base, "--save-new", fresh});
  const auto merged = run({"perf", "merge", all, base, fresh});
  EXPECT_EQ(merged.code, 0) << merged.err;
  EXPECT_EQ(json::parse(contents_of(all))["benchmarks"][0]["runs"].size(), 4U);
  EXPECT_EQ(run({"perf", "merge", all, all, base}).code, 0);
  EXPECT_EQ(json::parse(contents_of(all))["benchmarks"][0]["runs"].size(), 4U);
  auto other = json::parse(contents_of(base));
  other["key"]["driver"] = "590.1";
  write(folder() / "other.json", other.dump());
  const auto before = contents_of(all);
  const auto refused = run({"perf", "merge", all, base, (folder() / "other.json").string()});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, Says("base.json and"));
  EXPECT_THAT(refused.err, Says("the driver (580.1 and 590.1)"));
  EXPECT_EQ(contents_of(all), before);
  const auto compared = run({"perf", "compare", base, (folder() / "other.json").string()});
  EXPECT_EQ(compared.code, 0);
  EXPECT_THAT(compared.out, HasSubstr("NO_BASELINE: 1 benchmark"));
}

TEST(Perf, WritesForPullRequests) {
  const auto base = (folder() / "base.json").string();
  const auto fresh = (folder() / "new.json").string();
  const auto page = folder() / "page.md";
  run_both(0.001, 0.0011, {"--pairs", "10", "--save-base", base, "--save-new", fresh});
  const auto summary = (folder() / "summary").string();
  const auto outcome =
      run({"perf", "compare", base, fresh, "--github", "--markdown", page.string()},
          "GITHUB_STEP_SUMMARY=" + quoted(summary));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("::error title=SLOWER%3A gemm<1>|x::"));
  EXPECT_THAT(contents_of(page), HasSubstr("| `gemm<1>\\|x` | hot |"));
  EXPECT_EQ(contents_of(page), contents_of(summary));
  EXPECT_EQ(run({"perf", "compare", base, fresh, "--github", "--json"}).code, 2);
}

TEST(Perf, KeepsAHistoryAndDrawsIt) {
  const auto base = (folder() / "base.json").string();
  const auto fresh = (folder() / "new.json").string();
  const auto history = (folder() / "history.db").string();
  run_both(0.001, 0.0011, {"--pairs", "10", "--save-base", base, "--save-new", fresh});
  auto measured = json::parse(contents_of(base));
  auto& benchmark = measured["benchmarks"][0];
  benchmark["bytes"] = 1e6;
  measured["ceilings"] = json::parse(
      R"([{"name": "fp32", "unit": "FLOP/s", "per_second": 6e13},
          {"name": "DRAM", "unit": "B/s", "per_second": 4e12}])");
  benchmark["runs"][0]["throttled"] = true;
  write(base, measured.dump());
  for (auto& later : benchmark["runs"]) later["date"] = "2026-02-02T00:00:00Z";
  write(fresh, measured.dump());
  const auto kept = run({"perf", "keep", history, base, fresh});
  EXPECT_EQ(kept.code, 0) << kept.err;
  EXPECT_THAT(kept.out, HasSubstr("20 new runs"));
  EXPECT_THAT(run({"perf", "keep", history, base}).out, HasSubstr("0 new runs"));
  const auto page = (folder() / "page.html").string();
  const auto drawn =
      run({"perf", "report", base, "--history", history, "--html", page, "--markdown", "-"});
  EXPECT_EQ(drawn.code, 0) << drawn.err;
  EXPECT_THAT(drawn.out, HasSubstr("| `gemm<1>\\|x` | hot | `base` | 2026-02-01 | 9 | 1 | "));
  EXPECT_THAT(drawn.out, HasSubstr("| `gemm<1>\\|x` | hot | `base` | 2026-02-02 | 9 | 1 | "));
  EXPECT_THAT(drawn.out, HasSubstr("ceiling `fp32`: 60.0 TFLOP/s"));
  const auto html = contents_of(page);
  EXPECT_THAT(html, HasSubstr("gemm&lt;1&gt;|x"));
  EXPECT_THAT(html, Not(HasSubstr("gemm<1>")));
  EXPECT_THAT(html, HasSubstr("style-src 'sha256-"));
  EXPECT_THAT(html, HasSubstr("aria-label=\"roofline\""));
  EXPECT_THAT(html, HasSubstr("aria-label=\"history of the medians\""));
  EXPECT_THAT(html, HasSubstr("aria-label=\"distribution of the runs&#39; medians\""));
  for (const auto* outside : {"<script", "http:", "https:", "src=", "url("}) {
    EXPECT_THAT(html, Not(HasSubstr(outside)));
  }
}

TEST(Perf, DrawsNothingOfNothing) {
  const auto file = program("base", 0.001);
  EXPECT_THAT(run({"perf", "report", "--html", "x"}).err, Says("name a FILE, or --history"));
  EXPECT_THAT(run({"perf", "report", file}).err, Says("name what to write: --html"));
  const auto missing = (folder() / "missing.db").string();
  const auto page = (folder() / "page.html").string();
  const auto unread = run({"perf", "report", "--history", missing, "--html", page});
  EXPECT_EQ(unread.code, 2);
  EXPECT_THAT(unread.err, Says("missing.db: cannot open"));
  EXPECT_FALSE(fs::exists(page));
  EXPECT_FALSE(fs::exists(missing));
  EXPECT_EQ(run({"perf", "keep", missing, file}).code, 2);
  EXPECT_FALSE(fs::exists(missing));
}

TEST(Perf, RefusesWhatItCannotUnderstand) {
  const auto expect_refused = [](const std::vector<std::string>& words, const std::string& reason) {
    const auto outcome = run(words);
    EXPECT_EQ(outcome.code, 2) << reason;
    EXPECT_THAT(outcome.err, Says(reason));
  };
  write(folder() / "a.json", "{\"schema\": \"archgrid.list/1\"}");
  const auto file = (folder() / "a.json").string();
  expect_refused({"perf"}, "perf: write compare, merge");
  expect_refused({"perf", "comp"}, "\"comp\" is no command of perf: write compare, merge");
  expect_refused({"perf", "compare", file}, "perf compare: NEW is required");
  expect_refused({"perf", "compare", file, file},
                 "a.json: schema: \"archgrid.list/1\" is not what");
  expect_refused({"perf", "compare", file, file, "--tolrance", "3"}, "write --tolerance");
  expect_refused({"perf", "compare", file, file, "--negligible", "3"}, "make no sense");
  expect_refused({"perf", "compare", file, file, "--json=" + file}, "is an input");
  expect_refused({"perf", "run", "--base", file}, "perf run: --new is required");
  expect_refused({"perf", "run", "--base", file, "--new", file, "--pairs", "0"}, "write 1 or more");
}

TEST(Perf, IsInTheManualAndInCompletion) {
  EXPECT_THAT(run({"man"}).out, HasSubstr("archgrid perf compare"));
  EXPECT_THAT(run({"perf", "run", "--help"}).out, HasSubstr("ARCHGRID_PERF_RECORD"));
  EXPECT_THAT(run({"completion", "bash"}).out, HasSubstr("--save-base"));
}

}  // namespace
}  // namespace archgrid::tests
