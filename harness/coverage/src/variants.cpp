// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "variants.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "contains.hpp"

namespace archgrid::coverage {
namespace {

/// Reports whether the file is one that host code loads as device code.
bool is_device_code(const fatbin::File& file) {
  return file.format == "cubin" || file.format == "ptx" || file.format == "fatbin";
}

bool is_library(const fatbin::File& file) {
  return file.format == "shared object" || file.format == "DLL";
}

std::string name_of(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

/// Reports whether `needed` names the library: "libops.so.1" matches the file "libops.so.1.2".
bool means(const std::string& needed, const std::string& library) {
  const auto name = name_of(needed);
  return library == name || library.starts_with(name + ".");
}

/// Returns the end of a path, long enough to distinguish it from `other`: "sm90/libops.so".
std::string name_beside(std::filesystem::path path, std::filesystem::path other) {
  auto name = path.filename();
  while (path.filename() == other.filename() && path.has_relative_path()) {
    path = path.parent_path();
    other = other.parent_path();
    name = path.filename() / name;
  }
  return name.string();
}

std::set<std::string> names_of(const ImageSelector& selector) {
  std::set<std::string> names;
  for (const auto& row : selector.kernels()) names.insert(row.name.str());
  return names;
}

}  // namespace

bool may_be_variant(const fatbin::File& file) {
  return is_library(file) || (is_device_code(file) && file.images.size() == 1);
}

Variants::Variants(const std::vector<FileAudit>& files,
                   const std::vector<std::unique_ptr<ImageSelector>>& selectors,
                   const std::vector<Promise>& promises)
    : files_(files), selectors_(selectors), promises_(promises) {}

Facts Variants::settle(std::size_t index, const std::vector<ComputeCapability>& devices,
                       Judged& judged) {
  if (judged.breaches.empty()) return {};
  if (paths_.empty()) find_paths();
  if (!paths_[index] || is_linked(index)) return {};
  if (places_.empty()) find_places();
  std::set<std::pair<std::size_t, std::size_t>> settled;  // row and device
  std::set<std::string> kernels;
  std::string server;
  for (std::size_t number = 0; number < judged.rows.size(); ++number) {
    auto& row = judged.rows[number];
    for (std::size_t at = 0; at < devices.size(); ++at) {
      auto& field = row.fields[at];
      if (field.state != State::broken) continue;
      const auto* place = find_server(index, row.kernel, devices[at]);
      if (place == nullptr) continue;
      auto served = selectors_[place->file]->predict(*place->row, devices[at], nullptr);
      field = {served.verdict, State::kept, std::move(served.reason)};
      settled.emplace(number, at);
      kernels.insert(row.kernel.name.str());
      if (server.empty()) server = files_[place->file].file.path;
    }
  }
  if (settled.empty()) return {};
  std::erase_if(judged.breaches, [&](const Breach& breach) {
    return settled.count({breach.row, breach.at}) != 0;
  });
  return {{"kernels", std::to_string(kernels.size())},
          {"of", std::to_string(judged.rows.size())},
          {"server", name_beside(server, files_[index].file.path)}};
}

void Variants::find_places() {
  for (std::size_t file = 0; file < files_.size(); ++file) {
    if (!paths_[file]) continue;
    for (const auto& row : selectors_[file]->kernels()) {
      if (!row.name.str().empty()) places_[row.name.str()].push_back({file, &row});
    }
  }
}

void Variants::find_paths() {
  paths_.resize(files_.size());
  for (std::size_t file = 0; file < files_.size(); ++file) {
    const auto& read = files_[file].file;
    if (is_device_code(read) || is_library(read)) paths_[file] = ArchPath(read);
  }
}

bool Variants::has_siblings(std::size_t index) const {
  if (!paths_[index]) return false;
  for (std::size_t other = 0; other < paths_.size(); ++other) {
    if (other == index || !paths_[other]) continue;
    if (paths_[index]->differs_by_arch_alone(*paths_[other])) return true;
  }
  return false;
}

bool Variants::is_linked(std::size_t index) {
  const auto known = linked_.find(index);
  if (known != linked_.end()) return known->second;
  const auto name = name_of(files_[index].file.path);
  bool linked = false;
  for (std::size_t file = 0; file < files_.size() && !linked; ++file) {
    const auto& needed = files_[file].file.needed;
    linked = std::any_of(needed.begin(), needed.end(),
                         [&](const std::string& each) { return means(each, name); }) &&
             !has_siblings(file);
  }
  linked_[index] = linked;
  return linked;
}

bool Variants::is_one_set(std::size_t one, std::size_t other) const {
  const auto& path = *paths_[one];
  const auto& other_path = *paths_[other];
  return path.differs_by_arch_alone(other_path) ||
         (path.is_beside(other_path) && names_of(*selectors_[one]) == names_of(*selectors_[other]));
}

std::optional<ComputeCapability> Variants::misnamed_for(std::size_t index) {
  if (paths_.empty()) find_paths();
  if (!paths_[index] || !paths_[index]->may_be_contradicted()) return std::nullopt;
  for (std::size_t other = 0; other < files_.size(); ++other) {
    if (other == index || !paths_[other]) continue;
    const auto named = paths_[index]->contradicted_beside(*paths_[other]);
    if (named) return named;
  }
  return std::nullopt;
}

const Variants::Place* Variants::find_server(std::size_t index, const KernelRow& row,
                                             ComputeCapability device) {
  const auto found = places_.find(row.name.str());
  if (found == places_.end()) return nullptr;
  const auto promised = promises_of(promises_, row);
  for (const auto& place : found->second) {
    if (place.file == index) continue;
    const bool serves = std::all_of(promised.begin(), promised.end(), [&](const auto* promise) {
      if (!contains(promise->devices, device)) return true;
      const auto* driver = promise->driver ? &*promise->driver : nullptr;
      return promise->accept.count(selectors_[place.file]->verdict(*place.row, device, driver)) !=
             0;
    });
    if (serves && is_one_set(index, place.file) && !is_linked(place.file)) return &place;
  }
  return nullptr;
}

}  // namespace archgrid::coverage
