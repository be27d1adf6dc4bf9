// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <archgrid/evidence/evidence_table.hpp>
#include <archgrid/evidence/run_records.hpp>
#include <archgrid/promises/gpus.hpp>
#include <archgrid/report/evidence.hpp>
#include <archgrid/system/terminal.hpp>
#include <archgrid/words/phrase.hpp>
#include <filesystem>
#include <set>

#include "commands/commands.hpp"
#include "inputs.hpp"
#include "options.hpp"
#include "outputs.hpp"
#include "progress.hpp"

namespace archgrid::cli {
namespace {

constexpr const char* kDefaultFile = "evidence.jsonl";

constexpr const char* kAddExamples = R"(Examples:
  archgrid evidence add build/matrix/Testing/gpu-tests.json
      what the last ctest run of a matrix tree executed, into evidence.jsonl
  archgrid evidence add runs/*.json --binaries cells --commit "$GITHUB_SHA"
      runs of several machines, compared with the cells that they tested

A record counts if it is of a GPU, and if the binaries contain the code that it names. Keep the file
in git, with this line in .gitattributes, so that lines of two branches stay: *.jsonl merge=union

Exit codes: 0 added, or known already; 1 no run executed a kernel on a GPU; 2 usage, or a file that
is no record of these binaries (the evidence file is then unchanged).)";

constexpr const char* kShowExamples = R"(Examples:
  archgrid evidence show libx.so
      on which GPUs the code of its kernels was executed as it is now
  archgrid evidence show build/tests --matrix matrices/default.json --toolkit 13.0
      for every GPU that the matrix file promises for CUDA 13.0
  archgrid evidence show libx.so --gpu H100,A100 --require
      fails unless all of it was executed as it is

Exit codes: 0 shown; 1 with --require: some code was not executed as it is; 2 usage, or an input
that could not be read.)";

struct AddOptions {
  std::vector<std::string> runs;
  std::vector<std::string> binaries;
  std::string file = kDefaultFile;
  std::string commit;
};

struct ShowOptions {
  std::vector<std::string> files;
  std::string file = kDefaultFile;
  std::vector<std::string> gpus;
  std::string matrix;
  std::string toolkit;
  std::string driver;
  std::string json;  ///< destination; "-": standard output
  bool all = false;
  bool require = false;
};

/// Returns the binaries to compare records with: the named ones, or the programs that ran.
std::vector<std::string> binaries_of(const AddOptions& options,
                                     const std::vector<evidence::RunRecords>& all) {
  if (!options.binaries.empty()) return options.binaries;
  std::set<std::string> programs;
  for (const auto& records : all) {
    for (const auto& program : records.programs) {
      std::error_code error;
      if (!std::filesystem::exists(program, error)) {
        throw UsageError(
            fmt::format("{}, which ran, is not here\n  fix: name the files or the folder with the "
                        "programs: --binaries DIR",
                        program));
      }
      programs.insert(program);
    }
  }
  return {programs.begin(), programs.end()};
}

/// Returns "2 runs found no GPU, 1 was on the fake runtime, which executes nothing".
std::string left_out(const evidence::RunRecords& records) {
  std::vector<std::string> reasons;
  const auto add = [&](std::size_t count, const char* what) {
    if (count > 0) reasons.push_back(fmt::format("{} {}", report::count_text(count, "run"), what));
  };
  add(records.without_gpu, "without a GPU");
  add(records.fake, "on a fake CUDA runtime, which executes nothing");
  add(records.broken, "that crashed, or failed otherwise than by a test");
  add(records.without_kernel,
      "without a kernel that a passed test launched and whose code is known");
  return report::enumerated(reasons);
}

void add_counts(const evidence::RunRecords& from, evidence::RunRecords& to) {
  to.runs += from.runs;
  to.without_gpu += from.without_gpu;
  to.fake += from.fake;
  to.broken += from.broken;
  to.without_kernel += from.without_kernel;
}

void write(const std::string& path, const evidence::Evidence& evidence) {
  Output output(path);
  output.write(evidence.text());
  output.finish();
}

int run_add(const AddOptions& options) {
  auto evidence = evidence::Evidence::read(options.file);
  std::vector<evidence::RunRecords> all;
  evidence::RunRecords total;
  std::size_t executions = 0;
  for (const auto& path : options.runs) {
    all.push_back(evidence::read_run_records(path));
    executions += all.back().executions.size();
    add_counts(all.back(), total);
  }
  if (const auto reasons = left_out(total); !reasons.empty()) {
    print(stdout, report::wrapped("left out: " + reasons, "", columns_of(system::kStandardOutput)));
  }
  if (executions == 0) {
    print(stdout, fmt::format("no evidence: none of {} executed a kernel on a GPU\n",
                              report::count_text(total.runs, "run")));
    return kFindings;
  }
  std::set<coverage::ComputeCapability> devices;
  for (const auto& records : all) {
    for (const auto& execution : records.executions) devices.insert(execution.run.device);
  }
  const auto code =
      evidence::code_in(read_inputs(binaries_of(options, all), reading_with_identities()), devices);
  for (std::size_t at = 0; at < all.size(); ++at) {
    evidence::expect_known(all[at], code, options.runs[at]);
  }
  std::size_t fresh = 0;
  for (auto& records : all) {
    for (const auto& program : records.failed) evidence.remove(program);
    for (auto& program : records.passed) {
      program.run.commit = options.commit;
      evidence.add(std::move(program));
    }
    for (auto& execution : records.executions) {
      execution.run.commit = options.commit;
      fresh += evidence.add(std::move(execution)) == evidence::Evidence::Added::fresh ? 1 : 0;
    }
  }
  write(options.file, evidence);
  print(stdout, fmt::format("{}: {} of code on {}, {} new\n", options.file,
                            report::count_text(executions, "execution"),
                            coverage::list_devices(devices), fresh));
  return kHolds;
}

/// Returns the promises of --matrix; none without it.
std::vector<coverage::Promise> promises_of(const ShowOptions& options) {
  if (options.matrix.empty()) return {};
  const auto matrix = coverage::read_matrix(options.matrix);
  const auto toolkit = parse_toolkit(options.toolkit);
  return toolkit ? coverage::promises_for(matrix, *toolkit) : matrix.promises;
}

std::vector<coverage::ComputeCapability> devices_of(const ShowOptions& options,
                                                    const evidence::EvidenceRequest& request,
                                                    const evidence::Evidence& evidence) {
  std::set<coverage::ComputeCapability> devices;
  for (const auto device : promises::read_gpus(options.gpus)) devices.insert(device);
  if (devices.empty()) {
    for (const auto& promise : request.promises) {
      devices.insert(promise.devices.begin(), promise.devices.end());
    }
  }
  if (devices.empty()) {
    const auto of_file = evidence.devices();
    devices.insert(of_file.begin(), of_file.end());
  }
  return {devices.begin(), devices.end()};
}

int run_show(const ShowOptions& options) {
  auto documents = json_document(options.json, options.files);
  std::error_code error;
  if (!std::filesystem::exists(options.file, error)) {
    throw UsageError(
        fmt::format("{} does not exist\n  fix: archgrid evidence add RUN.json writes it, or name "
                    "another: --evidence FILE",
                    options.file));
  }
  const auto evidence = evidence::Evidence::read(options.file);
  evidence::EvidenceRequest request;
  request.promises = promises_of(options);
  request.driver = parse_driver(options.driver);
  request.devices = devices_of(options, request, evidence);
  const auto files = read_inputs(options.files, reading_with_identities());
  report::EvidenceReport report;
  report.file = options.file;
  report.devices = request.devices;
  report.kernels = evidence::evidence_for(files, request, evidence);
  report.all = options.all;
  if (report.devices.empty()) {
    throw UsageError(
        fmt::format("{} has no run, and no GPU is named\n  fix: --gpu or --matrix", options.file));
  }
  if (report.kernels.empty()) throw UsageError("no kernel was found in the files");
  if (documents.on_standard_output() == nullptr) {
    print(stdout, report::evidence_text(report, report::style_for(system::kStandardOutput),
                                        columns_of(system::kStandardOutput)));
  }
  const bool written = documents.write(
      "--json", [&](const report::Sink& sink) { sink(report::evidence_json(report)); });
  const bool is_read = std::all_of(files.begin(), files.end(),
                                   [](const fatbin::File& file) { return file.errors.empty(); });
  for (const auto& file : files) {
    for (const auto& problem : file.errors) {
      print(stderr, error_lines(coverage::error_text(file.path, problem)));
    }
  }
  if (!written || !is_read) return kTrouble;
  return options.require && !report::is_whole(report) ? kFindings : kHolds;
}

CLI::Option* add_evidence_file(CLI::App& command, std::string& file) {
  return command.add_option("--evidence", file, "The evidence file (evidence.jsonl)")
      ->option_text("FILE");
}

void add_add(CLI::App& evidence, Run& run) {
  auto* command = evidence.add_subcommand("add", "Add what runs of GPU tests executed");
  auto& options = options_of(*command, run, run_add);
  command->footer(kAddExamples);
  command
      ->add_option("RUN", options.runs,
                   "Records of GPU tests: Testing/gpu-tests.json, or of --archgrid_json=FILE")
      ->required();
  add_values(
      *command, "--binaries", options.binaries,
      "The programs that ran, or folders and archives with them (those that the records name)",
      "FILE");
  add_evidence_file(*command, options.file);
  command->add_option("--commit", options.commit, "Commit of the sources that ran")
      ->option_text("HASH");
}

void add_show(CLI::App& evidence, Run& run) {
  auto* command = evidence.add_subcommand("show", "Show which code ran on which GPU");
  auto& options = options_of(*command, run, run_show);
  command->footer(kShowExamples);
  command->add_option("FILE", options.files, "Files, folders or archives with kernels")->required();
  add_evidence_file(*command, options.file);
  add_gpus(*command, options.gpus, "Only these GPUs (those promised, else those of the evidence)");
  add_matrix_file(*command, options.matrix);
  add_toolkit(*command, options.toolkit, "The toolkit whose promises count");
  add_driver(*command, options.driver, "Judge PTX for this driver");
  command->add_flag("--all", options.all, "Every kernel a row");
  command->add_flag("--require", options.require, "Fail unless all code was executed as it is");
  add_json(*command, options.json, "archgrid.evidence-table/1");
  add_color(*command);
}

}  // namespace

void add_evidence(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("evidence", "Keep and show which code ran on which GPU");
  command->require_subcommand(1);
  add_add(*command, run);
  add_show(*command, run);
}

}  // namespace archgrid::cli
