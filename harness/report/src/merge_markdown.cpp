// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "escape.hpp"
#include "markdown_page.hpp"
#include "merge_parts.hpp"
#include "style.hpp"

namespace archgrid::report {
namespace {

const char* sign_of(const MergedJob& job) {
  switch (job.status) {
    case JobStatus::passed:
      return ":white_check_mark:";
    case JobStatus::failed:
    case JobStatus::lost:
      return ":x:";
    case JobStatus::not_run:
      break;
  }
  return ":warning:";
}

std::string gpus_of_job(const MergedJob& job) {
  std::string text;
  for (const auto& gpu : job.gpus) text += (text.empty() ? "" : "; ") + gpu;
  return text;
}

std::string job_line(const MergedJob& job) {
  const auto name = markdown_code(shortened(job.name, kMergeMaxName), true);
  const auto note = job.status == JobStatus::passed ? gpus_of_job(job)
                                                    : shortened(status_text(job), kMergeMaxName);
  if (job.status == JobStatus::lost) {
    return fmt::format("| {} {} | - | - | - | - | {} |\n", sign_of(job), name, markdown_text(note));
  }
  return fmt::format("| {} {} | {} | {} | {} | {} | {} |\n", sign_of(job), name, job.counts.passed,
                     job.counts.failed, job.counts.skipped, job.counts.not_run,
                     markdown_text(shortened(note, kMergeMaxName)));
}

std::string failure_item(const FoldedFailure& failure) {
  const auto title = shortened(failure_title(failure), kMergeMaxName);
  auto text = fmt::format("- {}", markdown_code(title, false));
  if (!failure.reason.empty()) {
    text += fmt::format("  \n  {}", markdown_text(shortened(failure.reason, kMergeMaxReason)));
  }
  return text + fmt::format("  \n  in {}\n", markdown_text(places_text(failure, kMergeMaxPlaces)));
}

/// Adds the jobs: those that did not pass first, as a page may be too small for all.
void add_jobs(const MergedReport& report, MarkdownPage& page) {
  if (report.jobs.empty()) return;
  if (!page.add("\n| job | passed | failed | skipped | not run | |\n"
                "|---|---:|---:|---:|---:|---|\n")) {
    return;
  }
  std::size_t left = report.jobs.size();
  for (const bool passed : {false, true}) {
    for (const auto& job : report.jobs) {
      if ((job.status == JobStatus::passed) == passed && page.add(job_line(job))) --left;
    }
  }
  if (left > 0) page.add_last(fmt::format("\nleft out: {}\n", count_text(left, "more job")));
}

void add_failures(const MergedReport& report, MarkdownPage& page) {
  if (report.failures.empty() || !page.add("\n### Failed\n\n")) return;
  std::size_t left = report.failures.size();
  for (const auto& failure : report.failures) {
    if (!page.add(failure_item(failure))) break;
    --left;
  }
  if (left > 0) {
    page.add_last(
        fmt::format("\nleft out, as GitHub takes no more: {}\n", count_text(left, "more failure")));
  }
}

void add_unread(const MergedReport& report, MarkdownPage& page) {
  if (report.errors.empty() || !page.add("\n### Not read\n\n")) return;
  std::size_t left = report.errors.size();
  for (const auto& error : report.errors) {
    if (!page.add(fmt::format("- {}\n", markdown_text(shortened(error, kMergeMaxReason))))) break;
    --left;
  }
  if (left > 0) page.add_last(fmt::format("- and {} more\n", left));
}

}  // namespace

std::string merge_markdown(const MergedReport& report, std::size_t most) {
  MarkdownPage page(most);
  page.add_last(fmt::format("## {} {}\n", sign_of(report.outcome), markdown_text(report.verdict)));
  add_jobs(report, page);
  add_unread(report, page);
  add_failures(report, page);
  return std::move(page).text();
}

}  // namespace archgrid::report
