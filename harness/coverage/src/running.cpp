// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "running.hpp"

#include <algorithm>
#include <archgrid/parallel.hpp>

#include "holds.hpp"

namespace archgrid::coverage {

bool is_failure(const Coverage& coverage, const KernelRow& row, const Decision& decision,
                Device device) {
  return decision.judgement.verdict == Verdict::missing && !row.picked_by_host &&
         coverage.takes_machine_code(decision.module, device) && coverage.is_named_by_host(row);
}

bool has_code(const Coverage& coverage, const Decision& decision, Device device,
              const Request& request) {
  const auto verdict = decision.judgement.verdict;
  if (verdict == Verdict::empty) return coverage.takes_machine_code(decision.module, device);
  return request.like_other_kernels->count(verdict) != 0;
}

std::vector<const KernelRow*> launched_rows(const Coverage& coverage) {
  std::vector<const KernelRow*> all;
  std::vector<const KernelRow*> launched;
  for (const auto& row : coverage.kernels()) {
    all.push_back(&row);
    const bool is_launched = row.picked_by_host || coverage.is_named_by_host(row);
    if (is_launched) launched.push_back(&row);
  }
  return launched.empty() ? all : launched;
}

std::vector<OnDevice> serve_devices(const fatbin::File& file, const Coverage& coverage,
                                    const Request& request) {
  std::vector<OnDevice> found;
  for (const auto& row : table().architectures) {
    if (may_meet(file, row) || holds(request.devices, row.device)) found.push_back({row.device});
  }
  for (const auto device : request.devices) {
    const auto is_it = [&](const OnDevice& on) { return on.device == device; };
    if (std::none_of(found.begin(), found.end(), is_it)) found.push_back({device});
  }
  const auto kernels = launched_rows(coverage);
  const auto* driver = request.driver ? &*request.driver : nullptr;
  parallel_for(found.size(), [&](std::size_t index, std::size_t) {
    auto& on = found[index];
    for (const auto* row : kernels) {
      const auto decision = coverage.decide(*row, on.device, driver);
      on.kernels += has_code(coverage, decision, on.device, request) ? 1 : 0;
      on.has_failure = on.has_failure || is_failure(coverage, *row, decision, on.device);
    }
    on.ships = on.kernels * 2 > kernels.size();
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
