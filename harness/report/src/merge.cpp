// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <archgrid/report/merge.hpp>
#include <cctype>
#include <map>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "merge_read.hpp"
#include "style.hpp"

namespace archgrid::report {
namespace {

/// Compares names with their numbers: sm75 before sm100.
bool is_before(std::string_view left, std::string_view right) {
  const auto number = [](std::string_view& text) {
    std::size_t length = 0;
    while (length < text.size() && std::isdigit(static_cast<unsigned char>(text[length])) != 0) {
      ++length;
    }
    auto digits = text.substr(0, length);
    text.remove_prefix(length);
    digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
    return std::pair(digits.size(), digits);
  };
  while (!left.empty() && !right.empty()) {
    const bool both = std::isdigit(static_cast<unsigned char>(left.front())) != 0 &&
                      std::isdigit(static_cast<unsigned char>(right.front())) != 0;
    if (both) {
      const auto a = number(left);
      const auto b = number(right);
      if (a != b) return a < b;
    } else {
      if (left.front() != right.front()) return left.front() < right.front();
      left.remove_prefix(1);
      right.remove_prefix(1);
    }
  }
  return left.size() < right.size();
}

struct NaturalOrder {
  bool operator()(const std::string& left, const std::string& right) const {
    if (is_before(left, right)) return true;
    return !is_before(right, left) && left < right;
  }
};

/// Reports whether the text is meant to be results: a damaged document of another program is not.
bool looks_like_results(std::string_view text) {
  constexpr std::size_t kBeginning = 1000;
  constexpr std::size_t kTooShort = 40;  // to name a schema
  const auto begin = text.substr(0, kBeginning);
  return text.size() < kTooShort || begin.find("archgrid.") != std::string_view::npos ||
         begin.find("<testsuite") != std::string_view::npos;
}

bool is_json(const std::string& path) {
  return path.size() > 5 && path.ends_with(".json");
}

/// A file that was read.
struct ReadResults {
  std::string folder;
  FileResults results;
};

/// Reads the files of one job. Results that two files have count once.
class JobReader {
 public:
  explicit JobReader(std::string name) { job_.name = std::move(name); }

  /// Returns whether the file has results, or was to have some.
  bool read(const ResultFile& file, const ReadFile& read_file, std::vector<std::string>& errors) {
    std::string text;
    try {
      text = read_file(file.path);
      if (!add_results(file, text)) return false;
    } catch (const std::exception& error) {
      if (!file.is_named && !looks_like_results(text)) return false;
      ++job_.unread;
      errors.push_back(fmt::format("{}: {}", file.path, error.what()));
    }
    ++job_.files;
    return true;
  }

  [[nodiscard]] MergedJob job() && {
    for (const auto kind : {ResultKind::gpu_runs, ResultKind::gpu_junit, ResultKind::ctest,
                            ResultKind::audit_json, ResultKind::audit_junit, ResultKind::other}) {
      for (auto& one : read_) {
        if (one.results.kind == kind) add(one);
      }
    }
    return std::move(job_);
  }

 private:
  /// Returns false if the file has other content than results.
  bool add_results(const ResultFile& file, const std::string& text) {
    if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
      throw std::runtime_error("it is empty: its writer was stopped");
    }
    auto results = is_json(file.path) ? read_json_results(text) : read_junit_results(text, file);
    const bool has_results = results.kind != ResultKind::none;
    if (!has_results && file.is_named) {
      throw std::runtime_error(results.what + " has no results of tests or audits");
    }
    if (has_results) read_.push_back({file.folder, std::move(results)});
    return has_results;
  }

  using Program = std::pair<std::string, std::string>;  ///< folder, name of the ctest test

  void add(ReadResults& one) {
    const auto kind = one.results.kind;
    if (kind == ResultKind::audit_json) verdicts_.insert(one.results.verdict);
    if (kind == ResultKind::audit_junit && verdicts_.count(one.results.verdict) != 0) return;
    std::map<Program, bool> fresh;
    for (auto& [test, item] : one.results.cases) {
      const Program program{one.folder, test};
      const bool has_failed = item.outcome == CaseOutcome::failed;
      if (!is_covered(kind, program, has_failed)) {
        fresh[program] = fresh[program] || has_failed;
        job_.cases.push_back(std::move(item));
      }
    }
    if (kind != ResultKind::gpu_runs && kind != ResultKind::gpu_junit) return;
    for (const auto& [program, failed] : fresh) covered_[program] = covered_[program] || failed;
  }

