// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <archgrid/evidence/needed_runs.hpp>
#include <archgrid/jobs.hpp>
#include <archgrid/report.hpp>
#include <archgrid/system/programs.hpp>
#include <archgrid/system/terminal.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "commands/commands.hpp"
#include "inputs.hpp"
#include "modules.hpp"
#include "options.hpp"
#include "outputs.hpp"
#include "progress.hpp"

namespace archgrid::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMatrixExamples = R"(Examples:
  archgrid matrix matrices/quick.json
  archgrid matrix matrices/default.json --json    the plan, archgrid.plan/1
  archgrid matrix matrices/default.json --build-jobs 8 --times build/matrix/cells
                                                  its cells in 8 jobs of a CI system, of equal
                                                  length as far as an earlier build shows
  archgrid matrix matrices/default.json --needed evidence.jsonl
                                                  of the GPU jobs those whose code has not passed
                                                  its tests on their GPU, and why

The expansion is done by CMake with archgrid's modules: beside the installed command, where it was
built from, or where the environment variable ARCHGRID_MODULES says.)";

struct MatrixOptions {
  std::string file;
  std::string json;                   ///< destination; "-": standard output
  std::size_t build_jobs = 0;         ///< 0: show the plan itself
  std::vector<std::string> times;     ///< archgrid.cell/1 files, and folders of them
  std::string needed;                 ///< an evidence file: only GPU jobs that lack evidence
  std::string tree = "build/matrix";  ///< the build tree with the code, for `needed`
  bool no_tests = false;
  bool github = false;
};

