// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "command.hpp"

namespace archgrid::tests {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

const std::string kQuick = std::string(tests::kSource) + "/matrices/quick.json";

TEST(Matrix, ShowsCellsAndWhatTheyNeed) {
  const auto outcome = run({"matrix", kQuick});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("matrix quick: 14 cells, 2 toolkits"));
  EXPECT_THAT(outcome.out, HasSubstr("cu130-fat"));
  EXPECT_THAT(outcome.out, HasSubstr("CUDA 13.5"));
}

TEST(Matrix, ShowsJobsWithTheirRunners) {
  const auto outcome = run({"matrix", std::string(tests::kSource) + "/matrices/default.json"});
  EXPECT_THAT(outcome.out, HasSubstr("self-hosted linux x64 gpu h100 sm90"));
}

TEST(Matrix, JsonIsThePlan) {
  const auto plan = json::parse(run({"matrix", kQuick, "--json"}).out);
  EXPECT_EQ(plan.at("schema"), "archgrid.plan/1");
  EXPECT_EQ(plan.at("cells").size(), 14U);
}

TEST(Matrix, WithoutRunnersHasNoJobs) {
  const auto outcome = run({"matrix", kQuick});
  EXPECT_THAT(outcome.out, StartsWith("matrix quick: 14 cells, 2 toolkits\n"));
  EXPECT_THAT(outcome.out, HasSubstr("\nno jobs on GPU runners: the matrix file names none for a "
                                     "promised device\n"));
  const auto with_runners = run({"matrix", std::string(tests::kSource) + "/matrices/default.json"});
  EXPECT_THAT(with_runners.out, ::testing::ContainsRegex("toolkits?, [1-9][0-9]* GPU jobs\n"));
}

TEST(Matrix, SaysThatNothingIsPromised) {
  const auto open = folder() / "open.json";
  write(open, R"({"name": "open", "toolkits": [{"cuda": "13.5", "archs": ["90"]}]})");
  const auto outcome = run({"matrix", open.string()});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, EndsWith("\nnothing is promised: no kernel of the cells is judged\n"));
}

TEST(Matrix, WarnsOfDevicesThatNoArchServes) {
  const auto unkept = folder() / "unkept.json";
  write(unkept,
        R"({"name": "u", "toolkits": [{"cuda": "13.5", "archs": ["90"]},
    {"cuda": "13.0", "archs": ["90"]}],
    "promises": [{"devices": ["8.0"]}, {"devices": ["7.5"]}]})");
  const auto outcome = run({"matrix", unkept.string()});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, StartsWith("archgrid: warning: " + unkept.string().substr(0, 8)));
  EXPECT_THAT(outcome.err,
              Says("promises[0]: no arch of CUDA 13.5 (90) can keep it for 8.0 (A100)"));
  EXPECT_THAT(outcome.err, Says("promises[1]: no arch of CUDA 13.5 (90) can keep it for 7.5"));
  EXPECT_EQ(outcome.err.find("CMake"), std::string::npos) << outcome.err;
}

TEST(Matrix, ErrorsOfTheExpansionAreShown) {
  const auto bad = folder() / "bad.json";
  write(bad, R"({"name": "bad", "toolkits": [{"cuda": "13.0", "archs": ["90f"]}]})");
  const auto outcome = run({"matrix", bad.string()});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(unwrapped(outcome.err), "archgrid: " + bad.string() +
                                        ": toolkits[0].archs[0]: \"90f\" does not exist "
                                        "fix: write \"90\" or \"90a\" ");
  EXPECT_THAT(outcome.out, IsEmpty());
}

TEST(Matrix, OtherErrorsOfCMakeAreShownWhole) {
  const auto script = folder() / "modules" / "archgrid" / "expand.cmake";
  const auto environment = "ARCHGRID_MODULES=" + quoted((folder() / "modules").string());
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"message(FATAL_ERROR \"folded\")", "  folded\n"},
      {"message(FATAL_ERROR \"\n  two\nforms\n\")", "  forms\n"},
      {"message(WARNING \"first\")\nmessage(FATAL_ERROR \"\n  indented\n\")", "  first\n"},
      {"no_such_command()", "no_such_command"},
  };
  for (const auto& [text, shown] : cases) {
    write(script, text + '\n');
    const auto outcome = run({"matrix", kQuick}, environment);
    EXPECT_EQ(outcome.code, 2) << text;
    EXPECT_THAT(outcome.err, StartsWith("CMake ")) << text;
    EXPECT_THAT(outcome.err, Says(shown)) << text;
    EXPECT_THAT(outcome.err, EndsWith("the matrix file could not be expanded (see above)\n"));
  }
}

