// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <map>
#include <stdexcept>
#include <utility>

#include "gpu_record.hpp"
#include "merge_read.hpp"
#include "style.hpp"

namespace archgrid::report {
namespace {

using ResultJson = nlohmann::ordered_json;

JobCase audited(const std::string& cell, const std::string& path) {
  JobCase one;
  one.program = "audit";
  one.place = cell;
  one.name = path;
  one.outcome = CaseOutcome::passed;
  return one;
}

void fail(JobCase& one, const std::string& reason) {
  one.outcome = CaseOutcome::failed;
  one.reason = reason;
}

std::string finding_reason(const ResultJson& finding) {
  auto reason = finding.at("code").get<std::string>();
  const auto kernel = finding.value("kernel", "");
  const auto kernels = finding.value("kernels", std::size_t{1});
  if (!kernel.empty()) reason += ": " + fatbin::demangle(kernel);
  if (kernels > 1) reason += fmt::format(" and {} more", kernels - 1);
  const auto device = finding.value("device", "");
  if (!device.empty()) reason += " on " + device;
  return reason + ": " + finding.at("message").get<std::string>();
}

/// The files of an audit as cases, and what fails them.
class AuditCases {
 public:
  JobCase& of(const std::string& cell, const std::string& path) {
    const auto [place, fresh] = places_.try_emplace({cell, path}, cases_.size());
    if (fresh) cases_.push_back({"", audited(cell, path)});
    return cases_[place->second].one;
  }

  void add_finding(const ResultJson& finding) {
    const auto cell = finding.value("cell", "");
    const auto path = finding.value("path", "");
    ++findings_[{cell, path}];
    auto& one = of(cell, path.empty() ? "promises" : path);
    if (one.outcome != CaseOutcome::failed) fail(one, finding_reason(finding));
  }

  [[nodiscard]] std::vector<ReadCase> cases() && {
    for (const auto& [place, count] : findings_) {
      auto& one = of(place.first, place.second.empty() ? "promises" : place.second);
      if (count > 1) one.reason += fmt::format(" (and {})", count_text(count - 1, "more finding"));
    }
    return std::move(cases_);
  }

