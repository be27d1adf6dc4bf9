// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "audit_text_parts.hpp"
#include "escape.hpp"
#include "map_legend.hpp"
#include "map_rows.hpp"
#include "style.hpp"

namespace archgrid::report {
namespace {

struct Row {
  std::string name;
  const Pattern* pattern = nullptr;
};

/// Returns "tile<3>", "tile<3> and 7 more" in at most `columns`.
std::string row_name(const std::string& first, std::size_t kernels, std::size_t columns) {
  if (kernels == 1) return shortened(first, columns);
  const auto more = fmt::format(" and {} more", kernels - 1);
  return beginning(first, columns - std::min(columns, more.size())) + more;
}

/// Returns the rows with names that differ. Only visible names are demangled.
std::vector<Row> rows_of(const View& view, const MapChoice& choice) {
  const auto& shown = choice.rows;
  std::vector<std::string> demangled;
  for (const auto& group : shown.rows) demangled.push_back(demangled_of(*group.first.row));
  const auto names = short_names(demangled);
  std::vector<Row> rows;
  for (std::size_t index = 0; index < names.size(); ++index) {
    const auto& group = shown.rows[index];
    rows.push_back(
        {row_name(names[index], group.kernels, choice.room.name), &view.pattern_of(group.first)});
  }
  std::sort(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(shown.own),
            [](const Row& left, const Row& right) { return left.name < right.name; });
  return rows;
}

/// Returns the option that shows all. For cells a line below the maps has the whole command.
const char* all_option(const View& view) {
  return view.report.by_cell ? "" : " (--all shows every kernel)";
}

/// Returns the command that shows all cells, on one line whatever its length, as readers paste it.
std::string all_command_text(const View& view) {
  const auto& command = view.report.all_command;
  return command.empty() ? std::string() : "every kernel: " + command + '\n';
}

std::string left_text(const View& view, const MapRows& shown) {
  if (shown.kernels_left == 0) return {};
  const auto broken =
      shown.broken_left == 0 ? std::string() : fmt::format(", {} with findings", shown.broken_left);
  return fmt::format("  and {} in {}{}{}\n", count_text(shown.kernels_left, "kernel"),
                     count_text(shown.groups_left, "more row"), broken, all_option(view));
}

/// The layout of a map.
struct Layout {
  std::string title;
  std::size_t name = 0;    ///< columns of the title and the names
  std::size_t column = 0;  ///< columns of a device
};

bool is_refused_at(const MapChoice& choice, std::size_t at) {
  return choice.refused.count((*choice.map->devices)[at]) != 0;
}

/// Returns a map's devices from `columns.first` up to `columns.second`.
std::string map_block(const MapChoice& choice, const std::vector<Row>& rows,
                      std::pair<std::size_t, std::size_t> columns, const Layout& layout,
                      Style style) {
  const auto text_of = [&](std::string line, const auto& cell) {
    for (auto at = columns.first; at < columns.second; ++at) line += "  " + cell(at);
    if (!style.colour) line.erase(line.find_last_not_of(' ') + 1);
    return line + '\n';
  };
  const auto title = paint(pad(layout.title, layout.name), Ink::strong, style);
  const auto& devices = *choice.map->devices;
  auto text =
      text_of(title, [&](std::size_t at) { return pad(devices[at].text(), layout.column); });
  for (const auto& row : rows) {
    text += text_of(pad("  " + row.name, layout.name), [&](std::size_t at) {
      const auto field = (*row.pattern)[at];
      const bool is_refused = is_refused_at(choice, at);
      return paint(pad(word_of(field, is_refused), layout.column), ink_of(field, is_refused),
                   style);
    });
  }
  return text;
}

Layout layout_of(const MapChoice& choice, const std::vector<Row>& rows) {
  Layout layout = {shortened(fatbin::printable(choice.map->title), choice.room.title), 0,
                   Room::kMinColumn};
  layout.name = layout.title.size();
  for (const auto& row : rows) {
    layout.name = std::max(layout.name, row.name.size() + Room::kGap);
    for (std::size_t at = 0; at < row.pattern->size(); ++at) {
      const auto word = word_of((*row.pattern)[at], is_refused_at(choice, at));
      layout.column = std::max(layout.column, word.size());
    }
  }
  return layout;
}

/// Lists the cells or files that a map stands for as well: all cells, which people know by name,
/// but a few files.
std::string alike_text(const View& view, const MapChoice& choice, std::size_t columns) {
  constexpr std::size_t kMaxFiles = 3;
  const auto& alike = choice.alike;
  if (alike.empty()) return {};
  const auto named = view.report.by_cell ? alike.size() : std::min(alike.size(), kMaxFiles);
  auto text = fmt::format(
      "the same in {}",
      fmt::join(alike.begin(), alike.begin() + static_cast<std::ptrdiff_t>(named), ", "));
  if (named < alike.size()) text += fmt::format(" and {} more", alike.size() - named);
  return wrapped(fatbin::printable(text), "  ", columns);
}

/// Writes as many devices as fit beside the names, the others below, and equal cells.
std::string map_text(const View& view, const MapChoice& choice, Legend& legend, TextStyle style) {
  const auto rows = rows_of(view, choice);
  for (const auto& row : rows) legend.add(*row.pattern);
  if (!choice.refused.empty()) legend.add_refused();
  const auto layout = layout_of(choice, rows);
  const auto devices = choice.map->devices->size();
  const auto beside =
      (std::max(style.columns, layout.name) - layout.name) / (layout.column + Room::kGap);
  const auto fits = std::max<std::size_t>(style.all ? devices : beside, 1);
  std::string text;
  for (std::size_t begin = 0; begin == 0 || begin < devices; begin += fits) {
    const auto end = std::min(begin + fits, devices);
    text += map_block(choice, rows, {begin, end}, layout, style.style);
  }
  text += left_text(view, choice.rows);
  return text + alike_text(view, choice, style.columns);
}

/// Counts the maps that are not shown.
std::string left_maps_text(const View& view, const std::vector<MapChoice>& maps, TextStyle style) {
  std::size_t all = 0;
  std::size_t left = 0;
  std::size_t broken = 0;
  std::size_t kernels = 0;
  for (const auto& choice : maps) {
    all += choice.count();
    if (choice.is_shown) continue;
    left += choice.count();
    kernels += choice.count() * choice.map->kernels.size();
    broken += choice.is_broken ? choice.count() : 0;
  }
  if (left == 0) return {};
  const auto trouble = broken == 0 ? std::string() : fmt::format(", {} with findings", broken);
  const std::string noun = view.report.by_cell ? "cell" : "file";
  const auto count =
      left < all ? "and " + count_text(left, "more " + noun) : count_text(left, noun);
  return wrapped(fmt::format("{} with {}{}{}", count, count_text(kernels, "kernel"), trouble,
                             all_option(view)),
                 "", style.columns);
}

/// Explains rows such as "tile and 7 more", unless a line says how to see all kernels.
std::string shared_rows_text(const View& view, const std::vector<MapChoice>& maps) {
  bool is_shared = false;
  for (const auto& choice : maps) {
    const auto& shown = choice.rows;
    if (!choice.is_shown || shown.kernels_left > 0) return {};
    is_shared = is_shared || std::any_of(shown.rows.begin(), shown.rows.end(),
                                         [](const auto& group) { return group.kernels > 1; });
  }
  return is_shared ? fmt::format("kernels with equal verdicts share a row{}\n", all_option(view))
                   : std::string();
}

}  // namespace

std::string maps_text(const View& view, TextStyle style) {
  const auto maps = choose_maps(view, style);
  Legend legend;
  std::string text;
  for (const auto& choice : maps) {
    if (choice.is_shown) text += map_text(view, choice, legend, style) + '\n';
  }
  auto more = left_maps_text(view, maps, style) + shared_rows_text(view, maps);
  const bool is_short = std::any_of(maps.begin(), maps.end(), [](const MapChoice& choice) {
    return choice.is_shown && choice.rows.kernels_left > 0;
  });
  if (is_short || !more.empty()) more += all_command_text(view);
  if (!more.empty()) text += more + '\n';
  return text + legend.text(view.report.without_promise, style);
}

}  // namespace archgrid::report
