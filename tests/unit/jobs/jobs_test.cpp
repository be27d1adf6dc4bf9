// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <archgrid/jobs.hpp>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <unordered_map>

namespace archgrid::tests {
namespace {

using jobs::add_time;
using jobs::jobs_of;
using jobs::Times;
using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using ::testing::ThrowsMessage;

json cell(const std::string& id, std::size_t archs) {
  return {{"id", id}, {"archs", std::vector<std::string>(archs, "90")}};
}

json gpu_job(int device, const std::vector<std::string>& runner,
             const std::vector<std::string>& cells) {
  const auto preset = fmt::format("sm{}", device);
  return {{"name", preset},
          {"preset", preset},
          {"device", fmt::format("{}.{}", device / 10, device % 10)},
          {"runner", runner},
          {"cells", cells}};
}

std::string plan_of(const json& cells, const json& gpu_jobs) {
  return json{{"name", "m"}, {"cells", cells}, {"jobs", gpu_jobs}}.dump();
}

const json kCells = {cell("cu130-fat", 3), cell("cu130-sm80", 1), cell("cu130-sm90", 1)};
const json kGpuJobs = {gpu_job(80, {"gpu", "a100"}, {"cu130-fat", "cu130-sm80"}),
                       gpu_job(90, {"gpu", "h100"}, {"cu130-fat", "cu130-sm90"})};

TEST(Jobs, WithoutTimesWeighArchs) {
  const auto jobs = jobs_of(plan_of(kCells, kGpuJobs), {}, {2});
  EXPECT_FALSE(jobs.timed);
  ASSERT_EQ(jobs.build.size(), 2U);
  EXPECT_THAT(jobs.build[0].cells, ElementsAre("cu130-fat"));
  EXPECT_THAT(jobs.build[1].cells, ElementsAre("cu130-sm80", "cu130-sm90"));
  EXPECT_EQ(jobs.build[0].seconds, 3);
}

TEST(Jobs, WithTimesWeighSeconds) {
  const auto plan = plan_of(kCells, kGpuJobs);
  const auto jobs = jobs_of(plan, {{"cu130-fat", 30}, {"cu130-sm80", 90}, {"other", 1}}, {2});
  EXPECT_TRUE(jobs.timed);
  EXPECT_THAT(jobs.build[0].cells, ElementsAre("cu130-fat", "cu130-sm80"));
  EXPECT_EQ(jobs.build[0].seconds, 120);
  // Its time is unknown: the upper median of 10 and 90 seconds per arch.
  EXPECT_THAT(jobs.build[1].cells, ElementsAre("cu130-sm90"));
  EXPECT_EQ(jobs.build[1].seconds, 90);
}

TEST(Jobs, NameTheBuildsOfTheirCells) {
  const auto jobs = jobs_of(plan_of(kCells, kGpuJobs), {}, {3});
  ASSERT_EQ(jobs.test.size(), 2U);
  EXPECT_EQ(jobs.test[1].name, "sm90");
  EXPECT_THAT(jobs.test[1].runner, ElementsAre("gpu", "h100"));
  EXPECT_THAT(jobs.test[1].builds, ElementsAre(0, 2));
  EXPECT_THAT(github_outputs(jobs), HasSubstr("\"artifacts\":\"cells-build-@(1|3)\""));
  EXPECT_THAT(github_outputs(jobs_of(plan_of(kCells, kGpuJobs), {}, {1})),
              HasSubstr("\"artifacts\":\"cells-build-*\""));
}

TEST(Jobs, RefuseAnEmptyPlan) {
  EXPECT_THAT([] { jobs_of(plan_of(json::array(), kGpuJobs), {}, {1}); },
              ThrowsMessage<std::runtime_error>(HasSubstr("nothing to build")));
  EXPECT_THAT([] { jobs_of(plan_of(kCells, json::array()), {}, {1}); },
              ThrowsMessage<std::runtime_error>(HasSubstr("no GPU job")));
  EXPECT_TRUE(jobs_of(plan_of(kCells, json::array()), {}, {1, false}).test.empty());
}

TEST(Jobs, ShareRunnersOfOneKindBeyondTheLimit) {
  auto gpu_jobs = json::array();
  for (int device = 0; device < 600; ++device) {
    gpu_jobs.push_back(gpu_job(device, {"gpu", device % 3 == 0 ? "a" : "b"}, {"cu130-fat"}));
  }
  const auto jobs = jobs_of(plan_of(kCells, gpu_jobs), {}, {1});
  EXPECT_EQ(jobs.test.size(), jobs::kMaxJobs);
  std::set<std::string> presets;
  std::set<std::string> names;
  for (const auto& job : jobs.test) {
    EXPECT_LE(job.presets.size(), 3U);
    EXPECT_TRUE(names.insert(job.name).second);
    for (const auto& preset : job.presets) {
      EXPECT_TRUE(presets.insert(preset).second) << preset;
      const bool is_a = std::stoi(preset.substr(2)) % 3 == 0;
      EXPECT_EQ(job.runner.back(), is_a ? "a" : "b");
    }
  }
  EXPECT_EQ(presets.size(), 600U);
}

TEST(Jobs, RefuseMoreKindsOfRunnersThanJobs) {
  auto gpu_jobs = json::array();
  for (int device = 0; device < 257; ++device) {
    gpu_jobs.push_back(gpu_job(device, {std::to_string(device)}, {"cu130-fat"}));
  }
  EXPECT_THAT([&] { jobs_of(plan_of(kCells, gpu_jobs), {}, {1}); },
              ThrowsMessage<std::runtime_error>(StartsWith("runners: 257 kinds of runners")));
}

/// Returns a plan with this many cells, and with as many GPU jobs as `gpus`.
std::string random_plan(std::size_t count, std::size_t gpus, std::mt19937& random) {
  auto cells = json::array();
  std::vector<std::vector<std::string>> served(gpus);
  for (std::size_t index = 0; index < count; ++index) {
    const auto id = fmt::format("cu135-variant{}-sm{}", index, index % gpus);
    cells.push_back(cell(id, 1 + random() % 12));
    served[index % gpus].push_back(id);
  }
  auto gpu_jobs = json::array();
  for (std::size_t gpu = 0; gpu < gpus; ++gpu) {
    if (served[gpu].empty()) continue;
    gpu_jobs.push_back(gpu_job(static_cast<int>(gpu),
                               {"self-hosted", "linux", "x64", fmt::format("kind{}", gpu % 50)},
                               served[gpu]));
  }
  return plan_of(cells, gpu_jobs);
}

/// Expects every cell in one build job, and in one that its GPU job fetches.
void expect_each_once(const jobs::Jobs& jobs, std::size_t cells) {
  std::unordered_map<std::string, std::size_t> build_of;
  std::size_t count = 0;
  for (std::size_t build = 0; build < jobs.build.size(); ++build) {
    EXPECT_FALSE(jobs.build[build].cells.empty());
    count += jobs.build[build].cells.size();
    for (const auto& id : jobs.build[build].cells) build_of[id] = build;
  }
  EXPECT_EQ(count, cells);
  EXPECT_EQ(build_of.size(), cells);
  for (const auto& test : jobs.test) {
    const std::set<std::size_t> fetched(test.builds.begin(), test.builds.end());
    for (const auto& id : test.cells) EXPECT_EQ(fetched.count(build_of.at(id)), 1U) << id;
  }
}

TEST(Jobs, OfRandomMatricesKeepTheLimits) {
  std::mt19937 random(3);
  std::uniform_int_distribution<int> seconds(0, 900);
  for (const std::size_t cells : {1U, 2U, 257U, 600U, 5000U}) {
    const auto plan = random_plan(cells, 1 + random() % 700, random);
    const auto parsed = json::parse(plan);
    Times times;
    for (std::size_t index = 0; index < cells; index += 2) {
      times[parsed["cells"][index]["id"]] = seconds(random);
    }
    for (const std::size_t max_jobs : {1U, 8U, 256U}) {
      const auto jobs = jobs_of(plan, times, {max_jobs});
      const auto outputs = github_outputs(jobs);
      EXPECT_LE(2 * outputs.size(), jobs::kMaxOutputBytes);
      EXPECT_LE(jobs.build.size(), max_jobs);
      EXPECT_LE(jobs.test.size(), jobs::kMaxJobs);
      expect_each_once(jobs, cells);
    }
  }
}

TEST(Jobs, RefuseOutputsBeyondTheLimit) {
  const std::string label(600'000, 'x');
  const auto jobs =
      jobs_of(plan_of(kCells, json::array({gpu_job(80, {label}, {"cu130-fat"})})), {}, {1});
  EXPECT_THAT([&] { github_outputs(jobs); },
              ThrowsMessage<std::runtime_error>(HasSubstr("shorten the labels")));
}

TEST(Jobs, ReadTimesOfBuiltCells) {
  Times times;
  add_time(R"({"schema": "archgrid.cell/1", "id": "a", "status": "built", "seconds": 2.5})", times);
  add_time(R"({"schema": "archgrid.cell/1", "id": "b", "status": "failed", "seconds": 1})", times);
  EXPECT_EQ(times, (Times{{"a", 2.5}}));
  for (const char* other : {"", "[]", "{}", R"({"schema": "archgrid.plan/1", "id": "a"})",
                            R"({"schema": "archgrid.cell/1", "id": 1, "status": "built"})"}) {
    EXPECT_THAT([&] { add_time(other, times); },
                ThrowsMessage<std::runtime_error>(StartsWith("no archgrid.cell/1")))
        << other;
  }
}

}  // namespace
}  // namespace archgrid::tests
