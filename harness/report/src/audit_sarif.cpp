// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <archgrid/report.hpp>
#include <archgrid/report/codes.hpp>
#include <archgrid/words/cause_text.hpp>
#include <cstdint>

#include "escape.hpp"
#include "style.hpp"

namespace archgrid::report {
namespace {

using coverage::Finding;

// GitHub shows 5,000 results per run.
constexpr std::size_t kMaxResults = 5000;
constexpr std::size_t kSarifMaxName = 1000;

std::string rule_json(std::string_view code, const char* level) {
  const auto entry = explain(code);
  return fmt::format(R"({{"id": {0}, "shortDescription": {{"text": {1}}}, )"
                     R"("fullDescription": {{"text": {2}}}, "help": {{"text": {2}}}, )"
                     R"("defaultConfiguration": {{"level": "{3}"}}}})",
                     json_string(code), json_string(entry.title), json_string(help_of(entry)),
                     level);
}

/// The rules, one per code.
class Rules {
 public:
  std::size_t index_of(const std::string& code, const char* level) {
    const auto found = std::find(codes_.begin(), codes_.end(), code);
    if (found != codes_.end()) return static_cast<std::size_t>(found - codes_.begin());
    codes_.push_back(code);
    rules_.push_back(rule_json(code, level));
    return codes_.size() - 1;
  }
  [[nodiscard]] const std::vector<std::string>& all() const { return rules_; }

 private:
  std::vector<std::string> codes_;
  std::vector<std::string> rules_;
};

/// Computes FNV-1a, so that a finding has the same fingerprint in every run.
std::uint64_t fingerprint(const std::vector<std::string_view>& parts) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const auto part : parts) {
    for (const char c : part) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    hash *= 0x100000001b3U;
  }
  return hash;
}

/// Returns the location of a finding. Device code has no lines, but GitHub requires one.
std::string location_json(std::string_view path, std::string_view kernel,
                          std::string_view demangled) {
  std::vector<std::string> members;
  if (!path.empty()) {
    members.push_back(fmt::format(R"("physicalLocation": {{"artifactLocation": {{"uri": {}}}, )"
                                  R"("region": {{"startLine": 1}}}})",
                                  json_string(uri_path(path))));
  }
  if (!demangled.empty()) {
    const auto mangled =
        kernel.empty() ? "" : fmt::format(R"(, "decoratedName": {})", json_string(kernel));
    members.push_back(
        fmt::format(R"("logicalLocations": [{{"fullyQualifiedName": {}, "kind": "function"{}}}])",
                    json_string(shortened(demangled, kSarifMaxName)), mangled));
  }
  if (members.empty()) return "[]";
  return fmt::format("[{{{}}}]", fmt::join(members, ", "));
}

/// Returns the level of a finding, ignored or not.
const char* level_of(const Finding& finding) {
  return finding.severity == coverage::Severity::error ? "error" : "warning";
}

std::string finding_json(const FindingGroup& group, std::size_t rule, std::string_view ignored) {
  const auto& finding = group.first();
  const auto subject = subject_of(group, kSarifMaxName);
  const auto cell = finding.cell.empty() ? std::string() : fmt::format(", cell {}", finding.cell);
  const auto fix = fix_of(group.firsts);
  const auto message = fmt::format("{}{}: {}.{}", subject.empty() ? finding.code : subject, cell,
                                   message_of(group), fix.empty() ? "" : " Fix: " + fix + ".");
  auto json = fmt::format(
      R"({{"ruleId": {}, "ruleIndex": {}, "level": "{}", "message": {{"text": {}}}, )"
      R"("locations": {}, "partialFingerprints": {{"archgrid/v1": "{:016x}"}}, )"
      R"("properties": {{"devices": {}, "findings": {}, "kernels": {}}})",
      json_string(finding.code), rule, level_of(finding), json_string(message),
      location_json(finding.path, finding.kernel.str(), demangled_of(finding)),
      fingerprint({finding.code, finding.cell, finding.path, finding.kernel.str(), finding.device}),
      json_string(devices_of(group)), group.findings, group.kernels);
  if (!ignored.empty()) {
    json += fmt::format(
        R"(, "suppressions": [{{"kind": "external", "status": "accepted", "justification": {}}}])",
        json_string(ignored));
  }
  return json + '}';
}

