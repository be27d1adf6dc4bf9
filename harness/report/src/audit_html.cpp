// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <archgrid/report.hpp>
#include <archgrid/report/codes.hpp>
#include <archgrid/words/cause_text.hpp>
#include <archgrid/words/phrase.hpp>
#include <functional>
#include <map>

#include "escape.hpp"
#include "page/page.hpp"
#include "style.hpp"

namespace archgrid::report {
namespace {

using coverage::Verdict;

constexpr std::size_t kHtmlMaxFindings = 500;
constexpr std::size_t kMaxOpen = 8;  ///< findings above the map; others are folded
constexpr std::size_t kMaxNotes = 500;
constexpr std::size_t kHtmlMaxName = 1000;

const char* outcome_name(Outcome outcome) {
  switch (outcome) {
    case Outcome::holds:
      return "holds";
    case Outcome::broken:
      return "broken";
    case Outcome::open:
      break;
  }
  return "open";
}

std::string total_html(std::size_t count, std::string_view noun, std::string_view link) {
  if (count == 0) return {};
  auto text = fmt::format("<b>{}</b>{}{}", fmt::group_digits(count), noun, count == 1 ? "" : "s");
  if (!link.empty()) text = fmt::format("<a href=\"#{}\">{}</a>", link, text);
  return fmt::format("<li>{}</li>\n", text);
}

std::string totals_html(const View& view) {
  const auto& totals = view.totals;
  const auto kernels = view.report.by_cell ? totals.names : totals.kernels;
  auto html = total_html(kernels, "kernel", "map");
  html += total_html(totals.devices, "device", "coverage");
  html += total_html(totals.files, "file", "");
  if (view.report.by_cell) html += total_html(totals.cells, "cell", "");
  html += total_html(totals.findings - totals.unused_ignores,
                     view.report.without_promise ? "error" : "finding", "findings");
  html += total_html(totals.unused_ignores, "unused ignore", "findings");
  html += total_html(totals.ignored, "ignored finding", "notes");
  html += total_html(totals.suspects, "suspect", "suspects");
  return html + total_html(totals.unreadable, "unreadable input", "errors");
}

std::string suspects_html(const View& view) {
  if (view.suspects.empty()) return {};
  auto html = fmt::format(
      "<section id=\"suspects\">\n<h2>{}, which may be intended</h2>\n<ul class=\"findings\">\n",
      count_text(view.suspects.size(), "suspect"));
  for (std::size_t index = 0; index < std::min(view.suspects.size(), kMaxNotes); ++index) {
    const auto& finding = *view.suspects[index];
    html += fmt::format("<li title=\"{}\"><code>{}</code>: {}</li>\n",
                        xml_text(evidence_text(finding.cause->rule)), xml_text(finding.path),
                        xml_text(suspect_text(finding)));
  }
  if (view.suspects.size() > kMaxNotes) {
    html += fmt::format("<li>and {}</li>\n",
                        count_text(view.suspects.size() - kMaxNotes, "more suspect"));
  }
  return html + "</ul>\n</section>\n";
}

std::string errors_html(const View& view) {
  if (view.errors.empty()) return {};
  std::string html = "<section id=\"errors\">\n<h2>Not read</h2>\n<ul class=\"findings\">\n";
  for (const auto error : view.errors) html += fmt::format("<li>{}</li>\n", xml_text(error));
  return html + "</ul>\n</section>\n";
}

/// Escapes a value for the page's own address.
std::string address_value(std::string_view text) {
  std::string result;
  for (const char c : uri_path(text)) {
    if (c == '+' || c == '&' || c == '\'' || c == '=') {
      result += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    } else {
      result += c;
    }
  }
  return result;
}

/// Returns a link to the finding's kernels in the map, within the file of the finding if there is
/// one file; empty for findings without kernels.
std::string link_html(const FindingGroup& group, bool in_one_file) {
  const auto& finding = group.first();
  if (finding.kernel.empty()) return {};
  auto address = "broken=1&amp;verdict=" + address_value(finding.code);
  if (!finding.device.empty()) address += "&amp;sort=" + address_value(finding.device);
  const auto label = finding.cell.empty() ? finding.path : finding.cell + ": " + finding.path;
  if (!finding.path.empty() && in_one_file) address += "&amp;file=" + address_value(label);
  if (group.kernels == 1) address += "&amp;kernel=" + address_value(finding.kernel.str());
  return fmt::format(" <a href=\"#{}\">show in the map</a>", address);
}

std::string finding_html(const View& view, const FindingFold& fold) {
  const auto& group = view.findings[fold.groups.front()];
  const auto& finding = group.first();
  const auto name = shortened(demangled_of(finding), kHtmlMaxName);
  std::string place;
  const auto add = [&place](const std::string& part) {
    place += (place.empty() ? "" : ", ") + part;
  };
  const auto devices = devices_of(group);
  const auto on = devices.empty() ? std::string() : "on " + devices;
  if (!name.empty()) {
    const auto more = group.kernels > 1 ? fmt::format(" and {} more", group.kernels - 1) : "";
    add(fmt::format("<code>{}</code>{}{}{}", xml_text(name), more, on.empty() ? "" : " ", on));
  } else if (!on.empty()) {
    add(on);
  }
  if (!finding.cell.empty()) add("cell " + xml_text(finding.cell));
  const bool in_one_file = fold.groups.size() < 2;
  const auto in =
      in_one_file ? std::string() : fmt::format("in {} files, the first ", fold.groups.size());
  if (!finding.path.empty()) {
    add(fmt::format("{}<code>{}</code>", in, xml_text(finding.path)));
  }
  const auto fix = fix_of(finding).empty()
                       ? std::string()
                       : fmt::format("<p class=\"fix\">{}</p>\n", xml_text(fix_of(view, fold)));
  const auto why =
      finding.cause ? " title=\"" + xml_text(evidence_text(finding.cause->rule)) + '"' : "";
  return fmt::format(
      "<li>\n<p><span class=\"code\" title=\"{}\">{}</span>{}{}</p>\n<p{}>{}</p>\n{}</li>\n",
      xml_text(help_of(explain(finding.code))), xml_text(finding.code), place,
      link_html(group, in_one_file), why, xml_text(message_of(group)), fix);
}

/// Writes findings about files and cells first, then by number of kernels, descending.
std::string findings_html(const View& view) {
  if (view.findings.empty()) return {};
  const std::string noun = view.report.without_promise ? "error" : "finding";
  const auto unused = view.totals.unused_ignores;
  std::vector<std::string> counts;
  if (unused > 0) counts.push_back(count_text(unused, "unused ignore"));
  if (view.totals.findings > unused) {
    counts.push_back(count_text(view.totals.findings - unused, noun));
  }
  std::string html = fmt::format(
      "<section id=\"findings\">\n<h2>{}</h2>\n<ul class=\"findings\">\n", enumerated(counts));
  std::size_t left = view.totals.findings;
  std::string folded;
  std::size_t count_folded = 0;
  for (std::size_t index = 0; index < std::min(view.folded.size(), kHtmlMaxFindings); ++index) {
    const auto& fold = view.folded[index];
    left -= fold.findings;
    if (index >= kMaxOpen) count_folded += fold.findings;
    (index < kMaxOpen ? html : folded) += finding_html(view, fold);
  }
  if (left > 0) {
    const auto rest =
        fmt::format("<li>and {}: the map has them all</li>\n", count_text(left, "more " + noun));
    (folded.empty() ? html : folded) += rest;
  }
  html += "</ul>\n";
  if (!folded.empty()) {
    html += fmt::format(
        "<details>\n<summary>and {}</summary>\n<ul class=\"findings\">\n{}</ul>\n</details>\n",
        count_text(count_folded + left, "more " + noun), folded);
  }
  return html + "</section>\n";
}

std::string notes_html(const View& view) {
  std::string html;
  for (const auto& group : view.ignored) {
    html += fmt::format("<li>ignored: {}</li>\n", xml_text(ignored_text(group)));
  }
  const auto& folds = view.folded_notes;
  for (std::size_t index = 0; index < std::min(folds.size(), kMaxNotes); ++index) {
    const auto files = files_of(folds[index]);
    const auto path =
        files.empty() ? std::string() : fmt::format("<code>{}</code>: ", xml_text(files));
    html += fmt::format("<li>{}{}</li>\n", path, xml_text(folds[index].first->message));
  }
  if (folds.size() > kMaxNotes) {
    html += fmt::format("<li>and {}</li>\n", count_text(folds.size() - kMaxNotes, "more note"));
  }
  if (html.empty()) return {};
  return fmt::format(
      "<section id=\"notes\">\n<h2>Notes</h2>\n<ul class=\"findings\">\n{}</ul>\n</section>\n",
      html);
}

bool is_ascii(char c) {
  return static_cast<unsigned char>(c) < 0x80;
}

/// Returns the number of ASCII characters of the common prefix.
std::size_t shared_begin(std::string_view left, std::string_view right) {
  std::size_t count = 0;
  while (count < left.size() && count < right.size() && left[count] == right[count] &&
         is_ascii(left[count])) {
    ++count;
  }
  return count;
}

/// Encodes a name by its difference from the previous one, as neighbours share most of their long
/// names: length of the common prefix, the text between, length of the common suffix.
std::string difference(std::string_view name, std::string_view last) {
  const auto begin = shared_begin(name, last);
  std::size_t end = 0;
  while (end < std::min(name.size(), last.size()) - begin &&
         name[name.size() - 1 - end] == last[last.size() - 1 - end] &&
         is_ascii(name[name.size() - 1 - end])) {
    ++end;
  }
  return fmt::format("{},{},{}", begin, json_string(name.substr(begin, name.size() - begin - end)),
                     end);
}

void write_kernels(const ViewFile& file, const Sink& sink) {
  std::string last_name;
  std::string last_demangled;
  const char* gap = "";
  for (const auto& kernel : file.kernels) {
    auto name = utf8(kernel.row->name.str());
    auto demangled = utf8(demangled_of(*kernel.row));
    const auto told = demangled == name ? "-1,0,0" : difference(demangled, last_demangled);
    sink(fmt::format("{}{},{},{}", gap, difference(name, last_name), told, kernel.pattern));
    last_name = std::move(name);
    last_demangled = std::move(demangled);
    gap = ",\n";
  }
}

void write_file(const ViewFile& file, const Sink& sink) {
  std::vector<std::string> devices;
  for (const auto device : *file.devices) devices.push_back(json_string(device.text()));
  sink(fmt::format("{{\"path\":{},\"cell\":{},\"devices\":[{}],\"kernels\":[",
                   json_string(file.audit->file.path), json_string(file.cell),
                   fmt::join(devices, ",")));
  write_kernels(file, sink);
  sink("]}");
}

constexpr int kVerdicts = static_cast<int>(Verdict::empty) + 1;

void write_data(const View& view, const Sink& sink) {
  std::vector<std::string> parts;
  for (int index = 0; index < kVerdicts; ++index) {
    parts.push_back(json_string(coverage::name_of(static_cast<Verdict>(index))));
  }
  sink(fmt::format("{{\"promised\":{},\"verdicts\":[{}],\n\"reasons\":[",
                   !view.report.without_promise, fmt::join(parts, ",")));
  const char* gap = "";
  for (const auto& reason : view.reasons) {
    sink(gap);
    sink(json_string(reason));
    gap = ",\n";
  }
  sink("],\n\"patterns\":[");
  gap = "";
  for (const auto& pattern : view.patterns) {
    parts.clear();
    for (const auto field : pattern) {
      // page/audit.js takes the two apart.
      const int code = static_cast<int>(field.verdict) + kVerdicts * static_cast<int>(field.state);
      parts.push_back(fmt::format("{},{}", code, field.reason));
    }
    sink(fmt::format("{}[{}]", gap, fmt::join(parts, ",")));
    gap = ",\n";
  }
  sink("],\n\"files\":[");
  gap = "";
  for (const auto& file : view.files) {
    sink(gap);
    write_file(file, sink);
    gap = ",\n";
  }
  sink("]}");
}

std::string page_title(const View& view) {
  if (view.files.size() == 1) return view.files.front().audit->file.path + ": " + view.verdict;
  return view.verdict;
}

/// Replaces the {{names}} of the page; does not scan inserted text again.
void fill(const std::map<std::string_view, std::function<void()>>& writers, const Sink& sink) {
  auto rest = page::html;
  for (auto begin = rest.find("{{"); begin != std::string_view::npos; begin = rest.find("{{")) {
    const auto end = rest.find("}}", begin);
    sink(rest.substr(0, begin));
    writers.at(rest.substr(begin + 2, end - begin - 2))();
    rest.remove_prefix(end + 2);
  }
  sink(rest);
}

}  // namespace

void write_html(const View& view, std::string_view version, const Sink& sink) {
  const auto text = [&sink](std::string part) {
    return [&sink, part = std::move(part)] { sink(part); };
  };
  fill({{"style-hash", text("sha256-" + base64_of_hex(page::style_sha256))},
        {"script-hash", text("sha256-" + base64_of_hex(page::script_sha256))},
        {"version", text(xml_text(version))},
        {"title", text(xml_text(page_title(view)))},
        {"style", text(std::string(page::style))},
        {"outcome", text(outcome_name(view.outcome))},
        {"verdict", text(xml_text(view.verdict))},
        {"totals", text(totals_html(view))},
        {"errors", text(errors_html(view))},
        {"findings", text(findings_html(view))},
        {"suspects", text(suspects_html(view))},
        {"notes", text(notes_html(view))},
        {"data", [&] { write_data(view, sink); }},
        {"script", text(std::string(page::script))}},
       sink);
}

}  // namespace archgrid::report
