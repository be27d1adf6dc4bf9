// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <archgrid/report.hpp>
#include <archgrid/report/codes.hpp>
#include <archgrid/words/cause_text.hpp>
#include <set>

#include "escape.hpp"
#include "markdown_page.hpp"
#include "style.hpp"
#include "view_parts.hpp"

namespace archgrid::report {
namespace {

using coverage::State;

constexpr std::size_t kMarkdownMaxName = 120;
constexpr std::size_t kMarkdownMaxRows = 200;  ///< per map

std::string field_text(ViewField field) {
  const std::string name = coverage::name_of(field.verdict);
  switch (field.state) {
    case State::broken:
      return ":x: **" + name + "**";
    case State::ignored:
      return "(" + name + ")";
    case State::suspect:
      return "*" + name + "*";
    case State::kept:
      return name;
    case State::not_promised:
      break;
  }
  return "-";
}

/// A map, and the GPUs on which the driver does not run its file or cell.
struct MarkedMap {
  const ViewMap& map;
  std::set<coverage::ComputeCapability> refused;
};

std::string words_of(const Pattern& pattern, const MarkedMap& marked) {
  std::string words;
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    const auto& field = pattern[at];
    const bool is_marked = field.state != State::broken && field.state != State::not_promised &&
                           marked.refused.count((*marked.map.devices)[at]) != 0;
    words += " " + field_text(field) + (is_marked ? "! |" : " |");
  }
  return words;
}

std::string header_of(const ViewMap& map) {
  auto text = fmt::format("\n### {}\n\n| kernels |", markdown_text(map.title));
  std::string line = "\n|---|";
  for (const auto device : *map.devices) {
    text += fmt::format(" {} |", device.text());
    line += "---|";
  }
  return text + line + "\n";
}

std::string row_text(const View& view, const MarkedMap& marked, const KernelGroup& group) {
  const auto name = shortened(demangled_of(*group.first.row), kMarkdownMaxName);
  const auto more = group.kernels > 1 ? fmt::format(" and {} more", group.kernels - 1) : "";
  return fmt::format("| {}{} |{}\n", markdown_code(name, true), more,
                     words_of(view.pattern_of(group.first), marked));
}

/// Adds a map, and returns the number of kernels that did not fit.
std::size_t add_map(const View& view, const MarkedMap& marked, MarkdownPage& page) {
  const auto& map = marked.map;
  if (!page.add(header_of(map))) return map.kernels.size();
  std::size_t shown = 0;
  std::size_t rows = 0;
  for (const auto& group : groups_of(view, map.kernels)) {
    if (rows++ == kMarkdownMaxRows || !page.add(row_text(view, marked, group))) break;
    shown += group.kernels;
  }
  return map.kernels.size() - shown;
}

/// Explains the signs of the maps that are not names of verdicts.
void add_legend(const View& view, MarkdownPage& page) {
  std::set<State> states;
  for (const auto& pattern : view.patterns) {
    for (const auto field : pattern) states.insert(field.state);
  }
  std::vector<std::string> signs;
  const bool like = view.report.without_promise;
  if (states.count(State::broken) != 0) {
    signs.emplace_back(like ? ":x: an error, explained above" : ":x: breaks the promise");
  }
  if (!DriverErrors(view).empty()) {
    signs.emplace_back("`!` the driver does not run it there: an error, explained above");
  }
  if (states.count(State::suspect) != 0)
    signs.emplace_back("*in italics*: a suspect, which may be intended");
  if (states.count(State::ignored) != 0) signs.emplace_back("(...) ignored, with a reason");
  if (states.count(State::not_promised) != 0) {
    signs.emplace_back(like ? "`-` not judged, as most kernels of the file have no such code there"
                            : "`-` nothing is promised");
  }
  if (!signs.empty()) page.add(fmt::format("\n{}\n", fmt::join(signs, "; ")));
}

std::string finding_text(const View& view, const FindingFold& fold) {
  const auto& group = view.findings[fold.groups.front()];
  const auto& finding = group.first();
  const auto name = shortened(demangled_of(finding), kMarkdownMaxName);
  auto place = fmt::format("- **{}**", markdown_text(finding.code));
  auto add = [&place, first = true](const std::string& part) mutable {
    place += (first ? ": " : ", ") + part;
    first = false;
  };
  const auto devices = devices_of(group);
  const auto on = devices.empty() ? std::string() : " on " + devices;
  if (!name.empty()) {
    const auto more = group.kernels > 1 ? fmt::format(" and {} more", group.kernels - 1) : "";
    add(markdown_code(name, false) + more + on);
  } else if (!on.empty()) {
    add(on.substr(1));
  }
  if (!finding.cell.empty()) add("cell " + markdown_text(finding.cell));
  const auto in = fold.groups.size() < 2
                      ? std::string()
                      : fmt::format("in {} files, the first ", fold.groups.size());
  if (!finding.path.empty()) add(in + markdown_code(finding.path, false));
  place += fmt::format("  \n  {}", markdown_text(message_of(group)));
  if (!fix_of(finding).empty()) {
    place += fmt::format("  \n  fix: {}", markdown_text(fix_of(view, fold)));
  }
  return place + "\n";
}

void add_findings(const View& view, MarkdownPage& page) {
  if (view.findings.empty() || !page.add("\n### Findings\n\n")) return;
  std::size_t left = view.totals.findings;
  for (const auto& fold : view.folded) {
    if (!page.add(finding_text(view, fold))) break;
    left -= fold.findings;
  }
  if (left > 0) page.add_last(fmt::format("- and {}\n", count_text(left, "more finding")));
}

/// Adds a list; items that do not fit are counted.
void add_list(std::string_view title, const std::vector<std::string>& lines, MarkdownPage& page) {
  if (lines.empty() || !page.add(fmt::format("\n### {}\n\n", title))) return;
  for (std::size_t index = 0; index < lines.size(); ++index) {
    if (page.add(fmt::format("- {}\n", lines[index]))) continue;
    page.add_last(fmt::format("- and {} more\n", lines.size() - index));
    return;
  }
}

std::vector<std::string> suspects_of(const View& view) {
  std::vector<std::string> lines;
  for (const auto* suspect : view.suspects) {
    lines.push_back(markdown_code(suspect->path, false) + ": " +
                    markdown_text(suspect_text(*suspect)));
  }
  return lines;
}

std::vector<std::string> notes_of(const View& view) {
  std::vector<std::string> lines;
  for (const auto& group : view.ignored) {
    lines.push_back("ignored: " + markdown_text(ignored_text(group)));
  }
  for (const auto& fold : view.folded_notes) {
    const auto files = files_of(fold);
    const auto path = files.empty() ? "" : markdown_code(files, false) + ": ";
    lines.push_back(path + markdown_text(fold.first->message));
  }
  return lines;
}

}  // namespace

std::string audit_markdown(const View& view, std::size_t most) {
  MarkdownPage page(most);
  page.add_last(fmt::format("## {} {}\n", sign_of(view.outcome), markdown_text(view.verdict)));
  std::vector<std::string> errors;
  for (const auto error : view.errors) errors.push_back(markdown_text(error));
  add_list("Not read", errors, page);
  add_findings(view, page);
  add_list("Suspects, which may be intended", suspects_of(view), page);
  add_list("Notes", notes_of(view), page);
  std::size_t left = 0;
  const DriverErrors refusals(view);
  for (const auto& map : view.maps) left += add_map(view, {map, refusals.gpus_of(map)}, page);
  if (left > 0) page.add_last(fmt::format("\nand {}\n", count_text(left, "more kernel")));
  add_legend(view, page);
  return std::move(page).text();
}

}  // namespace archgrid::report
