// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "perf_figures.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace archgrid::report {
namespace {

constexpr std::size_t kDay = 10;  // length of 2026-02-01

double quantile(const std::vector<double>& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const auto above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

BuildFigures& group_of(const perf::Run& run, std::vector<BuildFigures>& groups) {
  const auto day = run.date.substr(0, kDay);
  for (auto& group : groups) {
    if (group.build == run.build && group.day == day) return group;
  }
  groups.push_back({run.build, day, {}});
  return groups.back();
}

void finish(BuildFigures& group) {
  auto& seconds = group.seconds;
  if (seconds.empty()) return;
  std::sort(seconds.begin(), seconds.end());
  group.lowest = seconds.front();
  group.quarter = quantile(seconds, 0.25);
  group.median = quantile(seconds, 0.5);
  group.three_quarters = quantile(seconds, 0.75);
  group.highest = seconds.back();
}

}  // namespace

std::vector<BuildFigures> figures_of(const perf::Benchmark& benchmark) {
  std::vector<BuildFigures> groups;
  for (const auto& run : benchmark.runs) {
    auto& group = group_of(run, groups);
    if (run.throttled.value_or(false) || run.seconds.empty()) {
      ++group.left_out;
    } else {
      group.seconds.push_back(perf::summarise(run.seconds).median);
    }
  }
  for (auto& group : groups) finish(group);
  return groups;
}

std::optional<BuildFigures> latest_of(const std::vector<BuildFigures>& figures) {
  const auto found = std::find_if(figures.rbegin(), figures.rend(),
                                  [](const auto& group) { return !group.seconds.empty(); });
  return found == figures.rend() ? std::nullopt : std::optional<BuildFigures>(*found);
}

std::vector<RooflinePoint> roofline_of(const perf::Record& record) {
  std::vector<RooflinePoint> points;
  for (const auto& benchmark : record.benchmarks) {
    const auto& work = benchmark.work;
    const auto latest = latest_of(figures_of(benchmark));
    if (!latest || work.bytes <= 0 || work.flops <= 0) continue;
    points.push_back({fmt::format("{} ({})", benchmark.name, perf::name_of(benchmark.cache)),
                      work.flops / work.bytes, work.flops / latest->median});
  }
  return points;
}

}  // namespace archgrid::report
