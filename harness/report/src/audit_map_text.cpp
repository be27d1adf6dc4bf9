// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "audit_text_parts.hpp"
#include "escape.hpp"
#include "map_legend.hpp"
#include "style.hpp"

namespace archgrid::report {
namespace {

constexpr std::size_t kColumn = 7;  ///< minimum width
constexpr std::size_t kGap = 2;     ///< before each column and each name
constexpr std::size_t kTextMaxName = 48;
constexpr std::size_t kTextMinName = 24;
constexpr std::size_t kTextMaxRows = 40;    ///< of a map, before similar kernels share a row
constexpr std::size_t kTextMaxGroups = 20;  ///< of a map, after that
constexpr std::size_t kTextBlockRows = 14;  ///< of all blocks of a map, if its devices need several
constexpr std::size_t kMaxMapRows = 54;     ///< of all maps

struct Row {
  std::string name;
  const Pattern* pattern = nullptr;
};

/// The visible rows of one map, and the number of others.
struct Shown {
  std::vector<Row> rows;
  std::size_t groups_left = 0;
  std::size_t kernels_left = 0;
  std::size_t broken_left = 0;
};

std::vector<Row> rows_of(const View& view, const std::vector<ViewKernel>& kernels) {
  std::vector<std::string> demangled;
  for (const auto& kernel : kernels) demangled.push_back(demangled_of(*kernel.row));
  auto names = short_names(demangled);
  std::vector<Row> rows;
  for (std::size_t index = 0; index < kernels.size(); ++index) {
    rows.push_back({std::move(names[index]), &view.pattern_of(kernels[index])});
  }
  return rows;
}

bool is_broken(const View& view, const ViewMap& map) {
  return std::any_of(map.kernels.begin(), map.kernels.end(),
                     [&](const ViewKernel& kernel) { return is_broken(view.pattern_of(kernel)); });
}

constexpr std::size_t kMaxRowsOfBroken = 8;

/// The screen space for a map. Devices that do not fit beside the names form further blocks below,
/// each with all names.
struct Room {
  std::size_t name = kTextMaxName;        ///< columns of a kernel's name
  std::size_t title = std::string::npos;  ///< columns of the map's title
  std::size_t blocks = 1;
  std::size_t rows = kTextMaxGroups;  ///< of a block, if similar kernels share a row
  std::size_t most = kTextMaxRows;    ///< of all blocks, unless similar kernels share a row

  /// Returns the number of lines of a map with this many kernels.
  [[nodiscard]] std::size_t lines(std::size_t kernels) const {
    return blocks * (1 + (is_folded(kernels) ? rows : kernels));
  }

