// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <archgrid/report.hpp>
#include <archgrid/report/codes.hpp>
#include <archgrid/words/cause_text.hpp>
#include <map>
#include <unordered_map>

#include "escape.hpp"

namespace archgrid::report {
namespace {

using coverage::Finding;
using coverage::State;

/// Returns the number of an image's kernels, or null if it is unknown.
std::string count_json(const fatbin::Image& image) {
  const bool readable = image.kind == fatbin::Kind::sass || image.kind == fatbin::Kind::ptx;
  const bool known = readable && !image.unread && image.error.empty();
  return known ? std::to_string(image.kernels.size()) : "null";
}

std::string image_json(const fatbin::Image& image) {
  auto json = fmt::format(
      R"({{"module": {}, "section": {}, "kind": "{}", "arch": "{}", "compression": "{}", )"
      R"("bytes": {}, "kernels": {})",
      image.module, json_string(image.section), fatbin::name_of(image.kind), image.arch.text(),
      fatbin::name_of(image.compression), image.decompressed_bytes, count_json(image));
  if (!image.error.empty()) json += ", \"error\": " + json_string(image.error);
  return json + '}';
}

/// Returns a list of JSON texts.
std::string joined(const std::vector<std::string>& parts, const char* open, const char* close) {
  return fmt::format("{}{}{}", open, fmt::join(parts, ", "), close);
}

/// Returns "devices": ["8.0", "9.0"]
std::string gpus_json(const char* key, const std::vector<coverage::ComputeCapability>& devices) {
  std::vector<std::string> texts;
  for (const auto device : devices) texts.push_back('"' + device.text() + '"');
  return fmt::format("\"{}\": [{}]", key, fmt::join(texts, ", "));
}

/// Returns the members of a kernel that depend only on its pattern.
std::string pattern_json(const View& view, const Pattern& pattern,
                         const std::vector<coverage::ComputeCapability>& devices) {
  std::vector<std::string> verdicts;
  std::vector<std::string> reasons;
  std::vector<std::string> not_promised;
  for (std::size_t index = 0; index < devices.size(); ++index) {
    const auto& field = pattern[index];
    const auto device = '"' + devices[index].text() + '"';
    verdicts.push_back(fmt::format(R"({}: "{}")", device, coverage::name_of(field.verdict)));
    if (field.state == State::not_promised) not_promised.push_back(device);
    const bool kept = field.state == State::kept || field.state == State::not_promised;
    if (!kept) {
      reasons.push_back(device + ": " + json_string(view.reasons[field.reason]));
    }
  }
  auto json = joined(verdicts, R"("verdicts": {)", "}");
  if (!reasons.empty()) json += joined(reasons, R"(, "reasons": {)", "}");
  if (!not_promised.empty()) json += joined(not_promised, R"(, "not_promised": [)", "]");
  return json;
}

/// A list with one item per line.
class List {
 public:
  explicit List(const Sink& sink, std::string_view indent) : sink_(sink), indent_(indent) {}

  void add(std::string_view part) {
    sink_(empty_ ? "\n" : ",\n");
    sink_(indent_);
    sink_(part);
    empty_ = false;
  }

  void end(std::string_view indent) {
    if (!empty_) {
      sink_("\n");
      sink_(indent);
    }
    sink_("]");
  }

