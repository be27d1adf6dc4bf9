// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <archgrid/jobs.hpp>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <unordered_map>

namespace archgrid::jobs {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using Strings = std::vector<std::string>;
using Indices = std::vector<std::size_t>;

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Returns the seconds per arch to assume for cells without a time.
double seconds_per_arch(const json& cells, const Times& times) {
  std::vector<double> known;
  for (const auto& cell : cells) {
    const auto time = times.find(cell.at("id").get<std::string>());
    if (time == times.end()) continue;
    known.push_back(time->second / static_cast<double>(cell.at("archs").size()));
  }
  return known.empty() ? 0 : median(std::move(known));
}

struct Weights {
  std::vector<double> of_cells;
  bool timed = false;
};

/// Returns the estimated seconds of each cell, or its number of archs if no time is known.
Weights weigh(const json& cells, const Times& times) {
  const auto per_arch = seconds_per_arch(cells, times);
  Weights weights = {{}, per_arch > 0};
  for (const auto& cell : cells) {
    const auto archs = static_cast<double>(cell.at("archs").size());
    const auto time = times.find(cell.at("id").get<std::string>());
    const bool known = weights.timed && time != times.end();
    weights.of_cells.push_back(known ? time->second : weights.timed ? per_arch * archs : archs);
  }
  return weights;
}

std::vector<BuildJob> build_jobs(const json& cells, const std::vector<double>& weights,
                                 std::size_t max_jobs) {
  std::vector<BuildJob> jobs;
  for (const auto& bin : pack(weights, max_jobs)) {
    auto& job = jobs.emplace_back();
    job.name = fmt::format("build-{}", jobs.size());
    for (const auto cell : bin) {
      job.cells.push_back(cells.at(cell).at("id").get<std::string>());
      job.seconds += weights[cell];
    }
  }
  return jobs;
}

using BuildOfCell = std::unordered_map<std::string, std::size_t>;

BuildOfCell builds_of_cells(const std::vector<BuildJob>& jobs) {
  BuildOfCell builds;
  for (std::size_t job = 0; job < jobs.size(); ++job) {
    for (const auto& cell : jobs[job].cells) builds[cell] = job;
  }
  return builds;
}

/// GPU jobs of a plan that run on one kind of runner, by their indices.
struct RunnerGroup {
  Indices members;
  std::vector<double> weights;
  std::size_t jobs = 1;  ///< how many it may have

  [[nodiscard]] double cells_per_job() const {
    double sum = 0;
    for (const auto weight : weights) sum += weight;
    return sum / static_cast<double>(jobs);
  }
};

std::vector<RunnerGroup> groups_of(const json& planned) {
  std::vector<RunnerGroup> groups;
  std::map<Strings, std::size_t> known;
  for (std::size_t index = 0; index < planned.size(); ++index) {
    const auto runner = planned.at(index).at("runner").get<Strings>();
    const auto place = known.emplace(runner, groups.size());
    if (place.second) groups.emplace_back();
    auto& group = groups[place.first->second];
    group.members.push_back(index);
    group.weights.push_back(static_cast<double>(planned.at(index).at("cells").size()));
  }
  return groups;
}

/// Gives the groups kMaxJobs jobs in all: each more goes to the group with the longest ones.
void share_jobs(std::vector<RunnerGroup>& groups) {
  if (groups.size() > kMaxJobs) {
    throw std::runtime_error(fmt::format(
        "runners: {} kinds of runners, and GitHub runs at most {} jobs of one matrix: split the "
        "matrix file",
        groups.size(), kMaxJobs));
  }
  for (auto left = kMaxJobs - groups.size(); left > 0; --left) {
    RunnerGroup* longest = nullptr;
    for (auto& group : groups) {
      if (group.jobs == group.members.size()) continue;
      if (longest == nullptr || group.cells_per_job() > longest->cells_per_job()) longest = &group;
    }
    if (longest == nullptr) return;
    ++longest->jobs;
  }
}

/// Returns the indices of the planned GPU jobs that each job runs.
std::vector<Indices> shared_jobs(const json& planned) {
  std::vector<Indices> jobs;
  if (planned.size() <= kMaxJobs) {
    for (std::size_t index = 0; index < planned.size(); ++index) jobs.push_back({index});
    return jobs;
  }
  auto groups = groups_of(planned);
  share_jobs(groups);
  for (const auto& group : groups) {
    for (const auto& bin : pack(group.weights, group.jobs)) {
      auto& job = jobs.emplace_back();
      for (const auto member : bin) job.push_back(group.members[member]);
    }
  }
  return jobs;
}

TestJob test_job(const json& planned, const Indices& members, const BuildOfCell& builds) {
  TestJob job;
  std::set<std::string> cells;
  std::set<std::size_t> needed;
  for (const auto member : members) {
    const auto& entry = planned.at(member);
    job.presets.push_back(entry.at("preset").get<std::string>());
    job.devices.push_back(entry.at("device").get<std::string>());
    job.runner = entry.at("runner").get<Strings>();
    for (const auto& cell : entry.at("cells")) {
      const auto id = cell.get<std::string>();
      needed.insert(builds.at(id));
      if (cells.insert(id).second) job.cells.push_back(id);
    }
  }
  job.builds.assign(needed.begin(), needed.end());
  job.name = job.presets.front();
  if (members.size() > 1) job.name += fmt::format("-and-{}", members.size() - 1);
  return job;
}

std::vector<TestJob> test_jobs(const json& planned, const std::vector<BuildJob>& build) {
  if (planned.empty()) {
    throw std::runtime_error(
        "runners: no device has a runner, so there is no GPU job: add for example \"runners\": "
        "{\"9.0\": [\"self-hosted\", \"gpu\", \"sm90\"]}, or ask for builds alone: --no-tests");
  }
  const auto builds = builds_of_cells(build);
  std::vector<TestJob> jobs;
  for (const auto& members : shared_jobs(planned)) {
    jobs.push_back(test_job(planned, members, builds));
  }
  return jobs;
}

Strings names_of_builds(const Jobs& jobs, const TestJob& test) {
  Strings names;
  for (const auto build : test.builds) names.push_back(jobs.build[build].name);
  return names;
}

/// Returns a pattern for the artifacts of these build jobs.
std::string artifacts_of(const Jobs& jobs, const TestJob& test) {
  Strings numbers;
  for (const auto build : test.builds) numbers.push_back(std::to_string(build + 1));
  if (numbers.size() == jobs.build.size()) return "cells-build-*";
  return fmt::format("cells-build-@({})", fmt::join(numbers, "|"));
}

}  // namespace