  [[nodiscard]] bool is_folded(std::size_t kernels) const { return kernels * blocks > most; }
};

/// Kernels that fare well leave the screen to broken ones.
Room room_of(const View& view, const ViewMap& map, TextStyle style) {
  if (style.all) return {};

  constexpr auto kWidth = kColumn + kGap;
  const auto devices = map.devices->size();
  const auto left = style.columns - std::min(style.columns, devices * kWidth + kGap);
  Room room;
  room.name = std::clamp(left, kTextMinName, kTextMaxName);
  room.title = std::max(left, room.name) + kGap;
  const auto beside = (std::max(style.columns, room.name + kGap) - room.name - kGap) / kWidth;
  room.blocks = beside == 0 ? devices : (devices + beside - 1) / beside;
  if (room.blocks > 1) room.rows = std::max<std::size_t>(1, kTextBlockRows / room.blocks);
  if (is_broken(view, map)) room.most = kMaxRowsOfBroken;
  return room;
}

/// Returns the rows of a large library, where similar kernels share a row, broken ones first. Only
/// visible names are demangled.
Shown fold(const View& view, const std::vector<ViewKernel>& kernels, Room room) {
  const auto groups = groups_of(view, kernels);
  Shown shown;
  std::vector<ViewKernel> firsts;
  for (std::size_t index = 0; index < groups.size(); ++index) {
    if (index < room.rows) {
      firsts.push_back(groups[index].first);
      continue;
    }
    ++shown.groups_left;
    shown.kernels_left += groups[index].kernels;
    shown.broken_left += groups[index].broken ? groups[index].kernels : 0;
  }
  shown.rows = rows_of(view, firsts);
  for (std::size_t index = 0; index < shown.rows.size(); ++index) {
    const auto count = groups[index].kernels;
    const auto more = count > 1 ? fmt::format(" and {} more", count - 1) : std::string();
    auto& name = shown.rows[index].name;
    name = beginning(name, room.name - std::min(room.name, more.size())) + more;
  }
  return shown;
}

/// Returns a row for each kernel, by name.
std::vector<Row> rows_by_name(const View& view, const std::vector<ViewKernel>& kernels, Room room) {
  auto rows = rows_of(view, kernels);
  for (auto& row : rows) row.name = shortened(row.name, room.name);
  std::sort(rows.begin(), rows.end(),
            [](const Row& left, const Row& right) { return left.name < right.name; });
  return rows;
}

Shown choose_rows(const View& view, const ViewMap& map, TextStyle style) {
  const auto room = room_of(view, map, style);
  if (style.all || !room.is_folded(map.kernels.size())) {
    return {rows_by_name(view, map.kernels, room), 0, 0, 0};
  }
  auto others = map.kernels;
  const auto first = std::stable_partition(others.begin(), others.end(), [&](const auto& kernel) {
    return !is_broken(view.pattern_of(kernel));
  });
  const std::vector<ViewKernel> broken(first, others.end());
  if (broken.empty() || broken.size() * room.blocks > kMaxRowsOfBroken) {
    return fold(view, map.kernels, room);
  }
  others.erase(first, others.end());
  auto shown = fold(view, others, room);
  auto rows = rows_by_name(view, broken, room);
  shown.rows.insert(shown.rows.begin(), rows.begin(), rows.end());
  return shown;
}

std::string left_text(const Shown& shown) {
  if (shown.kernels_left == 0) return {};
  const auto broken =
      shown.broken_left == 0 ? std::string() : fmt::format(", {} with findings", shown.broken_left);
  return fmt::format("  and {} in {}{} (--all shows every kernel)\n",
                     count_text(shown.kernels_left, "kernel"),
                     count_text(shown.groups_left, "more row"), broken);
}

/// The layout of a map.
struct Layout {
  std::string title;
  std::size_t name = 0;    ///< columns of the title and the names
  std::size_t column = 0;  ///< columns of a device
};

/// Returns a map's devices from `columns.first` up to `columns.second`.
std::string map_block(const ViewMap& map, const std::vector<Row>& rows,
                      std::pair<std::size_t, std::size_t> columns, const Layout& layout,
                      Style style) {
  const auto text_of = [&](std::string line, const auto& cell) {
    for (auto at = columns.first; at < columns.second; ++at) line += "  " + cell(at);
    if (!style.colour) line.erase(line.find_last_not_of(' ') + 1);
    return line + '\n';
  };
  const auto title = paint(pad(layout.title, layout.name), Ink::strong, style);
  auto text =
      text_of(title, [&](std::size_t at) { return pad((*map.devices)[at].text(), layout.column); });
  for (const auto& row : rows) {
    text += text_of(pad("  " + row.name, layout.name), [&](std::size_t at) {
      const auto field = (*row.pattern)[at];
      return paint(pad(word_of(field), layout.column), ink_of(field), style);
    });
  }
  return text;
}

/// Writes as many devices as fit beside the names, and the others below.
std::string map_text(const View& view, const ViewMap& map, const Shown& shown, Legend& legend,
                     TextStyle style) {
  const auto most = room_of(view, map, style).title;
  Layout layout = {shortened(fatbin::printable(map.title), most), 0, kColumn};
  layout.name = layout.title.size();
  for (const auto& row : shown.rows) {
    layout.name = std::max(layout.name, row.name.size() + kGap);
    for (const auto field : *row.pattern) {
      layout.column = std::max(layout.column, word_of(field).size());
    }
    legend.add(*row.pattern);
  }
  const auto devices = map.devices->size();
  const auto room = (std::max(style.columns, layout.name) - layout.name) / (layout.column + kGap);
  const auto fits = std::max<std::size_t>(style.all ? devices : room, 1);
  std::string text;
  for (std::size_t begin = 0; begin == 0 || begin < devices; begin += fits) {
    const auto end = std::min(begin + fits, devices);
    text += map_block(map, shown.rows, {begin, end}, layout, style.style);
  }
  return text + left_text(shown);
}

bool is_beside_fat(const View& view, const ViewMap& map) {
  return view.report.beside_fat.count(map.title) != 0;
}

/// Returns the maps to show, in their order. Broken ones have priority; single cells beside fat
/// ones are shown only if they are broken.
std::vector<bool> choose_maps(const View& view, TextStyle style) {
  std::vector<std::size_t> order(view.maps.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_partition(order.begin(), order.end(),
                        [&](std::size_t index) { return is_broken(view, view.maps[index]); });
  std::vector<bool> chosen(view.maps.size(), style.all);
  std::size_t lines = 0;
  for (const auto index : order) {
    if (is_beside_fat(view, view.maps[index]) && !is_broken(view, view.maps[index])) continue;
    lines += room_of(view, view.maps[index], style).lines(view.maps[index].kernels.size());
    if (lines <= kMaxMapRows || index == order.front()) chosen[index] = true;
  }
  return chosen;
}

/// A map, and cells whose map is the same.
struct LikeMaps {
  const ViewMap* map = nullptr;
  Shown shown;
  std::vector<std::string> others;
};

bool are_alike(const LikeMaps& left, const ViewMap& map, const Shown& shown) {
  const auto same_field = [](const ViewField& a, const ViewField& b) {
    return word_of(a) == word_of(b) && ink_of(a) == ink_of(b);
  };
  const auto same_row = [&](const Row& a, const Row& b) {
    return a.name == b.name && std::equal(a.pattern->begin(), a.pattern->end(), b.pattern->begin(),
                                          b.pattern->end(), same_field);
  };
  const auto& rows = left.shown.rows;
  return *left.map->devices == *map.devices && left.shown.kernels_left == shown.kernels_left &&
         left.shown.broken_left == shown.broken_left &&
         std::equal(rows.begin(), rows.end(), shown.rows.begin(), shown.rows.end(), same_row);
}

/// Returns the chosen maps. Cells with the same map share one.
std::vector<LikeMaps> like_maps(const View& view, const std::vector<bool>& chosen,
                                TextStyle style) {
  std::vector<LikeMaps> found;
  for (std::size_t index = 0; index < view.maps.size(); ++index) {
    if (!chosen[index]) continue;
    const auto& map = view.maps[index];
    auto shown = choose_rows(view, map, style);
    const auto like = std::find_if(found.begin(), found.end(), [&](const LikeMaps& each) {
      return view.report.by_cell && are_alike(each, map, shown);
    });
    if (like == found.end()) {
      found.push_back({&map, std::move(shown), {}});
    } else {
      like->others.push_back(map.title);
    }
  }
  return found;
}

}  // namespace

std::string maps_text(const View& view, TextStyle style) {
  const auto chosen = choose_maps(view, style);
  Legend legend;
  std::string text;
  for (const auto& like : like_maps(view, chosen, style)) {
    text += map_text(view, *like.map, like.shown, legend, style);
    if (!like.others.empty()) {
      text +=
          wrapped(fmt::format("the same in {}", fmt::join(like.others, ", ")), "  ", style.columns);
    }
    text += '\n';
  }
  std::size_t left = 0;
  std::size_t broken = 0;
  std::size_t kernels = 0;
  for (std::size_t index = 0; index < view.maps.size(); ++index) {
    if (chosen[index]) continue;
    const auto& map = view.maps[index];
    ++left;
    kernels += map.kernels.size();
    broken += is_broken(view, map) ? 1 : 0;
  }
  if (left > 0) {
    const auto trouble = broken == 0 ? std::string() : fmt::format(", {} with findings", broken);
    const std::string noun = view.report.by_cell ? "cell" : "file";
    const auto count = left < view.maps.size() ? "and " + count_text(left, "more " + noun)
                                               : count_text(left, noun);
    const auto line = fmt::format("{} with {}{} (--all shows every kernel)", count,
                                  count_text(kernels, "kernel"), trouble);
    text += wrapped(line, "", style.columns) + '\n';
  }
  return text + legend.text(view.report.like_other_kernels, style.style);
}

}  // namespace archgrid::report
