// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Merges the result files of many CI jobs into one report with one verdict.
#ifndef ARCHGRID_REPORT_MERGE_HPP
#define ARCHGRID_REPORT_MERGE_HPP

#include <archgrid/report.hpp>
#include <archgrid/report/gpu_runs.hpp>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace archgrid::report {

enum class CaseOutcome { passed, failed, skipped, not_run };

/// A test case of a job, or a file of an audit, or a benchmark.
struct JobCase {
  std::string program;  ///< "gemm" without its cell, "audit", "perf"; a column of the page
  std::string place;    ///< the cell, or the folder of the file within the job; may be empty
  std::string name;     ///< "Shapes.Big"; empty for a whole program
  CaseOutcome outcome = CaseOutcome::not_run;
  std::string reason;
  std::string gpu;         ///< "NVIDIA H100, 9.0": a real GPU that ran it
  bool needs_gpu = false;  ///< a GPU test, whether it met a GPU or not
};

/// A file with results, or one that may have some.
struct ResultFile {
  std::string job;   ///< the name of the job's folder
  std::string path;  ///< as users find it
  std::string
      folder;  ///< its folder within the job, without "Testing": results there are of one run
  std::string input;      ///< the argument that has it
  bool is_named = false;  ///< on the command line, so that it must have results
};

/// A GPU job of a plan.
struct PlannedJob {
  std::string name;                  ///< "sm90"
  std::vector<std::string> devices;  ///< "9.0"; several if they share a runner
};

enum class JobStatus { passed, failed, not_run, lost };

struct CaseCounts {
  std::size_t passed = 0;
  std::size_t failed = 0;
  std::size_t skipped = 0;
  std::size_t not_run = 0;

  [[nodiscard]] std::size_t all() const { return passed + failed + skipped + not_run; }
};

struct MergedJob {
  std::string name;
  JobStatus status = JobStatus::lost;
  std::string why;  ///< it is lost or not run
  bool planned = false;
  bool allowed = false;  ///< not to run
  std::size_t files = 0;
  std::size_t unread = 0;  ///< of the files
  CaseCounts counts;
  std::set<std::string> gpus;  ///< that ran a case
  std::vector<JobCase> cases;
};

/// Equal failures of one program in several cells and jobs.
struct FoldedFailure {
  std::string program;
  std::string name;
  std::string reason;
  std::vector<std::string> places;  ///< "sm90 (cu130-fat)", one per failed case
  std::size_t jobs = 0;
};

struct MergedReport {
  std::vector<MergedJob> jobs;  ///< planned ones in the plan's order, then the others by name
  std::vector<FoldedFailure> failures;
  std::vector<std::string> errors;  ///< files that could not be read, inputs without results
  CaseCounts counts;
  Outcome outcome = Outcome::open;
  std::string verdict;  ///< the closing line
};

/// Inputs of merging beside the files.
struct MergeRequest {
  std::vector<PlannedJob> planned;
  std::set<std::string> may_not_run;  ///< jobs whose GPU tests may all be skipped
  std::vector<std::string> errors;    ///< of inputs that have no files
};

/// Returns the GPU jobs of an archgrid.plan/1 or archgrid.jobs/1 document. Throws
/// std::runtime_error if it is neither, or lacks jobs without having left them out on purpose.
std::vector<PlannedJob> planned_jobs(const std::string& plan_json);

/// Reads the files, one at a time, and judges the jobs. A planned job takes the folder of its name
/// and folders whose name ends with "-" and that name.
MergedReport merge_results(const std::vector<ResultFile>& files, const ReadFile& read_file,
                           const MergeRequest& request);

/// Returns the answer for one screen: jobs, failures and the closing line.
std::string merge_text(const MergedReport& report, TextStyle style);

/// Returns GitHub's Markdown, at most `most` bytes; failures that do not fit are counted.
std::string merge_markdown(const MergedReport& report, std::size_t most);

/// Returns workflow commands that annotate a GitHub Actions run: at most ten.
std::string merge_annotations(const MergedReport& report);

/// Writes archgrid.report/1. `version` is archgrid's own.
void merge_json(const MergedReport& report, std::string_view version, const Sink& sink);

/// Writes one self-contained HTML page.
void merge_html(const MergedReport& report, std::string_view version, const Sink& sink);

}  // namespace archgrid::report

#endif
