// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <archgrid/promises/gpus.hpp>
#include <archgrid/promises/lists.hpp>
#include <archgrid/promises/matrix.hpp>
#include <archgrid/promises/project_promise.hpp>
#include <archgrid/promises/spelling.hpp>
#include <archgrid/report.hpp>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "commands.hpp"
#include "gaps.hpp"
#include "host_guard.hpp"
#include "inputs.hpp"
#include "kept.hpp"
#include "options.hpp"
#include "outputs.hpp"
#include "siblings.hpp"
#include "tree.hpp"
#include "words.hpp"

namespace archgrid::cli {
namespace {

using coverage::Request;
using report::AuditReport;

/// Returns CMake's spelling; empty if the text is empty.
std::string checked_arch(const std::string& text) {
  if (text.empty()) return {};
  if (const auto spelled = promises::read_known_arch(text)) return spelled->text();
  throw UsageError(
      fmt::format("--arch: \"{}\" is no architecture: write it as 90, 90a, 90-real (sm_90) or "
                  "120-virtual (compute_120)",
                  text));
}

/// Adapts fixes to the build of the cell.
void advise(const BuiltCell& cell, Request& request) {
  request.options = cell.options;
  request.cell_archs = cell.archs;
  request.handmade = cell.handmade;
}

/// Returns the cell of --cell if the matrix file is the copy in a build tree: commands that ctest
/// runs in a cell name the cell's files and that copy.
std::optional<BuiltCell> cell_of_tree(const AuditOptions& options) {
  const auto root = std::filesystem::path(options.matrix).parent_path();
  std::error_code error;
  if (options.cell.empty() || options.matrix.empty()) return std::nullopt;
  if (!std::filesystem::exists(root / "plan.json", error)) return std::nullopt;
  try {
    for (auto& cell : read_tree(root).cells) {
      if (cell.id == options.cell) return std::move(cell);
    }
  } catch (const UsageError&) {
    // Then fixes are general, and all files are judged.
  }
  return std::nullopt;
}

/// The keyword of archgrid.cell/1 for a file that is audited although it may be older than its
/// sources.
constexpr std::string_view kLeftover = "leftover";

/// Drops members of packages that the cell does not audit. An unreadable package drops only its own
/// error: members of a damaged package may be readable.
void leave_out_unaudited(const BuiltCell& cell, std::vector<fatbin::File>& files) {
  std::set<std::string> alone;
  std::set<std::string> with_members;
  for (const auto& file : cell.unaudited) {
    if (file.why == kLeftover) continue;  // audited as it is
    const auto path = fatbin::printable(file.path.string());
    (file.why == "unreadable" ? alone : with_members).insert(path);
  }
  std::erase_if(files, [&](const fatbin::File& file) {
    const auto& path = file.path;
    for (auto end = path.find('!'); end != std::string::npos; end = path.find('!', end + 1)) {
      if (with_members.count(path.substr(0, end)) != 0) return true;
    }
    return with_members.count(path) != 0 || alone.count(path) != 0;
  });
}

/// Adds to fixes for files that no command of the build names: they may be left over.
void advise_on_leftovers(const BuiltCell& cell, coverage::Audit& audit) {
  for (auto& finding : audit.findings) {
    const auto& path = finding.path;
    const auto file = path.substr(0, path.find('!'));
    finding.may_be_leftover = cell.unnamed.count(file) != 0;
  }
}

std::vector<coverage::Ignore> parse_ignores(const std::vector<std::string>& texts) {
  std::vector<coverage::Ignore> ignores;
  for (const auto& text : texts) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
      throw UsageError(
          fmt::format("--ignore: \"{}\" lacks a {}: write '*gemm_sm90*=only for Hopper'", text,
                      equals == 0 ? "pattern for kernels" : "reason"));
    }
    coverage::Ignore ignore;
    ignore.place = fmt::format("--ignore {}", text.substr(0, equals));
    ignore.kernel = text.substr(0, equals);
    ignore.reason = text.substr(equals + 1);
    ignores.push_back(std::move(ignore));
  }
  return ignores;
}

