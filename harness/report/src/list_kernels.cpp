// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "kernel_text.hpp"
#include "list_shared.hpp"
#include "table.hpp"

namespace archgrid::report {
namespace {

using fatbin::Image;
using fatbin::Kernel;
using fatbin::Kind;

std::string number(const std::optional<std::uint32_t>& value) {
  return value ? std::to_string(*value) : "-";
}

/// Returns stores and loads, in bytes. Old toolkits do not record them, so they are unknown, not
/// zero.
std::string spills_of(const Image& image, const Kernel& kernel) {
  if (image.kind != Kind::sass) return "-";
  if (!kernel.spill_stores || !kernel.spill_loads) return "?";
  if (*kernel.spill_stores == 0 && *kernel.spill_loads == 0) return "0";
  return fmt::format("{}/{}", *kernel.spill_stores, *kernel.spill_loads);
}

/// Returns "256", "16x16".
std::string shape_text(const fatbin::BlockDim& threads) {
  auto dimensions = threads.size();
  while (dimensions > 1 && threads.at(dimensions - 1) <= 1) --dimensions;
  return fmt::format("{}", fmt::join(threads.begin(), threads.begin() + dimensions, "x"));
}

std::string threads_of(const Kernel& kernel) {
  if (kernel.required_threads) return "=" + shape_text(*kernel.required_threads);
  return kernel.max_threads ? "<=" + shape_text(*kernel.max_threads) : "-";
}

std::vector<std::string> kernel_cells(const Image& image, const Kernel& kernel) {
  return {fatbin::name_of(image.kind), image.arch.text(),     number(kernel.registers),
          number(kernel.stack),        number(kernel.shared), number(kernel.constant),
          spills_of(image, kernel),    threads_of(kernel),    number(kernel.code_bytes),
          name_of(kernel.body)};
}

std::vector<Column> kernel_columns() {
  return {{"kind", Side::left},    {"arch", Side::left},     {"regs", Side::right},
          {"stack", Side::right},  {"shared", Side::right},  {"const", Side::right},
          {"spills", Side::right}, {"threads", Side::right}, {"code", Side::right},
          {"body", Side::left},    {"", Side::left}};
}

std::int64_t value_of(const std::optional<std::uint32_t>& value) {
  return value ? static_cast<std::int64_t>(*value) : -1;
}

std::int64_t value_of(const Kernel& kernel, ListOrder order) {
  switch (order) {
    case ListOrder::registers:
      return value_of(kernel.registers);
    case ListOrder::stack:
      return value_of(kernel.stack);
    case ListOrder::shared:
      return value_of(kernel.shared);
    case ListOrder::spills:
      return kernel.spill_stores && kernel.spill_loads
                 ? value_of(kernel.spill_stores) + value_of(kernel.spill_loads)
                 : -1;
    case ListOrder::name:
      return 0;
    case ListOrder::code:
    case ListOrder::size:
      break;
  }
  return value_of(kernel.code_bytes);
}

struct KernelEntry {
  std::string_view name;
  std::string shown;
  std::vector<std::pair<const Image*, const Kernel*>> bodies;
  std::int64_t weight = -1;  ///< sort key: the maximum over its bodies, the sum for `size`
};

void weigh(KernelEntry& entry, ListOrder order) {
  for (const auto& [image, kernel] : entry.bodies) {
    const auto value = value_of(*kernel, order);
    const bool adds = order == ListOrder::size && value >= 0;
    entry.weight =
        adds ? std::max<std::int64_t>(entry.weight, 0) + value : std::max(entry.weight, value);
  }
}

std::vector<KernelEntry> entries_of(const std::vector<const Image*>& images, ListOrder order) {
  std::unordered_map<std::string_view, std::size_t> places;
  std::vector<KernelEntry> entries;
  for (const auto* image : images) {
    for (const auto& kernel : image->kernels) {
      const auto [place, fresh] = places.try_emplace(kernel.name, entries.size());
      if (fresh) entries.push_back({kernel.name, {}, {}, -1});
      entries[place->second].bodies.emplace_back(image, &kernel);
    }
  }
  for (auto& entry : entries) {
    std::stable_sort(entry.bodies.begin(), entry.bodies.end(),
                     [](const auto& left, const auto& right) {
                       return key_of(*left.first) < key_of(*right.first);
                     });
    weigh(entry, order);
  }
  return entries;
}

/// Returns the first `top` entries, sorted, with readable names: only visible ones are demangled.
std::vector<KernelEntry> shown_of(std::vector<KernelEntry> entries, const ListRequest& request) {
  const bool by_name = request.order.value_or(ListOrder::name) == ListOrder::name;
  const auto demangle = [](KernelEntry& entry) {
    entry.shown = fatbin::demangle(std::string(entry.name));
  };
  if (by_name) std::for_each(entries.begin(), entries.end(), demangle);
  std::sort(entries.begin(), entries.end(), [](const KernelEntry& left, const KernelEntry& right) {
    if (left.weight != right.weight) return left.weight > right.weight;
    return std::tie(left.shown, left.name) < std::tie(right.shown, right.name);
  });
  if (request.top) entries.resize(std::min(entries.size(), *request.top));
  if (!by_name) std::for_each(entries.begin(), entries.end(), demangle);
  return entries;
}

void shorten_names(std::vector<KernelEntry>& entries, std::size_t room) {
  std::vector<std::string> names;
  for (auto& entry : entries) names.push_back(std::move(entry.shown));
  auto texts = kernel_texts(names, room);
  for (std::size_t index = 0; index < entries.size(); ++index) {
    entries[index].shown = std::move(texts[index]);
  }
}

/// Returns one row per body; equal bodies of several modules share a row.
std::vector<TableRow> rows_of(const KernelEntry& entry) {
  std::vector<TableRow> rows;
  std::vector<std::size_t> times;
  for (const auto& [image, kernel] : entry.bodies) {
    auto cells = kernel_cells(*image, *kernel);
    const auto alike = std::find_if(rows.begin(), rows.end(),
                                    [&](const TableRow& row) { return row.cells == cells; });
    if (alike != rows.end()) {
      ++times[static_cast<std::size_t>(alike - rows.begin())];
      continue;
    }
    rows.push_back({std::move(cells), "", Ink::plain});
    times.push_back(1);
  }
  for (std::size_t index = 0; index < rows.size(); ++index) {
    if (times[index] > 1) rows[index].cells.push_back(fmt::format("{} times", times[index]));
  }
  rows.front().heading = entry.shown;
  return rows;
}

}  // namespace

std::string kernels_text(const std::vector<const Image*>& images, const ListRequest& request,
                         std::size_t indent, Signs& signs, Style style) {
  const auto room = request.columns - std::min(request.columns, indent - kOutdent);
  auto entries = entries_of(images, request.order.value_or(ListOrder::name));
  if (entries.empty()) return {};
  const auto count = entries.size();
  std::vector<TableRow> rows;
  auto shown = shown_of(std::move(entries), request);
  shorten_names(shown, room);
  for (const auto& entry : shown) {
    for (auto& row : rows_of(entry)) {
      for (const auto& cell : row.cells) {
        if (cell == "?" || cell == "-") signs.insert(cell);
      }
      rows.push_back(std::move(row));
    }
  }
  auto text = table_text(kernel_columns(), rows, indent, style);
  if (request.top && *request.top < count) {
    text += fmt::format("{:{}}... and {} more\n", "", indent - kOutdent, count - *request.top);
  }
  return text;
}

}  // namespace archgrid::report
