// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <archgrid/evidence/evidence_table.hpp>
#include <array>

namespace archgrid::evidence {
namespace {

using coverage::ComputeCapability;
using coverage::KernelCode;
using coverage::Verdict;

bool is_promised(const std::vector<coverage::Promise>& promises, const coverage::KernelRow& row,
                 ComputeCapability device) {
  const auto of_row = coverage::promises_of(promises, row);
  return promises.empty() || std::any_of(of_row.begin(), of_row.end(), [&](const auto* promise) {
           return std::find(promise->devices.begin(), promise->devices.end(), device) !=
                  promise->devices.end();
         });
}

bool runs(Verdict verdict) {
  return coverage::is_machine_code(verdict) || verdict == Verdict::jit;
}

/// Returns the state of a kernel that runs on the device, by all code that a launch may execute.
RunState state_of(const std::vector<KernelCode>& code, const std::string& kernel,
                  ComputeCapability device, const Evidence& evidence) {
  const bool is_known =
      !code.empty() &&
      std::none_of(code.begin(), code.end(), [](const auto& one) { return one.identity.empty(); });
  const bool is_executed = is_known && std::all_of(code.begin(), code.end(), [&](const auto& one) {
                             return evidence.find(kernel, device, one) != nullptr;
                           });
  if (is_executed) return RunState::executed;
  const bool has_run = evidence.find_any(kernel, device) != nullptr;
  if (!is_known) return has_run ? RunState::unknown : RunState::never;
  return has_run ? RunState::changed : RunState::never;
}

}  // namespace

const char* name_of(RunState state) {
  constexpr std::array<const char*, 5> kNames = {"executed", "changed", "unknown", "never",
                                                 "no-code"};
  return kNames.at(static_cast<std::size_t>(state));
}

std::vector<KernelEvidence> evidence_for(const std::vector<fatbin::File>& files,
                                         const EvidenceRequest& request, const Evidence& evidence) {
  const auto* driver = request.driver ? &*request.driver : nullptr;
  std::vector<KernelEvidence> result;
  for (const auto& file : files) {
    const coverage::ImageSelector selector(file);
    coverage::CodeFinder finder(selector);
    for (const auto& row : selector.kernels()) {
      KernelEvidence entry{file.path, row.name.str(), row.demangled.str(), {}, {}};
      const auto kernel = fatbin::without_build(entry.kernel);
      for (const auto device : request.devices) {
        if (!is_promised(request.promises, row, device)) continue;
        const bool has_code = runs(selector.verdict(row, device, driver));
        entry.states[device] =
            has_code ? state_of(finder.code_of(row, device, driver), kernel, device, evidence)
                     : RunState::no_code;
        if (const auto* last = evidence.find_any(kernel, device)) entry.last.emplace(device, *last);
      }
      result.push_back(std::move(entry));
    }
  }
  return result;
}

}  // namespace archgrid::evidence
