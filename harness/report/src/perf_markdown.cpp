// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "escape.hpp"
#include "perf_view.hpp"
#include "style.hpp"

namespace archgrid::report {
namespace {

/// Reserved for the line that counts rows that did not fit.
constexpr std::size_t kPerfSummaryReserve = 100;

std::string row_of(const perf::BenchmarkComparison& benchmark) {
  auto cells = cells_of(benchmark);
  cells.front() = markdown_code(cells.front(), true);
  cells.back() = fmt::format("**{}**", markdown_text(cells.back()));
  return fmt::format("| {} | {} |\n", fmt::join(cells, " | "), markdown_text(reason_of(benchmark)));
}

std::string side_of(const char* what, const std::string& path, const perf::Key& key) {
  return fmt::format("{}: {}, {}\n", what, markdown_code(path, false),
                     markdown_text(perf::text_of(key)));
}

}  // namespace

std::string perf_markdown(const PerfReport& report, std::size_t most) {
  const auto& comparison = report.comparison;
  auto text = fmt::format("## {}\n\n", markdown_text(closing_line(report)));
  text += side_of("base", comparison.base_path, comparison.base_key) + '\n';
  text += side_of("new", comparison.new_path, comparison.new_key) + '\n';
  if (!comparison.benchmarks.empty()) {
    const auto titles = perf_titles();
    text += fmt::format("| {} | why |\n|", fmt::join(titles, " | "));
    for (std::size_t i = 0; i <= titles.size(); ++i) text += "---|";
    text += '\n';
  }
  const auto closing = "\n" + markdown_text(test_line(report)) + "\n";
  std::size_t left = comparison.benchmarks.size();
  for (const auto& benchmark : comparison.benchmarks) {
    const auto row = row_of(benchmark);
    if (text.size() + row.size() + closing.size() + kPerfSummaryReserve > most) break;
    text += row;
    --left;
  }
  if (left > 0) text += fmt::format("\nand {}\n", count_text(left, "more benchmark"));
  text += closing;
  return text.size() <= most ? text : std::string();
}

}  // namespace archgrid::report
