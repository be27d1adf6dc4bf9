// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <archgrid/fatbin.hpp>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "table.hpp"

namespace archgrid::report {
namespace {

using nlohmann::json;

std::string joined(const json& list) {
  std::vector<std::string> texts;
  for (const auto& item : list) texts.push_back(item.get<std::string>());
  return fmt::format("{}", fmt::join(texts, " "));
}

std::string needs_of(const json& cell) {
  std::string text = "CUDA " + cell.at("cuda").get<std::string>();
  const auto& compiler = cell.at("host_compiler");
  if (compiler.is_string()) text += ", " + compiler.get<std::string>();
  return text;
}

std::string cells_text(const json& plan, Style style) {
  std::vector<TableRow> rows;
  for (const auto& cell : plan.at("cells")) {
    rows.push_back({{cell.at("id").get<std::string>(), joined(cell.at("archs")), needs_of(cell),
                     joined(cell.at("labels"))},
                    "",
                    Ink::plain});
  }
  return table_text({{"cell"}, {"archs"}, {"needs"}, {"labels"}}, rows, 2, style);
}

/// Returns why GPU jobs are needed, and which are not; empty if that was not asked.
std::string needed_text(const json& plan) {
  constexpr std::size_t kMaxReasons = 3;
  if (!plan.contains("unneeded")) return {};
  std::string text;
  for (const auto& job : plan.at("jobs")) {
    text += fmt::format("{} is needed:\n", job.at("name").get<std::string>());
    const auto& reasons = job.at("needed");
    for (std::size_t at = 0; at < std::min(reasons.size(), kMaxReasons); ++at) {
      text += fmt::format("  {}\n", fatbin::printable(reasons[at].get<std::string>()));
    }
    if (reasons.size() > kMaxReasons) {
      text += fmt::format("  and {}\n", count_text(reasons.size() - kMaxReasons, "more program"));
    }
  }
  const auto& unneeded = plan.at("unneeded");
  if (unneeded.empty()) return text;
  return text + fmt::format("not needed, as all tests passed there with this code: {}\n",
                            joined(unneeded));
}

std::string jobs_text(const json& plan, Style style) {
  if (plan.at("audits").empty()) return "nothing is promised: no kernel of the cells is judged\n";
  if (plan.at("jobs").empty() && plan.contains("unneeded") && !plan.at("unneeded").empty())
    return "no GPU job is needed\n";
  if (plan.at("jobs").empty())
    return "no jobs on GPU runners: the matrix file names none for a promised device\n";
  std::vector<TableRow> rows;
  for (const auto& job : plan.at("jobs")) {
    rows.push_back({{job.at("name").get<std::string>(), job.at("device").get<std::string>(),
                     joined(job.at("runner")), joined(job.at("cells"))},
                    "",
                    Ink::plain});
  }
  return table_text({{"job"}, {"device"}, {"runner"}, {"cells"}}, rows, 2, style);
}

std::string describe(const json& plan, Style style) {
  std::set<std::string> toolkits;
  for (const auto& cell : plan.at("cells")) toolkits.insert(cell.at("cuda").get<std::string>());
  const auto jobs = plan.at("jobs").size();
  auto text = paint(fmt::format("matrix {}: {}, {}{}", plan.at("name").get<std::string>(),
                                count_text(plan.at("cells").size(), "cell"),
                                count_text(toolkits.size(), "toolkit"),
                                jobs == 0 ? "" : ", " + count_text(jobs, "GPU job")),
                    Ink::strong, style) +
              '\n';
  text += cells_text(plan, style) + '\n' + jobs_text(plan, style) + needed_text(plan);
  for (const auto& excluded : plan.at("excluded")) {
    text += fmt::format("excluded: {} of CUDA {}: {}\n", excluded.at("arch").get<std::string>(),
                        excluded.at("cuda").get<std::string>(),
                        excluded.at("reason").get<std::string>());
  }
  return text;
}

std::string broken_table(const std::vector<Column>& columns, std::vector<TableRow> rows,
                         TextStyle style) {
  rows = with_broken_last(columns, rows, 2, style.columns);
  return table_text(columns, rows, 2, style.style);
}

std::string build_jobs_text(const json& jobs, TextStyle style) {
  const bool timed = jobs.at("timed").get<bool>();
  const std::vector<Column> columns = {
      {"job"}, {timed ? "minutes" : "archs", Side::right}, {"cells"}};
  std::vector<TableRow> rows;
  for (const auto& job : jobs.at("build")) {
    const auto seconds = job.at("seconds").get<double>();
    rows.push_back({{job.at("name").get<std::string>(),
                     timed ? fmt::format("{:.1f}", seconds / 60) : fmt::format("{:.0f}", seconds),
                     joined(job.at("cells"))},
                    "",
                    Ink::plain});
  }
  return broken_table(columns, std::move(rows), style);
}

std::string gpu_jobs_text(const json& jobs, TextStyle style) {
  if (jobs.at("test").empty()) return "no jobs on GPU runners\n";
  std::vector<TableRow> rows;
  for (const auto& job : jobs.at("test")) {
    rows.push_back({{job.at("name").get<std::string>(), joined(job.at("devices")),
                     joined(job.at("runner")), joined(job.at("builds"))},
                    "",
                    Ink::plain});
  }
  return broken_table({{"job"}, {"devices"}, {"runner"}, {"cells of"}}, std::move(rows), style);
}

}  // namespace

std::string plan_text(const std::string& plan_json, Style style) {
  try {
    return describe(json::parse(plan_json), style);
  } catch (const json::exception& error) {
    const std::string_view said = error.what();
    const auto begin = said.find("] ");  // behind the parser's name for the error
    throw std::runtime_error(fmt::format(
        "the expansion is no archgrid.plan/1: {}: are the CMake modules of this archgrid?",
        begin == std::string_view::npos ? said : said.substr(begin + 2)));
  }
}

std::string jobs_text(const std::string& jobs_json, TextStyle style) {
  const auto jobs = json::parse(jobs_json);
  std::size_t cells = 0;
  for (const auto& job : jobs.at("build")) cells += job.at("cells").size();
  const auto title =
      fmt::format("matrix {}: {} in {}, {}", jobs.at("name").get<std::string>(),
                  count_text(cells, "cell"), count_text(jobs.at("build").size(), "build job"),
                  count_text(jobs.at("test").size(), "GPU job"));
  return paint(title, Ink::strong, style.style) + '\n' + build_jobs_text(jobs, style) + '\n' +
         gpu_jobs_text(jobs, style);
}

}  // namespace archgrid::report
