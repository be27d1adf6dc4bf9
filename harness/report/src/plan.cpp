// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "style.hpp"

namespace archgrid::report {
namespace {

using nlohmann::json;

std::string joined(const json& list) {
  std::vector<std::string> texts;
  for (const auto& item : list) texts.push_back(item.get<std::string>());
  return fmt::format("{}", fmt::join(texts, " "));
}

/// Columns as wide as their widest entry, the last one ragged.
std::string table_text(std::vector<std::vector<std::string>> rows, Style style) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto& row : rows) {
    for (std::size_t column = 0; column < row.size(); ++column) {
      widths[column] = std::max(widths[column], row[column].size());
    }
  }
  std::string text;
  for (std::size_t index = 0; index < rows.size(); ++index) {
    std::string line;
    for (std::size_t column = 0; column < rows[index].size(); ++column) {
      line += "  " + pad(rows[index][column], widths[column]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += paint(line, index == 0 ? Ink::soft : Ink::plain, style) + '\n';
  }
  return text;
}

std::string needs_of(const json& cell) {
  std::string text = "CUDA " + cell.at("cuda").get<std::string>();
  const auto& compiler = cell.at("host_compiler");
  if (compiler.is_string()) text += ", " + compiler.get<std::string>();
  return text;
}

std::string cells_text(const json& plan, Style style) {
  std::vector<std::vector<std::string>> rows = {{"cell", "archs", "needs", "labels"}};
  for (const auto& cell : plan.at("cells")) {
    rows.push_back({cell.at("id").get<std::string>(), joined(cell.at("archs")), needs_of(cell),
                    joined(cell.at("labels"))});
  }
  return table_text(std::move(rows), style);
}

std::string jobs_text(const json& plan, Style style) {
  if (plan.at("jobs").empty())
    return "no jobs: the matrix file names no runner for a promised device\n";
  std::vector<std::vector<std::string>> rows = {{"job", "device", "runner", "cells"}};
  for (const auto& job : plan.at("jobs")) {
    rows.push_back({job.at("name").get<std::string>(), job.at("device").get<std::string>(),
                    joined(job.at("runner")), joined(job.at("cells"))});
  }
  return table_text(std::move(rows), style);
}

std::string describe(const json& plan, Style style) {
  std::set<std::string> toolkits;
  for (const auto& cell : plan.at("cells")) toolkits.insert(cell.at("cuda").get<std::string>());
  auto text = paint(fmt::format("matrix {}: {}, {}, {}", plan.at("name").get<std::string>(),
                                count_text(plan.at("cells").size(), "cell"),
                                count_text(toolkits.size(), "toolkit"),
                                count_text(plan.at("jobs").size(), "job")),
                    Ink::strong, style) +
              '\n';
  text += cells_text(plan, style) + '\n' + jobs_text(plan, style);
  for (const auto& excluded : plan.at("excluded")) {
    text += fmt::format("excluded: {} of CUDA {}: {}\n", excluded.at("arch").get<std::string>(),
                        excluded.at("cuda").get<std::string>(),
                        excluded.at("reason").get<std::string>());
  }
  return text;
}

}  // namespace

std::string plan_text(const std::string& plan_json, Style style) {
  try {
    return describe(json::parse(plan_json), style);
  } catch (const json::exception& error) {
    throw std::runtime_error(fmt::format("the expansion is no archgrid.plan/1: {}", error.what()));
  }
}

}  // namespace archgrid::report
