// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <archgrid/report.hpp>
#include <nlohmann/json.hpp>

namespace archgrid::report {
namespace {

using coverage::Finding;
using nlohmann::ordered_json;

ordered_json image_json(const fatbin::Image& image) {
  ordered_json json = {{"module", image.module},
                       {"section", image.section},
                       {"kind", fatbin::name_of(image.kind)},
                       {"arch", image.arch.text()},
                       {"compression", fatbin::name_of(image.compression)},
                       {"bytes", image.bytes},
                       {"kernels", image.kernels.size()}};
  if (!image.error.empty()) json["error"] = image.error;
  return json;
}

ordered_json row_json(const coverage::Row& row, const std::vector<coverage::Device>& devices) {
  ordered_json verdicts = ordered_json::object();
  ordered_json not_promised = ordered_json::array();
  for (std::size_t index = 0; index < devices.size(); ++index) {
    const auto& field = row.fields[index];
    const auto device = devices[index].text();
    verdicts[device] = coverage::name_of(field.judgement.verdict);
    if (field.state == coverage::State::not_promised) not_promised.push_back(device);
  }
  ordered_json json = {{"name", row.kernel.name},
                       {"demangled", row.kernel.demangled},
                       {"modules", row.kernel.modules},
                       {"verdicts", verdicts}};
  if (!not_promised.empty()) json["not_promised"] = not_promised;
  if (row.kernel.picked_by_host) json["picked_by_host"] = true;
  return json;
}

ordered_json file_json(const coverage::Audit& audit, const coverage::FileAudit& file) {
  ordered_json json = {{"path", file.file.path}};
  if (!audit.cell.empty()) json["cell"] = audit.cell;
  json["images"] = ordered_json::array();
  for (const auto& image : file.file.images) json["images"].push_back(image_json(image));
  json["kernels"] = ordered_json::array();
  for (const auto& row : file.rows) json["kernels"].push_back(row_json(row, audit.devices));
  if (!file.file.loaders.empty()) json["loaders"] = file.file.loaders;
  return json;
}

ordered_json finding_json(const Finding& finding) {
  ordered_json json = {{"code", finding.code}};
  const auto add = [&json](const char* key, const std::string& value) {
    if (!value.empty()) json[key] = value;
  };
  add("cell", finding.cell);
  add("path", finding.path);
  add("kernel", finding.kernel);
  add("device", finding.device);
  json["message"] = finding.message;
  json["fix"] = finding.fix;
  return json;
}

}  // namespace

std::vector<Finding> AuditReport::all_findings() const {
  auto all = findings;
  for (const auto& audit : audits) {
    all.insert(all.end(), audit.findings.begin(), audit.findings.end());
  }
  return all;
}

std::vector<std::string> AuditReport::all_errors() const {
  auto all = errors;
  for (const auto& audit : audits) all.insert(all.end(), audit.errors.begin(), audit.errors.end());
  return all;
}

std::string audit_json(const AuditReport& report) {
  const auto findings = report.all_findings();
  const auto errors = report.all_errors();
  ordered_json json = {{"schema", "archgrid.audit/1"},
                       {"holds", findings.empty() && errors.empty()}};
  json["files"] = ordered_json::array();
  json["findings"] = ordered_json::array();
  json["ignored"] = ordered_json::array();
  for (const auto& audit : report.audits) {
    for (const auto& file : audit.files) json["files"].push_back(file_json(audit, file));
    for (const auto& forgiven : audit.forgiven) {
      auto entry = finding_json(forgiven.finding);
      entry["reason"] = forgiven.reason;
      json["ignored"].push_back(std::move(entry));
    }
  }
  for (const auto& finding : findings) json["findings"].push_back(finding_json(finding));
  json["errors"] = errors;
  json["verdict"] = closing_line(report);
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace archgrid::report
