// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "siblings.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace archgrid::cell {
namespace {

using coverage::Working;
using Names = std::set<std::string_view>;

/// One file in one cell.
struct Place {
  const BuiltCell* cell;
  const fatbin::File* file;
};

/// The builds of one file, by toolkit and path below the cell.
using Builds = std::map<std::pair<coverage::Version, std::string>, std::vector<Place>>;

Builds builds_of(const std::filesystem::path& root, const std::vector<BuiltCell>& cells,
                 const std::vector<coverage::Audit>& audits) {
  Builds builds;
  for (const auto& audit : audits) {
    const auto cell = std::find_if(cells.begin(), cells.end(),
                                   [&](const BuiltCell& each) { return each.id == audit.cell; });
    if (cell == cells.end()) continue;
    const auto folder = (root / "cells" / cell->id / "").string();
    for (const auto& audited : audit.files) {
      const auto& path = audited.file.path;
      if (path.compare(0, folder.size(), folder) != 0) continue;
      builds[{cell->toolkit, path.substr(folder.size())}].push_back({&*cell, &audited.file});
    }
  }
  return builds;
}

/// Returns the kernels with such a body in one of the images.
template <typename Is>
Names kernels_with(const fatbin::File& file, const Is& is) {
  Names names;
  for (const auto& image : file.images) {
    for (const auto& kernel : image.kernels) {
      if (is(kernel.body)) names.insert(kernel.name);
    }
  }
  return names;
}

bool have_common(const Names& some, const Names& others) {
  return std::any_of(some.begin(), some.end(),
                     [&](std::string_view name) { return others.count(name) != 0; });
}

/// Reads the file again, because an audit does not look for stores in large bodies.
Working read_working(const Place& place, const Reader& read) {
  Working working;
  const auto& path = place.file->path;
  for (const auto& artifact : place.cell->artifacts) {
    const auto name = artifact.string();
    if (path.compare(0, name.size(), name) != 0) continue;  // the file, or a member of it
    for (const auto& file : read({name}, fatbin::Detail::everything)) {
      if (file.path == path) return coverage::working_in(file);
    }
  }
  return working;
}

void add(const std::set<std::string, std::less<>>& found, const Names& idle,
         std::set<std::string, std::less<>>& all) {
  for (const auto& name : found) {
    if (idle.count(name) != 0) all.insert(name);
  }
}

}  // namespace

std::map<std::string, std::map<std::string, Working>> working_in_siblings(
    const std::filesystem::path& root, const std::vector<BuiltCell>& cells,
    const std::vector<coverage::Audit>& audits, const Reader& read) {
  std::map<std::string, std::map<std::string, Working>> result;
  for (const auto& [key, places] : builds_of(root, cells, audits)) {
    std::map<const fatbin::File*, Names> idle;
    for (const auto& place : places) {
      auto names = kernels_with(*place.file, fatbin::is_idle);
      if (!names.empty()) idle.emplace(place.file, std::move(names));
    }
    if (idle.empty()) continue;
    for (const auto& place : places) {
      const auto works =
          kernels_with(*place.file, [](fatbin::Body body) { return body == fatbin::Body::code; });
      const auto concerned = [&](const auto& other) {
        return other.first != place.file && have_common(other.second, works);
      };
      if (std::none_of(idle.begin(), idle.end(), concerned)) continue;
      const auto working = read_working(place, read);
      for (const auto& other : places) {
        const auto names = idle.find(other.file);
        if (names == idle.end() || !concerned(*names)) continue;
        auto& all = result[other.cell->id][other.file->path];
        add(working.surely, names->second, all.surely);
        add(working.maybe, names->second, all.maybe);
      }
    }
  }
  return result;
}

}  // namespace archgrid::cell
