// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "escape.hpp"
#include "merge_parts.hpp"
#include "style.hpp"
#include "table.hpp"

namespace archgrid::report {
namespace {

constexpr std::size_t kScreenMaxJobs = 12;
constexpr std::size_t kScreenMaxFailures = 5;
constexpr std::size_t kScreenMaxErrors = 5;
constexpr std::size_t kScreenMaxReason = 230;     // three lines
constexpr std::size_t kScreenMaxError = 600;      // with a long path
constexpr std::size_t kScreenMaxName = 40;        // of a job
constexpr std::size_t kMergeMaxAnnotations = 10;  // GitHub shows ten per step

Ink ink_of(JobStatus status) {
  switch (status) {
    case JobStatus::failed:
    case JobStatus::lost:
      return Ink::bad;
    case JobStatus::not_run:
      return Ink::warn;
    case JobStatus::passed:
      break;
  }
  return Ink::plain;
}

TableRow job_row(const MergedJob& job) {
  const auto number = [&](std::size_t count) {
    return job.status == JobStatus::lost ? std::string("-") : std::to_string(count);
  };
  return {{flat(job.name, kScreenMaxName), number(job.counts.passed), number(job.counts.failed),
           number(job.counts.skipped), number(job.counts.not_run),
           flat(status_text(job), kScreenMaxReason)},
          "",
          ink_of(job.status)};
}

/// Returns the jobs to show: all, or if they are many the first that did not pass.
std::vector<const MergedJob*> shown_jobs(const MergedReport& report) {
  std::vector<const MergedJob*> shown;
  const bool all = report.jobs.size() <= kScreenMaxJobs;
  for (const auto& job : report.jobs) {
    if (!all && job.status == JobStatus::passed) continue;
    if (shown.size() < kScreenMaxJobs) shown.push_back(&job);
  }
  return shown;
}

std::string jobs_table(const MergedReport& report, TextStyle style) {
  std::vector<Column> columns = {{"job", Side::left}};
  for (const char* title : {"passed", "failed", "skipped", "not run"}) {
    columns.push_back({title, Side::right});
  }
  columns.push_back({"", Side::left});
  std::vector<TableRow> rows;
  const auto shown = shown_jobs(report);
  for (const auto* job : shown) rows.push_back(job_row(*job));
  auto text = rows.empty() ? std::string()
                           : table_text(columns, with_broken_last(columns, rows, 0, style.columns),
                                        0, style.style);
  if (shown.size() < report.jobs.size()) {
    const auto passed = static_cast<std::size_t>(
        std::count_if(report.jobs.begin(), report.jobs.end(),
                      [](const auto& job) { return job.status == JobStatus::passed; }));
    const auto others = report.jobs.size() - passed - shown.size();
    text += "and ";
    if (others > 0) text += count_text(others, "more job") + " that did not pass";
    if (others > 0 && passed > 0) text += ", ";
    if (passed > 0) text += count_text(passed, "job") + " passed";
    text += '\n';
  }
  return text.empty() ? text : text + '\n';
}

std::string failure_lines(const FoldedFailure& failure, TextStyle style) {
  const auto title = flat(failure_title(failure), kMergeMaxName);
  auto text = hanging("failed: ", title, "  ", style.columns);
  if (!failure.reason.empty()) {
    text += wrapped(flat(failure.reason, kScreenMaxReason), "  ", style.columns);
  }
  return text +
         wrapped("in " + flat(places_text(failure, 4), kScreenMaxReason), "  ", style.columns);
}

}  // namespace

const char* name_of(JobStatus status) {
  switch (status) {
    case JobStatus::passed:
      return "passed";
    case JobStatus::failed:
      return "failed";
    case JobStatus::not_run:
      return "not-run";
    case JobStatus::lost:
      break;
  }
  return "lost";
}

std::string flat(const std::string& text, std::size_t most) {
  std::string line;
  for (const char c : text) {
    const bool is_blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!is_blank) {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  return shortened(fatbin::printable(line), most);
}

std::string status_text(const MergedJob& job) {
  switch (job.status) {
    case JobStatus::passed:
      return "";
    case JobStatus::failed:
      return job.unread > 0 ? fmt::format("FAILED: {} not read", count_text(job.unread, "file"))
                            : "FAILED";
    case JobStatus::not_run:
      return fmt::format("{}: {}", job.allowed ? "not run" : "NOT RUN", job.why);
    case JobStatus::lost:
      break;
  }
  return "LOST: " + job.why;
}

std::string failure_title(const FoldedFailure& failure) {
  return failure.name.empty() ? failure.program : failure.program + ": " + failure.name;
}

std::string places_text(const FoldedFailure& failure, std::size_t most) {
  std::vector<std::string> shown;
  for (std::size_t index = 0; index < std::min(most, failure.places.size()); ++index) {
    shown.push_back(shortened(failure.places[index], kMergeMaxName));
  }
  if (failure.places.size() > shown.size()) {
    shown.push_back(fmt::format("{} more", failure.places.size() - shown.size()));
  }
  return enumerated(shown);
}

std::string merge_text(const MergedReport& report, TextStyle style) {
  auto text = jobs_table(report, style);
  std::size_t left = report.failures.size();
  for (const auto& failure : report.failures) {
    if (report.failures.size() - left == kScreenMaxFailures) break;
    text += failure_lines(failure, style);
    --left;
  }
  if (left > 0) {
    text += wrapped(fmt::format("and {}: --html=FILE and --json=FILE have all",
                                count_text(left, "more failure")),
                    "", style.columns);
  }
  for (std::size_t index = 0; index < std::min(report.errors.size(), kScreenMaxErrors); ++index) {
    const auto error = fatbin::printable(report.errors[index]);
    text += hanging("not read: ", shortened(error, kScreenMaxError), "  ", style.columns);
  }
  if (report.errors.size() > kScreenMaxErrors) {
    text += fmt::format("and {} not read\n",
                        count_text(report.errors.size() - kScreenMaxErrors, "more input"));
  }
  if (!report.failures.empty() || !report.errors.empty()) text += '\n';
  const auto ink = report.outcome == Outcome::holds ? Ink::good : Ink::bad;
  auto closing = wrapped(report.verdict, "", style.columns);
  closing.pop_back();
  return text + paint(closing, ink, style.style) + '\n';
}

std::string merge_annotations(const MergedReport& report) {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const auto& job : report.jobs) {
    const bool is_bad = job.status == JobStatus::lost || job.status == JobStatus::not_run;
    if (is_bad && !job.allowed) lines.emplace_back(job.name, status_text(job));
  }
  for (const auto& error : report.errors) lines.emplace_back("not read", error);
  for (const auto& failure : report.failures) {
    lines.emplace_back(failure_title(failure), fmt::format("{} (in {})", failure.reason,
                                                           places_text(failure, kMergeMaxPlaces)));
  }
  std::string text;
  const bool cut = lines.size() > kMergeMaxAnnotations;
  const auto shown = cut ? kMergeMaxAnnotations - 1 : lines.size();
  for (std::size_t index = 0; index < shown; ++index) {
    text += annotation("", shortened(lines[index].first, kMergeMaxName), lines[index].second);
  }
  if (!cut) return text;
  return text + annotation("", "and more", fmt::format("{} more", lines.size() - shown));
}

}  // namespace archgrid::report
