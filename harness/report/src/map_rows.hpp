// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Selects the maps and the rows that text shows of an audit.
#ifndef ARCHGRID_REPORT_MAP_ROWS_HPP
#define ARCHGRID_REPORT_MAP_ROWS_HPP

#include <archgrid/report.hpp>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace archgrid::report {

/// The screen space for a map. Devices that do not fit beside the names form further blocks below,
/// each with all names.
struct Room {
  static constexpr std::size_t kMinColumn = 7;  ///< width of a device
  static constexpr std::size_t kGap = 2;        ///< before each column and each name
  static constexpr std::size_t kMaxName = 48;

  std::size_t name = kMaxName;            ///< columns of a kernel's name
  std::size_t title = std::string::npos;  ///< columns of the map's title
  std::size_t blocks = 1;
};

/// The visible rows of a map, and the number of others.
struct MapRows {
  std::vector<KernelGroup> rows;
  std::size_t own = 0;  ///< leading rows that show one kernel each, in the order of names
  std::size_t groups_left = 0;
  std::size_t kernels_left = 0;
  std::size_t broken_left = 0;
};

/// A map, and cells or files with the same kernels and verdicts.
struct MapChoice {
  const ViewMap* map = nullptr;
  Room room;
  MapRows rows;
  std::uint64_t content = 0;                      ///< a hash of the kernels and verdicts
  std::set<coverage::ComputeCapability> refused;  ///< GPUs on which the driver does not run it
  bool is_broken = false;
  bool is_hidden = false;  ///< a single cell beside a fat one
  bool is_shown = false;
  std::vector<std::string> alike;  ///< titles of the others

  /// Returns the number of maps.
  [[nodiscard]] std::size_t count() const { return 1 + alike.size(); }
};

/// Returns the maps in the order of the view. Those shown fit the screen, and broken
/// maps have priority.
std::vector<MapChoice> choose_maps(const View& view, TextStyle style);

}  // namespace archgrid::report

#endif