std::optional<coverage::Baseline> read_baseline(const AuditOptions& options) {
  if (options.baseline.empty()) return std::nullopt;
  try {
    return coverage::read_baseline(options.baseline);
  } catch (const coverage::BaselineError& error) {
    throw UsageError(fmt::format("--baseline: {}", error.what()));
  }
}

Request request_of(const AuditOptions& options, const std::optional<BuiltCell>& cell,
                   const promises::ProjectPromise& project) {
  Request request;
  request.toolkit = parse_toolkit(options.toolkit);
  request.driver = parse_driver(options.driver);
  request.arch = checked_arch(options.arch);
  request.cell = options.cell;
  request.ignores = parse_ignores(options.ignores);
  request.baseline = read_baseline(options);
  request.strict = options.strict;
  if (!options.cell.empty()) {
    request.options = coverage::Options::cmake;
    if (cell) advise(*cell, request);
  }
  if (options.matrix.empty() && !project.matrix) {
    const auto promise = promise_of(options.devices, options.accept);
    // GPUs alone are a question; verdicts to accept on them are a promise.
    if (options.devices.empty() || options.accept.empty()) {
      if (!options.arch.empty() && options.cell.empty()) {
        throw UsageError(
            "--arch: nothing is promised that it could be a part of: give --matrix, or --gpu with "
            "--accept");
      }
      request.like_other_kernels = promise.accept;
      request.devices = promise.devices;
    } else {
      request.promises = {promise};
    }
    return request;
  }
  if (!options.accept.empty()) {
    throw UsageError(fmt::format(
        "--accept: {} says what is accepted: leave out one of the two, or add --gpu",
        project.is_table ? "[tool.archgrid] of " + project.matrix->path : "the matrix file"));
  }
  const auto matrix = project.matrix ? *project.matrix : coverage::read_matrix(options.matrix);
  request.in_pyproject = project.is_table;
  request.ignores.insert(request.ignores.end(), matrix.ignores.begin(), matrix.ignores.end());
  request.devices = promises::read_gpus(options.devices);
  request.promises = promises::promises_of(matrix, request.toolkit);
  request.budgets = coverage::budgets_for(matrix, request.toolkit);
  return request;
}

/// Reports whether the evidence of host code may excuse a kernel. Strict promises take no excuse.
bool needs_evidence(const Request& request) {
  const auto is_lenient = [](const coverage::Promise& promise) { return !promise.strict; };
  return request.like_other_kernels ||
         (!request.strict &&
          std::any_of(request.promises.begin(), request.promises.end(), is_lenient));
}

/// Selects the detail to read. Budgets need whole images. Without a promise, the report covers
/// newer GPUs, which depends on PTX.
fatbin::ReadOptions reading_for(const Request& request, bool every_byte) {
  if (every_byte) return fatbin::Detail::everything;
  fatbin::ReadOptions reading =
      request.budgets.empty() ? fatbin::Detail::bodies : fatbin::Detail::everything;
  reading.host_names = needs_evidence(request);
  const auto devices =
      request.like_other_kernels ? request.devices : coverage::promised_devices(request);
  if (request.like_other_kernels && devices.empty()) return reading;
  reading.takes_ptx = [devices](const auto& images) {
    return coverage::needs_ptx(images, devices);
  };
  return reading;
}

