// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

#include "style.hpp"

namespace archgrid::report {
namespace {

using coverage::Audit;
using coverage::Field;
using coverage::FileAudit;
using coverage::Finding;
using coverage::Row;
using coverage::State;
using coverage::Verdict;

constexpr std::size_t kColumn = 8;
constexpr std::size_t kLongestName = 48;
constexpr std::size_t kMostRows = 40;
constexpr std::size_t kMostFindings = 20;

// Fits a column, so that nine devices and a name fit a screen.
const char* short_word(Verdict verdict) {
  switch (verdict) {
    case Verdict::compatible:
      return "compat";
    case Verdict::ptx_too_new:
      return "too-new";
    case Verdict::wrong_suffix:
      return "suffix";
    default:
      return coverage::name_of(verdict);
  }
}

Ink ink_of(const Field& field) {
  if (field.state == State::broken) return Ink::bad;
  if (field.state == State::forgiven) return Ink::warn;
  return field.judgement.verdict == Verdict::native ? Ink::good : Ink::plain;
}

/// Broken fields are told from others without colour too.
std::string word_of(const Field& field) {
  if (field.state == State::not_promised) return "-";
  std::string word = short_word(field.judgement.verdict);
  if (field.state == State::broken) {
    std::transform(word.begin(), word.end(), word.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  }
  if (field.state == State::forgiven) word = "(" + word.substr(0, kColumn - 3) + ")";
  return word;
}

int severity(State state) {
  switch (state) {
    case State::broken:
      return 3;
    case State::forgiven:
      return 2;
    case State::kept:
      return 1;
    case State::not_promised:
      break;
  }
  return 0;
}

bool is_worse(const Field& left, const Field& right) {
  return std::make_tuple(severity(left.state), left.judgement.verdict) >
         std::make_tuple(severity(right.state), right.judgement.verdict);
}

struct MapRow {
  std::string demangled;
  std::string name;
  std::vector<Field> fields;
};

/// One row a kernel, in which the worst of its files counts.
std::vector<MapRow> merge(const std::vector<const FileAudit*>& files) {
  std::map<std::string, MapRow> rows;
  for (const auto* file : files) {
    for (const auto& row : file->rows) {
      const auto key = row.kernel.name.empty() ? file->file.path + row.kernel.demangled.str()
                                               : row.kernel.name.str();
      auto [found, fresh] = rows.try_emplace(key, MapRow{row.kernel.demangled, "", row.fields});
      if (fresh) continue;
      auto& fields = found->second.fields;
      for (std::size_t index = 0; index < fields.size(); ++index) {
        if (is_worse(row.fields[index], fields[index])) fields[index] = row.fields[index];
      }
    }
  }
  std::vector<MapRow> result;
  std::vector<std::string> demangled;
  for (auto& [key, row] : rows) {
    demangled.push_back(row.demangled);
    result.push_back(std::move(row));
  }
  const auto names = short_names(demangled);
  for (std::size_t index = 0; index < result.size(); ++index) result[index].name = names[index];
  std::sort(result.begin(), result.end(),
            [](const MapRow& left, const MapRow& right) { return left.name < right.name; });
  return result;
}

std::string signature(const MapRow& row) {
  std::string text;
  for (const auto& field : row.fields) text += word_of(field) + ' ';
  return text;
}

/// Big libraries: kernels that fare alike share a row.
std::vector<MapRow> fold(std::vector<MapRow> rows) {
  if (rows.size() <= kMostRows) return rows;
  std::map<std::string, std::pair<MapRow, std::size_t>> groups;
  for (auto& row : rows) {
    const auto key = signature(row);
    ++groups.try_emplace(key, std::move(row), 0).first->second.second;
  }
  std::vector<MapRow> result;
  for (auto& [key, group] : groups) {
    auto& [row, count] = group;
    const auto more = count > 1 ? fmt::format(" and {} more", count - 1) : std::string();
    const auto room = kLongestName - more.size();
    if (row.name.size() > room) row.name = row.name.substr(0, room - 3) + "...";
    row.name += more;
    result.push_back(std::move(row));
  }
  return result;
}

std::string clip(const std::string& name) {
  if (name.size() <= kLongestName) return name;
  constexpr std::size_t kEnd = kLongestName / 2;
  return name.substr(0, kLongestName - kEnd - 3) + "..." + name.substr(name.size() - kEnd);
}

std::string map_text(const std::string& title, const std::vector<coverage::Device>& devices,
                     std::vector<MapRow> rows, Style style) {
  std::size_t width = title.size();
  rows = fold(std::move(rows));
  for (auto& row : rows) {
    row.name = clip(row.name);
    width = std::max(width, row.name.size() + 2);
  }
  std::string text = paint(pad(title, width), Ink::strong, style);
  for (const auto device : devices) text += "  " + pad(device.text(), kColumn - 1);
  text.erase(text.find_last_not_of(' ') + 1);
  text += '\n';
  for (const auto& row : rows) {
    std::string line = pad("  " + row.name, width);
    for (const auto& field : row.fields) {
      line += "  " + paint(pad(word_of(field), kColumn - 1), ink_of(field), style);
    }
    if (!style.colour) line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

std::string maps_text(const Audit& audit, bool by_cell, Style style) {
  std::vector<const FileAudit*> files;
  for (const auto& file : audit.files) files.push_back(&file);
  if (by_cell) return map_text(audit.cell, audit.devices, merge(files), style) + '\n';
  std::string text;
  for (const auto* file : files) {
    if (file->rows.empty()) continue;
    const auto name = std::filesystem::path(file->file.path).filename().string();
    text += map_text(name, audit.devices, merge({file}), style) + '\n';
  }
  return text;
}

/// Findings that one fix mends.
struct FindingGroup {
  Finding first;
  std::size_t kernels = 0;
};

std::vector<FindingGroup> group(const std::vector<Finding>& findings) {
  std::map<std::tuple<std::string, std::string, std::string, std::string, std::string>, std::size_t>
      places;
  std::vector<FindingGroup> groups;
  for (const auto& finding : findings) {
    const auto key = std::make_tuple(finding.code, finding.cell, finding.path, finding.device,
                                     finding.message.str() + finding.fix.str());
    const auto [found, fresh] = places.try_emplace(key, groups.size());
    if (fresh) groups.push_back({finding, 0});
    groups[found->second].kernels += finding.kernels;
  }
  return groups;
}

std::string finding_text(const FindingGroup& group, Style style) {
  const auto& finding = group.first;
  std::string place = finding.demangled;
  if (group.kernels > 1) place += fmt::format(" and {} more", group.kernels - 1);
  if (!finding.device.empty()) place += " on " + finding.device;
  const auto add = [&place](const std::string& part) {
    if (!part.empty()) place += (place.empty() ? "" : ", ") + part;
  };
  add(finding.cell.empty() ? "" : "cell " + finding.cell.str());
  add(finding.path);
  std::string text = paint(finding.code, Ink::bad, style) + (place.empty() ? ":" : ": " + place);
  text += fmt::format("\n  {}\n", finding.message.str());
  if (!finding.fix.empty()) text += fmt::format("  fix: {}\n", finding.fix.str());
  return text;
}

std::string findings_text(const std::vector<Finding>& findings, Style style) {
  const auto groups = group(findings);
  std::string text;
  for (std::size_t index = 0; index < std::min(groups.size(), kMostFindings); ++index) {
    text += finding_text(groups[index], style);
  }
  if (groups.size() > kMostFindings) {
    text += fmt::format("... and {} more (--json lists all)\n", groups.size() - kMostFindings);
  }
  return text.empty() ? text : text + '\n';
}

std::string forgiven_text(const AuditReport& report) {
  std::map<std::string, std::size_t> reasons;
  for (const auto& audit : report.audits) {
    for (const auto& forgiven : audit.forgiven) ++reasons[forgiven.reason];
  }
  std::string text;
  for (const auto& [reason, count] : reasons) {
    text += fmt::format("ignored: {}: {}\n", count_text(count, "finding"), reason);
  }
  return text.empty() ? text : text + '\n';
}

/// Code that only the running program sees is no part of what holds.
std::string loaders_text(const AuditReport& report) {
  std::set<std::string> notes;
  for (const auto& audit : report.audits) {
    for (const auto& file : audit.files) {
      if (file.file.loaders.empty()) continue;
      notes.insert(fmt::format("not seen: what {} loads at run time ({})\n", file.file.path,
                               fmt::join(file.file.loaders, ", ")));
    }
  }
  const auto text = fmt::format("{}", fmt::join(notes, ""));
  return text.empty() ? text : text + '\n';
}

/// What the closing line counts.
struct Totals {
  std::set<std::string> kernels;
  std::set<int> devices;
  std::set<Verdict> kept;
  std::size_t forgiven = 0;
};

bool is_promised(const Row& row) {
  return std::any_of(row.fields.begin(), row.fields.end(),
                     [](const Field& field) { return field.state != State::not_promised; });
}

Totals count(const AuditReport& report) {
  Totals totals;
  for (const auto& audit : report.audits) {
    totals.forgiven += audit.forgiven.size();
    for (const auto device : audit.devices) totals.devices.insert(device.number());
    for (const auto& file : audit.files) {
      for (const auto& row : file.rows) {
        if (!is_promised(row)) continue;
        totals.kernels.insert(row.kernel.name.empty() ? file.file.path + row.kernel.demangled.str()
                                                      : row.kernel.name.str());
        for (const auto& field : row.fields) {
          if (field.state == State::kept) totals.kept.insert(field.judgement.verdict);
        }
      }
    }
  }
  return totals;
}

std::string list_verdicts(const std::set<Verdict>& verdicts) {
  std::string text;
  for (const auto verdict : verdicts) {
    text += (text.empty() ? "" : " or ") + std::string(coverage::name_of(verdict));
  }
  return text;
}

std::string by_code(const std::vector<Finding>& findings) {
  std::map<std::string, std::size_t> codes;
  for (const auto& finding : findings) ++codes[finding.code];
  std::string text;
  for (const auto& [code, number] : codes) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", number, code);
  }
  return text;
}

}  // namespace

std::string closing_line(const AuditReport& report) {
  const auto totals = count(report);
  const auto findings = report.all_findings();
  const auto errors = report.all_errors();
  std::string scope = fmt::format("{} x {}", count_text(totals.kernels.size(), "kernel"),
                                  count_text(totals.devices.size(), "device"));
  if (report.by_cell) scope += ", " + count_text(report.audits.size(), "cell");
  const auto ignored = totals.forgiven == 0
                           ? std::string()
                           : fmt::format(", {} ignored", count_text(totals.forgiven, "finding"));
  if (!findings.empty()) {
    const auto unread =
        errors.empty() ? std::string() : fmt::format(", {}", count_text(errors.size(), "error"));
    return fmt::format("promise broken: {} ({}){} among {}{}",
                       count_text(findings.size(), "finding"), by_code(findings), unread, scope,
                       ignored);
  }
  if (!errors.empty()) {
    return fmt::format("promise not proven: {} among {}{}", count_text(errors.size(), "error"),
                       scope, ignored);
  }
  if (totals.devices.empty()) {
    return report.arch.empty()
               ? "nothing is promised for what was audited"
               : fmt::format("nothing is promised for the devices that {} serves", report.arch);
  }
  const auto verdicts = totals.kept.empty() ? std::string() : ", all " + list_verdicts(totals.kept);
  return fmt::format("promise holds: {}{}{}", scope, verdicts, ignored);
}

std::string audit_text(const AuditReport& report, Style style) {
  std::string text;
  for (const auto& audit : report.audits) text += maps_text(audit, report.by_cell, style);
  const auto findings = report.all_findings();
  text += findings_text(findings, style);
  text += forgiven_text(report);
  text += loaders_text(report);
  const bool holds = findings.empty() && report.all_errors().empty();
  return text + paint(closing_line(report), holds ? Ink::good : Ink::bad, style) + '\n';
}

}  // namespace archgrid::report
