// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "dump_json.hpp"
#include "merge_parts.hpp"

namespace archgrid::report {
namespace {

using MergeJson = nlohmann::ordered_json;

MergeJson counts_json(const CaseCounts& counts) {
  return {{"passed", counts.passed},
          {"failed", counts.failed},
          {"skipped", counts.skipped},
          {"not_run", counts.not_run}};
}

const char* name_of(CaseOutcome outcome) {
  switch (outcome) {
    case CaseOutcome::passed:
      return "passed";
    case CaseOutcome::failed:
      return "failed";
    case CaseOutcome::skipped:
      return "skipped";
    case CaseOutcome::not_run:
      break;
  }
  return "not-run";
}

MergeJson case_json(const JobCase& one) {
  MergeJson json = {{"program", one.program}};
  if (!one.place.empty()) json["place"] = one.place;
  if (!one.name.empty()) json["name"] = one.name;
  json["outcome"] = name_of(one.outcome);
  if (!one.reason.empty()) json["reason"] = one.reason;
  if (!one.gpu.empty()) json["gpu"] = one.gpu;
  return json;
}

void write_job(const MergedJob& job, const Sink& sink) {
  MergeJson json = {{"name", job.name}, {"status", name_of(job.status)}, {"planned", job.planned}};
  if (!job.why.empty()) json["why"] = job.why;
  if (job.allowed) json["may_not_run"] = true;
  json["files"] = job.files;
  json["unread"] = job.unread;
  json["gpus"] = job.gpus;
  json["counts"] = counts_json(job.counts);
  auto head = dump(json);
  head.pop_back();
  sink(head + ", \"cases\": [");
  const char* gap = "\n";
  for (const auto& one : job.cases) {
    sink(gap + dump(case_json(one)));
    gap = ",\n";
  }
  sink("]}");
}

std::size_t jobs_with(JobStatus status, const MergedReport& report) {
  return static_cast<std::size_t>(
      std::count_if(report.jobs.begin(), report.jobs.end(),
                    [status](const MergedJob& job) { return job.status == status; }));
}

MergeJson summary_json(const MergedReport& report) {
  auto summary = counts_json(report.counts);
  summary["jobs"] = report.jobs.size();
  summary["failed_jobs"] = jobs_with(JobStatus::failed, report);
  summary["lost_jobs"] = jobs_with(JobStatus::lost, report);
  summary["not_run_jobs"] = jobs_with(JobStatus::not_run, report);
  summary["errors"] = report.errors.size();
  return summary;
}

template <typename Items, typename Write>
void write_list(const char* name, const Items& items, const Sink& sink, const Write& write) {
  sink(std::string(",\n\"") + name + "\": [");
  const char* gap = "\n";
  for (const auto& item : items) {
    sink(gap);
    write(item);
    gap = ",\n";
  }
  sink("]");
}

}  // namespace

void merge_json(const MergedReport& report, std::string_view version, const Sink& sink) {
  MergeJson head = {{"schema", "archgrid.report/1"},
                    {"version", version},
                    {"passes", report.outcome == Outcome::holds}};
  head["summary"] = summary_json(report);
  auto text = dump(head);
  text.pop_back();
  sink(text);
  write_list("jobs", report.jobs, sink, [&](const MergedJob& job) { write_job(job, sink); });
  write_list("failures", report.failures, sink, [&](const FoldedFailure& failure) {
    MergeJson json = {{"program", failure.program}};
    if (!failure.name.empty()) json["name"] = failure.name;
    if (!failure.reason.empty()) json["reason"] = failure.reason;
    json["jobs"] = failure.jobs;
    json["places"] = failure.places;
    sink(dump(json));
  });
  write_list("errors", report.errors, sink,
             [&](const std::string& error) { sink(dump(MergeJson(error))); });
  sink(",\n\"verdict\": " + dump(MergeJson(report.verdict)) + "}\n");
}

}  // namespace archgrid::report
