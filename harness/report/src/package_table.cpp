// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "package_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <archgrid/words/cause_text.hpp>
#include <map>
#include <set>
#include <tuple>

#include "escape.hpp"
#include "style.hpp"
#include "view_parts.hpp"

namespace archgrid::report {
namespace {

using coverage::ComputeCapability;
using coverage::State;

constexpr std::size_t kTableMaxFiles = 20;
constexpr std::size_t kMaxName = 25;
constexpr std::size_t kMaxLongName = 40;  ///< if shorter names are ambiguous
constexpr std::size_t kMinAlike = 3;      ///< minimum files to share a row
constexpr std::size_t kTableGap = 1;
constexpr std::size_t kMinColumn = 4;

/// The kernels of one file on one GPU.
struct GpuCell {
  std::size_t kernels = 0;
  std::size_t native = 0;  ///< with machine code that runs
  std::size_t jit = 0;
  std::size_t others = 0;  ///< probably for other GPUs
  std::size_t idle = 0;    ///< suspects whose bodies may do no work by a defect
  bool is_broken = false;
  bool is_suspect = false;

  void add(ViewField field) {
    ++kernels;
    const bool runs = coverage::is_machine_code(field.verdict);
    const bool fails = field.verdict == coverage::Verdict::missing ||
                       field.verdict == coverage::Verdict::wrong_suffix ||
                       field.verdict == coverage::Verdict::empty;
    native += runs ? 1 : 0;
    jit += field.verdict == coverage::Verdict::jit ? 1 : 0;
    const bool is_suspected = field.state_alone() == State::suspect;
    others += fails && is_suspected && !field.in_doubt ? 1 : 0;
    idle += field.in_doubt ? 1 : 0;
    is_broken = is_broken || field.state == State::broken;
    is_suspect = is_suspect || is_suspected;
  }

  /// Returns the kernels that the share is of. Those that may be for other GPUs count if they are
  /// the greater part: then the file may as well be for other GPUs.
  [[nodiscard]] std::size_t counted() const {
    return others * 2 > kernels ? kernels : kernels - others;
  }

  /// Returns "all", "all*" beside kernels for other GPUs, "60%", "60%+" beside PTX, "60%?" beside
  /// bodies that may be defects, "PTX", "-"; "!" marks errors.
  [[nodiscard]] std::string text() const {
    const auto own = counted();
    const std::string error = is_broken ? "!" : "";
    const std::string beside = is_broken ? "!" : others > 0 ? "*" : "";
    if (native == kernels) return "all" + error;
    if (native == 0 && jit == 0) return "-" + error;
    if (native == own) return "all" + beside;
    const std::string doubt = !is_broken && idle > 0 ? "?" : error;
    const bool is_rest_for_others = others > 0 && own == kernels;
    if (native == 0) {
      const std::string sign = !doubt.empty() ? doubt : is_rest_for_others ? "*" : "";
      return "PTX" + (jit == own ? beside : sign);
    }
    const std::string sign = !doubt.empty() ? doubt : jit > 0 ? "+" : is_rest_for_others ? "*" : "";
    const auto percent = native * 100 / own;
    return percent == 0 ? "<1%" + sign : fmt::format("{}%{}", percent, sign);
  }

  [[nodiscard]] Ink ink() const {
    if (is_broken) return Ink::bad;
    if (native > 0 && native == counted()) return Ink::good;
    return is_suspect ? Ink::warn : Ink::plain;
  }
};

struct FileRow {
  std::string name;
  std::size_t kernels = 0;
  bool is_broken = false;
  std::vector<GpuCell> cells;  ///< by GPU
  std::size_t more = 0;        ///< further files that the row represents

