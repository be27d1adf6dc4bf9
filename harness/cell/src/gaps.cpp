// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "gaps.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace archgrid::cell {
namespace {

using coverage::ComputeCapability;

/// The kernels of one toolkit's cells.
struct Kernels {
  std::map<std::string, std::pair<const coverage::KernelRow*, std::string>> all;  ///< with a cell
  std::map<ComputeCapability, std::set<std::string>> judged;  ///< in cells that serve the device
};

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// Returns the end of the numbers at `at`: after "750_800" in "750_800_NS".
std::size_t end_of_numbers(const std::string& text, std::size_t at) {
  while (at < text.size()) {
    const bool next = text[at] == '_' && at + 1 < text.size() && is_digit(text[at + 1]);
    if (!is_digit(text[at]) && !next) break;
    ++at;
  }
  return at;
}

/// Returns the name without archs that libraries write into it: "SM" for "SM_750_900", "sm" for
/// "sm80".
std::string without_archs(const std::string& name) {
  std::string kept;
  for (std::size_t at = 0; at < name.size();) {
    const bool begins = at == 0 || std::isalpha(static_cast<unsigned char>(name[at - 1])) == 0;
    const auto word = name.substr(at, 2);
    if (!begins || (word != "sm" && word != "SM")) {
      kept += name[at++];
      continue;
    }
    kept += word;
    at += 2;
    const auto from = at < name.size() && name[at] == '_' ? at + 1 : at;
    if (from < name.size() && is_digit(name[from])) at = end_of_numbers(name, from);
  }
  return kept;
}

void add(const coverage::Audit& audit, Kernels& kernels) {
  for (const auto& file : audit.files) {
    for (const auto& row : file.rows) {
      // Demangled, because mangled names contain the length of each word.
      const auto name = without_archs(fatbin::demangle(row.kernel.name.str()));
      if (name.empty()) continue;
      kernels.all.try_emplace(name, &row.kernel, audit.cell);
      for (const auto device : audit.devices) kernels.judged[device].insert(name);
    }
  }
}

bool is_promised(const std::vector<coverage::Promise>& promises, const coverage::KernelRow& kernel,
                 ComputeCapability device) {
  const auto found = coverage::promises_of(promises, kernel);
  return std::any_of(found.begin(), found.end(), [&](const auto* promise) {
    const auto& devices = promise->devices;
    return std::find(devices.begin(), devices.end(), device) != devices.end();
  });
}

/// Returns the facts of the note on the device; nothing if cells that serve it have all kernels.
coverage::Facts gap_on(ComputeCapability device, const std::set<std::string>& judged,
                       const Kernels& kernels, const std::vector<coverage::Promise>& promises) {
  std::size_t count = 0;
  coverage::Facts facts;
  for (const auto& [name, found] : kernels.all) {
    if (judged.count(name) != 0 || !is_promised(promises, *found.first, device)) continue;
    if (++count > 1) continue;
    facts["first"] = fatbin::printable(fatbin::demangle(found.first->name.str()));
    facts["cell"] = fatbin::printable(found.second);
  }
  if (count == 0) return {};
  facts["device"] = device.text();
  facts["kernels"] = std::to_string(count);
  facts["of"] = std::to_string(kernels.all.size());
  return facts;
}

}  // namespace

void note_gaps(const std::vector<BuiltCell>& cells, const coverage::Matrix& matrix,
               std::vector<coverage::Audit>& audits) {
  std::map<coverage::Version, Kernels> by_toolkit;
  for (const auto& audit : audits) {
    const auto cell = std::find_if(cells.begin(), cells.end(),
                                   [&](const BuiltCell& each) { return each.id == audit.cell; });
    if (cell != cells.end()) add(audit, by_toolkit[cell->toolkit]);
  }
  std::vector<coverage::Note> notes;
  for (const auto& [toolkit, kernels] : by_toolkit) {
    const auto promises = coverage::promises_for(matrix, toolkit);
    for (const auto& [device, judged] : kernels.judged) {
      auto facts = gap_on(device, judged, kernels, promises);
      if (facts.empty()) continue;
      facts["toolkit"] = toolkit.text();
      notes.push_back({.code = "kernels-of-other-cells", .facts = std::move(facts)});
    }
  }
  if (audits.empty()) return;
  auto& shown = audits.back().notes;
  shown.insert(shown.end(), notes.begin(), notes.end());
}

}  // namespace archgrid::cell