TEST(Matrix, MissingModulesAndCMakeAreSaid) {
  const auto modules = run({"matrix", kQuick}, "ARCHGRID_MODULES=/no/such/folder");
  EXPECT_EQ(modules.code, 2);
  EXPECT_THAT(modules.err, Says("are not in /no/such/folder: set ARCHGRID_MODULES"));
  const auto cmake = run({"matrix", kQuick}, "PATH=/no/such/folder");
  EXPECT_EQ(cmake.code, 2);
  EXPECT_THAT(cmake.err, Says("cannot run cmake"));
}

const std::string kDefault = std::string(tests::kSource) + "/matrices/default.json";

/// Writes the record of a built cell into the folder.
void write_time(const fs::path& times, const std::string& cell, int seconds) {
  write(times / (cell + ".json"),
        json{{"schema", "archgrid.cell/1"}, {"id", cell}, {"status", "built"}, {"seconds", seconds}}
            .dump());
}

TEST(Matrix, PacksCellsIntoJobs) {
  const auto outcome = run({"matrix", kDefault, "--build-jobs", "4"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, StartsWith("matrix default: 50 cells in 4 build jobs, 13 GPU jobs\n"));
  EXPECT_THAT(outcome.out, HasSubstr("archs"));
  std::istringstream lines(outcome.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
}

TEST(Matrix, PacksByTimesOfAnEarlierBuild) {
  const auto times = folder() / "times";
  fs::create_directory(times);
  write_time(times, "cu130-sm75", 1000);
  write_time(times, "cu130-sm80", 1);
  const auto outcome = run(
      {"matrix", kQuick, "--build-jobs", "2", "--no-tests", "--times", times.string(), "--json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const auto jobs = json::parse(outcome.out);
  EXPECT_EQ(jobs.at("schema"), "archgrid.jobs/1");
  EXPECT_TRUE(jobs.at("timed").get<bool>());
  write(times / "other.json", "{}");
  const auto refused =
      run({"matrix", kQuick, "--build-jobs", "2", "--no-tests", "--times", times.string()});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, Says("other.json is no archgrid.cell/1"));
}

TEST(Matrix, WritesOutputsOfAStep) {
  const auto outputs = folder() / "github-output";
  write(outputs, "earlier=1\n");
  const auto outcome = run({"matrix", kDefault, "--build-jobs", "2", "--github"},
                           "GITHUB_OUTPUT=" + outputs.string());
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(contents_of(outputs),
              StartsWith("earlier=1\nbuild={\"include\":[{\"job\":\"build-1\"},"
                         "{\"job\":\"build-2\"}]}\ntest={\"include\":[{\"job\":\"sm60\","));
  const auto elsewhere =
      run({"matrix", kDefault, "--build-jobs", "2", "--github"}, "GITHUB_OUTPUT=");
  EXPECT_EQ(elsewhere.code, 2);
  EXPECT_THAT(elsewhere.err, Says("GITHUB_OUTPUT is not set"));
}

TEST(Matrix, RefusesPackingOfNothing) {
  const auto outcome = run({"matrix", kQuick, "--build-jobs", "2"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, Says("no device has a runner, so there is no GPU job"));
  EXPECT_EQ(run({"matrix", kQuick, "--build-jobs", "2", "--no-tests"}).code, 0);
  for (const char* jobs : {"0", "257", "many"}) {
    EXPECT_EQ(run({"matrix", kQuick, "--build-jobs", jobs}).code, 2);
  }
  const auto alone = run({"matrix", kQuick, "--github"});
  EXPECT_EQ(alone.code, 2);
  EXPECT_THAT(alone.err, Says("--github needs --build-jobs N"));
}

}  // namespace
}  // namespace archgrid::tests