  /// Reports whether another file of the run has the cases of a program. A failure that it lacks
  /// counts.
  bool is_covered(ResultKind kind, const Program& program, bool has_failed) const {
    if (kind != ResultKind::gpu_junit && kind != ResultKind::ctest) return false;
    const auto found = covered_.find(program);
    if (found == covered_.end()) return false;
    return kind == ResultKind::gpu_junit || !has_failed || found->second;
  }

  MergedJob job_;
  std::vector<ReadResults> read_;
  std::set<std::string> verdicts_;   ///< of audits
  std::map<Program, bool> covered_;  ///< programs with cases, and whether one has failed
};

/// Returns the planned job that a folder belongs to, or nullptr.
const PlannedJob* planned_job_of(const std::string& folder,
                                 const std::vector<PlannedJob>& planned) {
  const auto found = std::find_if(planned.begin(), planned.end(), [&](const PlannedJob& job) {
    return folder == job.name || folder.ends_with("-" + job.name);
  });
  return found == planned.end() ? nullptr : &*found;
}

/// Reports whether the GPU, "NVIDIA H100, 9.0", is one of a job's devices.
bool is_planned(const std::string& gpu, const PlannedJob& planned) {
  return std::any_of(planned.devices.begin(), planned.devices.end(),
                     [&](const std::string& device) { return gpu.ends_with(", " + device); });
}

/// Adds a failure if a case of a planned job ran on a GPU of another kind.
void add_wrong_gpu(const PlannedJob& planned, MergedJob& job) {
  for (const auto& gpu : job.gpus) {
    if (is_planned(gpu, planned)) continue;
    JobCase wrong;
    wrong.program = "GPU";
    wrong.outcome = CaseOutcome::failed;
    wrong.reason =
        fmt::format("it ran on {}, and the plan has it for {}: look at the runner's labels", gpu,
                    enumerated(planned.devices));
    job.cases.push_back(std::move(wrong));
    ++job.counts.failed;
  }
}

void count_cases(MergedJob& job) {
  for (const auto& one : job.cases) {
    switch (one.outcome) {
      case CaseOutcome::passed:
        ++job.counts.passed;
        break;
      case CaseOutcome::failed:
        ++job.counts.failed;
        break;
      case CaseOutcome::skipped:
        ++job.counts.skipped;
        break;
      case CaseOutcome::not_run:
        ++job.counts.not_run;
        break;
    }
    if (!one.gpu.empty()) job.gpus.insert(one.gpu);
  }
}

/// Returns why no case counts, with the reason of the first one.
std::string not_run_reason(const MergedJob& job, bool gpu_only) {
  for (const auto& one : job.cases) {
    if (gpu_only && !one.needs_gpu) continue;
    if (one.outcome == CaseOutcome::skipped || one.outcome == CaseOutcome::not_run) {
      return one.reason.empty() ? "every case was skipped" : one.reason;
    }
  }
  return "its files name no case";
}

void judge_job(MergedJob& job) {
  if (job.files == 0) {
    job.status = JobStatus::lost;
    job.why = "it left no results: look at its log";
    return;
  }
  const bool needs_gpu = std::any_of(job.cases.begin(), job.cases.end(),
                                     [](const JobCase& one) { return one.needs_gpu; });
  if (job.counts.failed > 0 || job.unread > 0) {
    job.status = JobStatus::failed;
  } else if (job.counts.passed == 0 || (needs_gpu && job.gpus.empty())) {
    job.status = JobStatus::not_run;
    job.why = not_run_reason(job, needs_gpu && job.gpus.empty());
  } else {
    job.status = JobStatus::passed;
  }
}

using FailureKey = std::tuple<std::string, std::string, std::string>;

/// The failures in the order in which they are met.
std::vector<FoldedFailure> folded_failures(const std::vector<MergedJob>& jobs) {
  std::vector<FoldedFailure> failures;
  std::map<FailureKey, std::size_t> known;
  for (const auto& job : jobs) {
    std::set<std::size_t> of_job;
    for (const auto& one : job.cases) {
      if (one.outcome != CaseOutcome::failed) continue;
      const FailureKey key{one.program, one.name, one.reason};
      const auto [place, fresh] = known.try_emplace(key, failures.size());
      if (fresh) failures.push_back({one.program, one.name, one.reason, {}, 0});
      auto& failure = failures[place->second];
      failure.places.push_back(one.place.empty() ? job.name
                                                 : fmt::format("{} ({})", job.name, one.place));
      if (of_job.insert(place->second).second) ++failure.jobs;
    }
  }
  return failures;
}

/// Numbers of jobs by status. Jobs that may not run are separate.
struct JobCounts {
  std::size_t failed = 0;
  std::size_t lost = 0;
  std::size_t not_run = 0;
  std::size_t allowed = 0;
};

JobCounts count_jobs(const std::vector<MergedJob>& jobs) {
  JobCounts counts;
  for (const auto& job : jobs) {
    if (job.status == JobStatus::failed) ++counts.failed;
    if (job.status == JobStatus::lost) ++counts.lost;
    if (job.status == JobStatus::not_run) ++(job.allowed ? counts.allowed : counts.not_run);
  }
  return counts;
}

void append(std::string& text, const std::string& part) {
  text += (text.empty() ? "" : ", ") + part;
}

/// Returns "235 passed, 4 skipped", or "235 cases in 3 jobs, 4 skipped" if all is well.
std::string good_text(const MergedReport& report, const JobCounts& jobs) {
  auto text = fmt::format("{} passed", report.counts.passed);
  if (report.outcome == Outcome::holds) {
    text = fmt::format("{} in {}", count_text(report.counts.passed, "case"),
                       count_text(report.jobs.size() - jobs.allowed, "job"));
  }
  if (report.counts.skipped > 0) text += fmt::format(", {} skipped", report.counts.skipped);
  if (report.counts.not_run > 0) text += fmt::format(", {} not run", report.counts.not_run);
  if (jobs.allowed > 0)
    text += fmt::format("; {} not run, as allowed", count_text(jobs.allowed, "job"));
  return text;
}

/// Returns "failed: 3 cases in 2 of 4 jobs, 1 job lost; 235 passed, 4 skipped".
std::string closing_line(const MergedReport& report, const JobCounts& jobs) {
  std::string bad;
  if (report.counts.failed > 0) {
    append(bad, fmt::format("{} in {} of {}", count_text(report.counts.failed, "case"),
                            std::count_if(report.jobs.begin(), report.jobs.end(),
                                          [](const auto& job) { return job.counts.failed > 0; }),
                            count_text(report.jobs.size(), "job")));
  }
  if (jobs.lost > 0) append(bad, count_text(jobs.lost, "job") + " lost");
  if (jobs.not_run > 0) append(bad, count_text(jobs.not_run, "job") + " not run");
  if (!report.errors.empty()) append(bad, count_text(report.errors.size(), "input") + " not read");
  const auto good = good_text(report, jobs);
  switch (report.outcome) {
    case Outcome::holds:
      return "passed: " + good;
    case Outcome::broken:
      return fmt::format("failed: {}; {}", bad, good);
    case Outcome::open:
      break;
  }
  return fmt::format("not proven: {}; {}", bad.empty() ? "nothing ran" : bad, good);
}

void judge_report(MergedReport& report) {
  for (const auto& job : report.jobs) {
    report.counts.passed += job.counts.passed;
    report.counts.failed += job.counts.failed;
    report.counts.skipped += job.counts.skipped;
    report.counts.not_run += job.counts.not_run;
  }
  const auto jobs = count_jobs(report.jobs);
  report.outcome = Outcome::holds;
  if (jobs.not_run > 0 || !report.errors.empty() || report.counts.passed == 0) {
    report.outcome = Outcome::open;
  }
  if (report.counts.failed > 0 || jobs.lost > 0) report.outcome = Outcome::broken;
  report.failures = folded_failures(report.jobs);
  report.verdict = closing_line(report, jobs);
}

}  // namespace

