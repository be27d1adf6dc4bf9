// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <archgrid/cell/tree_audit.hpp>
#include <archgrid/promises/command_line.hpp>
#include <archgrid/promises/lists.hpp>
#include <map>
#include <string_view>
#include <utility>

#include "gaps.hpp"
#include "siblings.hpp"

namespace archgrid::cell {
namespace {

using coverage::Request;

/// Returns the devices promised for the cell's toolkit, and for a single cell served by its arch.
std::vector<coverage::ComputeCapability> promised_devices(const BuiltCell& cell,
                                                          const coverage::Matrix& matrix) {
  Request request;
  request.promises = coverage::promises_for(matrix, cell.toolkit);
  request.arch = cell.arch;
  request.devices = cell.devices;
  return coverage::promised_devices(request);
}

/// Returns the cells that the request is about.
std::vector<BuiltCell> requested_cells(const Tree& tree, const std::string& id) {
  if (tree.cells.empty()) {
    throw TreeError(
        fmt::format("{}/plan.json: the plan names no audit: promise a device in the matrix file",
                    tree.root.string()));
  }
  if (id.empty()) return tree.cells;
  std::vector<std::string> audited;
  for (const auto& cell : tree.cells) {
    if (cell.id == id) return {cell};
    audited.push_back(cell.id);
  }
  throw TreeError(fmt::format("--cell: the plan {} {}: write {}",
                              tree.ids.count(id) == 0 ? "has no cell" : "does not audit its cell",
                              id, promises::either(audited)));
}

/// Throws if nothing is promised for a requested device or for the only cell. If the request
/// restricts nothing, find_unserved() reports that.
void expect_promised(const std::vector<BuiltCell>& cells, const coverage::Matrix& matrix,
                     const TreeRequest& request) {
  if (request.devices.empty() && request.cell.empty()) return;
  std::set<coverage::ComputeCapability> promised;
  for (const auto& cell : cells) {
    const auto devices = promised_devices(cell, matrix);
    promised.insert(devices.begin(), devices.end());
  }
  promises::expect_promised(request.devices, promised,
                            request.devices.empty() ? "--cell " + request.cell : std::string());
}

/// Returns the devices to audit: those of the plan, restricted to `wanted`.
std::vector<coverage::ComputeCapability> devices_of(
    const BuiltCell& cell, const std::vector<coverage::ComputeCapability>& wanted) {
  if (wanted.empty() || cell.devices.empty()) return cell.devices.empty() ? wanted : cell.devices;
  std::vector<coverage::ComputeCapability> devices;
  for (const auto device : cell.devices) {
    if (std::find(wanted.begin(), wanted.end(), device) != wanted.end()) devices.push_back(device);
  }
  return devices;
}

/// Returns "a, b, c" of many names.
std::string first_names(const std::vector<std::string>& names, std::size_t count) {
  std::string text;
  for (std::size_t index = 0; index < count; ++index)
    text += (index == 0 ? "" : ", ") + names[index];
  return text;
}

/// Notes the cell's files and targets that may ship but are not audited, and audited files that may
/// differ from those that ship.
void note_unaudited(const BuiltCell& cell, coverage::Audit& audit) {
  for (const auto& file : cell.unaudited) {
    if (file.why == "copy") continue;  // what it copies is audited
    audit.notes.push_back({.code = file.why == kLeftover ? "leftover" : "not-audited",
                           .path = file.path.string(),
                           .facts = {{"why", file.why}, {"reason", file.reason}}});
  }
  if (cell.enforced) audit.notes.push_back({.code = "enforced-archs"});
  if (cell.excluded.empty()) return;
  constexpr std::size_t kMaxNamed = 3;
  const auto named = std::min(cell.excluded.size(), kMaxNamed);
  audit.notes.push_back({.code = "targets-not-built",
                         .facts = {{"targets", first_names(cell.excluded, named)},
                                   {"more", std::to_string(cell.excluded.size() - named)}}});
}

coverage::Audit audit_cell(const BuiltCell& cell, const coverage::Matrix& matrix, Request request,
                           const Reader& read) {
  request.cell = cell.id;
  request.toolkit = cell.toolkit;
  adapt_fixes(cell, request);
  request.arch = cell.arch;
  request.promises = coverage::promises_for(matrix, cell.toolkit);
  request.budgets = coverage::budgets_for(matrix, cell.toolkit);
  std::vector<std::string> paths;
  for (const auto& artifact : cell.artifacts) paths.push_back(artifact.string());
  auto inputs = read(paths, coverage::reading_for(request));
  drop_unaudited(cell, inputs);
  auto audit = coverage::audit(std::move(inputs), request);
  coverage::note_without_code(paths, audit);
  note_unaudited(cell, audit);
  mark_leftovers(cell, audit);
  return audit;
}

coverage::Finding not_built(const BuiltCell& cell, const std::filesystem::path& root) {
  coverage::Finding finding;
  finding.code = "not-built";
  finding.cell = cell.id;
  finding.facts = cell.problem;
  finding.facts["tree"] = root.string();
  return finding;
}

/// Reports whether the cell is promised for a device of `wanted`; an empty list is every device.
bool serves_any(const BuiltCell& cell, const coverage::Matrix& matrix,
                const std::vector<coverage::ComputeCapability>& wanted) {
  if (wanted.empty()) return true;
  const auto promised = promised_devices(cell, matrix);
  return std::any_of(wanted.begin(), wanted.end(), [&](const auto device) {
    return std::find(promised.begin(), promised.end(), device) != promised.end();
  });
}

/// Finds promised devices of `toolkit` that none of its cells serves with an accepted verdict. Only
/// for single cells: each is judged for its own arch, so no other check reports them.
void find_unserved(const Tree& tree, const coverage::Matrix& matrix, coverage::Version toolkit,
                   std::vector<coverage::Finding>& findings) {
  std::set<coverage::ComputeCapability> found;
  for (const auto& promise : coverage::promises_for(matrix, toolkit)) {
    for (const auto device : promise.devices) {
      const bool served = std::any_of(tree.cells.begin(), tree.cells.end(), [&](const auto& cell) {
        return cell.toolkit == toolkit && coverage::arch_serves(cell.arch, device, promise.accept);
      });
      if (served || !found.insert(device).second) continue;
      coverage::Finding finding;
      finding.code = "missing";
      finding.device = device.text();
      finding.facts = {{"toolkit", toolkit.text()}};
      findings.push_back(finding);
    }
  }
}

void find_unserved(const Tree& tree, const coverage::Matrix& matrix,
                   std::vector<coverage::Finding>& findings) {
  std::set<coverage::Version> toolkits;
  for (const auto& cell : tree.cells) {
    if (cell.arch.empty()) return;  // a fat cell: its own audit finds unserved devices
    toolkits.insert(cell.toolkit);
  }
  for (const auto toolkit : toolkits) find_unserved(tree, matrix, toolkit, findings);
}

/// Repeats the audits of cells with idle kernels that work in another cell.
void judge_beside_siblings(const Tree& tree, const std::vector<BuiltCell>& cells,
                           const coverage::Matrix& matrix, std::map<std::string, Request> requests,
                           const Reader& read, std::vector<coverage::Audit>& audits) {
  for (auto& [id, elsewhere] : working_in_siblings(tree.root, cells, audits, read)) {
    const auto is_it = [&id = id](const auto& each) { return each.id == id; };
    const auto cell = std::find_if(cells.begin(), cells.end(), is_it);
    auto& request = requests.at(id);
    request.elsewhere = elsewhere;
    for (auto& audit : audits) {
      if (audit.cell != id) continue;
      audit = audit_cell(*cell, matrix, std::move(request), read);
    }
  }
}

}  // namespace

void adapt_fixes(const BuiltCell& cell, Request& request) {
  request.options = cell.options;
  request.cell_archs = cell.archs;
  request.handmade = cell.handmade;
}

void drop_unaudited(const BuiltCell& cell, std::vector<fatbin::File>& files) {
  std::set<std::string> alone;
  std::set<std::string> with_members;
  for (const auto& file : cell.unaudited) {
    if (file.why == kLeftover) continue;  // audited as it is
    const auto path = fatbin::printable(file.path.string());
    (file.why == "unreadable" ? alone : with_members).insert(path);
  }
  std::erase_if(files, [&](const fatbin::File& file) {
    const auto& path = file.path;
    for (auto end = path.find('!'); end != std::string::npos; end = path.find('!', end + 1)) {
      if (with_members.count(path.substr(0, end)) != 0) return true;
    }
    return with_members.count(path) != 0 || alone.count(path) != 0;
  });
}

void mark_leftovers(const BuiltCell& cell, coverage::Audit& audit) {
  for (auto& finding : audit.findings) {
    const auto& path = finding.path;
    const auto file = path.substr(0, path.find('!'));
    finding.may_be_leftover = cell.unnamed.count(file) != 0;
  }
}

TreeAudit audit_tree(const Tree& tree, const coverage::Matrix& matrix, const TreeRequest& asked) {
  const auto cells = requested_cells(tree, asked.cell);
  expect_promised(cells, matrix, asked);
  const auto& wanted = asked.devices;
  TreeAudit result;
  const auto is_due = [&](const std::string& cell) {
    return !asked.due || asked.due->count(cell) != 0;
  };
  const bool fat = std::any_of(cells.begin(), cells.end(), [&](const BuiltCell& cell) {
    return cell.arch.empty() && is_due(cell.id);
  });
  std::map<std::string, Request> requests;  // by cell
  bool all = true;                          // are built and due
  for (const auto& cell : cells) {
    auto& request = requests[cell.id];
    request.ignores = matrix.ignores;
    request.baseline = asked.baseline;
    request.strict = asked.strict;
    request.driver = asked.driver;
    all = all && is_due(cell.id);
    request.devices = devices_of(cell, wanted);
    if (!wanted.empty() && request.devices.empty()) continue;
    if (fat && !cell.arch.empty()) result.beside_fat.insert(cell.id);
    if (cell.problem.empty()) {
      auto audit = audit_cell(cell, matrix, request, asked.read);
      const bool concerned = wanted.empty() || !audit.devices.empty() || !audit.errors.empty();
      if (concerned) result.audits.push_back(std::move(audit));
    } else if (serves_any(cell, matrix, wanted)) {
      all = false;
      if (is_due(cell.id)) result.findings.push_back(not_built(cell, tree.root));
    }
  }
  judge_beside_siblings(tree, cells, matrix, std::move(requests), asked.read, result.audits);
  std::erase_if(result.audits, [&](const auto& audit) { return !is_due(audit.cell); });
  const bool whole = wanted.empty() && asked.cell.empty() && all;
  if (!whole) return result;
  result.findings = coverage::unused_in(result.audits);
  find_unserved(tree, matrix, result.findings);
  if (!fat) note_gaps(cells, matrix, result.audits);
  return result;
}

}  // namespace archgrid::cell
