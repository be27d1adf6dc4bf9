// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "command.hpp"

namespace archgrid::tests {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string kQuick = std::string(ARCHGRID_SOURCE) + "/matrices/quick.json";

TEST(Matrix, ShowsCellsAndWhatTheyNeed) {
  const auto outcome = run({"matrix", kQuick});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("matrix quick: 14 cells, 2 toolkits"));
  EXPECT_THAT(outcome.out, HasSubstr("cu130-fat"));
  EXPECT_THAT(outcome.out, HasSubstr("CUDA 13.5"));
}

TEST(Matrix, ShowsJobsWithTheirRunners) {
  const auto outcome = run({"matrix", std::string(ARCHGRID_SOURCE) + "/matrices/default.json"});
  EXPECT_THAT(outcome.out, HasSubstr("self-hosted linux x64 gpu h100 sm90"));
}

TEST(Matrix, JsonIsThePlan) {
  const auto plan = json::parse(run({"matrix", kQuick, "--json"}).out);
  EXPECT_EQ(plan.at("schema"), "archgrid.plan/1");
  EXPECT_EQ(plan.at("cells").size(), 14U);
}

TEST(Matrix, ErrorsOfTheExpansionAreShown) {
  const auto bad = folder() / "bad.json";
  write(bad, R"({"name": "bad", "toolkits": [{"cuda": "13.0", "archs": ["90f"]}]})");
  const auto outcome = run({"matrix", bad.string()});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("90f"));
  EXPECT_THAT(outcome.out, IsEmpty());
}

TEST(Matrix, MissingModulesAndCMakeAreSaid) {
  const auto modules = run({"matrix", kQuick}, "ARCHGRID_MODULES=/no/such/folder");
  EXPECT_EQ(modules.code, 2);
  EXPECT_THAT(modules.err, HasSubstr("are not in /no/such/folder: set ARCHGRID_MODULES"));
  const auto cmake = run({"matrix", kQuick}, "PATH=/no/such/folder");
  EXPECT_EQ(cmake.code, 2);
  EXPECT_THAT(cmake.err, HasSubstr("cannot run cmake"));
}

}  // namespace
}  // namespace archgrid::tests
