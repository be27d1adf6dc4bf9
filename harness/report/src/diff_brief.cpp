// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <set>

#include "diff_view.hpp"

namespace archgrid::report {
namespace {

using coverage::FileDiff;
using coverage::Turn;

constexpr std::size_t kMaxLosses = 8;
constexpr std::size_t kMaxPairs = 10;
constexpr std::size_t kMaxSideNames = 4;
constexpr std::size_t kPairColumns = 50;  ///< of the other columns of a pair

std::string file_name_of(const FileDiff& file) {
  const auto& facts = file.after.path.empty() ? file.before : file.after;
  return std::filesystem::path(fatbin::printable(facts.name)).filename().string();
}

std::size_t room_beside(std::size_t others, std::size_t columns) {
  constexpr std::size_t kLeast = 16;
  return std::max(columns, others + kLeast) - others;
}

/// Returns a line for rows that are not shown; empty if there are none.
std::string more_rows_text(std::size_t rows, std::size_t most) {
  return rows > most ? fmt::format("  and {} more\n", rows - most) : std::string();
}

/// Lists the kernels that are served no longer, or less well; changes in several files that are
/// alike share a row.
std::string losses_text(const DiffReport& report, Style style, std::size_t columns) {
  struct Loss {
    const coverage::CoverageChange* change = nullptr;
    std::size_t files = 0;
  };
  std::vector<Loss> losses;
  for (const auto turn : {Turn::lost, Turn::degraded}) {
    for (const auto& file : report.diff.files) {
      for (const auto& change : file.coverage) {
        if (change.turn != turn) continue;
        const auto alike = std::find_if(losses.begin(), losses.end(), [&](const Loss& loss) {
          const auto& known = *loss.change;
          return known.turn == turn && known.before == change.before &&
                 known.after == change.after && known.devices == change.devices &&
                 known.kernels == change.kernels;
        });
        if (alike == losses.end()) {
          losses.push_back({&change, 1});
        } else {
          ++alike->files;
        }
      }
    }
  }
  if (losses.empty()) return {};
  DiffSection section{"lost coverage", Ink::bad};
  section.columns = {{"lost coverage", Side::left},
                     {"devices", Side::left},
                     {"files", Side::right},
                     {"kernels", Side::right},
                     {"", Side::left}};
  for (const auto& loss : losses) {
    if (section.rows.size() == kMaxLosses) break;
    const auto& change = *loss.change;
    section.rows.push_back(
        {{verdicts_text(change), devices_text(change.devices, report.diff.devices),
          std::to_string(loss.files), std::to_string(change.kernels.size()),
          example_of(change.kernels)},
         "",
         Ink::bad});
    section.kernels.push_back(change.kernels);
  }
  return table_text(section.columns, rows_within(section, 0, columns), 0, style) +
         more_rows_text(losses.size(), kMaxLosses) + '\n';
}

/// Counts the kernels of a file that a change of this turn concerns.
std::size_t count_turned(const FileDiff& file, std::initializer_list<Turn> turns) {
  std::set<std::string> kernels;
  for (const auto& change : file.coverage) {
    if (std::find(turns.begin(), turns.end(), change.turn) == turns.end()) continue;
    kernels.insert(change.kernels.begin(), change.kernels.end());
  }
  return kernels.size();
}

std::string count_cell(std::size_t count) {
  return count == 0 ? "-" : std::to_string(count);
}

/// Lists the changed files of both sides, those with losses first.
std::string pairs_text(const DiffReport& report, Style style, std::size_t columns) {
  struct Pair {
    const FileDiff* file = nullptr;
    std::size_t worse = 0;
  };
  std::vector<Pair> pairs;
  for (const auto& file : report.diff.files) {
    if (!is_pair(file) || !is_detailed(file, report)) continue;
    pairs.push_back({&file, count_turned(file, {Turn::lost, Turn::degraded})});
  }
  if (pairs.empty()) return {};
  std::stable_sort(pairs.begin(), pairs.end(), [](const Pair& left, const Pair& right) {
    return std::pair(left.worse, left.file->gone.size()) >
           std::pair(right.worse, right.file->gone.size());
  });
  std::vector<TableRow> rows;
  for (const auto& pair : pairs) {
    if (rows.size() == kMaxPairs) break;
    const auto& file = *pair.file;
    const auto [before, after] = stored_of(file);
    rows.push_back(
        {{fatbin::shortened(file_name_of(file), room_beside(kPairColumns, columns)),
          count_cell(pair.worse), count_cell(count_turned(file, {Turn::gained, Turn::improved})),
          count_cell(file.gone.size()), count_cell(file.added.size()), size_text(after),
          percent_text(before, after)},
         "",
         pair.worse > 0 ? Ink::bad : Ink::plain});
  }
  return table_text({{"kernels by file", Side::left},
                     {"worse", Side::right},
                     {"better", Side::right},
                     {"gone", Side::right},
                     {"new", Side::right},
                     {"code", Side::right},
                     {"change", Side::right}},
                    rows, 0, style) +
         more_rows_text(pairs.size(), kMaxPairs) + '\n';
}

/// Returns the files of one side in a sentence; empty if there are none.
std::string one_side_text(const DiffReport& report, bool gone, std::size_t columns) {
  std::vector<std::string> names;
  std::size_t kernels = 0;
  std::uint64_t bytes = 0;
  for (const auto& file : report.diff.files) {
    if (is_pair(file) || file.after.path.empty() != gone) continue;
    names.push_back(file_name_of(file));
    kernels += (gone ? file.before : file.after).kernels;
    const auto [before, after] = stored_of(file);
    bytes += gone ? before : after;
  }
  if (names.empty()) return {};
  const auto count = names.size();
  if (count > kMaxSideNames) {
    names.resize(kMaxSideNames);
    names.push_back(fmt::format("and {} more", count - kMaxSideNames));
  }
  const auto text = fmt::format(
      "{} {}, with {} and {} of device code: {}", count_text(count, "file"), gone ? "gone" : "new",
      count_text(kernels, "kernel"), size_text(bytes), fmt::join(names, ", "));
  return hanging("", text, "  ", columns);
}

}  // namespace

std::string brief_diff_text(const DiffReport& report, Style style, std::size_t columns) {
  auto text = losses_text(report, style, columns) + pairs_text(report, style, columns);
  std::string files;
  if (!files_sections(report).empty()) {
    files = one_side_text(report, true, columns) + one_side_text(report, false, columns);
  }
  if (!files.empty()) text += files + '\n';
  return text +
         paint("--all shows every kernel, its registers, and the bytes for each arch", Ink::soft,
               style) +
         "\n\n";
}

}  // namespace archgrid::report
