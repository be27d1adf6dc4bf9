// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <archgrid/report/suggest.hpp>
#include <nlohmann/json.hpp>

namespace archgrid::report {
namespace {

using coverage::ArchUse;
using nlohmann::ordered_json;

template <typename List>
ordered_json texts_of(const List& values) {
  auto json = ordered_json::array();
  for (const auto& value : values) json.push_back(value.text());
  return json;
}

ordered_json verdicts_json(const coverage::Verdicts& verdicts) {
  auto json = ordered_json::array();
  for (const auto verdict : verdicts) json.push_back(coverage::name_of(verdict));
  return json;
}

ordered_json spellings_json(const coverage::ArchPlan& plan) {
  const auto spelled = coverage::spell(plan.archs);
  ordered_json json = {
      {"cmake", spelled.cmake}, {"nvcc", spelled.nvcc}, {"matrix", spelled.matrix}};
  if (spelled.torch_problem.empty()) {
    json["torch"] = spelled.torch;
  } else {
    json["torch_problem"] = spelled.torch_problem;
  }
  return json;
}

ordered_json plan_json(const SuggestedList& planned) {
  const auto& plan = planned.plan;
  ordered_json json = {{"toolkit", plan.toolkit.text()},
                       {"ptx_isa", plan.ptx_isa.text()},
                       {"ptx_needs", coverage::driver_for(plan.ptx_isa)}};
  json["promised"] = ordered_json::array();
  for (const auto& wanted : planned.request.devices) {
    ordered_json entry = {{"device", wanted.device.text()},
                          {"accept", verdicts_json(wanted.accept)}};
    if (wanted.driver) entry["driver"] = wanted.driver->name;
    json["promised"].push_back(std::move(entry));
  }
  json["archs"] = ordered_json::array();
  for (const auto& each : plan.archs) {
    json["archs"].push_back({{"arch", each.arch.text()}, {"sass", each.sass}, {"ptx", each.ptx}});
  }
  json["served"] = ordered_json::array();
  for (const auto& service : plan.served) {
    json["served"].push_back({{"device", service.device.text()},
                              {"verdict", coverage::name_of(service.verdict)},
                              {"takes", service.ptx ? "ptx" : "sass"},
                              {"arch", service.arch.text()}});
  }
  json["unserved"] = ordered_json::array();
  for (const auto& unserved : plan.unserved) {
    json["unserved"].push_back({{"device", unserved.device.text()},
                                {"reason", reason_text(unserved, plan.toolkit)},
                                {"toolkits", texts_of(unserved.able)}});
  }
  if (plan.fallback) json["fallback"] = plan.fallback->text();
  if (plan.ptx_alone) json["ptx_alone"] = plan.ptx_alone->text();
  json["spellings"] = spellings_json(plan);
  return json;
}

ordered_json use_json(const ArchUse& use, bool idle) {
  ordered_json json = {{"kind", fatbin::name_of(use.kind)},
                       {"arch", use.arch.text()},
                       {"images", use.images},
                       {"kernels", use.kernels},
                       {"bytes", use.bytes},
                       {"stored", use.stored},
                       {"listed", use.planned}};
  if (use.judged) {
    json["taken_by"] = texts_of(use.takers);
    json["needless"] = idle;
    json["irreplaceable"] = use.irreplaceable;
  }
  return json;
}

ordered_json measured_json(const SuggestReport& report) {
  const auto& measured = *report.measured;
  const auto idle = needless(report);
  ordered_json json = {{"files", measured.paths}};
  if (measured.file_bytes) json["file_bytes"] = *measured.file_bytes;
  std::uint64_t stored = 0;
  std::uint64_t saved = 0;
  for (const auto& use : measured.uses) stored += use.stored;
  for (const auto* use : idle) saved += use->stored;
  json["stored"] = stored;
  json["needless"] = saved;
  json["images"] = ordered_json::array();
  for (const auto& use : measured.uses) {
    const bool is_idle = std::find(idle.begin(), idle.end(), &use) != idle.end();
    json["images"].push_back(use_json(use, is_idle));
  }
  return json;
}

ordered_json finding_json(const coverage::Finding& finding) {
  ordered_json json = {{"code", finding.code}};
  const auto add = [&json](const char* key, const std::string& value) {
    if (!value.empty()) json[key] = value;
  };
  add("path", finding.path);
  add("kernel", finding.kernel);
  if (!finding.kernel.empty()) json["kernels"] = finding.kernels;
  add("device", finding.device);
  json["message"] = message_of(finding);
  json["fix"] = fix_of(finding);
  return json;
}

}  // namespace

std::string suggest_json(const SuggestReport& report) {
  const auto findings = report.findings();
  const auto errors = report.measured ? report.measured->errors : std::vector<std::string>();
  ordered_json json = {{"schema", "archgrid.suggest/1"},
                       {"holds", findings.empty() && errors.empty()}};
  json["lists"] = ordered_json::array();
  for (const auto& planned : report.toolkits) json["lists"].push_back(plan_json(planned));
  if (report.measured) json["from"] = measured_json(report);
  json["notes"] = report.notes;
  json["findings"] = ordered_json::array();
  for (const auto& finding : findings) json["findings"].push_back(finding_json(finding));
  json["errors"] = errors;
  json["verdicts"] = suggest_verdicts(report);
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace archgrid::report
