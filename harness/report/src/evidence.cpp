// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <archgrid/fatbin.hpp>
#include <archgrid/report/evidence.hpp>
#include <archgrid/words/cause_text.hpp>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "dump_json.hpp"
#include "style.hpp"
#include "table.hpp"
#include "view_parts.hpp"

namespace archgrid::report {
namespace {

using coverage::ComputeCapability;
using evidence::Execution;
using evidence::KernelEvidence;
using evidence::RunState;
using nlohmann::ordered_json;

constexpr std::size_t kMaxName = 28;
constexpr std::size_t kMaxRows = 30;

/// A state in the table, with its meaning.
struct StateWord {
  RunState state;
  const char* word;
  const char* meaning;
};

constexpr std::array<StateWord, 5> kWords = {{
    {RunState::executed, "executed", "a passed test launched this code there"},
    {RunState::changed, "changed", "a passed test launched other code of the kernel there"},
    {RunState::unknown, "?", "it ran there, and the code has no identity to compare"},
    {RunState::never, "never", "it has code, and no launch by a passed test is recorded"},
    {RunState::no_code, "-", "it has no code that runs there"},
}};

const char* word_of(RunState state) {
  return kWords.at(static_cast<std::size_t>(state)).word;
}

/// Kernels with equal states.
struct Group {
  std::map<ComputeCapability, RunState> states;
  std::vector<const KernelEvidence*> kernels;
};

/// Returns the groups, those with the most to do first.
std::vector<Group> groups_of(const EvidenceReport& report) {
  std::vector<Group> groups;
  for (const auto& kernel : report.kernels) {
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
      return !report.all && group.states == kernel.states;
    });
    if (same == groups.end()) {
      groups.push_back({kernel.states, {&kernel}});
    } else {
      same->kernels.push_back(&kernel);
    }
  }
  if (report.all) return groups;
  std::stable_sort(groups.begin(), groups.end(), [](const Group& left, const Group& right) {
    return left.kernels.size() > right.kernels.size();
  });
  return groups;
}

std::string label_of(const Group& group, bool all) {
  const auto full = short_names({group.kernels.front()->demangled}).front();
  const auto more = group.kernels.size() - 1;
  const auto after = more == 0 ? std::string() : fmt::format(" and {} more", more);
  const auto room = all ? full.size() : kMaxName - std::min(after.size(), kMaxName - 3);
  return fatbin::printable(beginning(full, std::max<std::size_t>(room, 3)) + after);
}

/// Returns tables of as many GPUs as fit beside each other.
std::string tables_text(const EvidenceReport& report, const std::vector<Group>& groups, Style style,
                        std::size_t columns) {
  constexpr std::size_t kColumn = 10;
  const auto room = std::max(columns, kMaxName + kColumn + 4) - kMaxName - 2;
  const auto per_table = std::max<std::size_t>(room / kColumn, 1);
  std::string text;
  for (std::size_t begin = 0; begin < report.devices.size(); begin += per_table) {
    const auto end = std::min(begin + per_table, report.devices.size());
    std::vector<Column> titles = {{"", Side::left}};
    for (auto at = begin; at < end; ++at) titles.push_back({report.devices[at].text(), Side::left});
    std::vector<TableRow> rows;
    for (const auto& group : groups) {
      if (!report.all && rows.size() == kMaxRows) break;
      TableRow row;
      row.cells.push_back(label_of(group, report.all));
      for (auto at = begin; at < end; ++at) {
        const auto state = group.states.find(report.devices[at]);
        row.cells.emplace_back(state == group.states.end() ? "" : word_of(state->second));
      }
      rows.push_back(std::move(row));
    }
    text += table_text(titles, rows, 2, style) + '\n';
  }
  if (!report.all && groups.size() > kMaxRows) {
    text += fmt::format("and {} (--all shows them)\n\n",
                        count_text(groups.size() - kMaxRows, "more row"));
  }
  return text;
}

std::string legend_text(const std::vector<Group>& groups, std::size_t columns) {
  std::set<RunState> shown;
  for (const auto& group : groups) {
    for (const auto& [device, state] : group.states) shown.insert(state);
  }
  std::string text;
  for (const auto& word : kWords) {
    if (shown.count(word.state) == 0) continue;
    text += hanging(fmt::format("{:<10}", word.word), word.meaning, "          ", columns);
  }
  return text.empty() ? text : text + '\n';
}