 private:
  const Sink& sink_;
  std::string_view indent_;
  bool empty_ = true;
};

void write_kernels(const View& view, const ViewFile& file, const Sink& sink) {
  std::vector<std::string> patterns(view.patterns.size());
  List list(sink, "    ");
  for (const auto& kernel : file.kernels) {
    auto& pattern = patterns[kernel.pattern];
    if (pattern.empty()) pattern = pattern_json(view, view.pattern_of(kernel), *file.devices);
    const auto& row = *kernel.row;
    list.add(fmt::format(R"({{"name": {}, "demangled": {}, "modules": [{}], {}{}}})",
                         json_string(row.name.str()), json_string(demangled_of(row)),
                         fmt::join(row.modules, ", "), pattern,
                         row.loaded_explicitly ? R"(, "picked_by_host": true)" : ""));
  }
  list.end("   ");
}

void write_file(const View& view, const ViewFile& file, const Sink& sink) {
  const auto& read = file.audit->file;
  sink(fmt::format("  {{\"path\": {},\n   ", json_string(read.path)));
  if (!file.cell.empty()) sink(fmt::format("\"cell\": {},\n   ", json_string(file.cell)));
  sink("\"images\": [");
  List images(sink, "    ");
  for (const auto& image : read.images) images.add(image_json(image));
  images.end("   ");
  sink(",\n   \"kernels\": [");
  write_kernels(view, file, sink);
  if (!file.audit->by_ptx.empty()) {
    sink(",\n   " + gpus_json("by_ptx", file.audit->by_ptx));
  }
  if (!read.loaders.empty()) {
    std::vector<std::string> loaders;
    for (const auto& loader : read.loaders) loaders.push_back(json_string(loader));
    sink(joined(loaders, ",\n   \"loaders\": [", "]"));
  }
  sink("}");
}

void add_cause(const coverage::Cause& cause, std::vector<std::string>& members) {
  std::vector<std::string> units;
  for (const auto& unit : cause.units) units.push_back(json_string(unit));
  members.push_back(fmt::format("\"rule\": \"{}\"", coverage::name_of(cause.rule)));
  members.push_back("\"why\": " + json_string(evidence_text(cause.rule)));
  members.push_back(gpus_json("devices", cause.devices));
  members.push_back(joined(units, "\"units\": [", "]"));
  members.push_back(fmt::format("\"modules\": {}", cause.modules));
  if (!cause.says.empty()) members.push_back("\"says\": " + json_string(cause.says));
  if (!cause.archs.empty()) members.push_back("\"archs\": " + json_string(cause.archs));
}

/// Returns {"driver": "driver 525", "needs": "580"}.
std::string facts_json(const coverage::Facts& facts) {
  std::vector<std::string> members;
  for (const auto& [name, value] : facts) {
    members.push_back(json_string(name) + ": " + json_string(value));
  }
  return joined(members, "{", "}");
}

/// The fixes of findings about the same kernels on several devices, by finding.
using CommonFixes = std::unordered_map<const Finding*, std::string>;

CommonFixes common_fixes(const View& view) {
  CommonFixes fixes;
  for (const auto& group : view.findings) {
    if (group.firsts.size() < 2) continue;
    const auto fix = fix_of(group.firsts);
    for (const auto* finding : group.firsts) fixes[finding] = fix;
  }
  return fixes;
}

std::string finding_json(const Finding& finding, std::string_view reason, std::string_view fix) {
  std::vector<std::string> members = {"\"code\": " + json_string(finding.code)};
  const auto add = [&members](const char* key, std::string_view value) {
    if (!value.empty()) members.push_back(fmt::format("\"{}\": {}", key, json_string(value)));
  };
  add("cell", finding.cell);
  add("path", finding.path);
  add("kernel", finding.kernel.str());
  add("device", finding.device);
  if (finding.kernels > 1) members.push_back(fmt::format("\"kernels\": {}", finding.kernels));
  if (finding.cause) add_cause(*finding.cause, members);
  if (!finding.devices.empty()) members.push_back(gpus_json("devices", finding.devices));
  if (!finding.facts.empty()) members.push_back("\"facts\": " + facts_json(finding.facts));
  members.push_back("\"message\": " + json_string(message_of(finding)));
  add("fix", fix);
  if (reason.empty()) add("ignore", ignore_of(finding));
  add("reason", reason);
  return joined(members, "{", "}");
}

std::string note_json(const ViewNote& note) {
  const auto path =
      note.path.empty() ? std::string() : fmt::format(R"("path": {}, )", json_string(note.path));
  return fmt::format(R"({{"code": {}, {}"message": {}}})", json_string(note.code), path,
                     json_string(note.message));
}

/// Returns the numbers of the closing line.
std::string summary_json(const View& view) {
  const auto& totals = view.totals;
  std::map<std::string_view, std::size_t> codes;
  for_each_finding(view.report, [&](const Finding& finding) { ++codes[finding.code]; });
  std::vector<std::string> by_code;
  for (const auto& [code, count] : codes) {
    by_code.push_back(fmt::format("{}: {}", json_string(code), count));
  }
  const auto cells =
      view.report.by_cell ? fmt::format(R"("cells": {}, )", totals.cells) : std::string();
  return fmt::format(
      R"({{"kernels": {}, "distinct_kernels": {}, "files": {}, {}"devices": {}, "findings": {}, )"
      R"("by_code": {}, "suspects": {}, "ignored": {}, "unreadable": {}, "errors": {}}})",
      totals.kernels, totals.names, totals.files_promised, cells, totals.devices, totals.findings,
      joined(by_code, "{", "}"), totals.suspects, totals.ignored, totals.unreadable,
      totals.errors());
}

/// Returns the driver of --driver, which all audits share.
std::optional<coverage::Driver> driver_of(const View& view) {
  const auto& audits = view.report.audits;
  return audits.empty() ? std::nullopt : audits.front().driver;
}

/// Returns the answers to questions about GPUs, or an empty string if there was no question.
std::string answers_json(const View& view) {
  std::vector<std::string> answers;
  for (const auto& audit : view.report.audits) {
    for (const auto& [device, answer] : audit.answers) {
      answers.push_back(fmt::format(R"("{}": "{}")", device.text(), coverage::name_of(answer)));
    }
  }
  return answers.empty() ? std::string() : joined(answers, " \"answers\": {", "},\n");
}

std::string package_answers_json(const View& view) {
  std::vector<std::string> packages;
  for (const auto& audit : view.report.audits) {
    for (const auto& [package, answers] : audit.package_answers) {
      std::vector<std::string> texts;
      for (const auto& [device, answer] : answers) {
        texts.push_back(fmt::format(R"("{}": "{}")", device.text(), coverage::name_of(answer)));
      }
      packages.push_back(json_string(package) + ": " + joined(texts, "{", "}"));
    }
  }
  return packages.size() < 2 ? std::string() : joined(packages, " \"package_answers\": {", "},\n");
}

}  // namespace

void write_json(const View& view, std::string_view version, const Sink& sink) {
  sink(fmt::format(
      "{{\n \"schema\": \"archgrid.audit/1\",\n \"version\": {},\n \"body_rules\": {},\n"
      " \"holds\": {},\n \"files\": [",
      json_string(version), coverage::kBodyRules, view.outcome == Outcome::holds));
  for (const auto& file : view.files) {
    sink(&file == view.files.data() ? "\n" : ",\n");
    write_file(view, file, sink);
  }
  sink(view.files.empty() ? "],\n" : "\n ],\n");
  if (const auto driver = driver_of(view)) {
    sink(fmt::format(" \"driver\": {},\n", json_string(coverage::spelling_of(*driver))));
  }
  if (const auto answers = answers_json(view); !answers.empty()) sink(answers);
  if (const auto answers = package_answers_json(view); !answers.empty()) sink(answers);
  sink(" \"findings\": [");
  List findings(sink, "  ");
  const auto fixes = common_fixes(view);
  for_each_finding(view.report, [&](const Finding& finding) {
    const auto common = fixes.find(&finding);
    findings.add(
        finding_json(finding, "", common == fixes.end() ? fix_of(finding) : common->second));
  });
  findings.end(" ");
  sink(",\n \"suspects\": [");
  List suspects(sink, "  ");
  for (const auto* suspect : view.suspects)
    suspects.add(finding_json(*suspect, "", fix_of(*suspect)));
  suspects.end(" ");
  sink(",\n \"ignored\": [");
  List ignored(sink, "  ");
  for (const auto& audit : view.report.audits) {
    for (const auto& entry : audit.ignored) {
      ignored.add(finding_json(entry.finding, entry.reason, fix_of(entry.finding)));
    }
  }
  ignored.end(" ");
  sink(",\n \"notes\": [");
  List notes(sink, "  ");
  for (const auto& note : view.notes) notes.add(note_json(note));
  notes.end(" ");
  sink(",\n \"unreadable\": [");
  List unreadable(sink, "  ");
  for (const auto error : view.errors) unreadable.add(json_string(error));
  unreadable.end(" ");
  sink(fmt::format(",\n \"summary\": {},\n \"verdict\": {}\n}}\n", summary_json(view),
                   json_string(view.verdict)));
}

}  // namespace archgrid::report
