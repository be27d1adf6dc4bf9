// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "audit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <archgrid/cell/tree_audit.hpp>
#include <archgrid/promises/command_line.hpp>
#include <archgrid/promises/gpus.hpp>
#include <archgrid/promises/project_promise.hpp>
#include <archgrid/promises/spelling.hpp>
#include <archgrid/report.hpp>
#include <filesystem>
#include <set>
#include <utility>

#include "audit_outputs.hpp"
#include "commands/commands.hpp"
#include "host_guard.hpp"
#include "inputs.hpp"
#include "kept.hpp"
#include "modules.hpp"
#include "options.hpp"
#include "pypi.hpp"
#include "release_history.hpp"

namespace archgrid::cli {
namespace {

using coverage::Request;
using report::AuditReport;

constexpr const char* kAuditExamples = R"(Examples:
  archgrid audit some.whl
      what in a package does not run where the package runs
  archgrid audit some.whl build/lib --gpu H100,A100
      whether it runs there, everything in a wheel and a folder
  archgrid audit pypi:torch==2.6.0 --gpu "RTX 5090"
      the same of a wheel that pip downloads
  archgrid audit pypi:torch --gpu "GTX 1080" --history
      the last release that runs there, or the first
  archgrid audit libx.so --gpu 8.0,9.0 --accept native
      whether every kernel keeps this promise
  archgrid audit libx.so --matrix matrices/default.json --toolkit 13.0
      every kernel for every GPU that the matrix file promises for CUDA 13.0
  archgrid audit --tree build/matrix
      every cell that was built there
  archgrid audit some-1.1.whl --baseline some-1.0.json
      only what is new since: archgrid audit some-1.0.whl --json=some-1.0.json
  archgrid audit libx.so --html audit.html --json=audit.json
      the table here, and what programs and people read in files; FILE may be - for standard output

Exit codes: 0 no errors; 1 errors (on standard output); 2 usage, or an input that could not be read
(on standard error; the other inputs are audited all the same).)";

struct AuditOptions {
  std::vector<std::string> files;
  std::vector<std::string> patterns;  ///< of more files
  std::string matrix;
  std::string tree;
  std::string toolkit;
  std::string arch;
  std::string cell;
  std::string target;
  std::string audited_target;
  std::string ignored_in;  ///< the file with the IGNOREs of archgrid_audit()
  std::string driver;
  std::vector<std::string> devices;
  std::vector<std::string> accept;
  AuditOutputOptions output;
  std::vector<std::string> ignores;  ///< "[CODE:]PATTERN[@GPU,...]=REASON"
  std::string baseline;              ///< an earlier audit's JSON
  bool strict = false;
  bool allow_unused_ignores = false;
  bool every_byte = false;
  bool history = false;
  std::optional<std::set<std::string>> due;  ///< no option: see cell::TreeRequest
};

/// Returns CMake's spelling; empty if the text is empty.
std::string checked_arch(const std::string& text) {
  if (text.empty()) return {};
  if (const auto spelled = promises::read_known_arch(text)) return spelled->text();
  throw UsageError(
      fmt::format("--arch: \"{}\" is no architecture: write it as 90, 90a, 90-real (sm_90) or "
                  "120-virtual (compute_120)",
                  text));
}

/// Returns the cell of --cell if the matrix file is the copy in a build tree: commands that ctest
/// runs in a cell name the cell's files and that copy.
std::optional<cell::BuiltCell> cell_of_tree(const AuditOptions& options) {
  if (options.cell.empty() || options.matrix.empty()) return std::nullopt;
  return cell::find_cell(std::filesystem::path(options.matrix).parent_path(), options.cell);
}

std::optional<coverage::Baseline> read_baseline(const AuditOptions& options) {
  if (options.baseline.empty()) return std::nullopt;
  try {
    return coverage::read_baseline(options.baseline);
  } catch (const coverage::BaselineError& error) {
    throw UsageError(fmt::format("--baseline: {}", error.what()));
  }
}

Request request_of(const AuditOptions& options, const std::optional<cell::BuiltCell>& cell,
                   const promises::ProjectPromise& project) {
  Request request;
  request.toolkit = parse_toolkit(options.toolkit);
  request.driver = parse_driver(options.driver);
  request.arch = checked_arch(options.arch);
  request.cell = options.cell;
  request.target = options.target;
  request.audited = options.audited_target;
  if (!options.target.empty() || !options.audited_target.empty()) {
    request.options = coverage::Options::cmake;
  }
  for (const auto& text : options.ignores) {
    request.ignores.push_back(promises::read_ignore(text, options.ignored_in));
  }
  request.baseline = read_baseline(options);
  request.strict = options.strict;
  if (!options.cell.empty()) {
    request.options = coverage::Options::cmake;
    if (cell) cell::adapt_fixes(*cell, request);
  }
  promises::set_promise({options.devices, options.accept, options.matrix}, project, request);
  return request;
}

/// Detects `--json out.json`, which means --json and a FILE, before JSON fills the screen.
void expect_no_output(const std::vector<std::string>& files, const std::string& json) {
  constexpr const char* kStandardOutput = "-";
  if (json != kStandardOutput) return;
  for (const auto& file : files) {
    if (file == kStandardOutput) {
      throw UsageError("--json writes to standard output as it is: leave out the -");
    }
    if (std::filesystem::path(file).extension() == ".json") {
      throw UsageError(fmt::format("{0} holds no device code: to write there, --json={0}", file));
    }
  }
}

/// Names the wheels whose version pip chose.
void note_chosen_wheels(const std::vector<std::string>& inputs, coverage::Audit& audit) {
  for (const auto& input : std::set<std::string>(inputs.begin(), inputs.end())) {
    if (!has_open_version(input)) continue;
    for (const auto& wheel : wheels_of(input)) {
      audit.notes.push_back(
          {.code = "chosen-wheel", .facts = {{"package", input}, {"wheel", wheel}}});
    }
  }
}

/// Drops findings that the options allow.
void drop_allowed(const AuditOptions& options, std::vector<coverage::Finding>& findings) {
  if (!options.allow_unused_ignores) return;
  std::erase_if(findings, [](const auto& finding) { return finding.code == "unused-ignore"; });
}

/// Returns the detail to read for an audit.
fatbin::ReadOptions reading_of(const AuditOptions& options, const fatbin::ReadOptions& needed) {
  return options.every_byte ? fatbin::ReadOptions(fatbin::Detail::everything) : needed;
}

/// Detects the file of a target of archgrid_audit() that no build has made. Files that a call names
/// (FILES) may have any origin.
void expect_built(const AuditOptions& options) {
  const auto& target = options.audited_target;
  if (target.empty() || target.find(' ') != std::string::npos) return;
  for (const auto& file : options.files) {
    std::error_code error;
    if (std::filesystem::exists(file, error)) continue;
    throw UsageError(
        fmt::format("{} is not built yet: {} does not exist\n"
                    "  fix: cmake --build . --target {} in the build tree (or build what it is "
                    "imported from)",
                    target, file, target));
  }
}

AuditReport audit_files(const AuditOptions& options, const promises::ProjectPromise& project) {
  // A cell without files is a finding of its audit, not an error of the user.
  if (options.files.empty() && options.cell.empty()) {
    throw UsageError("audit: name a FILE, or a build tree (--tree DIR)");
  }
  expect_no_output(options.files, options.output.json);
  expect_built(options);
  const auto cell = cell_of_tree(options);
  auto request = request_of(options, cell, project);
  promises::expect_promised(request);
  auto* const claims = request.accept_without_promise ? &request.claims : nullptr;
  HostFiles host_files;
  if (request.accept_without_promise) request.host_check = host_files.guard();
  auto inputs = read_inputs(options.files, reading_of(options, coverage::reading_for(request)),
                            claims, request.host_check ? &host_files : nullptr);
  promises::expect_in_wheels(project, inputs);
  if (cell) cell::drop_unaudited(*cell, inputs);
  AuditReport report;
  report.arch = request.arch;
  report.without_promise = request.accept_without_promise.has_value();
  if (!report.without_promise) report.place = request.place;
  report.audited = request.audited;
  report.asked = promises::names_of_gpus(options.devices);
  report.audits.push_back(coverage::audit(std::move(inputs), request));
  if (request.baseline) report::ignore_known(*request.baseline, report.audits[0]);
  coverage::note_without_code(options.files, report.audits[0]);
  note_chosen_wheels(options.files, report.audits[0]);
  if (cell) cell::mark_leftovers(*cell, report.audits[0]);
  auto& notes = report.audits[0].notes;
  notes.insert(notes.end(), project.notes.begin(), project.notes.end());
  const auto& files = report.audits[0].files;
  const bool read = std::any_of(files.begin(), files.end(),
                                [](const auto& audited) { return !audited.rows.empty(); });
  if (read && options.devices.empty() && request.accept_without_promise) {
    report.audits[0].notes.push_back({.code = "like-other-kernels"});
  }
  report.findings = coverage::unused_in(report.audits, request);
  drop_allowed(options, report.findings);
  return report;
}

AuditReport audit_tree(const AuditOptions& options) {
  if (!options.files.empty()) {
    throw UsageError("--tree: the tree says what to audit: leave out FILE and --match");
  }
  if (!options.ignores.empty()) {
    throw UsageError("--ignore: for a tree, write it into the \"ignore\" of its matrix file");
  }
  const auto tree = cell::read_tree(options.tree);
  const auto matrix = coverage::read_matrix(tree.matrix);
  cell::TreeRequest request;
  request.cell = options.cell;
  request.devices = promises::read_gpus(options.devices);
  request.driver = parse_driver(options.driver);
  request.baseline = read_baseline(options);
  request.strict = options.strict;
  request.due = options.due;
  request.read = [&options](const auto& paths, const auto& reading) {
    return read_inputs(paths, reading_of(options, reading));
  };
  auto audit = cell::audit_tree(tree, matrix, request);
  drop_allowed(options, audit.findings);
  AuditReport report;
  report.by_cell = true;
  report.place = coverage::PromisePlace::matrix_file;
  report.all_command =
      fmt::format("{} audit --tree {} --all", own_command(), quoted_for_shell(options.tree));
  report.audits = std::move(audit.audits);
  report.findings = std::move(audit.findings);
  report.beside_fat = std::move(audit.beside_fat);
  for (auto& each : report.audits) {
    if (request.baseline) report::ignore_known(*request.baseline, each);
  }
  return report;
}

/// Returns the files that an audit reads, as specified.
std::vector<std::string> inputs_of(const AuditOptions& options) {
  auto inputs = options.files;
  if (!options.matrix.empty()) inputs.push_back(options.matrix);
  if (!options.baseline.empty()) inputs.push_back(options.baseline);
  if (options.tree.empty()) return inputs;
  for (const auto* name : {"plan.json", "matrix.json"}) {
    inputs.push_back((std::filesystem::path(options.tree) / name).string());
  }
  return inputs;
}

/// Audits releases of a package for the GPUs.
int audit_history(const AuditOptions& options) {
  if (options.files.size() != 1) {
    throw UsageError(
        "--history: it is about one package: archgrid audit pypi:torch --gpu 12.0 --history");
  }
  const auto audit_input = [&options](const std::string& release) {
    auto of_one = options;
    of_one.files = {release};
    return std::move(audit_files(of_one, {}).audits.front());
  };
  return run_history(
      {options.files.front(), options.devices, parse_driver(options.driver), options.output.json},
      audit_input);
}

int run_audit(const AuditOptions& given) {
  auto options = given;
  if (options.history) return audit_history(options);
  for (const auto& pattern : given.patterns) {
    const auto matches = match_paths(pattern);
    options.files.insert(options.files.end(), matches.begin(), matches.end());
  }
  expect_no_values(options.files, options.devices, options.accept);
  // Outputs must not overwrite the files of the promise.
  const bool is_tree = !options.tree.empty();
  const auto project = is_tree ? promises::ProjectPromise()
                               : promises::find_project_promise(
                                     {options.files, options.matrix, !options.devices.empty()});
  auto inputs = inputs_of(options);
  inputs.insert(inputs.end(), project.inputs.begin(), project.inputs.end());
  AuditOutputs outputs(options.output, inputs);
  const auto& report =
      kept<AuditReport>(is_tree ? audit_tree(options) : audit_files(options, project));
  const auto& view = kept<report::View>(report);
  const bool written = outputs.write(view);
  if (!written || !view.errors.empty()) return kTrouble;
  return view.outcome == report::Outcome::holds ? kHolds : kFindings;
}

}  // namespace

