// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <archgrid/report/diff.hpp>
#include <map>
#include <nlohmann/json.hpp>

#include "dump_json.hpp"

namespace archgrid::report {
namespace {

using coverage::FileDiff;
using nlohmann::ordered_json;

/// Writes a list with one change per line.
template <typename Item, typename ToJson>
void write_list(const Sink& sink, const char* key, const std::vector<Item>& items,
                const ToJson& to_json) {
  sink(std::string(",\n    \"") + key + "\": [");
  bool first = true;
  for (const auto& item : items) {
    sink((first ? "\n      " : ",\n      ") + dump(to_json(item)));
    first = false;
  }
  sink("]");
}

ordered_json facts_json(const coverage::FileFacts& facts) {
  if (facts.path.empty()) return nullptr;
  return {{"path", facts.path},        {"bytes", facts.bytes},       {"kernels", facts.kernels},
          {"unnamed", facts.unnamed},  {"stripped", facts.stripped}, {"toolkits", facts.toolkits},
          {"ptx_isas", facts.ptx_isas}};
}

ordered_json devices_json(const std::vector<coverage::ComputeCapability>& devices) {
  ordered_json list = ordered_json::array();
  for (const auto device : devices) list.push_back(device.text());
  return list;
}

ordered_json coverage_json(const coverage::CoverageChange& change) {
  return {{"turn", coverage::name_of(change.turn)},
          {"old", coverage::name_of(change.before)},
          {"new", coverage::name_of(change.after)},
          {"devices", devices_json(change.devices)},
          {"reason", reason_text(change.reason, change.devices.front().text())},
          {"kernels", change.kernels}};
}

ordered_json code_json(const coverage::CodeChange& change) {
  return {{"devices", devices_json(change.devices)},
          {"unchanged", change.unchanged},
          {"changed", change.changed}};
}

ordered_json resource_json(const coverage::ResourceChange& change) {
  return {{"kernel", change.kernel},
          {"arch", change.arch.text()},
          {"resource", coverage::name_of(change.resource)},
          {"old", change.before},
          {"new", change.after}};
}

ordered_json bytes_json(const coverage::ImageBytes& sum) {
  return {{"images", sum.images}, {"stored", sum.stored}, {"bytes", sum.bytes}};
}

ordered_json size_json(const coverage::SizeChange& change) {
  return {{"kind", fatbin::name_of(change.kind)},
          {"arch", change.arch.text()},
          {"old", bytes_json(change.before)},
          {"new", bytes_json(change.after)}};
}

void write_file(const FileDiff& file, const Sink& sink) {
  const auto itself = [](const std::string& name) { return ordered_json(name); };
  sink("\n  {\n    \"old\": " + dump(facts_json(file.before)) +
       ",\n    \"new\": " + dump(facts_json(file.after)));
  sink(",\n    \"devices_lost\": " + dump(devices_json(file.reach.lost)) +
       ",\n    \"devices_degraded\": " + dump(devices_json(file.reach.degraded)) +
       ",\n    \"devices_gained\": " + dump(devices_json(file.reach.gained)));
  write_list(sink, "gone", file.gone, itself);
  write_list(sink, "added", file.added, itself);
  write_list(sink, "coverage", file.coverage, coverage_json);
  write_list(sink, "code", file.code, code_json);
  write_list(sink, "resources", file.resources, resource_json);
  write_list(sink, "sizes", file.sizes, size_json);
  sink(",\n    \"unknown_code\": " + std::to_string(file.unknown_code));
  sink(",\n    \"unknown_spills\": " + std::to_string(file.unknown_spills) + "\n  }");
}

/// Returns the demangled names of all kernels in the document.
std::map<std::string, std::string> names_of(const coverage::Diff& diff) {
  std::map<std::string, std::string> names;
  const auto add = [&names](const std::string& name) {
    const auto [known, fresh] = names.try_emplace(name);
    if (fresh) known->second = fatbin::demangle(name);
  };
  for (const auto& file : diff.files) {
    for (const auto& name : file.gone) add(name);
    for (const auto& name : file.added) add(name);
    for (const auto& change : file.resources) add(change.kernel);
    for (const auto& change : file.coverage) {
      for (const auto& name : change.kernels) add(name);
    }
    for (const auto& change : file.code) {
      for (const auto& name : change.changed) add(name);
    }
  }
  return names;
}

/// Returns the numbers of the closing line.
ordered_json summary_json(const coverage::Diff& diff) {
  const auto totals = coverage::totals_of(diff);
  ordered_json turns = ordered_json::object();
  for (const auto& [turn, total] : totals.turns) {
    turns[coverage::name_of(turn)] = {
        {"kernels", total.kernels},
        {"devices", devices_json({total.devices.begin(), total.devices.end()})}};
  }
  return {{"kernels", totals.compared},        {"files", totals.pairs},
          {"devices", diff.devices.size()},    {"kernels_new", totals.added},
          {"kernels_gone", totals.gone},       {"files_new", totals.files_added},
          {"files_gone", totals.files_gone},   {"turns", turns},
          {"stripped", totals.stripped},       {"stored_old", totals.stored_before},
          {"stored_new", totals.stored_after}, {"errors", diff.errors.size()}};
}

}  // namespace

void diff_json(const DiffReport& report, const Sink& sink) {
  const auto& diff = report.diff;
  sink("{\n\"schema\": \"archgrid.diff/1\",\n\"old\": " + dump(report.before) +
       ",\n\"new\": " + dump(report.after) + ",\n\"devices\": " + dump(devices_json(diff.devices)));
  if (!report.driver.empty()) sink(",\n\"driver\": " + dump(report.driver));
  const bool lost = coverage::is_lost(coverage::totals_of(diff), report.strict);
  sink(std::string(",\n\"lost\": ") + (lost ? "true" : "false") +
       ",\n\"whole\": " + (diff.errors.empty() ? "true" : "false") +
       ",\n\"devices_lost\": " + dump(devices_json(diff.reach.lost)) +
       ",\n\"devices_degraded\": " + dump(devices_json(diff.reach.degraded)) +
       ",\n\"devices_gained\": " + dump(devices_json(diff.reach.gained)) + ",\n\"files\": [");
  bool first = true;
  for (const auto& file : diff.files) {
    if (!first) sink(",");
    first = false;
    write_file(file, sink);
  }
  sink("],\n\"names\": {");
  first = true;
  for (const auto& [name, demangled] : names_of(diff)) {
    sink((first ? "\n  " : ",\n  ") + dump(name) + ": " + dump(demangled));
    first = false;
  }
  sink("},\n\"errors\": " + dump(diff.errors) + ",\n\"summary\": " + dump(summary_json(diff)) +
       ",\n\"verdict\": " + dump(closing_line(report)) + "\n}\n");
}

}  // namespace archgrid::report