/// Throws if no promise covers a requested device or arch: a mistake of the user, not a kept
/// promise.
void expect_promised(Request request, const AuditOptions& options) {
  if (request.like_other_kernels) return;
  const bool single_cell = !options.arch.empty() && !options.cell.empty();
  if (single_cell) request.arch.clear();
  const auto found = coverage::promised_devices(request);
  const auto missing = promises::unpromised(request.devices, {found.begin(), found.end()});
  if (!found.empty() && missing.empty()) return;
  std::string asked;
  if (!missing.empty()) asked = "--device " + coverage::list_devices(missing);
  if (!request.arch.empty()) asked += (asked.empty() ? "" : " ") + ("--arch " + request.arch);
  request.devices.clear();
  request.arch.clear();
  throw NothingPromised(fmt::format("{}: nothing is promised there: name one of the promised: {}",
                                    asked,
                                    coverage::list_devices(coverage::promised_devices(request))));
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

/// Returns findings for ignores, patterns and budgets that matched nothing.
std::vector<coverage::Finding> unused_in(const std::vector<coverage::Audit>& audits,
                                         const AuditOptions& options) {
  auto unused = coverage::unused_in(audits);
  if (options.allow_unused_ignores) {
    std::erase_if(unused, [](const auto& finding) { return finding.code == "unused-ignore"; });
  }
  return unused;
}

AuditReport audit_files(const AuditOptions& options, const promises::ProjectPromise& project) {
  // A cell without files is a finding of its audit, not a mistake of the user.
  if (options.files.empty() && options.cell.empty()) {
    throw UsageError("audit: name a FILE, or a build tree (--tree DIR)");
  }
  expect_no_output(options.files, options.json);
  const auto cell = cell_of_tree(options);
  auto request = request_of(options, cell, project);
  expect_promised(request, options);
  auto* const claims = request.like_other_kernels ? &request.claims : nullptr;
  HostFiles host_files;
  if (request.like_other_kernels) request.is_guarded = host_files.guard();
  auto inputs = read_inputs(options.files, reading_for(request, options.every_byte), claims,
                            request.is_guarded ? &host_files : nullptr);
  promises::expect_in_wheels(project, inputs);
  if (cell) leave_out_unaudited(*cell, inputs);
  AuditReport report;
  report.arch = request.arch;
  report.like_other_kernels = request.like_other_kernels.has_value();
  report.asked = promises::names_of_gpus(options.devices);
  report.audits.push_back(coverage::audit(std::move(inputs), request));
  if (request.baseline) report::forgive_known(*request.baseline, report.audits[0]);
  coverage::note_without_code(options.files, report.audits[0]);
  if (cell) advise_on_leftovers(*cell, report.audits[0]);
  auto& remarks = report.audits[0].remarks;
  remarks.insert(remarks.end(), project.remarks.begin(), project.remarks.end());
  const auto& files = report.audits[0].files;
  const bool read = std::any_of(files.begin(), files.end(),
                                [](const auto& audited) { return !audited.rows.empty(); });
  if (read && options.devices.empty() && request.like_other_kernels) {
    report.audits[0].remarks.push_back(
        {.code = "like-other-kernels",
         .message = "nothing was promised (--accept beside --gpu, or --matrix, would promise): "
                    "files and kernels are held to what the rest of the package has"});
  }
  const bool whole = request.devices.empty() && request.arch.empty();
  if (whole) report.findings = unused_in(report.audits, options);
  return report;
}

/// Returns the fix for a cell that failed or cannot be built here.
std::string fix_of(const BuiltCell& cell, const std::string& tree) {
  const auto folder = shell_word(tree);
  const auto build = fmt::format("cmake --build {} --target {}", folder, cell.id);
  if (cell.status == "impossible") {
    return fmt::format("mend that, then configure and build: cmake {} && {}", folder, build);
  }
  if (cell.status == "failed") return "mend that, then build it again: " + build;
  return fmt::format("build it{}: {}", cell.status.empty() ? "" : " again", build);
}

coverage::Finding not_built(const BuiltCell& cell, const std::string& tree) {
  coverage::Finding finding;
  finding.code = "not-built";
  finding.cell = cell.id;
  finding.message = fmt::format("the cell keeps no promise: {}", cell.problem);
  finding.fix = fix_of(cell, tree);
  return finding;
}

std::vector<BuiltCell> wanted_cells(const Tree& tree, const std::string& id) {
  if (id.empty()) return tree.cells;
  std::vector<std::string> audited;
  for (const auto& cell : tree.cells) {
    if (cell.id == id) return {cell};
    audited.push_back(cell.id);
  }
  throw UsageError(fmt::format("--cell: the plan {} {}: write {}",
                               tree.ids.count(id) == 0 ? "has no cell" : "does not audit its cell",
                               id, promises::either(audited)));
}

/// Returns the devices to audit: those of the plan, restricted by the command line.
std::vector<coverage::Device> devices_of(const BuiltCell& cell,
                                         const std::vector<coverage::Device>& wanted) {
  if (wanted.empty() || cell.devices.empty()) return cell.devices.empty() ? wanted : cell.devices;
  std::vector<coverage::Device> devices;
  for (const auto device : cell.devices) {
    if (std::find(wanted.begin(), wanted.end(), device) != wanted.end()) devices.push_back(device);
  }
  return devices;
}

/// Sentences for the keywords of archgrid.cell/1 about files that are not audited.
constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kWhyUnaudited = {{
    {"nvidia",
     "it has the name of a library of NVIDIA; if you build and ship it, audit it by itself"},
    {"foreign",
     "it has the name of another project's package; if you build and ship it, audit it by itself"},
    {"unmade",
     "no command of the build names it as its output; if you ship it, audit it by itself"},
    {"environment",
     "it lies in a virtual environment of Python; if you build and ship it, audit it by itself"},
    {"outside",
     "it was written outside the cell's tree after the cell was configured; if the build did it, "
     "write it below CMAKE_BINARY_DIR, as every cell overwrites it; else audit it by itself"},
    {"outdated",
     "its target is not part of what was built, and it may be older than its sources; build the "
     "target, or delete the file"},
    {kLeftover,
     "it may be older than its sources: its target is not part of what was built, and install() "
     "names it; build the target before you install"},
    {"linked",
     "a static library that the host compiler's -flto hides the device code of; what is linked "
     "with it is audited; if you ship it, compile it without -flto"},
    {"opaque",
     "install() names it, and its device code lies in a format that archgrid does not know; audit "
     "what it is made of"},
    {"unreadable", "it is a package, or lies in one, and archgrid cannot read it"},
    {"prebuilt",
     "it is prebuilt, outside the cell's tree or in fetched sources, and linked or installed; "
     "audit "
     "it by itself"},
    {"installing",
     "install(CODE) or install(SCRIPT) runs a program there that may compile, and what that makes "
     "is not seen; let the build make it"},
}};

/// Returns why a file that may ship is not audited. An unknown keyword, from a newer archgrid, is
/// shown as it is.
std::string text_of_reason(const UnauditedFile& file) {
  const auto* const found = std::find_if(kWhyUnaudited.begin(), kWhyUnaudited.end(),
                                         [&](const auto& row) { return row.first == file.why; });
  auto text = found == kWhyUnaudited.end() ? file.why : std::string(found->second);
  if (!file.reason.empty()) text += ": " + file.reason;
  return text;
}

/// Notes the cell's files and targets that may ship but are not audited, and audited files that may
/// differ from those that ship.
void note_unaudited(const BuiltCell& cell, coverage::Audit& audit) {
  for (const auto& file : cell.unaudited) {
    if (file.why == "copy") continue;  // what it copies is audited
    const bool leftover = file.why == kLeftover;
    audit.remarks.push_back(
        {.code = leftover ? "leftover" : "not-audited",
         .path = file.path.string(),
         .message = fmt::format("{}: {}", leftover ? "audited as it is" : "not audited",
                                text_of_reason(file))});
  }
  if (cell.enforced) {
    audit.remarks.push_back(
        {.code = "enforced-archs",
         .message =
             "\"enforce_archs\" replaces the archs that the project sets: what it builds without "
             "archgrid is not proved"});
  }
  if (cell.excluded.empty()) return;
  audit.remarks.push_back(
      {.code = "targets-not-built",
       .message = fmt::format("not built, so not audited: {}", shortened(cell.excluded))});
}

coverage::Audit audit_cell(const BuiltCell& cell, const coverage::Matrix& matrix, Request request,
                           bool every_byte) {
  request.cell = cell.id;
  request.toolkit = cell.toolkit;
  advise(cell, request);
  request.arch = cell.arch;
  request.promises = coverage::promises_for(matrix, cell.toolkit);
  request.budgets = coverage::budgets_for(matrix, cell.toolkit);
  const std::vector<std::string> paths(cell.artifacts.begin(), cell.artifacts.end());
  auto inputs = read_inputs(paths, reading_for(request, every_byte));
  leave_out_unaudited(cell, inputs);
  auto audit = coverage::audit(std::move(inputs), request);
  coverage::note_without_code(paths, audit);
  note_unaudited(cell, audit);
  advise_on_leftovers(cell, audit);
  return audit;
}

/// Finds promised devices of `toolkit` that none of its cells serves with an accepted verdict. Only
/// for single cells: each is judged for its own arch, so no other check reports them.
void find_unserved(const Tree& tree, const coverage::Matrix& matrix, coverage::Version toolkit,
                   std::vector<coverage::Finding>& findings) {
  std::set<coverage::Device> found;
  for (const auto& promise : coverage::promises_for(matrix, toolkit)) {
    for (const auto device : promise.devices) {
      const bool served = std::any_of(tree.cells.begin(), tree.cells.end(), [&](const auto& cell) {
        return cell.toolkit == toolkit && coverage::arch_serves(cell.arch, device, promise.accept);
      });
      if (served || !found.insert(device).second) continue;
      coverage::Finding finding;
      finding.code = "missing";
      finding.device = device.text();
      finding.message = fmt::format("promised, and no cell of CUDA {} serves it", toolkit.text());
      finding.fix =
          fmt::format("add an arch that serves {} to the archs of CUDA {}, or promise less",
                      device.text(), toolkit.text());
      findings.push_back(finding);
    }
  }
}

void find_unserved(const Tree& tree, const coverage::Matrix& matrix,
                   std::vector<coverage::Finding>& findings) {
  std::set<coverage::Version> toolkits;
  for (const auto& cell : tree.cells) {
    if (cell.arch.empty()) return;  // a fat cell: its own audit finds unserved devices
    toolkits.insert(cell.toolkit);
  }
  for (const auto toolkit : toolkits) find_unserved(tree, matrix, toolkit, findings);
}

/// Returns the devices promised for the cell's toolkit, and for a single cell served by its arch.
std::vector<coverage::Device> promised_of(const BuiltCell& cell, const coverage::Matrix& matrix) {
  Request request;
  request.promises = coverage::promises_for(matrix, cell.toolkit);
  request.arch = cell.arch;
  request.devices = cell.devices;
  return coverage::promised_devices(request);
}

void expect_promised(const std::vector<BuiltCell>& cells, const coverage::Matrix& matrix,
                     const std::vector<coverage::Device>& wanted, const std::string& only_cell) {
  if (wanted.empty() && only_cell.empty()) return;  // find_unserved sees to it
  std::set<coverage::Device> promised;
  for (const auto& cell : cells) {
    const auto devices = promised_of(cell, matrix);
    promised.insert(devices.begin(), devices.end());
  }
  const auto missing = promises::unpromised(wanted, promised);
  if (!promised.empty() && missing.empty()) return;
  const auto asked =
      wanted.empty() ? "--cell " + only_cell : "--device " + coverage::list_devices(missing);
  if (promised.empty()) throw NothingPromised(asked + ": nothing is promised for its devices");
  throw NothingPromised(fmt::format("{}: nothing is promised there: name one of the promised: {}",
                                    asked, coverage::list_devices(promised)));
}

/// Repeats the audits of cells with idle kernels that work in another cell.
void judge_beside_siblings(const AuditOptions& options, const std::vector<BuiltCell>& cells,
                           const coverage::Matrix& matrix, std::map<std::string, Request> requests,
                           std::vector<coverage::Audit>& audits) {
  for (auto& [id, elsewhere] : working_in_siblings(options.tree, cells, audits)) {
    const auto is_it = [&id = id](const auto& each) { return each.id == id; };
    const auto cell = std::find_if(cells.begin(), cells.end(), is_it);
    auto& request = requests.at(id);
    request.elsewhere = elsewhere;
    for (auto& audit : audits) {
      if (audit.cell != id) continue;
      audit = audit_cell(*cell, matrix, std::move(request), options.every_byte);
    }
  }
}

AuditReport audit_tree(const AuditOptions& options) {
  if (!options.files.empty() || !options.matrix.empty() || !options.toolkit.empty() ||
      !options.arch.empty() || !options.accept.empty()) {
    throw UsageError(
        "--tree: the tree says what to audit: leave out FILE, --matrix, --toolkit, "
        "--arch and --accept");
  }
  const auto tree = read_tree(options.tree);
  if (tree.cells.empty()) {
    throw UsageError(
        fmt::format("{}/plan.json: the plan names no audit: promise a device in the matrix file",
                    options.tree));
  }
  const auto matrix = coverage::read_matrix(tree.matrix);
  const auto wanted = promises::read_gpus(options.devices);
  const auto baseline = read_baseline(options);
  const auto cells = wanted_cells(tree, options.cell);
  expect_promised(cells, matrix, wanted, options.cell);
  AuditReport report;
  report.by_cell = true;
  const bool fat = std::any_of(cells.begin(), cells.end(),
                               [](const BuiltCell& cell) { return cell.arch.empty(); });
  std::map<std::string, Request> requests;  // by cell
  for (const auto& cell : cells) {
    auto& request = requests[cell.id];
    request.ignores = matrix.ignores;
    request.baseline = baseline;
    request.strict = options.strict;
    request.driver = parse_driver(options.driver);
    request.devices = devices_of(cell, wanted);
    if (!wanted.empty() && request.devices.empty()) continue;
    if (fat && !cell.arch.empty()) report.beside_fat.insert(cell.id);
    if (cell.problem.empty()) {
      auto audit = audit_cell(cell, matrix, request, options.every_byte);
      const bool concerned = wanted.empty() || !audit.devices.empty() || !audit.errors.empty();
      if (concerned) report.audits.push_back(std::move(audit));
    } else {
      report.findings.push_back(not_built(cell, options.tree));
    }
  }
  judge_beside_siblings(options, cells, matrix, std::move(requests), report.audits);
  for (auto& audit : report.audits) {
    if (baseline) report::forgive_known(*baseline, audit);
  }
  const bool whole = wanted.empty() && options.cell.empty() && report.findings.empty();
  if (whole) {
    report.findings = unused_in(report.audits, options);
    find_unserved(tree, matrix, report.findings);
    if (!fat) note_gaps(cells, matrix, report.audits);
  }
  return report;
}

}  // namespace

int run_audit(const AuditOptions& options) {
  expect_no_values(options);
  // Outputs must not overwrite the files of the promise.
  const bool is_tree = !options.tree.empty();
  const auto project = is_tree ? promises::ProjectPromise()
                               : promises::find_project_promise(
                                     {options.files, options.matrix, !options.devices.empty()});
  AuditOutputs outputs(options, project.inputs);
  const auto& report =
      kept<AuditReport>(is_tree ? audit_tree(options) : audit_files(options, project));
  const auto& view = kept<report::View>(report);
  const bool written = outputs.write(view);
  if (!written || !view.errors.empty()) return kTrouble;
  return view.outcome == report::Outcome::holds ? kHolds : kFindings;
}

}  // namespace archgrid::cli
