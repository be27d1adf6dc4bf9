// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <archgrid/report/gpu_runs.hpp>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "dump_json.hpp"
#include "gpu_record.hpp"

namespace archgrid::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kTest = " Testing: ";  // "3/17 Testing: cu130-sm90/gemm"
constexpr std::string_view kRecord = "archgrid: record ";
constexpr std::string_view kRun = ", run ";
constexpr std::string_view kGpu = "archgrid: gpu ";
constexpr std::string_view kRuntime = "archgrid: runtime ";
constexpr std::string_view kSkipped = "archgrid: skipped: ";
constexpr std::string_view kFailed = "archgrid: failed: ";
constexpr std::string_view kPassed = "archgrid: passed: ";

enum class CtestStatus { unknown, passed, failed };

/// One test in ctest's log.
struct Lines {
  std::string name;
  std::string record;  ///< its path
  std::string run;     ///< the run that its record is for; empty if the log does not say
  std::string gpu;
  bool fake = false;
  std::string outcome;  ///< from the last line
  std::string code;
  std::string message;
  std::string last;                           ///< the last output line that is not empty
  std::string not_started;                    ///< ctest's reason; empty if the test was started
  CtestStatus status = CtestStatus::unknown;  ///< skipped tests have "passed"

  [[nodiscard]] bool has_words() const {
    return !record.empty() || !gpu.empty() || !outcome.empty();
  }
};

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

/// Returns "NVIDIA H100, 9.0, device 0 of 1" without the last part, which differs between runs on
/// one GPU.
std::string gpu_name(std::string_view text) {
  return std::string(text.substr(0, text.rfind(", device ")));
}

/// Reads "no-gpu: no driver is installed". The last such line counts: the process that runs a
/// program may add one after it.
void read_end(std::string_view outcome, std::string_view text, Lines& lines) {
  lines.outcome = outcome;
  lines.code = text.substr(0, text.find(": "));
  lines.message = text.substr(std::min(lines.code.size() + 2, text.size()));
}

/// Reads "/path/of/gemm_test.record.json, run 4711-1764098765123456".
void read_record_line(std::string_view text, Lines& lines) {
  const auto comma = text.rfind(kRun);
  lines.record = trimmed(text.substr(0, comma));
  if (comma != std::string_view::npos) lines.run = text.substr(comma + kRun.size());
}

void read_line(std::string_view line, Lines& lines) {
  // The program's own line comes first, before output of its tests; it may follow text without a
  // line break.
  const auto record = lines.record.empty() ? line.find(kRecord) : std::string_view::npos;
  if (record != std::string_view::npos) {
    read_record_line(line.substr(record + kRecord.size()), lines);
  } else if (line.starts_with(kGpu)) {
    lines.gpu = gpu_name(trimmed(line.substr(kGpu.size())));
  } else if (line.starts_with(kRuntime)) {
    lines.fake = lines.fake || line.find(", fake") != std::string_view::npos;
  } else if (line.starts_with(kPassed)) {
    read_end("passed", line.substr(kPassed.size()), lines);
  } else if (line.starts_with(kFailed)) {
    read_end("failed", line.substr(kFailed.size()), lines);
  } else if (line.starts_with(kSkipped)) {
    read_end("skipped", line.substr(kSkipped.size()), lines);
  }
}

/// A reader of ctest's log: per test a head, its output and its status. If a test could not
/// be started, ctest's reason precedes the head.
class LogReader {
 public:
  std::vector<Lines> read(std::istream& log) {
    for (std::string line; std::getline(log, line);) take(line);
    end_test();
    return std::move(tests_);
  }

 private:
  enum class Part { between, head, output, tail };

  void take(const std::string& line) {
    const auto after_number = line.find_first_not_of("0123456789/");
    const bool is_head = after_number != 0 && after_number != std::string::npos &&
                         line.compare(after_number, kTest.size(), kTest) == 0;
    if (is_head && part_ == Part::between) {
      end_test();
      lines_.name = line.substr(after_number + kTest.size());
      part_ = Part::head;
    } else if (part_ == Part::between) {
      if (loose_.empty() && !line.starts_with("-----") && !line.starts_with("Start testing"))
        loose_ = line;
    } else {
      take_of_test(line);
    }
  }

