// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <archgrid/coverage/audit.hpp>

#include "fix.hpp"
#include "ignore.hpp"

namespace archgrid::coverage {
namespace {

bool names(const Promise& promise, Device device) {
  const auto& devices = promise.devices;
  return std::find(devices.begin(), devices.end(), device) != devices.end();
}

bool is_ignored(const std::vector<Ignore>& ignores, const KernelRow& kernel, Device device) {
  return std::any_of(ignores.begin(), ignores.end(), [&](const Ignore& ignore) {
    return is_there(ignore, device) && matches_kernel(ignore.kernel, kernel);
  });
}

}  // namespace

std::vector<Served> serve(const std::vector<fatbin::File>& files, Device device,
                          const Request& request) {
  const auto& promises = request.promises;
  const bool known = std::any_of(promises.begin(), promises.end(),
                                 [&](const Promise& promise) { return names(promise, device); });
  const auto* driver = request.driver ? &*request.driver : nullptr;
  std::vector<Served> result;
  for (const auto& file : files) {
    const Coverage coverage(file);
    const Fixes fixes(file, coverage, request.toolkit);
    for (const auto& kernel : coverage.kernels()) {
      const auto decision = coverage.decide(kernel, device, driver);
      const auto verdict = decision.judgement.verdict;
      Served served{file.path, kernel.name, kernel.demangled, decision.judgement, true, false, ""};
      for (const auto* promise : promises_of(promises, kernel)) {
        if (!names(*promise, device)) continue;
        served.accepted = served.accepted && promise->accept.count(verdict) != 0;
      }
      if (!known) served.accepted = request.unpromised.count(verdict) != 0;
      served.forgiven = !served.accepted && is_ignored(request.ignores, kernel, device);
      if (!served.accepted && !served.forgiven) {
        served.fix = fixes.fix(kernel, device, decision);
      }
      result.push_back(std::move(served));
    }
  }
  return result;
}

}  // namespace archgrid::coverage
