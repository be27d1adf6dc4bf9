// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "empties.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace archgrid::coverage {
namespace {

// Empties beyond this many on one device of one file come from template dispatch: they are told in
// one finding, since nobody reads hundreds.
constexpr std::size_t kMostSingleEmpties = 20;

/// One finding for the many empty bodies of a file on a device.
Finding gather_empties(Finding first, std::size_t kernels) {
  first.kernels = kernels;
  first.message = fmt::format(
      "{} kernels do no work on {}, while other bodies of theirs store to memory: template "
      "dispatch leaves such bodies, and so does a wrong `#if __CUDA_ARCH__`",
      kernels, first.device);
  first.fix = fmt::format(
      "if the host never launches them on {}, say so: an \"ignore\" with that reason in the matrix "
      "file, or --accept native,compatible,empty; else give them a body",
      first.device);
  return first;
}

}  // namespace

std::vector<Finding> with_empties_gathered(std::vector<Finding> findings) {
  const auto is_empty = [](const Finding& finding) {
    return finding.code == name_of(Verdict::empty);
  };
  std::map<std::string, std::size_t> counts;  // by device
  for (const auto& finding : findings) {
    if (is_empty(finding)) ++counts[finding.device];
  }
  const auto is_many = [](const auto& count) { return count.second > kMostSingleEmpties; };
  if (std::none_of(counts.begin(), counts.end(), is_many)) return findings;
  std::set<std::string> told;
  auto end = findings.begin();
  for (auto& finding : findings) {
    const auto count = is_empty(finding) ? counts[finding.device] : 0;
    const bool many = count > kMostSingleEmpties;
    if (many && !told.insert(finding.device).second) continue;
    if (many) finding = gather_empties(std::move(finding), count);
    if (&*end != &finding) *end = std::move(finding);
    ++end;
  }
  findings.erase(end, findings.end());
  return findings;
}

}  // namespace archgrid::coverage
