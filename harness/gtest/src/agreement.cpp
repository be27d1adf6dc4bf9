// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "agreement.hpp"

#include <algorithm>
#include <archgrid/words.hpp>
#include <map>
#include <set>

namespace archgrid::gtest {
namespace {

using coverage::Served;
using coverage::Verdict;

bool loads(Verdict verdict, bool jit_disabled) {
  switch (verdict) {
    case Verdict::native:
    case Verdict::compatible:
    case Verdict::empty:
      return true;
    case Verdict::jit:
      return !jit_disabled;
    case Verdict::unknown:
    case Verdict::ptx_too_new:
    case Verdict::wrong_suffix:
    case Verdict::missing:
      return false;
  }
  return false;
}

/// Returns "8.6" for 86.
std::string version_text(int version) {
  return std::to_string(version / 10) + "." + std::to_string(version % 10);
}

/// Reports whether machine code of `version` is what `verdict` predicts.
bool is_expected(Verdict verdict, int version, coverage::ComputeCapability device) {
  if (verdict == Verdict::compatible) {
    return version / 10 == device.major && version < device.number();
  }
  // Run-time compilation targets the GPU itself. An empty body may be of either kind.
  return verdict == Verdict::empty || version == device.number();
}

bool contains(const std::vector<int>& numbers, int number) {
  return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

std::string difference(const Served& served, const RuntimeAnswer& answer,
                       coverage::ComputeCapability device, bool jit_disabled) {
  const Verdict verdict = served.prediction.verdict;
  const std::string predicted = std::string("archgrid predicted ") + coverage::name_of(verdict) +
                                " for " + served.demangled.str() + " on " + device.text() + " (" +
                                report::reason_text(served.prediction.reason, device.text()) +
                                "), ";
  const bool loaded = answer.error == 0;
  if (loaded != loads(verdict, jit_disabled)) {
    return predicted + (loaded ? "and the CUDA runtime loads machine code for " +
                                     version_text(answer.binary_version)
                               : "and the CUDA runtime answers " + answer.error_name + " (" +
                                     std::to_string(answer.error) + ")");
  }
  if (!loaded) return "";
  if (!is_expected(verdict, answer.binary_version, device)) {
    return predicted + "and the CUDA runtime loads machine code for " +
           version_text(answer.binary_version);
  }
  if (verdict == Verdict::jit && !contains(served.ptx, answer.ptx_version)) {
    return predicted + "and the CUDA runtime compiles PTX for " + version_text(answer.ptx_version);
  }
  return "";
}

/// Returns the disagreement about a kernel that several modules contain. The runtime answers for
/// one of the modules: if the worst one loads, that one loads, too.
std::string error_of_any(const Served& served, const RuntimeAnswer& answer, bool jit_disabled) {
  const Verdict verdict = served.prediction.verdict;
  if (answer.error == 0 || !loads(verdict, jit_disabled)) return "";
  return std::string("archgrid predicted ") + coverage::name_of(verdict) + " for " +
         served.demangled.str() + " in each of its " + std::to_string(served.modules) +
         " modules, and the CUDA runtime answers " + answer.error_name + " (" +
         std::to_string(answer.error) + ")";
}

}  // namespace

Agreement compare(const std::vector<Served>& verdicts, const std::vector<RuntimeAnswer>& answers,
                  coverage::ComputeCapability device, bool jit_disabled) {
  std::map<std::string, const RuntimeAnswer*> by_kernel;
  for (const RuntimeAnswer& answer : answers) by_kernel.emplace(answer.kernel, &answer);
  Agreement agreement;
  for (const Served& served : verdicts) {
    const auto answer = by_kernel.find(served.kernel.str());
    if (answer == by_kernel.end() || served.prediction.verdict == Verdict::unknown) continue;
    const bool is_of_one = served.modules == 1;
    if (is_of_one) ++agreement.compared;
    std::string text = is_of_one ? difference(served, *answer->second, device, jit_disabled)
                                 : error_of_any(served, *answer->second, jit_disabled);
    if (!text.empty()) agreement.disagreements.push_back(std::move(text));
  }
  return agreement;
}

std::vector<std::string> unseen(const std::vector<Served>& verdicts,
                                const std::vector<RuntimeAnswer>& answers) {
  std::set<std::string> seen;
  for (const Served& served : verdicts) seen.insert(served.kernel.str());
  std::vector<std::string> disagreements;
  if (seen.count("") > 0) return disagreements;
  for (const RuntimeAnswer& answer : answers) {
    if (!seen.insert(answer.kernel).second) continue;
    disagreements.push_back("the program registers the kernel " + answer.kernel +
                            ", of which archgrid found no code");
  }
  return disagreements;
}

}  // namespace archgrid::gtest