bool starts_with(const std::string& text, const std::string& start) {
  return text.rfind(start, 0) == 0;
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

constexpr const char* kError = "CMake Error at ";
constexpr const char* kWarning = "CMake Warning at ";

/// Returns the message without its place in CMake code. Returns an empty string unless `errors` is
/// exactly one message() of the kind with indented lines, like those about matrix files.
std::string message_of(const std::string& errors, const std::string& kind) {
  std::istringstream stream(errors);
  std::string line;
  std::getline(stream, line);
  if (!starts_with(line, kind) || !ends_with(line, "(message):")) return {};
  std::string message;
  while (std::getline(stream, line) && line != "Call Stack (most recent call first):") {
    if (line.find_first_not_of(' ') == std::string::npos) continue;
    if (!starts_with(line, "    ")) return {};
    message += message.empty() ? line.substr(4) : '\n' + line.substr(2);
  }
  while (std::getline(stream, line)) {
    if (!line.empty() && !starts_with(line, "  ")) return {};
  }
  return message;
}

/// Prints what CMake wrote beside the plan: the warnings about a matrix file without their places.
void print_warnings(const std::string& errors) {
  for (std::size_t begin = 0; begin < errors.size();) {
    const auto next = errors.find(std::string("\n") + kWarning, begin);
    const auto end = next == std::string::npos ? errors.size() : next + 1;
    const auto part = errors.substr(begin, end - begin);
    const auto message = message_of(part, kWarning);
    print(stderr, message.empty() ? part : error_lines("warning: " + message));
    begin = end;
  }
}

/// Returns the standard output of CMake.
std::string expand(const std::string& matrix) {
  const auto script = find_modules("matrix") / "archgrid" / "expand.cmake";
  const auto outcome =
      system::capture({"cmake", "-DMATRIX=" + matrix, "-DWARN=ON", "-P", script.string()});
  const auto message = outcome.good ? std::string() : message_of(outcome.errors, kError);
  if (!message.empty()) throw UsageError(message);
  print_warnings(outcome.errors);
  if (!outcome.good) throw UsageError("the matrix file could not be expanded (see above)");
  return outcome.output;
}

void add_times(const fs::path& file, jobs::Times& times) {
  std::ifstream stream(file);
  const std::string text((std::istreambuf_iterator<char>(stream)), {});
  if (!stream) throw UsageError(fmt::format("--times: cannot read {}", file.string()));
  try {
    jobs::add_time(text, times);
  } catch (const std::runtime_error& error) {
    throw UsageError(fmt::format("--times: {} is {}: name the folder cells of a build tree",
                                 file.string(), error.what()));
  }
}

jobs::Times read_times(const std::vector<std::string>& places) {
  jobs::Times times;
  for (const auto& place : places) {
    if (!fs::is_directory(place)) {
      add_times(place, times);
      continue;
    }
    for (const auto& entry : fs::directory_iterator(place)) {
      if (entry.path().extension() == ".json") add_times(entry.path(), times);
    }
  }
  return times;
}

/// Reports whether no GPU job is left because none is needed.
bool is_tested(const std::string& plan_text) {
  const auto plan = nlohmann::json::parse(plan_text);
  return plan.at("jobs").empty() && !plan.value("unneeded", nlohmann::json::array()).empty();
}

jobs::Jobs packed(const std::string& plan, const MatrixOptions& options) {
  try {
    return jobs::jobs_of(plan, read_times(options.times),
                         {options.build_jobs, !options.no_tests && !is_tested(plan)});
  } catch (const nlohmann::json::exception&) {
    throw UsageError(
        "the expansion is no archgrid.plan/1: are the CMake modules of this archgrid?");
  } catch (const std::runtime_error& error) {
    throw UsageError(fmt::format("{}: {}", options.file, error.what()));
  }
}

/// The built test programs of a tree, each read once.
class Programs {
 public:
  explicit Programs(std::string tree) : tree_(std::move(tree)) {}

  /// Returns why the test programs of a cell must run on a device, each with its program.
  std::vector<std::string> reasons(const std::string& cell, coverage::ComputeCapability device,
                                   const evidence::Evidence& evidence) {
    if (const auto problem = problem_of(cell); !problem.empty()) {
      return {fmt::format("{}: {}", cell, problem)};
    }
    std::vector<std::string> found;
    for (const auto& program : evidence::test_programs_in(fs::path(tree_) / "cells" / cell)) {
      const auto name = cell + '/' + program.name;
      const auto reason = why_needed(name, program, device, evidence);
      if (!reason.empty()) found.push_back(name + ": " + reason);
    }
    return found;
  }

 private:
  std::string why_needed(const std::string& name, const evidence::TestProgram& program,
                         coverage::ComputeCapability device, const evidence::Evidence& evidence) {
    if (program.path.empty()) return "it is not built";
    const auto [known, is_new] = files_.try_emplace(program.path);
    if (is_new) known->second = fatbin::read(program.path.string(), reading_with_identities());
    const auto& file = known->second;
    return file.errors.empty() ? evidence::why_needed(name, file, device, evidence)
                               : "it cannot be read";
  }

  /// Returns why the code of a cell is unknown.
  [[nodiscard]] std::string problem_of(const std::string& cell) const {
    const auto root = fs::path(tree_) / "cells";
    std::ifstream stream(root / (cell + ".json"));
    const std::string text((std::istreambuf_iterator<char>(stream)), {});
    const auto outcome = nlohmann::json::parse(text, nullptr, false);
    if (!outcome.is_object()) return "it is not built in " + tree_;
    if (outcome.value("status", "") != "built") return "its last build failed";
    if (evidence::test_programs_in(root / cell).empty()) return "it has no GPU test";
    return {};
  }

  std::string tree_;
  std::map<fs::path, fatbin::File> files_;
};

/// Keeps of a plan's GPU jobs those for which `--needed` lacks evidence, with the reasons.
std::string with_needed_jobs(const std::string& plan_text, const MatrixOptions& options) {
  if (!fs::exists(options.needed)) {
    throw UsageError(fmt::format(
        "--needed: {} does not exist\n  fix: archgrid evidence add RUN.json writes it; without "
        "it, all jobs are needed",
        options.needed));
  }
  const auto evidence = evidence::Evidence::read(options.needed);
  auto plan = nlohmann::ordered_json::parse(plan_text);
  auto needed = nlohmann::ordered_json::array();
  plan["unneeded"] = nlohmann::ordered_json::array();
  Programs programs(options.tree);
  for (auto& job : plan.at("jobs")) {
    const auto device = coverage::parse_device(job.at("device").get<std::string>());
    std::vector<std::string> reasons;
    for (const auto& cell : job.at("cells")) {
      auto more = programs.reasons(cell.get<std::string>(), device.value(), evidence);
      reasons.insert(reasons.end(), more.begin(), more.end());
    }
    if (reasons.empty()) {
      plan["unneeded"].push_back(job.at("name"));
      continue;
    }
    job["needed"] = reasons;
    needed.push_back(job);
  }
  plan["jobs"] = std::move(needed);
  return plan.dump(2) + '\n';
}

/// Writes `document` to its file, or `text` to standard output.
int show(Documents& documents, const std::string& document, const std::string& text) {
  if (documents.on_standard_output() == nullptr) print(stdout, text);
  const bool written = documents.write("--json", [&](const report::Sink& sink) { sink(document); });
  return written ? kHolds : kTrouble;
}

void check_options(const MatrixOptions& options) {
  if (options.build_jobs > 0) return;
  const char* given = !options.times.empty() ? "--times"
                      : options.no_tests     ? "--no-tests"
                      : options.github       ? "--github"
                                             : nullptr;
  if (given != nullptr) throw UsageError(fmt::format("{} needs --build-jobs N", given));
}

int run_matrix(const MatrixOptions& options) {
  check_options(options);
  auto documents = json_document(options.json, {options.file});
  auto plan = expand(options.file);
  if (!options.needed.empty()) plan = with_needed_jobs(plan, options);
  const auto style = report::style_for(system::kStandardOutput);
  if (options.build_jobs == 0) return show(documents, plan, report::plan_text(plan, style));
  const auto jobs = packed(plan, options);
  if (options.github) write_step_outputs(jobs::github_outputs(jobs));
  const auto document = jobs::jobs_json(jobs);
  report::TextStyle text_style;
  text_style.style = style;
  text_style.columns = columns_of(system::kStandardOutput);
  return show(documents, document, report::jobs_text(document, text_style));
}

}  // namespace