MergedReport merge_results(const std::vector<ResultFile>& files, const ReadFile& read_file,
                           const MergeRequest& request) {
  MergedReport report;
  report.errors = request.errors;
  std::map<std::string, JobReader, NaturalOrder> readers;
  std::map<std::string, bool> inputs;
  for (const auto& file : files) {
    const auto* planned = planned_job_of(file.job, request.planned);
    const auto& name = planned == nullptr ? file.job : planned->name;
    auto& reader = readers.try_emplace(name, name).first->second;
    if (reader.read(file, read_file, report.errors)) inputs[file.input] = true;
    inputs.try_emplace(file.input, false);
  }
  for (const auto& [input, has_results] : inputs) {
    if (!has_results) report.errors.push_back(input + ": no file in it has results");
  }
  const auto add = [&](MergedJob job, const PlannedJob* planned) {
    job.planned = planned != nullptr;
    job.allowed = request.may_not_run.count(job.name) != 0;
    if (planned == nullptr && job.files == 0) return;
    count_cases(job);
    if (planned != nullptr) add_wrong_gpu(*planned, job);
    judge_job(job);
    report.jobs.push_back(std::move(job));
  };
  for (const auto& planned : request.planned) {
    auto reader = readers.extract(planned.name);
    add(std::move(reader ? reader.mapped() : JobReader(planned.name)).job(), &planned);
  }
  for (auto& [name, reader] : readers) add(std::move(reader).job(), nullptr);
  judge_report(report);
  return report;
}

}  // namespace archgrid::report
