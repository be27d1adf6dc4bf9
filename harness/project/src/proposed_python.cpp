// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <archgrid/promises/project_promise.hpp>
#include <archgrid/promises/pyproject.hpp>
#include <limits>
#include <set>

#include "proposal_parts.hpp"

namespace archgrid::project {
namespace {

/// Returns the table with the promise for wheels of the newest toolkit.
std::string promise_table(const ProposedMatrix& matrix) {
  if (matrix.is_there) return fmt::format("\n[tool.archgrid]\nmatrix = \"{}\"\n", matrix.path);
  const auto newest =
      std::max_element(matrix.toolkits.begin(), matrix.toolkits.end(),
                       [](const ProposedToolkit& left, const ProposedToolkit& right) {
                         return left.cuda < right.cuda;
                       })
          ->cuda;
  std::vector<coverage::ComputeCapability> devices;
  bool accepts_jit = false;
  for (const auto& promise : matrix.promises) {
    const auto& toolkits = promise.toolkits;
    if (!toolkits.empty() &&
        std::find(toolkits.begin(), toolkits.end(), newest) == toolkits.end()) {
      continue;
    }
    devices.insert(devices.end(), promise.devices.begin(), promise.devices.end());
    accepts_jit = accepts_jit || promise.accepts_jit;
  }
  std::sort(devices.begin(), devices.end());
  return fmt::format("\n[tool.archgrid]\ndevices = {}\n{}", quoted_devices(devices),
                     accepts_jit ? "accept = [\"native\", \"compatible\", \"jit\"]\n" : "");
}

bool contains(const ProjectFacts& facts, std::string_view word) {
  return std::any_of(facts.files.begin(), facts.files.end(), [&](const BuildFile& file) {
    return file.text.find(word) != std::string::npos;
  });
}

constexpr const char* kAudit = "archgrid audit {dest_dir}/*.whl --matrix {project}/pyproject.toml";

/// Returns the table that audits repaired wheels; empty if there is one, or nothing to repair.
std::string repair_table(const ProjectFacts& facts, const std::string& text, Proposal& proposal) {
  if (!contains(facts, "cibuildwheel") && !contains(facts, "CIBW_")) return {};
  const bool has_command =
      contains(facts, "repair-wheel-command") || contains(facts, "CIBW_REPAIR_WHEEL_COMMAND");
  const bool has_table = text.find("[tool.cibuildwheel.linux]") != std::string::npos ||
                         text.find("linux.") != std::string::npos;
  proposal.notes.emplace_back(
      "cibuildwheel's container needs archgrid: install its wheel in before-all or before-build");
  if (has_command || has_table) {
    proposal.notes.push_back(
        fmt::format("cibuildwheel is set up already: add this to repair-wheel-command for Linux, "
                    "after auditwheel\n  \"{}\"",
                    kAudit));
    return {};
  }
  return fmt::format(
      "\n[tool.cibuildwheel.linux]\nrepair-wheel-command = [\n"
      "    \"auditwheel repair -w {{dest_dir}} {{wheel}}\",\n    \"{}\",\n]\n",
      kAudit);
}

}  // namespace

std::vector<coverage::ComputeCapability> promised_devices(const ProjectFacts& facts,
                                                          Proposal& proposal) {
  if (facts.text_of(kPyproject) == nullptr) return {};
  std::set<coverage::ComputeCapability> devices;
  try {
    const auto path = facts.folder / kPyproject;
    if (!promises::Pyproject(path).has_promise()) return {};
    const auto found = promises::find_project_promise({.files = {}, .matrix = path.string()});
    if (!found.is_table) return {};
    for (const auto& promise : found.matrix->promises) {
      devices.insert(promise.devices.begin(), promise.devices.end());
    }
  } catch (const std::runtime_error& error) {
    proposal.notes.push_back(fmt::format("{}: its promise is not used", error.what()));
    return {};
  }
  proposal.notes.push_back(fmt::format("the GPUs are those of [tool.archgrid] in {}: {}",
                                       kPyproject, coverage::list_devices(devices)));
  return {devices.begin(), devices.end()};
}

void propose_python(const ProjectFacts& facts, const ProposedMatrix& matrix, Proposal& proposal) {
  const auto* text = facts.text_of(kPyproject);
  if (text == nullptr) return;
  // Other files only configure tools such as linters.
  const bool is_project = text->find("[project]") != std::string::npos ||
                          text->find("[build-system]") != std::string::npos;
  if (!is_project) return;
  try {
    if (promises::Pyproject(facts.folder / kPyproject).has_promise()) {
      proposal.kept.push_back(fmt::format("[tool.archgrid] in {}", kPyproject));
      return;
    }
  } catch (const promises::TomlError& error) {
    proposal.notes.push_back(fmt::format("{}: nothing is added", error.what()));
    return;
  }
  const auto lines = promise_table(matrix) + repair_table(facts, *text, proposal);
  add_lines(proposal, kPyproject, *text, std::numeric_limits<std::size_t>::max(), lines);
}

}  // namespace archgrid::project