  void take_of_test(const std::string& line) {
    const std::string quoted_name = '"' + lines_.name + '"';
    if (part_ == Part::tail && line.starts_with(quoted_name + " time elapsed: ")) {
      part_ = Part::between;
      loose_.clear();
    } else if (part_ == Part::tail && (line == "Test Passed." || line == "Test Pass Reason:")) {
      lines_.status = CtestStatus::passed;
    } else if (part_ == Part::tail && (line == "Test Failed." || line == "Test Fail Reason:")) {
      lines_.status = CtestStatus::failed;
    } else if (line == "<end of output>") {
      part_ = Part::tail;  // the last such line counts: a test may print it, too
    } else if (part_ == Part::head && line == quoted_name + " start time: ") {
      lines_.not_started = loose_.empty() ? "ctest did not start it" : loose_;
    } else if (part_ == Part::head && line == "Output:") {
      part_ = Part::output;
    } else if (part_ != Part::head) {  // the head has the command, which may contain any text
      const bool is_empty = line.find_first_not_of('-') == std::string::npos;  // or a rule
      if (part_ == Part::output && !is_empty) lines_.last = line;
      read_line(line, lines_);
    }
  }

  /// Records the last attempt of a test that ctest repeats, as ctest does itself.
  void end_test() {
    if (!lines_.name.empty()) {
      const auto [place, is_new] = places_.emplace(lines_.name, tests_.size());
      if (is_new) tests_.emplace_back();
      tests_[place->second] = std::move(lines_);
    }
    lines_ = {};
  }

  Part part_ = Part::between;
  std::string loose_;  ///< the first line since the last test
  Lines lines_;
  std::vector<Lines> tests_;
  std::map<std::string, std::size_t> places_;  ///< in tests_, by name
};

/// Returns the program from its record. Throws if it is not a record of `run`.
GpuProgram read_record(const Json& json, const std::string& run) {
  if (json.at("schema") != "archgrid.gpu-tests/1") throw std::runtime_error("unknown schema");
  if (!run.empty() && json.value("run", "") != run) {
    throw std::runtime_error(
        "another run of the program has replaced it; run one ctest at a time in a tree");
  }
  GpuProgram program;
  program.outcome = json.at("outcome");
  program.code = json.value("code", "");
  program.message = json.value("message", "");
  const Json& gpu = json.at("gpu");
  program.fake = !gpu.is_null() && json.contains("fake");
  if (!gpu.is_null()) {
    program.gpu =
        gpu.at("name").get<std::string>() + ", " + gpu.at("capability").get<std::string>();
  }
  for (const Json& test : json.at("tests")) {
    GpuCase one{test.at("name"), test.at("outcome"), test.value("reason", ""), test.at("seconds")};
    one.ended_the_run = one.outcome == "failed" && one.reason == program.message;
    program.cases.push_back(std::move(one));
  }
  return program;
}

GpuProgram read_record(const std::string& text, const std::string& run) {
  auto program = read_record(Json::parse(text), run);
  program.record = text;
  return program;
}

/// Completes the record of a program that was killed or crashed, with later output of the process
/// that ran it.
void add_end(const Lines& lines, GpuProgram& program) {
  const bool has_line = lines.outcome == "failed";
  if (program.outcome == "crashed") {
    program.code = has_line ? lines.code : "killed";
    if (has_line) program.message = lines.message;
  } else if (has_line && lines.code != program.code) {
    program.outcome = "failed";
    program.code = lines.code;
    program.message = lines.message;
  }
  const std::string reason = program.code + ": " + program.message;
  for (GpuCase& one : program.cases) {
    if (one.ended_the_run || (one.outcome == "not-run" && one.reason.empty())) one.reason = reason;
  }
}

bool has_failed(const GpuCase& one) {
  return one.outcome == "failed" || one.outcome == "missing-arch" || one.outcome == "jitted";
}

bool has_failed(const GpuProgram& program) {
  return program.outcome != "passed" && program.outcome != "skipped";
}

/// Marks a program as failed if ctest saw it fail, whatever its last line says: a destructor may
/// crash.
void add_verdict(const Lines& lines, GpuProgram& program) {
  program.skip_code = program.code;
  if (lines.status != CtestStatus::failed || has_failed(program)) return;
  program.message = fmt::format("ctest saw it fail after its last line: {}: {}: {}",
                                program.outcome, program.code, program.message);
  program.outcome = "failed";
  program.code = "failed-at-end";
}