void add_audit(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand(
      "audit", "Find what does not run on the GPUs that a package serves, without a GPU");
  auto& options = options_of(*command, run, run_audit);
  command->footer(kAuditExamples);
  command->add_option("FILE", options.files,
                      "What holds device code: executables, libraries, objects, .cubin, .fatbin, "
                      ".ptx, wheels, packages, other archives, or folders; pypi:NAME or "
                      "pypi:NAME==VERSION downloads a wheel by pip");
  command
      ->add_option("--match", options.patterns,
                   "More FILEs, by a pattern of the shell (*, ?, [...]) that the shell has not "
                   "expanded; one without a match is an error; may be repeated")
      ->option_text("PATTERN")
      ->allow_extra_args(false);
  add_matrix_file(*command, options.matrix,
                  ", or pyproject.toml with [tool.archgrid]; a wheel's own is found beside the "
                  "wheel, and in the folder above");
  auto* tree = command
                   ->add_option("--tree", options.tree,
                                "Build tree of a matrix: audit every cell its plan names")
                   ->option_text("FOLDER");
  add_toolkit(*command, options.toolkit,
              "CUDA toolkit that built the files, as 13.0: one that the matrix file lists");
  command
      ->add_option(
          "--ignore", options.ignores,
          "Ignore the kernels that match PATTERN (* and ?), for a reason; with CODE only errors "
          "with that code, also by the name of the file, and with @7.5,8.0 only on these GPUs; may "
          "be repeated")
      ->option_text("[CODE:]PATTERN[@GPU]=REASON")
      ->allow_extra_args(false);
  command
      ->add_option("--baseline", options.baseline,
                   "Report only findings that FILE lacks, which an earlier --json=FILE wrote")
      ->option_text("FILE");
  auto* history =
      command->add_flag("--history", options.history,
                        "With pypi:NAME and --gpu: which releases of the package run there");
  command->add_flag("--strict", options.strict, "Suspects are errors, too");
  command->add_flag("--allow-unused-ignores", options.allow_unused_ignores,
                    "Allow ignores of the matrix file that match no kernel: they are for files "
                    "that are audited elsewhere");
  command->add_flag("--every-byte", options.every_byte,
                    "Decompress what no verdict depends on, too, so that damage there is an error");
  add_gpus(*command, options.devices, "Only these GPUs, as H100, 9.0 or sm_90: does it run there?");
  add_accept(*command, options.accept);
  auto* arch =
      command->add_option("--arch", options.arch,
                          "Only the devices that this arch serves, as 90a, sm_90a or 120-virtual");
  complete_by(arch->option_text("ARCH"), arch_names());
  command
      ->add_option("--cell", options.cell,
                   "Cell that findings name; with --tree, the only one to audit")
      ->option_text("CELL");
  command
      ->add_option("--target", options.target,
                   "CMake target that compiles the files: fixes name it")
      ->option_text("TARGET");
  command
      ->add_option("--audited-target", options.audited_target,
                   "First arguments of a call of archgrid_audit(): fixes and ignores are for CMake")
      ->option_text("TARGET");
  command
      ->add_option("--ignored-in", options.ignored_in,
                   "File with that call, whose IGNORE the ignores are: errors about them name it")
      ->option_text("FILE");
  add_driver(*command, options.driver, "Oldest driver that must do, for machine code and PTX");
  add_outputs(*command, options.output);
  refuse_excluded(*command,
                  {{history, {"FILE", "--gpu", "--driver", "--json", "--color"}},
                   {tree,
                    {"FILE", "--match", "--cell", "--gpu", "--driver", "--ignore", "--baseline",
                     "--strict", "--every-byte", "--allow-unused-ignores", "Output"}}});
}

int audit_built_tree(const std::string& root, const std::string& gpu, std::set<std::string> due) {
  AuditOptions options;
  options.due = std::move(due);
  options.tree = root;
  if (!gpu.empty()) options.devices = {gpu};
  return run_audit(options);
}

}  // namespace archgrid::cli
