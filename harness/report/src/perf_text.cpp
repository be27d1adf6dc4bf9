// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "escape.hpp"
#include "perf_view.hpp"
#include "style.hpp"
#include "table.hpp"

namespace archgrid::report {
namespace {

using perf::Decision;

constexpr std::size_t kPerfMaxAnnotations = 10;  // GitHub shows ten per step

Ink ink_of(Decision decision) {
  switch (decision) {
    case Decision::slower:
    case Decision::no_data:
      return Ink::bad;
    case Decision::ambiguous:
    case Decision::no_baseline:
      return Ink::warn;
    case Decision::faster:
      return Ink::good;
    case Decision::same:
      break;
  }
  return Ink::plain;
}

std::string sides_text(const perf::Comparison& comparison, Style style) {
  const auto side = [](const char* what, const std::string& path, const perf::Key& key) {
    return TableRow{
        {what, fatbin::printable(path), fatbin::printable(perf::text_of(key))}, "", Ink::soft};
  };
  return table_text({{"", Side::left}, {"", Side::left}, {"", Side::left}},
                    {side("base", comparison.base_path, comparison.base_key),
                     side("new", comparison.new_path, comparison.new_key)},
                    0, style);
}

std::string benchmarks_text(const perf::Comparison& comparison, Style style) {
  std::vector<Column> columns;
  for (const auto& title : perf_titles()) columns.push_back({title, Side::left});
  for (const std::size_t right : {2U, 3U, 4U, 6U}) columns[right].side = Side::right;
  columns.push_back({"", Side::left});
  std::vector<TableRow> rows;
  for (const auto& benchmark : comparison.benchmarks) {
    auto cells = cells_of(benchmark);
    cells.push_back(reason_of(benchmark));
    rows.push_back({std::move(cells), "", ink_of(benchmark.gate.decision)});
  }
  return table_text(columns, rows, 0, style);
}

}  // namespace

std::string perf_text(const PerfReport& report, Style style) {
  const auto& comparison = report.comparison;
  auto text = sides_text(comparison, style) + '\n';
  if (!comparison.benchmarks.empty()) text += benchmarks_text(comparison, style) + '\n';
  text += paint(test_line(report), Ink::soft, style) + '\n';
  return text + paint(closing_line(report), ink_of(perf::verdict(comparison)), style) + '\n';
}

std::string perf_annotations(const PerfReport& report) {
  std::string text;
  std::size_t failing = 0;
  for (const auto& benchmark : report.comparison.benchmarks) {
    if (!fails(report, benchmark)) continue;
    if (++failing >= kPerfMaxAnnotations) continue;
    const auto cells = cells_of(benchmark);
    text += annotation(
        "", fmt::format("{}: {}", cells.back(), cells.front()),
        fmt::format("{} ({}): {}: {}", cells[4], cells[5], cells.back(), reason_of(benchmark)));
  }
  if (failing < kPerfMaxAnnotations) return text;
  return text + annotation("", "and more",
                           count_text(failing - kPerfMaxAnnotations + 1, "more benchmark"));
}

}  // namespace archgrid::report