/// Reports whether the program failed for another reason than its cases.
bool has_failed_beside_its_cases(const GpuProgram& program) {
  if (!has_failed(program)) return false;
  const bool is_of_kernels = program.code == "kernels";
  const bool is_of_cases =
      is_of_kernels || program.code == "tests" || program.code == "unusable-gpu";
  return std::none_of(program.cases.begin(), program.cases.end(), [&](const GpuCase& one) {
    if (one.name.empty() || one.ended_the_run) return true;
    return is_of_cases && has_failed(one) && (!is_of_kernels || one.outcome != "failed");
  });
}

/// Returns a program without a readable record; `problem` says why it cannot be read.
GpuProgram program_without_record(const Lines& lines, const std::string& problem) {
  GpuProgram program;
  program.problem = problem;
  program.gpu = lines.gpu;
  program.fake = lines.fake;
  program.outcome = lines.outcome.empty() ? "failed" : lines.outcome;
  program.code = lines.code;
  program.message = lines.message;
  if (!problem.empty()) {
    program.outcome = "failed";
    program.code = "no-record";
    program.message = problem;
  } else if (!lines.has_words()) {
    program.code = "never-started";
    program.message = !lines.not_started.empty() ? lines.not_started
                      : lines.last.empty()       ? "it printed nothing"
                                                 : lines.last;
  } else if (lines.outcome.empty()) {
    program.code = "killed";  // a program that passes prints a last line
  }
  add_verdict(lines, program);
  program.cases.push_back({"", program.outcome, program.message, 0});
  return program;
}

GpuProgram program_with_record(const Lines& lines, const ReadFile& read_file) {
  if (lines.record.empty()) return program_without_record(lines, "");
  try {
    GpuProgram program = read_record(read_file(lines.record), lines.run);
    add_end(lines, program);
    add_verdict(lines, program);
    program.failed_beside_its_cases = has_failed_beside_its_cases(program);
    return program;
  } catch (const std::exception& error) {
    return program_without_record(lines, fmt::format("{}: {}", lines.record, error.what()));
  }
}

GpuProgram program_of(const Lines& lines, const ReadFile& read_file) {
  GpuProgram program = program_with_record(lines, read_file);
  program.name = lines.name;
  program.fails_unseen =
      has_failed(program) && lines.not_started.empty() && lines.status == CtestStatus::passed;
  return program;
}

/// Returns "cu130-sm90/gemm: Shapes.Big", "cu130-sm90/gemm: foreign-runtime".
std::string failure_name(const GpuProgram& program, const GpuCase& one) {
  if (one.name.empty()) return program.name + ": " + program.code;
  return program.name + ": " + one.name + (one.ended_the_run ? ", " + program.code : "");
}

void count_skip(const std::string& reason, Skips& skips) {
  if (skips.count++ == 0) skips.example = reason;
}

void count_failure(const GpuProgram& program, const std::string& name, GpuRuns& runs) {
  if (program.fake) {
    runs.fake_failed.push_back(name);
    return;
  }
  if (!program.gpu.empty()) ++runs.ran;
  runs.failed.push_back(name);
}

void count_case(const GpuProgram& program, const GpuCase& one, GpuRuns& runs) {
  if (one.outcome == "skipped") {
    const bool by_the_test = !one.name.empty() && !program.gpu.empty();
    count_skip(one.reason, runs.skips[by_the_test ? "by the test" : program.skip_code]);
  } else if (one.outcome == "not-run") {
    count_skip(one.reason, runs.not_run);
  } else if (one.outcome == "empty") {
    ++runs.empty;
  } else {
    if (program.fake) ++runs.fake;
    if (has_failed(one)) {
      count_failure(program, failure_name(program, one), runs);
    } else if (!program.fake && !program.gpu.empty()) {
      ++runs.ran;
      ++runs.passed;
    }
  }
}

void count(const GpuProgram& program, GpuRuns& runs) {
  if (program.code == "no-match") count_skip(program.message, runs.no_match);
  const auto before = runs.ran;
  for (const GpuCase& one : program.cases) count_case(program, one, runs);
  if (program.failed_beside_its_cases) {
    count_failure(program, program.name + ": " + program.code, runs);
  }
  if (runs.ran > before) runs.gpus.insert(program.gpu);
}

/// Reports whether a test audits cells: "cu130-fat/AUDIT/sm90", "PROMISES".
bool audits_cells(std::string_view name, bool of_cell) {
  if (!of_cell) return name == "PROMISES";
  const auto rest = name.substr(name.find('/') + 1);
  return rest.substr(0, rest.find('/')) == "AUDIT";
}

