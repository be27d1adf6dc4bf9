// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "variants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "holds.hpp"

namespace archgrid::coverage {
namespace {

/// Reports whether host code loads the file; that of a program or library registers itself.
bool is_loaded(const fatbin::File& file) {
  return file.format == "cubin" || file.format == "ptx" || file.format == "fatbin";
}

std::set<std::string> names_of(const Coverage& coverage) {
  std::set<std::string> names;
  for (const auto& row : coverage.kernels()) names.insert(row.name.str());
  return names;
}

}  // namespace

bool is_variant(const fatbin::File& file) {
  return is_loaded(file) && file.images.size() == 1;
}

Variants::Variants(const std::vector<FileAudit>& files,
                   const std::vector<std::unique_ptr<Coverage>>& coverages,
                   const std::vector<Promise>& promises)
    : files_(files), coverages_(coverages), promises_(promises) {}

std::string Variants::settle(std::size_t index, const std::vector<Device>& devices,
                             Judged& judged) {
  if (judged.findings.empty()) return {};
  if (places_.empty()) find_places();
  if (paths_.empty()) find_paths();
  std::set<std::pair<std::string, std::string>> settled;  // kernel and device
  std::set<std::string> kernels;
  std::string server;
  for (auto& row : judged.rows) {
    for (std::size_t at = 0; at < devices.size(); ++at) {
      auto& field = row.fields[at];
      if (field.state != State::broken) continue;
      const auto* place = find_server(index, row.kernel, devices[at]);
      if (place == nullptr) continue;
      field = {coverages_[place->file]->judge(*place->row, devices[at], nullptr), State::kept};
      settled.emplace(row.kernel.name.str(), devices[at].text());
      kernels.insert(row.kernel.name.str());
      if (server.empty()) server = files_[place->file].file.path;
    }
  }
  if (settled.empty()) return {};
  auto& findings = judged.findings;
  const auto is_settled = [&](const Finding& finding) {
    return settled.count({finding.kernel.str(), finding.device}) != 0;
  };
  findings.erase(std::remove_if(findings.begin(), findings.end(), is_settled), findings.end());
  return fmt::format(
      "other files hold {} of {} kernels for GPUs that this one does not serve (the first is {}): "
      "host code picks the file, so the best one counts",
      kernels.size(), judged.rows.size(), std::filesystem::path(server).filename().string());
}

void Variants::find_places() {
  for (std::size_t file = 0; file < files_.size(); ++file) {
    if (!is_loaded(files_[file].file)) continue;
    for (const auto& row : coverages_[file]->kernels()) {
      if (!row.name.str().empty()) places_[row.name.str()].push_back({file, &row});
    }
  }
}

void Variants::find_paths() {
  paths_.resize(files_.size());
  for (std::size_t file = 0; file < files_.size(); ++file) {
    if (is_loaded(files_[file].file)) paths_[file] = ArchPath(files_[file].file);
  }
}

bool Variants::is_one_set(std::size_t one, std::size_t other) const {
  const auto& path = *paths_[one];
  const auto& other_path = *paths_[other];
  return path.differs_by_arch_alone(other_path) ||
         (path.is_beside(other_path) && names_of(*coverages_[one]) == names_of(*coverages_[other]));
}

std::optional<Device> Variants::misnamed_for(std::size_t index) {
  if (paths_.empty()) find_paths();
  if (!paths_[index]->may_be_contradicted()) return std::nullopt;
  for (std::size_t other = 0; other < files_.size(); ++other) {
    if (other == index || !paths_[other]) continue;
    const auto named = paths_[index]->contradicted_beside(*paths_[other]);
    if (named) return named;
  }
  return std::nullopt;
}

const Variants::Place* Variants::find_server(std::size_t index, const KernelRow& row,
                                             Device device) {
  const auto found = places_.find(row.name.str());
  if (found == places_.end()) return nullptr;
  const auto promised = promises_of(promises_, row);
  for (const auto& place : found->second) {
    if (place.file == index) continue;
    const bool serves = std::all_of(promised.begin(), promised.end(), [&](const auto* promise) {
      if (!holds(promise->devices, device)) return true;
      const auto* driver = promise->driver ? &*promise->driver : nullptr;
      return promise->accept.count(coverages_[place.file]->verdict(*place.row, device, driver)) !=
             0;
    });
    if (serves && is_one_set(index, place.file)) return &place;
  }
  return nullptr;
}

}  // namespace archgrid::coverage