std::string suspect_json(const Finding& suspect, std::size_t rule) {
  return fmt::format(
      R"({{"ruleId": {}, "ruleIndex": {}, "level": "warning", "message": {{"text": {}}}, )"
      R"("locations": {}, "partialFingerprints": {{"archgrid/v1": "{:016x}"}}}})",
      json_string(suspect.code), rule, json_string(suspect_text(suspect)),
      location_json(suspect.path, suspect.kernel.str(), demangled_of(suspect)),
      fingerprint({suspect.code, suspect.path, suspect.kernel.str(),
                   coverage::name_of(suspect.cause->rule)}));
}

std::string note_json(const ViewNote& note, std::size_t rule) {
  return fmt::format(
      R"({{"ruleId": {}, "ruleIndex": {}, "level": "note", "message": {{"text": {}}}, )"
      R"("locations": {}, "partialFingerprints": {{"archgrid/v1": "{:016x}"}}}})",
      json_string(note.code), rule, json_string(note.message), location_json(note.path, "", ""),
      fingerprint({note.code, note.path, note.message}));
}

std::string notification_json(std::string_view text, const char* level) {
  return fmt::format(R"({{"level": "{}", "message": {{"text": {}}}}})", level, json_string(text));
}

/// The results up to the limit, and the number of the others.
class Results {
 public:
  [[nodiscard]] bool has_room() const { return results_.size() < kMaxResults; }
  void add(std::string result) { results_.push_back(std::move(result)); }
  void leave_out(std::size_t findings) { left_ += findings; }
  [[nodiscard]] const std::vector<std::string>& all() const { return results_; }
  [[nodiscard]] std::size_t left() const { return left_; }

 private:
  std::vector<std::string> results_;
  std::size_t left_ = 0;
};

Results results_of(const View& view, Rules& rules) {
  Results results;
  for (const auto& group : view.findings) {
    const auto rule = rules.index_of(group.first().code, "error");
    if (results.has_room()) {
      results.add(finding_json(group, rule, ""));
    } else {
      results.leave_out(group.findings);
    }
  }
  for (const auto& audit : view.report.audits) {
    for (const auto& ignored : audit.ignored) {
      const auto rule = rules.index_of(ignored.finding.code, level_of(ignored.finding));
      const FindingGroup one{{&ignored.finding}, 1, ignored.finding.kernels};
      if (results.has_room()) {
        results.add(finding_json(one, rule, ignored.reason));
      } else {
        results.leave_out(1);
      }
    }
  }
  for (const auto* suspect : view.suspects) {
    const auto rule = rules.index_of(suspect->code, "warning");
    if (results.has_room()) {
      results.add(suspect_json(*suspect, rule));
    } else {
      results.leave_out(1);
    }
  }
  for (const auto& note : view.notes) {
    const auto rule = rules.index_of(note.code, "note");
    if (results.has_room()) {
      results.add(note_json(note, rule));
    } else {
      results.leave_out(1);
    }
  }
  return results;
}

}  // namespace

void write_sarif(const View& view, std::string_view version, const Sink& sink) {
  Rules rules;
  const auto results = results_of(view, rules);
  std::vector<std::string> notifications;
  for (const auto error : view.errors) notifications.push_back(notification_json(error, "error"));
  if (view.totals.unanswered > 0) notifications.push_back(notification_json(view.verdict, "error"));
  if (results.left() > 0) {
    notifications.push_back(notification_json(
        fmt::format("and {}, left out here", count_text(results.left(), "more finding")),
        "warning"));
  }
  sink(fmt::format(
      "{{\"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\", \"version\": \"2.1.0\",\n"
      " \"runs\": [{{\"tool\": {{\"driver\": {{\"name\": \"archgrid\", \"version\": {},\n"
      "  \"rules\": [\n   {}\n  ]}}}},\n",
      json_string(version), fmt::join(rules.all(), ",\n   ")));
  sink(
      fmt::format("  \"columnKind\": \"utf16CodeUnits\",\n  \"invocations\": "
                  "[{{\"executionSuccessful\": {}, \"toolExecutionNotifications\": [{}]}}],\n"
                  "  \"properties\": {{\"verdict\": {}}},\n  \"results\": [",
                  view.errors.empty(), fmt::join(notifications, ", "), json_string(view.verdict)));
  const char* gap = "\n   ";
  for (const auto& result : results.all()) {
    sink(gap);
    sink(result);
    gap = ",\n   ";
  }
  sink("\n  ]}]}\n");
}

}  // namespace archgrid::report