Jobs jobs_of(const std::string& plan_json, const Times& times, const Request& request) {
  const auto plan = json::parse(plan_json);
  const auto& cells = plan.at("cells");
  if (cells.empty()) {
    throw std::runtime_error("toolkits: the plan has no cell, so there is nothing to build");
  }
  const auto weights = weigh(cells, times);
  Jobs jobs;
  jobs.name = plan.at("name").get<std::string>();
  jobs.timed = weights.timed;
  jobs.build = build_jobs(cells, weights.of_cells, std::min(request.max_build_jobs, kMaxJobs));
  if (request.tests) jobs.test = test_jobs(plan.at("jobs"), jobs.build);
  return jobs;
}

std::string jobs_json(const Jobs& jobs) {
  ordered_json document = {{"schema", "archgrid.jobs/1"},
                           {"name", jobs.name},
                           {"timed", jobs.timed},
                           {"build", ordered_json::array()},
                           {"test", ordered_json::array()}};
  for (const auto& job : jobs.build) {
    document["build"].push_back(
        {{"name", job.name}, {"seconds", job.seconds}, {"cells", job.cells}});
  }
  for (const auto& job : jobs.test) {
    document["test"].push_back({{"name", job.name},
                                {"presets", job.presets},
                                {"devices", job.devices},
                                {"runner", job.runner},
                                {"cells", job.cells},
                                {"builds", names_of_builds(jobs, job)}});
  }
  return document.dump(1) + '\n';
}

std::string github_outputs(const Jobs& jobs) {
  auto build = ordered_json::array();
  for (const auto& job : jobs.build) build.push_back({{"job", job.name}});
  auto test = ordered_json::array();
  for (const auto& job : jobs.test) {
    test.push_back({{"job", job.name},
                    {"runner", job.runner},
                    {"devices", fmt::format("{}", fmt::join(job.devices, " "))},
                    {"artifacts", artifacts_of(jobs, job)}});
  }
  const auto outputs = fmt::format("build={}\ntest={}\n", ordered_json{{"include", build}}.dump(),
                                   ordered_json{{"include", test}}.dump());
  if (2 * outputs.size() > kMaxOutputBytes) {
    throw std::runtime_error(fmt::format(
        "runners: the jobs take {} bytes, and GitHub accepts {} of a job's outputs: shorten the "
        "labels of runners, or ask for fewer build jobs",
        2 * outputs.size(), kMaxOutputBytes));
  }
  return outputs;
}

}  // namespace archgrid::jobs