  [[nodiscard]] std::string key() const {
    std::string key;
    for (const auto& cell : cells) key += cell.text() + ' ';
    return key;
  }
};

FileRow file_row(const View& view, const ViewMap& map,
                 const std::vector<ComputeCapability>& devices, const DriverErrors& errors) {
  FileRow row{fatbin::printable(map.title), map.kernels.size(), false, {}, 0};
  row.cells.resize(devices.size());
  for (const auto& kernel : map.kernels) {
    const auto& pattern = view.pattern_of(kernel);
    for (std::size_t at = 0; at < devices.size(); ++at) row.cells[at].add(pattern[at]);
  }
  const auto refused = errors.gpus_of(map);
  for (std::size_t at = 0; at < devices.size(); ++at) {
    if (refused.count(devices[at]) != 0) row.cells[at].is_broken = true;
  }
  row.is_broken = std::any_of(row.cells.begin(), row.cells.end(),
                              [](const GpuCell& cell) { return cell.is_broken; });
  return row;
}

/// Returns rows with errors first, then the largest.
std::vector<FileRow> file_rows(const View& view, const std::vector<ComputeCapability>& devices) {
  std::vector<FileRow> rows;
  const DriverErrors errors(view);
  for (const auto& map : view.maps) rows.push_back(file_row(view, map, devices, errors));
  std::stable_sort(rows.begin(), rows.end(), [](const FileRow& left, const FileRow& right) {
    return std::tie(right.is_broken, right.kernels) < std::tie(left.is_broken, left.kernels);
  });
  return rows;
}

/// Merges rows of files with equal cells if there are several.
std::vector<FileRow> folded(std::vector<FileRow> rows) {
  std::map<std::string, std::size_t> counts;
  for (const auto& row : rows) ++counts[row.key()];
  std::vector<FileRow> result;
  std::set<std::string> told;
  for (auto& row : rows) {
    const auto count = counts[row.key()];
    if (count < kMinAlike) {
      result.push_back(std::move(row));
    } else if (told.insert(row.key()).second) {
      row.more = count - 1;
      result.push_back(std::move(row));
    }
  }
  return result;
}

/// Shortens names. `room`: columns besides those of the GPUs.
void shorten_names(std::vector<FileRow>& rows, std::size_t room) {
  std::set<std::string> names;
  for (const auto& row : rows) names.insert(shortened(row.name, kMaxName));
  const auto least = names.size() < rows.size() ? kMaxLongName : kMaxName;
  std::size_t more = 0;
  for (const auto& row : rows) {
    if (row.more > 0) more = std::max(more, fmt::format(" and {} more", row.more).size());
  }
  const auto most = std::max(least, room - std::min(room, more));
  for (auto& row : rows) {
    row.name = shortened(row.name, most);
    if (row.more > 0) row.name += fmt::format(" and {} more", row.more);
  }
}

std::string right_aligned(const std::string& text, std::size_t width) {
  return std::string(width > text.size() ? width - text.size() : 0, ' ') + text;
}

/// Returns the devices from `columns.first` up to `columns.second`.
std::string block_text(const std::vector<FileRow>& rows,
                       const std::vector<ComputeCapability>& devices,
                       std::pair<std::size_t, std::size_t> columns, std::size_t name, Style style) {
  constexpr auto kWidth = kTableGap + kMinColumn;
  auto text = std::string(name, ' ');
  for (auto at = columns.first; at < columns.second; ++at) {
    text += paint(right_aligned(devices[at].text(), kWidth), Ink::strong, style);
  }
  text += '\n';
  for (const auto& row : rows) {
    text += pad(row.name, name);
    for (auto at = columns.first; at < columns.second; ++at) {
      const auto& cell = row.cells[at];
      text += paint(right_aligned(cell.text(), kWidth), cell.ink(), style);
    }
    text += '\n';
  }
  return text;
}

/// Returns "7.5 T4, RTX 20; 8.0 A100, A30", as many as fit on a line.
std::string gpu_lines(const std::vector<ComputeCapability>& devices, std::size_t columns) {
  std::string text;
  std::string line;
  for (const auto device : devices) {
    const auto gpu = gpu_text(device);
    if (!line.empty() && line.size() + 2 + gpu.size() > columns) {
      text += line + '\n';
      line.clear();
    }
    line += (line.empty() ? "" : "; ") + gpu;
  }
  return text + line + '\n';
}

/// Explains the signs of the rows.
std::string legend_text(const std::vector<FileRow>& rows, bool has_driver_error) {
  std::set<char> signs;
  bool has_share_of_own = false;
  for (const auto& row : rows) {
    for (const auto& cell : row.cells) {
      const auto shown = cell.text();
      signs.insert(shown.begin(), shown.end());
      const bool is_share = shown.find('%') != std::string::npos;
      has_share_of_own |= cell.others > 0 && cell.counted() < cell.kernels && is_share;
    }
  }
  const auto has = [&signs](char sign) { return signs.count(sign) != 0; };
  std::string legend = "%: share of the kernels whose machine code works on the GPU";
  if (has_share_of_own) legend += ", without those that may be for other GPUs";
  if (has('+')) legend += "; +: others are compiled from PTX when the program first starts";
  if (has('*')) legend += "; *: beside kernels that may be for other GPUs";
  if (has('?')) legend += "; ?: others do no work there, which may be intended";
  if (has('-')) legend += "; -: none";
  if (has('P')) legend += "; PTX: compiled when the program first starts";
  if (has('!')) {
    legend += has_driver_error ? "; !: error, or the driver does not run it there" : "; !: error";
  }
  return legend;
}

}  // namespace

std::string package_table(const View& view, TextStyle style) {
  if (view.maps.empty() || view.maps.front().devices->empty()) return {};
  const auto& devices = *view.maps.front().devices;
  auto rows = folded(file_rows(view, devices));
  std::size_t left = 0;
  for (; rows.size() > kTableMaxFiles; rows.pop_back()) left += rows.back().more + 1;
  constexpr auto kWidth = kTableGap + kMinColumn;
  const auto taken = devices.size() * kWidth;
  shorten_names(rows, style.columns - std::min(style.columns, taken));
  std::size_t name = 0;
  for (const auto& row : rows) name = std::max(name, row.name.size());
  const auto fits = std::max<std::size_t>(1, (std::max(style.columns, name) - name) / kWidth);
  std::string text;
  for (std::size_t begin = 0; begin < devices.size(); begin += fits) {
    const auto end = std::min(begin + fits, devices.size());
    text += block_text(rows, devices, {begin, end}, name, style.style);
  }
  if (left > 0) text += fmt::format("and {}\n", count_text(left, "more file"));
  return text + '\n' + wrapped(legend_text(rows, !DriverErrors(view).empty()), "", style.columns) +
         gpu_lines(devices, style.columns);
}

}  // namespace archgrid::report
