// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <archgrid/promises/error.hpp>
#include <archgrid/promises/matrix.hpp>
#include <iterator>

namespace archgrid::promises {
namespace {

void refuse_unsure(const coverage::Matrix& matrix, const std::string& place,
                   const std::vector<coverage::Version>& toolkits) {
  if (toolkits.empty()) return;
  throw PromiseError(
      fmt::format("{}: {} is for some toolkits only: say which built the files "
                  "(--toolkit {})",
                  matrix.path, place, toolkits.front().text()));
}

/// Throws if the matrix file does not list the toolkit, whose output keeps no promise of that file.
void expect_listed(const coverage::Matrix& matrix, coverage::Version toolkit) {
  if (is_listed(matrix, toolkit)) return;
  throw PromiseError(fmt::format(
      "--toolkit {}: {} does not list it: name one of its toolkits ({}), or add it to \"toolkits\"",
      toolkit.text(), matrix.path, list_toolkits(matrix)));
}

}  // namespace

bool is_listed(const coverage::Matrix& matrix, coverage::Version toolkit) {
  const auto& listed = matrix.toolkits;
  return listed.empty() || std::find(listed.begin(), listed.end(), toolkit) != listed.end();
}

std::string list_toolkits(const coverage::Matrix& matrix) {
  std::string text;
  for (const auto toolkit : matrix.toolkits) text += (text.empty() ? "" : ", ") + toolkit.text();
  return text;
}

// Without a toolkit, promises for particular toolkits may or may not apply, so they are rejected.
std::vector<coverage::Promise> promises_of(const coverage::Matrix& matrix,
                                           std::optional<coverage::Version> toolkit) {
  if (toolkit) {
    expect_listed(matrix, *toolkit);
    return coverage::promises_for(matrix, *toolkit);
  }
  for (const auto& promise : matrix.promises) {
    refuse_unsure(matrix, promise.place, promise.toolkits);
  }
  for (const auto& budget : matrix.budgets) refuse_unsure(matrix, budget.place, budget.toolkits);
  if (matrix.promises.empty()) {
    throw PromiseError(
        fmt::format("{}: promises: nothing is promised: add a promise", matrix.path));
  }
  return matrix.promises;
}

std::vector<coverage::ComputeCapability> unpromised(
    const std::vector<coverage::ComputeCapability>& wanted,
    const std::set<coverage::ComputeCapability>& promised) {
  std::vector<coverage::ComputeCapability> devices;
  std::copy_if(wanted.begin(), wanted.end(), std::back_inserter(devices),
               [&](coverage::ComputeCapability device) { return promised.count(device) == 0; });
  return devices;
}

}  // namespace archgrid::promises
