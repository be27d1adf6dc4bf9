// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "escape.hpp"
#include "merge_parts.hpp"
#include "page/page.hpp"
#include "style.hpp"

namespace archgrid::report {
namespace {

constexpr std::size_t kGridMaxColumns = 40;
constexpr std::size_t kDetailMaxLines = 200;  ///< of each kind

/// The cases of one job and one program.
struct GridField {
  CaseCounts counts;
  std::vector<const JobCase*> failed;
  std::map<std::string, std::size_t> others;  ///< skipped and not run, by place, outcome and reason
  std::map<std::string, CaseCounts> places;
};

/// The programs of all jobs, as columns; the last column has those beyond kGridMaxColumns.
std::vector<std::string> columns_of(const MergedReport& report) {
  std::map<std::string, std::size_t> known;
  std::vector<std::string> columns;
  for (const auto& job : report.jobs) {
    for (const auto& one : job.cases) {
      if (known.try_emplace(one.program, columns.size()).second) columns.push_back(one.program);
    }
  }
  if (columns.size() > kGridMaxColumns) {
    columns.resize(kGridMaxColumns - 1);
    columns.emplace_back("others");
  }
  return columns;
}

void count_case(const JobCase& one, CaseCounts& counts) {
  switch (one.outcome) {
    case CaseOutcome::passed:
      ++counts.passed;
      break;
    case CaseOutcome::failed:
      ++counts.failed;
      break;
    case CaseOutcome::skipped:
      ++counts.skipped;
      break;
    case CaseOutcome::not_run:
      ++counts.not_run;
      break;
  }
}

void add_case(const JobCase& one, GridField& field) {
  count_case(one, field.counts);
  count_case(one, field.places[one.place]);
  if (one.outcome == CaseOutcome::passed) return;
  if (one.outcome == CaseOutcome::failed) {
    field.failed.push_back(&one);
    return;
  }
  const char* word = one.outcome == CaseOutcome::skipped ? "skipped" : "not run";
  ++field.others[fmt::format("{}: {}", word, one.reason)];
}

std::vector<GridField> fields_of(const MergedJob& job, const std::vector<std::string>& columns) {
  std::map<std::string, std::size_t> places;
  for (std::size_t index = 0; index < columns.size(); ++index) places[columns[index]] = index;
  std::vector<GridField> fields(columns.size());
  for (const auto& one : job.cases) {
    const auto found = places.find(one.program);
    add_case(one, fields[found == places.end() ? columns.size() - 1 : found->second]);
  }
  return fields;
}

/// Returns the class of a field, and its text.
std::pair<const char*, std::string> look_of(const CaseCounts& counts) {
  if (counts.failed > 0) return {"failed", fmt::format("\u2717 {}", counts.failed)};
  if (counts.passed > 0) return {"passed", fmt::format("\u2713 {}", counts.passed)};
  if (counts.not_run > 0) return {"not-run", fmt::format("! {}", counts.not_run)};
  return {"skipped", fmt::format("\u2013 {}", counts.skipped)};
}

std::string counts_text(const CaseCounts& counts) {
  std::string text;
  const auto add = [&text](std::size_t count, const char* what) {
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, what);
  };
  add(counts.failed, "failed");
  add(counts.passed, "passed");
  add(counts.skipped, "skipped");
  add(counts.not_run, "not run");
  return text;
}

std::string short_name(const std::string& name) {
  return fmt::format("<span title=\"{0}\">{0}</span>", xml_text(shortened(name, kMergeMaxName)));
}

std::string job_head(const MergedJob& job) {
  const char* sign = "\u2713";
  if (job.status == JobStatus::not_run) sign = "!";
  if (job.status == JobStatus::failed) sign = "\u2717";
  if (job.status == JobStatus::lost) sign = "?";
  const std::string kind = name_of(job.status);
  return fmt::format("<tr><th scope=\"row\">{}</th><td><span class=\"f {}\">{} {}</span></td>",
                     short_name(job.name), kind, sign, kind == "not-run" ? "not run" : kind);
}

void write_row(const MergedJob& job, std::size_t row, const std::vector<GridField>& fields,
               const Sink& sink) {
  sink(job_head(job));
  for (std::size_t column = 0; column < fields.size(); ++column) {
    const auto& counts = fields[column].counts;
    if (counts.all() == 0) {
      sink("<td></td>");
      continue;
    }
    const auto look = look_of(counts);
    sink(fmt::format("<td><a class=\"f {}\" href=\"#c{}-{}\" title=\"{}\">{}</a></td>", look.first,
                     row, column, counts_text(counts), look.second));
  }
  std::string why = job.why;
  if (why.empty()) {
    for (const auto& gpu : job.gpus) why += (why.empty() ? "" : "; ") + gpu;
  }
  sink(fmt::format("<td class=\"why\">{}</td></tr>\n", xml_text(shortened(why, kMergeMaxName))));
}

std::string case_line(const JobCase& one) {
  auto title = one.place.empty() ? one.program : one.place + "/" + one.program;
  if (!one.name.empty()) title += ": " + one.name;
  auto text = fmt::format("<li><code>{}</code>", xml_text(shortened(title, kMergeMaxName)));
  if (!one.reason.empty()) {
    text += fmt::format("<pre>{}</pre>", xml_text(shortened(one.reason, kMergeMaxReason)));
  }
  return text + "</li>\n";
}

std::string places_lines(const GridField& field) {
  if (field.places.size() == 1 && field.places.begin()->first.empty()) return {};
  std::string text = "<ul>\n";
  for (const auto& [place, counts] : field.places) {
    text += fmt::format("<li><code>{}</code> {}</li>\n",
                        xml_text(shortened(place.empty() ? "no cell" : place, kMergeMaxName)),
                        counts_text(counts));
  }
  return text + "</ul>\n";
}

void write_detail(const std::string& title, const std::string& id, const GridField& field,
                  const Sink& sink) {
  sink(fmt::format("<section class=\"detail\" id=\"{}\">\n<h3>{}</h3>\n<p>{}</p>\n", id,
                   xml_text(title), counts_text(field.counts)));
  sink(places_lines(field));
  sink("<ul>\n");
  std::size_t left = field.failed.size() + field.others.size();
  std::size_t shown = 0;
  for (const auto* one : field.failed) {
    if (shown++ == kDetailMaxLines) break;
    sink(case_line(*one));
    --left;
  }
  shown = 0;
  for (const auto& [reason, count] : field.others) {
    if (shown++ == kDetailMaxLines) break;
    sink(fmt::format("<li>{} {}</li>\n", count, xml_text(shortened(reason, kMergeMaxReason))));
    --left;
  }
  if (left > 0) sink(fmt::format("<li>and {} more, which the JSON has</li>\n", left));
  sink("</ul>\n</section>\n");
}

void write_legend(const Sink& sink) {
  sink(
      "<p class=\"legend\"><span><span class=\"f failed\">\u2717 1</span>1 case failed</span>"
      "<span><span class=\"f passed\">\u2713 1</span>1 passed, none failed</span>"
      "<span><span class=\"f not-run\">! 1</span>none ran</span>"
      "<span><span class=\"f skipped\">\u2013 1</span>all skipped</span>"
      "<span><span class=\"f lost\">? lost</span>a planned job without results</span></p>\n");
}

void write_grid(const MergedReport& report, const Sink& sink) {
  const auto columns = columns_of(report);
  sink(
      "<section>\n<h2>Jobs and programs</h2>\n<p class=\"soft\">Follow a field for its cells, "
      "failures and skips.</p>\n<div class=\"grid\" tabindex=\"0\"><table>\n<thead><tr>"
      "<th scope=\"col\">job</th><th scope=\"col\"></th>");
  for (const auto& column : columns) {
    sink(fmt::format("<th scope=\"col\">{}</th>", short_name(column)));
  }
  sink("<th></th></tr></thead>\n<tbody>\n");
  for (std::size_t row = 0; row < report.jobs.size(); ++row) {
    write_row(report.jobs[row], row, fields_of(report.jobs[row], columns), sink);
  }
  sink("</tbody></table></div>\n");
  write_legend(sink);
  for (std::size_t row = 0; row < report.jobs.size(); ++row) {
    const auto fields = fields_of(report.jobs[row], columns);
    for (std::size_t column = 0; column < fields.size(); ++column) {
      if (fields[column].counts.all() == 0) continue;
      const auto title = shortened(report.jobs[row].name, kMergeMaxName) + ": " +
                         shortened(columns[column], kMergeMaxName);
      write_detail(title, fmt::format("c{}-{}", row, column), fields[column], sink);
    }
  }
  sink("</section>\n");
}

void write_failures(const MergedReport& report, const Sink& sink) {
  if (report.failures.empty()) return;
  sink("<section id=\"failures\">\n<h2>Failures</h2>\n");
  for (const auto& failure : report.failures) {
    sink(fmt::format("<details><summary>{}<b>{} in {}</b></summary>\n",
                     xml_text(shortened(failure_title(failure), kMergeMaxName)),
                     count_text(failure.places.size(), "case"), count_text(failure.jobs, "job")));
    if (!failure.reason.empty()) {
      sink(fmt::format("<pre>{}</pre>\n", xml_text(shortened(failure.reason, kMergeMaxReason))));
    }
    sink(fmt::format("<p class=\"soft\">{}</p></details>\n",
                     xml_text(places_text(failure, kDetailMaxLines))));
  }
  sink("</section>\n");
}

void write_unread(const MergedReport& report, const Sink& sink) {
  if (report.errors.empty()) return;
  sink("<section id=\"unread\">\n<h2>Not read</h2>\n<ul>\n");
  for (const auto& error : report.errors) {
    sink(fmt::format("<li>{}</li>\n", xml_text(shortened(error, kMergeMaxReason))));
  }
  sink("</ul>\n</section>\n");
}

const char* class_of(Outcome outcome) {
  if (outcome == Outcome::holds) return "holds";
  return outcome == Outcome::broken ? "broken" : "open";
}

}  // namespace

void merge_html(const MergedReport& report, std::string_view version, const Sink& sink) {
  sink(fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
      "style-src 'sha256-{}'; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"generator\" content=\"archgrid {}\">\n<link rel=\"icon\" href=\"data:,\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n",
      base64_of_hex(page::merge_style_sha256), xml_text(version), xml_text(report.verdict),
      page::merge_style));
  sink(fmt::format(
      "<header class=\"{}\">\n<p class=\"brand\">archgrid report</p>\n<h1>{}</h1>\n</header>\n"
      "<main>\n",
      class_of(report.outcome), xml_text(report.verdict)));
  write_unread(report, sink);
  write_grid(report, sink);
  write_failures(report, sink);
  sink("</main>\n</body>\n</html>\n");
}

}  // namespace archgrid::report