 private:
  using Place = std::pair<std::string, std::string>;
  std::map<Place, std::size_t> places_;
  std::map<Place, std::size_t> findings_;
  std::vector<ReadCase> cases_;
};

FileResults read_audit(const ResultJson& json) {
  FileResults results{ResultKind::audit_json, "archgrid.audit/1", json.at("verdict"), {}};
  AuditCases cases;
  for (const auto& file : json.at("files")) cases.of(file.value("cell", ""), file.at("path"));
  for (const auto& finding : json.at("findings")) cases.add_finding(finding);
  bool has_failed = !json.at("findings").empty();
  for (const auto& unreadable : json.at("unreadable")) {
    fail(cases.of("", "unreadable: " + unreadable.get<std::string>()), results.verdict);
    has_failed = true;
  }
  const bool holds = json.at("holds");
  if (!holds && !has_failed) fail(cases.of("", "answers"), results.verdict);
  results.cases = std::move(cases).cases();
  if (results.cases.empty()) {
    results.cases.push_back({"", audited("", "")});
    results.cases.back().one.outcome = CaseOutcome::not_run;
    results.cases.back().one.reason = results.verdict;
  }
  return results;
}

CaseOutcome outcome_of(const ResultJson& benchmark) {
  if (benchmark.at("fails").get<bool>()) return CaseOutcome::failed;
  const auto decision = benchmark.at("decision").get<std::string>();
  if (decision == "SAME" || decision == "FASTER" || decision == "SLOWER") {
    return CaseOutcome::passed;
  }
  return decision == "NO_DATA" ? CaseOutcome::not_run : CaseOutcome::skipped;
}

FileResults read_comparison(const ResultJson& json) {
  FileResults results{ResultKind::other, "archgrid.perf-compare/1", "", {}};
  bool has_failed = false;
  for (const auto& benchmark : json.at("benchmarks")) {
    JobCase one;
    one.program = "perf";
    one.name = fmt::format("{} ({})", benchmark.at("name").get<std::string>(),
                           benchmark.at("cache").get<std::string>());
    one.outcome = outcome_of(benchmark);
    one.reason = fmt::format("{}: {}", benchmark.at("decision").get<std::string>(),
                             benchmark.at("reason").get<std::string>());
    has_failed = has_failed || one.outcome == CaseOutcome::failed;
    results.cases.push_back({"", std::move(one)});
  }
  const bool passes = json.at("passes");
  if (results.cases.empty() || (!passes && !has_failed)) {
    JobCase one;
    one.program = "perf";
    one.outcome = passes ? CaseOutcome::not_run : CaseOutcome::failed;
    one.reason = json.at("verdict");
    results.cases.push_back({"", std::move(one)});
  }
  return results;
}

FileResults read_runs(const ResultJson& json) {
  FileResults results{ResultKind::gpu_runs, "archgrid.gpu-runs/1", "", {}};
  for (const auto& run : json.at("runs")) {
    for (auto& one : cases_of(read_gpu_record(run))) results.cases.push_back(std::move(one));
  }
  return results;
}

FileResults read_run(const ResultJson& json) {
  return {ResultKind::gpu_runs, "archgrid.gpu-tests/1", "", cases_of(read_gpu_record(json))};
}

using ResultReader = FileResults (*)(const ResultJson&);

const std::map<std::string, ResultReader>& result_readers() {
  static const std::map<std::string, ResultReader> readers = {
      {"archgrid.gpu-runs/1", read_runs},
      {"archgrid.gpu-tests/1", read_run},
      {"archgrid.audit/1", read_audit},
      {"archgrid.perf-compare/1", read_comparison}};
  return readers;
}

std::string schema_of(const ResultJson& json) {
  if (!json.is_object() || !json.contains("schema")) return {};
  const auto& schema = json["schema"];
  return schema.is_string() ? schema.get<std::string>() : std::string();
}

/// Throws if another release of archgrid has written results.
void refuse_other_release(const std::string& schema) {
  const auto kind = schema.substr(0, schema.rfind('/') + 1);
  for (const auto& [known, reader] : result_readers()) {
    if (kind.empty() || !known.starts_with(kind)) continue;
    throw std::runtime_error(schema + " is of another archgrid: use the one that wrote it");
  }
}

std::vector<PlannedJob> gpu_jobs_of(const ResultJson& plan) {
  const auto schema = plan.at("schema").get<std::string>();
  std::vector<PlannedJob> jobs;
  if (schema == "archgrid.plan/1") {
    for (const auto& job : plan.at("jobs")) {
      jobs.push_back({job.at("name"), {job.at("device").get<std::string>()}});
    }
  } else if (schema == "archgrid.jobs/1") {
    for (const auto& job : plan.at("test")) jobs.push_back({job.at("name"), job.at("devices")});
  } else {
    throw std::runtime_error("its schema is " + schema);
  }
  return jobs;
}

/// Reports whether a plan leaves out all its GPU jobs on purpose: its code is tested, or
/// --no-tests asked for builds alone.
bool is_meant_without_jobs(const ResultJson& plan) {
  return plan.at("schema") == "archgrid.jobs/1" ||
         !plan.value("unneeded", ResultJson::array()).empty();
}

}  // namespace

FileResults read_json_results(const std::string& text) {
  ResultJson json;
  try {
    json = ResultJson::parse(text);
  } catch (const ResultJson::exception& error) {
    throw std::runtime_error("damaged JSON: " + json_problem(error));
  }
  const auto schema = schema_of(json);
  const auto known = result_readers().find(schema);
  if (known == result_readers().end()) {
    refuse_other_release(schema);
    return {ResultKind::none, schema.empty() ? "JSON of another program" : schema, "", {}};
  }
  try {
    return known->second(json);
  } catch (const std::exception& error) {
    throw std::runtime_error(fmt::format("not as {} is: {}", schema, json_problem(error)));
  }
}

std::string json_problem(const std::exception& error) {
  const std::string_view said = error.what();
  const auto begin = said.find("] ");
  return std::string(begin == std::string_view::npos ? said : said.substr(begin + 2));
}

std::vector<PlannedJob> planned_jobs(const std::string& plan_json) {
  std::vector<PlannedJob> jobs;
  try {
    const auto plan = ResultJson::parse(plan_json);
    jobs = gpu_jobs_of(plan);
    if (jobs.empty() && is_meant_without_jobs(plan)) return jobs;
  } catch (const std::exception& error) {
    throw std::runtime_error(
        fmt::format("neither archgrid.plan/1 nor archgrid.jobs/1: {}\n"
                    "  fix: write it by archgrid matrix FILE --json=PLAN",
                    json_problem(error)));
  }
  if (jobs.empty()) {
    throw std::runtime_error(
        "the plan has no jobs, so none can be lost\n"
        "  fix: name \"runners\" of promised GPUs in the matrix file");
  }
  return jobs;
}

}  // namespace archgrid::report