void add_matrix(CLI::App& app, Run& run) {
  auto* command =
      app.add_subcommand("matrix", "Show a matrix file's cells, jobs and what each needs");
  auto& options = options_of(*command, run, run_matrix);
  command->footer(kMatrixExamples);
  command->add_option("FILE", options.file, "Matrix file")->required();
  command
      ->add_option("--build-jobs", options.build_jobs,
                   "Pack the cells into at most N jobs of equal length, and show these")
      ->option_text("N")
      ->check(CLI::Range(std::size_t{1}, jobs::kMaxJobs));
  command
      ->add_option("--times", options.times,
                   "Take the times of an earlier build: its folder \"cells\", or files in it")
      ->option_text("PATH")
      ->check(CLI::ExistingPath);
  command
      ->add_option(
          "--needed", options.needed,
          "Of the GPU jobs those whose code has not passed its tests on their GPU, by this "
          "evidence file")
      ->option_text("FILE");
  command->add_option("--tree", options.tree, "The build tree with that code (build/matrix)")
      ->option_text("DIR");
  command->add_flag("--no-tests", options.no_tests, "Leave out the jobs on GPU runners");
  command->add_flag("--github", options.github,
                    "In GitHub Actions: write the step's outputs `build` and `test`, for "
                    "`strategy: matrix`");
  add_json(*command, options.json, "archgrid.plan/1, or archgrid.jobs/1 with --build-jobs,");
  add_color(*command);
}

}  // namespace archgrid::cli
