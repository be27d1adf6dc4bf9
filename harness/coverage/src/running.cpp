// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "running.hpp"

#include <algorithm>
#include <archgrid/coverage/load_rules.hpp>
#include <archgrid/fatbin/parallel.hpp>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "contains.hpp"
#include "kernel_names.hpp"

namespace archgrid::coverage {

bool is_failure(const ImageSelector& selector, const KernelRow& row,
                const LaunchPrediction& prediction, ComputeCapability device) {
  return prediction.verdict == Verdict::missing && !row.loaded_explicitly &&
         selector.takes_machine_code(prediction.module, device) && selector.is_named_by_host(row);
}

bool has_code(const ImageSelector& selector, const LaunchPrediction& prediction,
              ComputeCapability device, const Request& request) {
  const auto verdict = prediction.verdict;
  if (verdict == Verdict::empty) return selector.takes_machine_code(prediction.module, device);
  return request.accept_without_promise->count(verdict) != 0;
}

std::vector<bool> modules_of_nvidia(const fatbin::File& file, const ImageSelector& selector) {
  const auto library = library_of(file.path);
  std::vector<std::set<std::tuple<int, char, std::string_view>>> builds(file.modules.size());
  for (const auto& image : file.images) {
    builds[image.module].emplace(image.arch.number, image.arch.suffix, image.toolkit);
  }
  std::map<std::set<std::tuple<int, char, std::string_view>>, std::pair<std::size_t, std::size_t>>
      counts;  // kernels with NVIDIA names, and all kernels
  for (const auto& row : selector.kernels()) {
    const bool is_nvidias = is_of_nvidia(row.name.str(), library);
    for (const auto module : row.modules) {
      auto& [nvidias, all] = counts[builds[module]];
      nvidias += is_nvidias ? 1 : 0;
      ++all;
    }
  }
  std::vector<bool> found;
  for (const auto& build : builds) {
    const auto count = counts.find(build);
    found.push_back(count != counts.end() && count->second.first * 2 > count->second.second);
  }
  return found;
}

std::vector<const KernelRow*> launched_rows(const fatbin::File& file,
                                            const ImageSelector& selector) {
  std::vector<const KernelRow*> all;
  std::vector<const KernelRow*> launched;
  std::vector<const KernelRow*> own;
  const auto of_nvidia = modules_of_nvidia(file, selector);
  for (const auto& row : selector.kernels()) {
    all.push_back(&row);
    const bool is_launched = row.loaded_explicitly || selector.is_named_by_host(row);
    if (!is_launched) continue;
    launched.push_back(&row);
    const bool is_own = std::any_of(row.modules.begin(), row.modules.end(),
                                    [&](std::size_t module) { return !of_nvidia[module]; });
    if (is_own) own.push_back(&row);
  }
  if (!own.empty()) return own;
  return launched.empty() ? all : launched;
}

std::vector<OnDevice> serve_devices(const fatbin::File& file, const ImageSelector& selector,
                                    const std::vector<const KernelRow*>& kernels,
                                    const Request& request) {
  std::vector<OnDevice> found;
  for (const auto& row : table().architectures) {
    if (may_meet(file, row) || contains(request.devices, row.device)) found.push_back({row.device});
  }
  for (const auto device : request.devices) {
    const auto is_it = [&](const OnDevice& on) { return on.device == device; };
    if (std::none_of(found.begin(), found.end(), is_it)) found.push_back({device});
  }
  const auto* driver = request.driver ? &*request.driver : nullptr;
  parallel_for(found.size(), [&](std::size_t index, std::size_t) {
    auto& on = found[index];
    for (const auto* row : kernels) {
      const auto prediction = selector.predict(*row, on.device, driver);
      const bool is_coded = has_code(selector, prediction, on.device, request);
      on.kernels += is_coded ? 1 : 0;
      on.works = on.works || (is_coded && prediction.verdict != Verdict::empty);
      on.by_ptx += !is_coded && prediction.verdict == Verdict::jit ? 1 : 0;
      on.has_failure = on.has_failure || is_failure(selector, *row, prediction, on.device);
    }
    on.ships = on.kernels * 2 > kernels.size();
    on.runs_by_ptx = on.by_ptx > 0 && (on.kernels + on.by_ptx) * 2 > kernels.size();
  });
  return found;
}

const std::string* run_time_compiler(const fatbin::File& file) {
  const auto found =
      std::find_if(file.loaders.begin(), file.loaders.end(),
                   [](const std::string& loader) { return loader.starts_with("nvrtc"); });
  return found == file.loaders.end() ? nullptr : &*found;
}

}  // namespace archgrid::coverage
