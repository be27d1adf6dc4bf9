// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <archgrid/coverage/ignore_codes.hpp>
#include <archgrid/promises/command_line.hpp>
#include <archgrid/promises/error.hpp>
#include <archgrid/promises/gpus.hpp>
#include <archgrid/promises/lists.hpp>
#include <archgrid/promises/matrix.hpp>

namespace archgrid::promises {
namespace {

using coverage::PromisePlace;
using coverage::Request;

coverage::Verdict read_accepted(const std::string& text) {
  const auto small = lower_case(text);  // maps shout: JIT
  const auto verdict = coverage::parse_verdict(small);
  const auto acceptable = coverage::acceptable_verdicts();
  if (verdict && std::find(acceptable.begin(), acceptable.end(), *verdict) != acceptable.end()) {
    return *verdict;
  }
  if (verdict) {
    throw PromiseError(fmt::format("--accept: {} means that the kernel fails: write {}", small,
                                   either(acceptable_names())));
  }
  if (small == "trap" || small == "stub") {
    throw PromiseError(fmt::format(
        "--accept: \"{}\" is a kind of the verdict empty: write empty; the verdicts are {}", text,
        either(acceptable_names())));
  }
  throw PromiseError("--accept: " + unknown_word(text, "verdict", acceptable_names()));
}

/// Sets a promise, or a question: GPUs alone are a question, verdicts to accept on them a promise.
void set_own_promise(const PromiseOptions& options, Request& request) {
  if (options.gpus.empty() && !options.accept.empty()) {
    throw PromiseError("--accept needs --gpu: it is a part of a promise");
  }
  const auto promise = promise_of(options.gpus, options.accept);
  if (!options.gpus.empty() && !options.accept.empty()) {
    request.promises = {promise};
    request.place = request.audited.empty() ? PromisePlace::options : PromisePlace::cmake;
    return;
  }
  if (!request.arch.empty() && request.cell.empty()) {
    throw PromiseError(
        "--arch: nothing is promised that it could be a part of: give --matrix, or --gpu with "
        "--accept");
  }
  request.accept_without_promise = promise.accept;
  request.devices = promise.devices;
}

/// Returns where people wrote an ignore of this pattern.
std::string place_of_ignore(const std::string& pattern, const std::string& written_in) {
  if (written_in.empty()) return "--ignore " + pattern;
  return fmt::format("IGNORE \"{}\" of archgrid_audit in {}", pattern, written_in);
}

NothingPromised nothing_promised(const std::vector<coverage::ComputeCapability>& missing,
                                 const std::string& asked,
                                 const std::set<coverage::ComputeCapability>& promised) {
  std::vector<std::string> options;
  if (!missing.empty()) options.push_back("--gpu " + coverage::list_devices(missing));
  if (!asked.empty()) options.push_back(asked);
  const auto text = fmt::format("{}", fmt::join(options, " "));
  if (promised.empty()) return NothingPromised(text + ": nothing is promised for its devices");
  return NothingPromised(fmt::format("{}: nothing is promised there: name one of the promised: {}",
                                     text, coverage::list_devices(promised)));
}

}  // namespace

std::vector<std::string> acceptable_names() {
  std::vector<std::string> names;
  for (const auto verdict : coverage::acceptable_verdicts())
    names.emplace_back(coverage::name_of(verdict));
  return names;
}

coverage::Promise promise_of(const std::vector<std::string>& gpus,
                             const std::vector<std::string>& accept) {
  coverage::Promise promise;
  promise.devices = read_gpus(gpus);
  if (accept.empty()) return promise;
  promise.accept.clear();
  for (const auto& text : split_list(accept)) promise.accept.insert(read_accepted(text));
  return promise;
}

void set_promise(const PromiseOptions& options, const ProjectPromise& project, Request& request) {
  if (options.matrix.empty() && !project.matrix) {
    set_own_promise(options, request);
    return;
  }
  if (!options.accept.empty()) {
    // Only a promise that archgrid found by itself yields to --gpu.
    throw PromiseError(fmt::format(
        "--accept: {} says what is accepted: leave out one of the two{}",
        project.is_table ? "[tool.archgrid] of " + project.matrix->path : "the matrix file",
        options.matrix.empty() ? ", or add --gpu" : ""));
  }
  const auto matrix = project.matrix ? *project.matrix : coverage::read_matrix(options.matrix);
  if (project.is_table) request.place = PromisePlace::pyproject;
  request.ignores.insert(request.ignores.end(), matrix.ignores.begin(), matrix.ignores.end());
  request.devices = read_gpus(options.gpus);
  request.promises = promises_of(matrix, request.toolkit);
  request.budgets = coverage::budgets_for(matrix, request.toolkit);
}

void expect_promised(const std::vector<coverage::ComputeCapability>& wanted,
                     const std::set<coverage::ComputeCapability>& promised,
                     const std::string& asked) {
  const auto missing = unpromised(wanted, promised);
  if (!promised.empty() && missing.empty()) return;
  throw nothing_promised(missing, asked, promised);
}

void expect_promised(Request request) {
  if (request.accept_without_promise) return;
  const bool single_cell = !request.arch.empty() && !request.cell.empty();
  if (single_cell) request.arch.clear();
  const auto found = coverage::promised_devices(request);
  const auto missing = unpromised(request.devices, {found.begin(), found.end()});
  if (!found.empty() && missing.empty()) return;
  const auto asked = request.arch.empty() ? std::string() : "--arch " + request.arch;
  request.devices.clear();
  request.arch.clear();
  const auto promised = coverage::promised_devices(request);
  throw nothing_promised(missing, asked, {promised.begin(), promised.end()});
}

coverage::Ignore read_ignore(const std::string& text, const std::string& written_in) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    throw PromiseError(
        fmt::format("--ignore: \"{}\" lacks a {}: write '*gemm_sm90*=only for Hopper'", text,
                    equals == 0 ? "pattern for kernels" : "reason"));
  }
  const auto pattern = text.substr(0, equals);
  coverage::Ignore ignore;
  ignore.place = place_of_ignore(pattern, written_in);
  ignore.is_option = true;
  try {
    coverage::read_ignored(pattern, ignore,
                           [](const std::string& gpus) { return read_gpus({gpus}); });
  } catch (const coverage::IgnoreError& error) {
    throw PromiseError(fmt::format("--ignore: {}", error.what()));
  } catch (const PromiseError& error) {
    throw PromiseError(fmt::format("{}: after the @: {}", ignore.place, error.what()));
  }
  ignore.reason = text.substr(equals + 1);
  const auto problem = coverage::problem_of_reason(ignore.reason);
  if (!problem.empty()) {
    throw PromiseError(
        fmt::format("{}: {}: say why its errors may be ignored", ignore.place, problem));
  }
  return ignore;
}

}  // namespace archgrid::promises