void count(RunState state, EvidenceCounts& counts) {
  switch (state) {
    case RunState::executed:
      ++counts.executed;
      break;
    case RunState::changed:
      ++counts.changed;
      break;
    case RunState::unknown:
      ++counts.unknown;
      break;
    case RunState::never:
      ++counts.never;
      break;
    case RunState::no_code:
      ++counts.no_code;
      break;
  }
}

/// Returns "9.0 (H100, H200): 119 of 162 kernels executed as they are, last on 2026-11-29".
std::string device_text(const EvidenceReport& report, ComputeCapability device) {
  EvidenceCounts counts;
  std::string date;
  for (const auto& kernel : report.kernels) {
    const auto state = kernel.states.find(device);
    if (state == kernel.states.end()) continue;
    count(state->second, counts);
    const auto last = kernel.last.find(device);
    if (last != kernel.last.end()) date = std::max(date, last->second.run.date);
  }
  auto text = fmt::format("{}: {} of {} executed as they are", asked_text(AuditReport{}, {device}),
                          counts.executed, count_text(counts.with_code(), "kernel"));
  if (counts.changed > 0) text += fmt::format(", {} changed since", counts.changed);
  return date.empty() ? text : text + ", last run on " + date;
}

/// Returns "evidence: 119 of 324 executed as they are (kernels x GPUs), 3 changed since they ran".
std::string verdict_text(const EvidenceReport& report) {
  const auto counts = counts_of(report);
  if (counts.with_code() == 0) return "no kernel has code for these GPUs";
  auto text =
      is_whole(report)
          ? fmt::format("every kernel was executed as it is on {}",
                        coverage::list_devices(std::set<ComputeCapability>(report.devices.begin(),
                                                                           report.devices.end())))
          : fmt::format("evidence is incomplete: {} of {} (kernels x GPUs) executed as they are",
                        counts.executed, counts.with_code());
  if (counts.changed > 0) text += fmt::format(", {} changed since", counts.changed);
  if (counts.never > 0) text += fmt::format(", {} never executed", counts.never);
  if (counts.unknown > 0) text += fmt::format(", {} unknown", counts.unknown);
  if (counts.no_code > 0) text += fmt::format(", {} without code", counts.no_code);
  return text;
}

ordered_json json_of(const Execution& execution) {
  const auto& run = execution.run;
  ordered_json json = {{"identity", execution.code.identity},
                       {"arch", execution.code.arch},
                       {"gpu", run.gpu},
                       {"test", run.test},
                       {"date", run.date}};
  if (!run.driver.empty()) json["driver"] = run.driver;
  if (!run.commit.empty()) json["commit"] = run.commit;
  return json;
}

}  // namespace

bool is_whole(const EvidenceReport& report) {
  const auto counts = counts_of(report);
  return counts.executed > 0 && counts.executed == counts.with_code() && counts.no_code == 0;
}

EvidenceCounts counts_of(const EvidenceReport& report) {
  EvidenceCounts counts;
  for (const auto& kernel : report.kernels) {
    for (const auto& [device, state] : kernel.states) count(state, counts);
  }
  return counts;
}

std::string evidence_text(const EvidenceReport& report, Style style, std::size_t columns) {
  const auto groups = groups_of(report);
  auto text = tables_text(report, groups, style, columns) + legend_text(groups, columns);
  for (const auto device : report.devices)
    text += wrapped(device_text(report, device), "", columns);
  return text + '\n' +
         paint(wrapped(verdict_text(report), "", columns), is_whole(report) ? Ink::good : Ink::warn,
               style);
}

std::string evidence_json(const EvidenceReport& report) {
  ordered_json devices = ordered_json::array();
  for (const auto device : report.devices) devices.push_back(device.text());
  ordered_json kernels = ordered_json::array();
  for (const auto& kernel : report.kernels) {
    ordered_json entry = {
        {"path", kernel.path}, {"kernel", kernel.kernel}, {"demangled", kernel.demangled}};
    entry["states"] = ordered_json::object();
    for (const auto& [device, state] : kernel.states) {
      entry["states"][device.text()] = evidence::name_of(state);
    }
    for (const auto& [device, execution] : kernel.last) {
      entry["last"][device.text()] = json_of(execution);
    }
    kernels.push_back(std::move(entry));
  }
  const ordered_json document = {{"schema", "archgrid.evidence-table/1"},
                                 {"evidence", report.file},
                                 {"devices", std::move(devices)},
                                 {"kernels", std::move(kernels)}};
  return dump(document) + '\n';
}

}  // namespace archgrid::report