/// Reports whether a test is "cu130-sm90/BUILT".
bool is_build(std::string_view name, bool of_cell) {
  return of_cell && name.substr(name.find('/') + 1) == "BUILT";
}

/// Returns "(a; b; c; and 4 more)".
std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 3;
  const std::vector<std::string> shown(names.begin(),
                                       names.begin() + std::min(kShown, names.size()));
  const auto more = names.size() - shown.size();
  return fmt::format("({}{})", fmt::join(shown, "; "),
                     more == 0 ? "" : fmt::format("; and {} more", more));
}

}  // namespace

GpuRuns read_gpu_runs(std::istream& log, const TreeTests& tree, const ReadFile& read_file) {
  GpuRuns runs;
  for (const Lines& lines : LogReader().read(log)) {
    const auto cell = lines.name.substr(0, lines.name.find('/'));
    const bool of_cell = tree.cells.count(cell) > 0;
    ++runs.tests;
    if (of_cell) runs.cells.insert(cell);
    const bool audits = audits_cells(lines.name, of_cell);
    if (audits) ++runs.audits;
    const bool judges = audits || is_build(lines.name, of_cell);
    if (judges && lines.status == CtestStatus::failed) ++runs.broken;
    if (!of_cell || !(lines.has_words() || tree.gpu_tests.count(lines.name) > 0)) continue;
    runs.programs.push_back(program_of(lines, read_file));
    count(runs.programs.back(), runs);
  }
  return runs;
}

GpuProgram read_gpu_record(const Json& record) {
  auto program = read_record(record, "");
  program.name = record.value("test", "");
  if (program.name.empty()) {
    const auto started = record.at("program").get<std::string>();
    program.name = started.substr(started.find_last_of("/\\") + 1);
  }
  const bool was_ended = program.outcome == "crashed" || program.outcome == "timed-out";
  for (GpuCase& one : program.cases) {
    one.ended_the_run = one.ended_the_run || (was_ended && one.outcome == "failed");
  }
  program.failed_beside_its_cases = has_failed_beside_its_cases(program);
  return program;
}

std::string gpu_runs_text(const GpuRuns& runs) {
  if (runs.programs.empty()) return {};
  std::string text = "GPU tests: ";
  text += runs.ran == 0 ? "none ran" : fmt::format("{} passed", runs.passed);
  if (!runs.failed.empty()) {
    text += fmt::format(", {} failed {}", runs.failed.size(), some_of(runs.failed));
  }
  if (runs.not_run.count > 0) {
    text += fmt::format(", {} not run ({})", runs.not_run.count, runs.not_run.example);
  }
  if (!runs.gpus.empty()) text += fmt::format(" on {}", fmt::join(runs.gpus, "; "));
  if (runs.fake > 0 || !runs.fake_failed.empty()) {
    text += fmt::format("; {} on a fake GPU, which ran no kernel", runs.fake);
    if (!runs.fake_failed.empty()) {
      text += fmt::format(", {} failed {}", runs.fake_failed.size(), some_of(runs.fake_failed));
    }
  }
  if (runs.empty > 0) text += fmt::format("; {} empty: launched no kernel", runs.empty);
  for (const auto& [code, skips] : runs.skips) {
    text += fmt::format("; {} skipped ({}): {}", skips.count, code, skips.example);
  }
  if (runs.no_match.count > 0) {
    text += fmt::format("; {} {} left out: {}", runs.no_match.count,
                        runs.no_match.count == 1 ? "program" : "programs", runs.no_match.example);
  }
  return text;
}

void gpu_runs_json(const GpuRuns& runs, const Sink& sink) {
  sink("{\"schema\": \"archgrid.gpu-runs/1\", \"runs\": [");
  bool is_first = true;
  for (const GpuProgram& program : runs.programs) {
    if (program.record.empty()) continue;
    Json json = {{"test", program.name}};
    json.update(Json::parse(program.record));
    json["outcome"] = program.outcome;
    if (!program.code.empty()) json["code"] = program.code;
    if (!program.message.empty()) json["message"] = program.message;
    sink((std::exchange(is_first, false) ? "\n" : ",\n") + dump(json));
  }
  sink("\n]}\n");
}

}  // namespace archgrid::report
