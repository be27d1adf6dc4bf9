// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <archgrid/coverage/audit.hpp>

#include "kernel_names.hpp"

namespace archgrid::coverage {
namespace {

/// Reports whether the evidence of host code may explain a kernel. Strict promises ignore evidence.
bool needs_evidence(const Request& request) {
  const auto is_lenient = [](const Promise& promise) { return !promise.strict; };
  return request.accept_without_promise ||
         (!request.strict &&
          std::any_of(request.promises.begin(), request.promises.end(), is_lenient));
}

}  // namespace

fatbin::ReadOptions reading_for(const Request& request) {
  fatbin::ReadOptions reading =
      request.budgets.empty() ? fatbin::Detail::bodies : fatbin::Detail::everything;
  reading.host_names = needs_evidence(request);
  // NVIDIA's libraries select their kernels, whatever instructions these need.
  reading.wants_opcodes = [](std::string_view path) { return !is_library_of_nvidia(path); };
  const auto devices = request.accept_without_promise ? request.devices : promised_devices(request);
  if (request.accept_without_promise && devices.empty()) return reading;
  reading.needs_ptx = [devices](const auto& images) { return needs_ptx(images, devices); };
  return reading;
}

}  // namespace archgrid::coverage
