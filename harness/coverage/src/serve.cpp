// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <archgrid/coverage/audit.hpp>

#include "fix.hpp"
#include "ignore.hpp"

namespace archgrid::coverage {
namespace {

bool names(const Promise& promise, ComputeCapability device) {
  const auto& devices = promise.devices;
  return std::find(devices.begin(), devices.end(), device) != devices.end();
}

/// Returns the verdicts that every promise for the device accepts; nothing if there is no promise.
std::optional<Verdicts> accepted_by_all(const std::vector<const Promise*>& promises,
                                        ComputeCapability device) {
  std::optional<Verdicts> common;
  for (const auto* promise : promises) {
    if (!names(*promise, device)) continue;
    if (!common) common = promise->accept;
    std::erase_if(*common, [&](Verdict verdict) { return promise->accept.count(verdict) == 0; });
  }
  return common;
}

bool is_ignored(const std::vector<Ignore>& ignores, const Served& served, const KernelRow& kernel,
                ComputeCapability device) {
  const auto* const code = code_of(served.prediction.verdict, served.prediction.reason);
  return std::any_of(ignores.begin(), ignores.end(), [&](const Ignore& ignore) {
    return is_there(ignore, device) && is_about(ignore, code, kernel, served.path);
  });
}

std::vector<int> ptx_of(const std::vector<const fatbin::Image*>& images) {
  std::vector<int> numbers;
  for (const auto* image : images) {
    if (image->kind == fatbin::Kind::ptx) numbers.push_back(image->arch.number);
  }
  return numbers;
}

}  // namespace

std::vector<Served> serve(const std::vector<fatbin::File>& files, ComputeCapability device,
                          const Request& request) {
  const auto& promises = request.promises;
  const bool known = std::any_of(promises.begin(), promises.end(),
                                 [&](const Promise& promise) { return names(promise, device); });
  const auto* driver = request.driver ? &*request.driver : nullptr;
  std::vector<Served> result;
  for (const auto& file : files) {
    const ImageSelector selector(file);
    // The calling program was built in a cell, or by a CMake project that links archgrid::gtest.
    const Fixes fixes(file, selector, request.toolkit, Options::cmake);
    for (const auto& kernel : selector.kernels()) {
      const auto prediction = selector.predict(kernel, device, driver);
      const auto verdict = prediction.verdict;
      Served served{file.path,  kernel.name,           kernel.demangled,
                    prediction, kernel.modules.size(), true,
                    false,      std::nullopt,          selector.unit_of(kernel, prediction.module),
                    {}};
      if (verdict == Verdict::jit) {
        served.ptx = ptx_of(selector.taken_images(kernel, device, driver));
      }
      const auto accept = known ? accepted_by_all(promises_of(promises, kernel), device)
                                : std::optional<Verdicts>(request.unpromised);
      served.accepted = !accept || accept->count(verdict) != 0;
      served.ignored = !served.accepted && is_ignored(request.ignores, served, kernel, device);
      if (!served.accepted && !served.ignored) {
        served.remedy = fixes.remedy({device, *accept, request.driver}, prediction);
      }
      result.push_back(std::move(served));
    }
  }
  return result;
}

}  // namespace archgrid::coverage
