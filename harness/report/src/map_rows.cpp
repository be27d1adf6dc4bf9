// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "map_rows.hpp"

#include <algorithm>
#include <archgrid/coverage/names.hpp>
#include <functional>
#include <iterator>

#include "view_parts.hpp"

namespace archgrid::report {
namespace {

constexpr std::size_t kMinName = 24;
constexpr std::size_t kMaxRows = 16;            ///< of a map, before kernels share a row
constexpr std::size_t kMaxRowsOfBrokenMap = 8;  ///< of a broken map, before its good ones do
constexpr std::size_t kMaxGroups = 20;          ///< rows of kernels that share them
constexpr std::size_t kMaxGroupsOfBlocks = 14;  ///< of all blocks, if a map has several
constexpr std::size_t kMaxLines = 30;           ///< of all maps

Room room_of(const ViewMap& map, TextStyle style) {
  if (style.all) return {};

  constexpr auto kWidth = Room::kMinColumn + Room::kGap;
  const auto devices = map.devices->size();
  const auto left = style.columns - std::min(style.columns, devices * kWidth + Room::kGap);
  Room room;
  room.name = std::clamp(left, kMinName, Room::kMaxName);
  room.title = std::max(left, room.name) + Room::kGap;
  const auto beside =
      (std::max(style.columns, room.name + Room::kGap) - room.name - Room::kGap) / kWidth;
  room.blocks = std::max<std::size_t>(1, beside == 0 ? devices : (devices + beside - 1) / beside);
  return room;
}

void add_own_rows(const View& view, const std::vector<ViewKernel>& kernels, MapRows& shown) {
  for (const auto& kernel : kernels) {
    shown.rows.push_back({kernel, 1, is_broken(view.pattern_of(kernel))});
  }
  shown.own = shown.rows.size();
}

/// Adds rows that kernels with equal verdicts share, and counts those beyond `most`.
void add_groups(const View& view, const std::vector<ViewKernel>& kernels, std::size_t most,
                MapRows& shown) {
  for (const auto& group : groups_of(view, kernels)) {
    if (shown.rows.size() < shown.own + most) {
      shown.rows.push_back(group);
      continue;
    }
    ++shown.groups_left;
    shown.kernels_left += group.kernels;
    shown.broken_left += group.broken ? group.kernels : 0;
  }
}

/// Returns a row for each kernel if they fit. Otherwise good kernels share rows, and broken ones do
/// if they do not fit either.
MapRows choose_rows(const View& view, const std::vector<ViewKernel>& kernels, const Room& room,
                    TextStyle style) {
  MapRows shown;
  std::vector<ViewKernel> broken;
  std::vector<ViewKernel> good;
  std::partition_copy(kernels.begin(), kernels.end(), std::back_inserter(broken),
                      std::back_inserter(good),
                      [&](const ViewKernel& kernel) { return is_broken(view.pattern_of(kernel)); });
  const auto max_rows = broken.empty() ? kMaxRows : kMaxRowsOfBrokenMap;
  if (style.all || kernels.size() * room.blocks <= max_rows) {
    add_own_rows(view, kernels, shown);
    return shown;
  }
  const auto max_groups = room.blocks == 1 ? kMaxGroups : kMaxGroupsOfBlocks / room.blocks;
  const bool broken_fit = broken.size() * room.blocks <= kMaxRows;
  if (broken_fit) add_own_rows(view, broken, shown);
  const auto left = kMaxRows / room.blocks - std::min(shown.own, kMaxRows / room.blocks);
  const auto most = std::max<std::size_t>(1, std::min(left, max_groups));
  add_groups(view, broken_fit ? good : kernels, most, shown);
  return shown;
}

/// Returns a hash that does not depend on the order of the kernels, nor on what differs between two
/// builds of one.
std::uint64_t content_of(const View& view, const ViewMap& map) {
  std::uint64_t content = 0;
  for (const auto& kernel : map.kernels) {
    const auto& row = *kernel.row;
    auto text = row.name.empty() ? demangled_of(row) : fatbin::without_build(row.name.str());
    text += '\n' + looks_of(view.pattern_of(kernel));
    content += std::hash<std::string>()(text);
  }
  return content;
}

std::vector<MapChoice>::iterator find_equal(std::vector<MapChoice>& maps, const MapChoice& choice) {
  return std::find_if(maps.begin(), maps.end(), [&](const MapChoice& each) {
    return each.content == choice.content && *each.map->devices == *choice.map->devices &&
           each.map->kernels.size() == choice.map->kernels.size() &&
           each.refused == choice.refused && each.is_hidden == choice.is_hidden;
  });
}

/// Reports whether equal maps share one: those of cells always do, those of files on a screen.
bool may_share(const View& view, TextStyle style) {
  return view.maps.size() > 1 && (view.report.by_cell || !style.all);
}

MapChoice choice_of(const View& view, const DriverErrors& errors, const ViewMap& map,
                    TextStyle style) {
  MapChoice choice;
  choice.map = &map;
  choice.room = room_of(map, style);
  choice.rows = choose_rows(view, map.kernels, choice.room, style);
  if (may_share(view, style)) choice.content = content_of(view, map);
  choice.refused = errors.gpus_of(map);
  choice.is_broken =
      !choice.refused.empty() ||
      std::any_of(map.kernels.begin(), map.kernels.end(),
                  [&](const ViewKernel& kernel) { return is_broken(view.pattern_of(kernel)); });
  choice.is_hidden =
      !style.all && !choice.is_broken && view.report.beside_fat.count(map.title) != 0;
  return choice;
}

/// Returns the maps. Equal ones share one.
std::vector<MapChoice> distinct_maps(const View& view, TextStyle style) {
  std::vector<MapChoice> maps;
  const DriverErrors errors(view);
  for (const auto& map : view.maps) {
    auto choice = choice_of(view, errors, map, style);
    const auto known = may_share(view, style) ? find_equal(maps, choice) : maps.end();
    if (known == maps.end()) {
      maps.push_back(std::move(choice));
    } else {
      known->alike.push_back(map.title);
    }
  }
  return maps;
}

std::size_t lines_of(const MapChoice& choice) {
  const auto& rows = choice.rows;
  return choice.room.blocks * (1 + rows.rows.size()) + (rows.kernels_left > 0 ? 1 : 0) +
         (choice.alike.empty() ? 0 : 1);
}

}  // namespace

std::vector<MapChoice> choose_maps(const View& view, TextStyle style) {
  auto maps = distinct_maps(view, style);
  std::vector<MapChoice*> order;
  for (auto& choice : maps) order.push_back(&choice);
  std::stable_partition(order.begin(), order.end(),
                        [](const MapChoice* choice) { return choice->is_broken; });
  std::size_t lines = 0;
  for (auto* const choice : order) {
    if (choice->is_hidden) continue;
    const bool is_first = lines == 0;
    lines += lines_of(*choice);
    choice->is_shown = style.all || is_first || lines <= kMaxLines;
  }
  return maps;
}

}  // namespace archgrid::report
